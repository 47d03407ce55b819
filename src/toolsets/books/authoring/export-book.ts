import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../../../errors/failure.ts';
import { hashOf } from '../model/hash.ts';
import { byCodePoint, isBasePath, isInside } from '../model/key.ts';
import { missingBook } from '../model/refusal.ts';
import { assignExportPaths, type ExportKind, exportKind, formatSummary, summaryFolder } from './export-plan.ts';
import { titleOf } from './front-matter.ts';
import { type AuthoringLibrary, type ImportOptions, readBook } from './import-book.ts';
import { type Placement, relativePath, relocateLinks } from './links.ts';
import type { Manifest } from './manifest.ts';
import { isPage, joinPath, nameOf } from './outline.ts';
import { bookTitleOf, planImport } from './plan.ts';
import { openSourceFolder } from './source-folder.ts';

interface Page {
  path: string;
  title: string;
}

interface ExportedFile {
  path: string;
  target: string;
  kind: ExportKind;
  bytes: Buffer;
}

/**
 * Writes a book to the folder from which it was imported, or to a new folder. Returns whether all files were exported.
 */
export async function exportBook(library: AuthoringLibrary, options: ImportOptions): Promise<boolean> {
  const { folder, book, signal, write, isConfirmed } = options;
  const { manifest, hashes } = await readBook(library, book, signal);
  if (hashes.size === 0) throw missingBook(book);
  const paths = [...hashes.keys()].filter(isBasePath).sort(byReadingOrder);
  const placement = assignExportPaths(paths, manifest);
  const reimported = existsSync(folder) ? reimportedHashes(folder) : new Map<string, string>();
  const titles: Page[] = [];
  const kinds: ExportKind[] = [];
  for (const [from, target] of placement) {
    signal.throwIfAborted();
    const bytes = await readBytes(library, book, from, signal);
    const text = isPage(from) ? bytes.toString('utf8') : undefined;
    if (text !== undefined) titles.push({ path: from, title: titleOf(text) ?? nameOf(from) });
    const exported = text === undefined ? bytes : Buffer.from(relocateLinks(text, from, placement));
    const file = { path: from, target, bytes: exported, kind: kindOf(from, target) };
    kinds.push(file.kind);
    reportFile(write, file);
    if (isConfirmed) writeExported(folder, file);

    function kindOf(source: string, to: string): ExportKind {
      return exportKind({
        exported: hashOf(exported),
        present: hashOfFile(path.join(folder, to)),
        imported: manifest?.files[source]?.sha256,
        inLibrary: hashes.get(source) ?? '',
        reimported: reimported.get(to),
      });
    }
  }
  reportRemoved(options, manifest, placement);
  const left = kinds.filter(kind => kind === 'newer' || kind === 'conflict').length;
  const changed = kinds.filter(kind => kind === 'create' || kind === 'update').length;
  const written = changed + (manifest?.kind === 'mdbook' ? writeSummary(options, placement, titles) : 0);
  write(`${placement.size} files: ${written} to write, ${left} left as they are in the folder.`);
  write(isConfirmed ? `Exported to ${folder}.` : 'Nothing was written. Repeat the command with --yes to export.');
  return left === 0;
}

/** Reports the files in the folder whose imported version was deleted or moved in the library. An export deletes none. */
function reportRemoved({ folder, write }: ImportOptions, manifest: Manifest | undefined, placement: Placement): void {
  const targets = new Set(placement.values());
  for (const [imported, { from }] of Object.entries(manifest?.files ?? {})) {
    if (placement.has(imported) || targets.has(from) || !isInside(from) || !existsSync(path.join(folder, from)))
      continue;
    write(`- ${from} was deleted or moved in the library: delete it in the folder.`);
  }
}

/** Compares two paths in reading order: the README of a folder precedes its lessons. */
function byReadingOrder(one: string, other: string): number {
  const keyOf = (file: string): string => file.replace(/README\.md$/, '');
  return byCodePoint(keyOf(one), keyOf(other));
}

async function readBytes(
  { storage }: AuthoringLibrary,
  book: string,
  file: string,
  signal: AbortSignal,
): Promise<Buffer> {
  const source = await storage.stream(`books/${book}/${file}`, signal);
  if (source === undefined)
    throw new Failure('setting', `${file} was deleted during the export.`, { hint: 'Repeat it.' });
  const pieces: Buffer[] = [];
  for await (const piece of source.pieces) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

/** Returns the hashes that a new import of the folder would assign to its files, by their paths in the folder. */
function reimportedHashes(folder: string): Map<string, string> {
  const source = openSourceFolder(folder);
  const plan = planImport(source, bookTitleOf(source, nameOf(folder)));
  return new Map(plan.files.map(({ from, content }) => [from, hashOf(content ?? source.bytes(from))]));
}

function hashOfFile(file: string): string | undefined {
  return existsSync(file) ? hashOf(readFileSync(file)) : undefined;
}

const signs: Readonly<Record<ExportKind, string>> = {
  create: '+',
  update: '~',
  unchanged: '=',
  newer: '<',
  conflict: '!',
};
const reasons: Readonly<Partial<Record<ExportKind, string>>> = {
  newer: ' (edited in the folder since the import; import it again)',
  conflict: ' (edited in the folder and in the library; merge by hand)',
};

function reportFile(write: (line: string) => void, { path: from, target, kind }: ExportedFile): void {
  write(`${signs[kind]} ${from} → ${target}${reasons[kind] ?? ''}`);
}

/** Replaces the file in one step, so that an interrupted export leaves the old or the new file. */
function writeExported(folder: string, { target, kind, bytes }: Pick<ExportedFile, 'target' | 'kind' | 'bytes'>): void {
  if (kind !== 'create' && kind !== 'update') return;
  const file = path.join(folder, target);
  const temporary = `${file}.oj-mcp-export`;
  mkdirSync(path.dirname(file), { recursive: true });
  try {
    writeFileSync(temporary, bytes);
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/**
 * Writes a table of contents only if the folder has none. For an existing one, it reports the pages that are missing in
 * it.
 */
function writeSummary(options: ImportOptions, placement: Placement, pages: readonly Page[]): number {
  const { folder, write, isConfirmed } = options;
  const root = summaryFolder(placement);
  const target = joinPath(root, 'SUMMARY.md');
  const present = path.join(folder, target);
  if (existsSync(present)) {
    const listed = readFileSync(present, 'utf8');
    const targets = pages.map(({ path: page }) => relativePath(root, placement.get(page) ?? page));
    for (const page of targets)
      if (!listed.includes(`${page})`)) write(`${target} does not list ${page}: add it there.`);
    return 0;
  }
  const bytes = Buffer.from(formatSummary(pages, placement));
  const file: ExportedFile = { path: 'the table of contents', target, kind: 'create', bytes };
  reportFile(write, file);
  if (isConfirmed) writeExported(folder, file);
  return 1;
}
