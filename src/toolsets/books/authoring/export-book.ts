import { isUtf8 } from 'node:buffer';
import { Failure } from '../../../errors/failure.ts';
import { sha256Of } from '../model/hash.ts';
import { compareCodePoints, importManifestPath, isPathOfBookItself } from '../model/key.ts';
import { isBookPagePath } from '../model/path.ts';
import { findBrokenLinks } from './content-checks.ts';
import { assignExportPaths, decideFileExport } from './export-plan.ts';
import { addExportedFilesToManifest, type ExportedFile, updateManifestAfterExport } from './export-record.ts';
import {
  exportSignExplanation,
  notesOnOmittedFiles,
  reportDeletedLessons,
  reportExportedFile,
  reportMovedLessons,
  reportSummaryFile,
  reportUnlistedPages,
} from './export-report.ts';
import { type ExportedSummaryFile, planSummaryFile, type TitledPage } from './export-summary.ts';
import { type ExportTarget, openExportTarget, planImportAfterExport, requireWritableFolder } from './export-target.ts';
import { inspectExistingFile, writeExportedFile } from './exported-file.ts';
import { createTitleFromFileName } from './folder-outline.ts';
import { firstHeadingOf, titleOfPage } from './front-matter.ts';
import {
  type ImportedBookState,
  type ImportOptions,
  importConflictAdvice,
  type LibraryForImports,
  readImportedBook,
} from './import-book.ts';
import { adaptRelativeLinks, type TargetPathsOfFiles } from './links.ts';
import { formatImportManifest, type ImportManifest } from './manifest.ts';
import { createReadingOrderSortKey } from './page-order.ts';
import { formatCount } from './wording.ts';

/** The data that all steps of one export share. */
interface Export {
  library: LibraryForImports;
  options: ImportOptions;
  state: ImportedBookState;
  target: ExportTarget;
  placement: TargetPathsOfFiles;
  /** The paths of all files, including those of deleted lessons, because links may still lead to them. */
  linked: TargetPathsOfFiles;
  titles: TitledPage[];
  files: ExportedFile[];
  /** The number of links, images and includes in the library that lead to no file of the book. */
  brokenLinks: number;
  /** Maps the path of each page in the folder to its text, and the path of each asset to undefined. */
  written: Map<string, string | undefined>;
}

/**
 * Writes a book to the folder from which it was imported, or to a new folder. Returns whether no file is in conflict.
 */
export async function exportBook(library: LibraryForImports, options: ImportOptions): Promise<boolean> {
  const { folder, book, signal, write, isConfirmed } = options;
  const state = await readImportedBook(library, book, signal);
  const { manifest, hashes } = state;
  if (hashes.size === 0) throw await createNoBookFailure(library, book);
  requireWritableFolder(folder, isConfirmed);
  const target = openExportTarget(folder, state);
  const placement = assignExportPaths([...hashes.keys()].filter(isPathOfBookItself).sort(byReadingOrder), manifest);
  const linked = new Map([
    ...Object.entries(manifest?.files ?? {}).map(([to, { from }]) => [to, from] as const),
    ...placement,
  ]);
  const run: Export = {
    library,
    options,
    state,
    target,
    placement,
    linked,
    titles: [],
    files: [],
    brokenLinks: 0,
    written: new Map(),
  };
  if (target.note !== undefined) write(target.note);
  write(exportSignExplanation);
  for (const [from, to] of placement) await exportFile(run, from, to);
  reportDeletedLessons(write, target.source.root, manifest, placement);
  if (!target.plan.isSameOrder) reportMovedLessons(write, manifest);
  const summary = manifest?.kind === 'mdbook' ? exportSummary(run) : undefined;
  const draft = addExportedFilesToManifest(manifest, placement);
  const after = planImportAfterExport(target, run.written, draft, [...hashes.keys()]);
  reportUnlistedPages(write, after.plan, placement, page => draft.files[page]?.isNew ?? false);
  if (isConfirmed)
    await record(run, updateManifestAfterExport(after.manifest, run.files, after.contentOf, target.source.id));
  return reportResult(run, summary);
}

async function createNoBookFailure({ files }: LibraryForImports, book: string): Promise<Failure> {
  const books = (await files.books()).filter(name => name !== book);
  return new Failure('setting', `There is no book ${JSON.stringify(book)} with files.`, {
    hint: books.length === 0 ? 'The library has no other books.' : `The books of the library: ${books.join(', ')}.`,
  });
}

const writtenKinds: ReadonlySet<ExportedFile['kind']> = new Set(['create', 'update', 'overwrite']);

async function exportFile(run: Export, from: string, to: string): Promise<void> {
  const { library, options, state, target, linked } = run;
  options.signal.throwIfAborted();
  const bytes = await readBytes(library, options.book, from, options.signal);
  let exported = bytes;
  let text: string | undefined;
  if (isBookPagePath(from) && isUtf8(bytes)) {
    const content = bytes.toString('utf8');
    run.titles.push({
      path: from,
      title: titleOfPage(content) ?? firstHeadingOf(content) ?? createTitleFromFileName(from),
    });
    run.brokenLinks += findBrokenLinks(from, content, state.hashes).length;
    text = adaptRelativeLinks(content, from, linked, target.linkFormOf(to));
    exported = Buffer.from(text);
  }
  const content = sha256Of(bytes);
  const { hash: present, isBlocked } = inspectExistingFile(target.source.root, to);
  const synced = state.manifest?.files[from]?.synced ?? [];
  const hashes = {
    exported: sha256Of(exported),
    isBlocked,
    present,
    inLibrary: content,
    reimported: present && target.reimportedHash(to),
    synced,
    // Former versions of this program did not record the folder.
    own: synced.filter(({ folder = target.source.id }) => folder === target.source.id),
  };
  const kind = decideFileExport(hashes, options.isOverwriting);
  const isWritten = writtenKinds.has(kind);
  run.files.push({
    path: from,
    target: to,
    kind,
    content,
    source: isWritten ? sha256Of(exported) : (present ?? ''),
  });
  reportExportedFile(options.write, from, to, kind, hashes.own.length === 0);
  if (!isWritten) return;
  run.written.set(to, text);
  if (options.isConfirmed) writeExportedFile(target.source.root, to, exported);
}

/** Compares two paths in reading order: the README of a folder comes before its lessons. */
function byReadingOrder(one: string, other: string): number {
  return compareCodePoints(createReadingOrderSortKey(one), createReadingOrderSortKey(other));
}

async function readBytes(
  { storage }: LibraryForImports,
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

/** Creates `SUMMARY.md` if the folder has none. Otherwise, adds the pages that `SUMMARY.md` does not list. */
function exportSummary({
  options,
  state,
  target,
  titles,
  placement,
  written,
}: Export): ExportedSummaryFile | undefined {
  const isNew = (page: string): boolean =>
    state.manifest?.files[page]?.isNew ?? state.manifest?.files[page] === undefined;
  const summary = planSummaryFile(target.source, titles, placement, isNew);
  if (summary.added?.length === 0) return undefined;
  if (inspectExistingFile(target.source.root, summary.file).isBlocked) {
    throw new Failure(
      'setting',
      `${summary.file} cannot be written: a link, a folder or a special file is in its place.`,
      {
        hint: 'Remove it, then repeat the export.',
      },
    );
  }
  written.set(summary.file, summary.text);
  reportSummaryFile(options.write, summary);
  if (options.isConfirmed) writeExportedFile(target.source.root, summary.file, summary.text);
  return summary;
}

/** Records the export in the library, so that the next import recognizes the exported files. */
async function record({ library, options, state }: Export, manifest: ImportManifest): Promise<void> {
  const text = formatImportManifest(manifest);
  if (state.stored !== undefined && formatImportManifest(state.stored) === text) return;
  const place = { book: options.book, path: importManifestPath, user: undefined };
  try {
    await library.files.put(place, Buffer.from(text), { agent: options.agent, operation: 'export_book' });
  } catch (error) {
    // A library without write permission can still be exported.
    if (!(error instanceof Failure)) throw error;
    options.write(`The library could not record the export, so do not import this folder: ${error.message}`);
  }
}

/** Writes the last lines of an export. Returns false if a file is in conflict or could not be written. */
function reportResult(
  { options, state, target, files, brokenLinks }: Export,
  summary: ExportedSummaryFile | undefined,
): boolean {
  const { folder, write, isConfirmed } = options;
  const count = (...kinds: ExportedFile['kind'][]): number => files.filter(({ kind }) => kinds.includes(kind)).length;
  const changed = count(...writtenKinds) + (summary === undefined ? 0 : 1);
  const conflicts = count('conflict');
  const blocked = count('blocked');
  const left = count('newer', 'conflict', 'blocked');
  const total = formatCount(files.length + (summary === undefined ? 0 : 1), 'file');
  write(`${total}: ${changed} to write, ${count('unchanged')} unchanged, ${left} left as in the folder.`);
  if (brokenLinks > 0)
    write(
      `Links and includes that lead to no file of the book: ${brokenLinks}. validate_book lists them, with --books-extras.`,
    );
  if (target.isNew && state.manifest !== undefined) write(notesOnOmittedFiles[state.manifest.kind]);
  if (changed === 0) write(left === 0 ? 'Nothing to export: the folder is up to date.' : 'Nothing was exported.');
  else write(isConfirmed ? `Exported to ${folder}.` : 'Nothing was written. Repeat the command with --yes to export.');
  if (count('newer') > 0) write('For each "<": import the folder again.');
  if (conflicts > 0) write(`Left as in the folder: ${formatCount(conflicts, 'file')}. ${importConflictAdvice}`);
  return conflicts + blocked === 0;
}
