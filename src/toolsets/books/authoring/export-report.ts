import { existsSync } from 'node:fs';
import path from 'node:path';
import { isKeyInsideFolder } from '../model/key.ts';
import type { FileExportKind } from './export-plan.ts';
import type { ExportedSummaryFile } from './export-summary.ts';
import type { TargetPathsOfFiles } from './links.ts';
import type { ImportManifest } from './manifest.ts';
import { parentFolderOf } from './outline.ts';
import type { ImportPlan } from './plan.ts';

type Write = (line: string) => void;

export const exportSignExplanation =
  'Signs: + new, ~ changed in the library, = unchanged, < edited in the folder only, ! edited on both sides, - deleted in the library, × not written.';

const signs: Readonly<Record<FileExportKind, string>> = {
  create: '+',
  update: '~',
  unchanged: '=',
  newer: '<',
  conflict: '!',
  overwrite: '!',
  blocked: '×',
};
const reasons: Readonly<Partial<Record<FileExportKind, string>>> = {
  newer: ' (edited in the folder since the import; import it again)',
  blocked: ' (a link, a folder or a special file is in its place)',
};

export function reportExportedFile(
  write: Write,
  from: string,
  target: string,
  kind: FileExportKind,
  isForeign: boolean,
): void {
  const conflict = isForeign ? 'the folder already has another file' : 'edited in the folder and in the library';
  const reason = { ...reasons, conflict: ` (${conflict})`, overwrite: ` (${conflict}; overwritten)` }[kind] ?? '';
  write(`${signs[kind]} ${from} → ${target}${reason}`);
}

/** Reports files of the folder whose lessons were deleted in the library. An export deletes no files. */
export function reportDeletedLessons(
  write: Write,
  root: string,
  manifest: ImportManifest | undefined,
  placement: TargetPathsOfFiles,
): void {
  const targets = new Set(placement.values());
  const place = manifest?.kind === 'mdbook' ? 'the folder and in SUMMARY.md' : 'the folder';
  for (const [imported, { from }] of Object.entries(manifest?.files ?? {})) {
    if (placement.has(imported) || targets.has(from) || !isKeyInsideFolder(from)) continue;
    if (!existsSync(path.join(root, from))) continue;
    write(`- ${from} was deleted in the library: delete it in ${place}.`);
  }
}

export function reportMovedLessons(write: Write, manifest: ImportManifest | undefined): void {
  for (const [to, { from, movedFrom }] of Object.entries(manifest?.files ?? {})) {
    if (movedFrom === undefined) continue;
    write(
      `${from} was moved in the library to ${to}: change the order in the folder (SUMMARY.md, sidebars, or numbers of files).`,
    );
  }
}

/** Reports new pages that the sidebar of Docusaurus does not list, with the id to add for each page. */
export function reportUnlistedPages(
  write: Write,
  { unlisted }: ImportPlan,
  placement: TargetPathsOfFiles,
  isExportedNew: (path: string) => boolean,
): void {
  const pages = [...placement];
  for (const { file, sidebarFile, id } of unlisted) {
    const at = pages.findIndex(([, target]) => target === file);
    const [page, former] = [pages[at], pages[at - 1]];
    if (page === undefined || !isExportedNew(page[0])) continue;
    const isNext = former !== undefined && parentFolderOf(former[0]) === parentFolderOf(page[0]);
    write(`${sidebarFile} does not list ${file}: add '${id}' to it${isNext ? ` after the page ${former[1]}` : ''}.`);
  }
}

export function reportSummaryFile(write: Write, { file, added }: ExportedSummaryFile): void {
  if (added === undefined) write(`+ the table of contents → ${file}`);
  else for (const line of added) write(`~ ${file}: adds the line ${JSON.stringify(line)}`);
}

export const notesOnOmittedFiles = {
  mdbook:
    'Not exported: book.toml, and of SUMMARY.md the part titles, draft chapters and separators; pages before and after its list become entries of the list.',
  docusaurus: 'Not exported: _category_ files, sidebars and the configuration of the site.',
  folder: 'Not exported: files that are neither pages nor assets.',
} as const;
