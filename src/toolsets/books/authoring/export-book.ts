import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../../../errors/failure.ts';
import { createFolders } from '../../../toolset/create-folders.ts';
import { sha256Of } from '../model/hash.ts';
import { compareCodePoints, importManifestPath, isBasePath, isKeyInsideFolder } from '../model/key.ts';
import { createMissingBookFailure } from '../model/refusal.ts';
import {
  assignExportPaths,
  decideExport,
  type FileExportKind,
  formatMdBookSummary,
  mdBookSourceFolder,
} from './export-plan.ts';
import { titleOf } from './front-matter.ts';
import {
  type AuthoringLibrary,
  type ImportedBookState,
  type ImportOptions,
  importConflictAdvice,
  readImportedBook,
} from './import-book.ts';
import { type FilePlacement, linkAddressesIn, relativePath, relocateLinks } from './links.ts';
import { formatImportManifest, type ImportManifest } from './manifest.ts';
import { isMarkdownPage, joinPath, nameOf } from './outline.ts';
import { bookTitleOf, type ImportPlan, planImport } from './plan.ts';
import { openSourceFolder } from './source-folder.ts';

interface Page {
  path: string;
  title: string;
}

interface ExportedFile {
  path: string;
  target: string;
  kind: FileExportKind;
  bytes: Buffer;
}

/**
 * Writes a book to the folder from which it was imported, or to a new folder. Returns whether all files were exported.
 */
export async function exportBook(library: AuthoringLibrary, options: ImportOptions): Promise<boolean> {
  const { folder, book, signal, write, isConfirmed } = options;
  const state = await readImportedBook(library, book, signal);
  const { manifest, stored, hashes } = state;
  if (hashes.size === 0) throw createMissingBookFailure(book);
  const placement = assignExportPaths([...hashes.keys()].filter(isBasePath).sort(byReadingOrder), manifest);
  const present = reimport(folder, state);
  const kindOf = createKindOf(folder, state, present);
  const titles: Page[] = [];
  const kinds: FileExportKind[] = [];
  const added: ImportManifest['files'] = {};
  for (const [from, target] of placement) {
    signal.throwIfAborted();
    const bytes = await readBytes(library, book, from, signal);
    let exported = bytes;
    if (isMarkdownPage(from)) {
      const text = bytes.toString('utf8');
      titles.push({ path: from, title: titleOf(text) ?? nameOf(from) });
      exported = Buffer.from(relocateLinks(text, from, placement, present.addresses(target)));
    }
    const file = { path: from, target, bytes: exported, kind: kindOf(from, target, exported) };
    kinds.push(file.kind);
    if (manifest?.files[from] === undefined && file.kind !== 'conflict')
      added[from] = { from: target, sha256: hashes.get(from) ?? '', isNew: true };
    reportFile(write, file);
    if (isConfirmed) writeExported(folder, file);
  }
  reportRemoved(options, manifest, placement);
  if (!present.isSameOrder) reportMoved(write, manifest);
  const summaries = manifest?.kind === 'mdbook' ? writeSummary(options, placement, titles) : 0;
  if (isConfirmed) await recordNewFiles(library, options, stored, added);
  return reportResult(options, kinds, summaries, state, present);
}

/** Writes the last lines of an export. Returns false if files were left as they are in the folder. */
function reportResult(
  { folder, write, isConfirmed }: ImportOptions,
  kinds: readonly FileExportKind[],
  summaries: number,
  { manifest }: ImportedBookState,
  present: ReturnType<typeof reimport>,
): boolean {
  const left = kinds.filter(kind => kind === 'newer' || kind === 'conflict').length;
  const changed = kinds.filter(kind => kind === 'create' || kind === 'update').length;
  write(`${kinds.length} files: ${changed + summaries} to write, ${left} left as they are in the folder.`);
  write(
    'Signs: + new, ~ changed, = unchanged, < edited in the folder, ! edited on both sides, - deleted or moved in the library.',
  );
  if (present.hashes.size === 0 && manifest !== undefined) write(notExported[manifest.kind]);
  write(isConfirmed ? `Exported to ${folder}.` : 'Nothing was written. Repeat the command with --yes to export.');
  if (left > 0)
    write(`${left} files were left as they are in the folder. ${importConflictAdvice} For "<": import again.`);
  return left === 0;
}

/** Creates a function that compares a file to export with the file in the folder. */
function createKindOf(
  folder: string,
  { manifest, stored, hashes }: ImportedBookState,
  present: Reimport,
): (from: string, target: string, exported: Buffer) => FileExportKind {
  const imported = new Map(Object.values(stored?.files ?? {}).map(({ from, sha256 }) => [from, sha256]));
  return (from, target, exported) => {
    const reimported = present.hashes.get(target) ?? new Set();
    return decideExport({
      exported: sha256Of(exported),
      present: hashOfFile(path.join(folder, target)),
      imported: manifest?.files[from]?.sha256,
      inLibrary: hashes.get(from) ?? '',
      reimported,
      isFolderUnchanged: reimported.has(imported.get(target) ?? ''),
    });
  };
}

/** Adds the files that only the library had to the manifest, so that the next import recognizes them. */
async function recordNewFiles(
  { files }: AuthoringLibrary,
  { book, agent }: ImportOptions,
  stored: ImportManifest | undefined,
  added: ImportManifest['files'],
): Promise<void> {
  if (stored === undefined || Object.keys(added).length === 0) return;
  const text = formatImportManifest({ ...stored, files: { ...stored.files, ...added } });
  const author = { agent, operation: 'export_book' };
  await files.put({ book, path: importManifestPath, user: undefined }, Buffer.from(text), author);
}

/** Reports files in the folder that were deleted or moved in the library. An export deletes no files. */
function reportRemoved(
  { folder, write }: ImportOptions,
  manifest: ImportManifest | undefined,
  placement: FilePlacement,
): void {
  const targets = new Set(placement.values());
  for (const [imported, { from }] of Object.entries(manifest?.files ?? {})) {
    if (
      placement.has(imported) ||
      targets.has(from) ||
      !isKeyInsideFolder(from) ||
      !existsSync(path.join(folder, from))
    )
      continue;
    write(`- ${from} was deleted or moved in the library: delete it in the folder.`);
  }
}

function reportMoved(write: (line: string) => void, manifest: ImportManifest | undefined): void {
  for (const [to, { from, planned }] of Object.entries(manifest?.files ?? {})) {
    if (planned === undefined) continue;
    write(
      `${from} was moved in the library to ${to}: change the order in the folder (SUMMARY.md, sidebars, or numbers of files).`,
    );
  }
}

/** Compares two paths by reading order: the README of a folder precedes its lessons. */
function byReadingOrder(one: string, other: string): number {
  const keyOf = (file: string): string => file.replace(/README\.md$/, '');
  return compareCodePoints(keyOf(one), keyOf(other));
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

interface Reimport {
  /**
   * The hashes that the files of the folder would get in a new import, at their present and former paths in the
   * library.
   */
  hashes: Map<string, Set<string>>;
  isSameOrder: boolean;
  /** Returns the link addresses that a page of the folder uses, by the paths of the linked files in the library. */
  addresses: (page: string) => Map<string, string> | undefined;
}

function reimport(folder: string, { manifest, stored, hashes: inLibrary }: ImportedBookState): Reimport {
  const hashes = new Map<string, Set<string>>();
  if (!existsSync(folder)) return { hashes, isSameOrder: true, addresses: () => undefined };
  const source = openSourceFolder(folder);
  const plan = (known: ImportManifest | undefined): ImportPlan =>
    planImport(source, bookTitleOf(source, nameOf(folder)), known && { manifest: known, paths: inLibrary.keys() });
  const present = plan(manifest);
  for (const { from, content } of [...present.files, ...plan(stored).files]) {
    const known = hashes.get(from) ?? new Set();
    hashes.set(from, known.add(sha256Of(content ?? source.bytes(from))));
  }
  const placement = new Map(present.files.map(({ from, to }) => [from, to]));
  const addresses = (page: string): Map<string, string> => linkAddressesIn(source, placement, page);
  return { hashes, isSameOrder: present.isSameOrder, addresses };
}

function hashOfFile(file: string): string | undefined {
  return existsSync(file) ? sha256Of(readFileSync(file)) : undefined;
}

const notExported = {
  mdbook: 'Not exported: book.toml, and of SUMMARY.md the part titles, draft chapters and separators.',
  docusaurus: 'Not exported: _category_ files, sidebars and the configuration of the site.',
  folder: 'Not exported: files that are neither pages nor assets.',
} as const;

const signs: Readonly<Record<FileExportKind, string>> = {
  create: '+',
  update: '~',
  unchanged: '=',
  newer: '<',
  conflict: '!',
};
const reasons: Readonly<Partial<Record<FileExportKind, string>>> = {
  newer: ' (edited in the folder since the import; import it again)',
  conflict: ' (edited in the folder and in the library)',
};

function reportFile(write: (line: string) => void, { path: from, target, kind }: ExportedFile): void {
  write(`${signs[kind]} ${from} → ${target}${reasons[kind] ?? ''}`);
}

/**
 * Replaces the file by renaming a temporary one, so that an interrupted export leaves either the old or the new file.
 */
function writeExported(folder: string, { target, kind, bytes }: Pick<ExportedFile, 'target' | 'kind' | 'bytes'>): void {
  if (kind !== 'create' && kind !== 'update') return;
  const file = path.join(folder, target);
  const temporary = `${file}.oj-mcp-export`;
  createFolders(path.dirname(file));
  try {
    writeFileSync(temporary, bytes);
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/**
 * Writes the table of contents (SUMMARY.md) if the folder has none. If it has one, the pages that are missing in it are
 * reported.
 */
function writeSummary(options: ImportOptions, placement: FilePlacement, pages: readonly Page[]): number {
  const { folder, write, isConfirmed } = options;
  const root = mdBookSourceFolder(placement);
  const target = joinPath(root, 'SUMMARY.md');
  const present = path.join(folder, target);
  if (existsSync(present)) {
    const listed = readFileSync(present, 'utf8');
    const targets = pages.map(({ path: page }) => relativePath(root, placement.get(page) ?? page));
    for (const page of targets)
      if (!listed.includes(`${page})`)) write(`${target} does not list ${page}: add it there.`);
    return 0;
  }
  const bytes = Buffer.from(formatMdBookSummary(pages, placement));
  const file: ExportedFile = { path: 'the table of contents', target, kind: 'create', bytes };
  reportFile(write, file);
  if (isConfirmed) writeExported(folder, file);
  return 1;
}
