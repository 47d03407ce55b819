import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../../../errors/failure.ts';
import { describeWriteError, runInCreatedFolders, tryWriting } from '../../../toolset/create-folders.ts';
import { sha256Of } from '../model/hash.ts';
import { compareCodePoints } from '../model/key.ts';
import { findBookRoot } from './book-root.ts';
import { markMissingFiles } from './changes.ts';
import { type ImportedBookState, titleOfImportSource } from './import-book.ts';
import { findLinkAddresses, type LinkAddressStyle } from './links.ts';
import type { ImportManifest } from './manifest.ts';
import { isMarkdownPage } from './outline.ts';
import { replacePageOrder } from './page-order.ts';
import { type ImportPlan, planImport } from './plan.ts';
import { createFolderId, openSourceFolder, type SourceFolder } from './source-folder.ts';

/** The folder of an export. It can compute the result of an import of its files. */
export interface ExportTarget {
  source: SourceFolder;
  isNew: boolean;
  note: string | undefined;
  plan: ImportPlan;
  /** Returns the hash of the content that an import of a file would write into the library. */
  reimportedHash: (file: string) => string | undefined;
  linkFormOf: (page: string) => LinkAddressStyle;
}

/**
 * Throws an error for a folder without write permission, before the plan of the export is printed. Only a confirmed
 * export tests this by writing, because an unconfirmed one must not change anything.
 */
export function requireWritableFolder(folder: string, isConfirmed: boolean): void {
  try {
    let existing = folder;
    while (!existsSync(existing) && existing !== path.dirname(existing)) existing = path.dirname(existing);
    // The dot at the end of the path causes the error ENOTDIR if the path is a file.
    accessSync(`${existing}${path.sep}.`, constants.W_OK | constants.X_OK);
    if (isConfirmed) runInCreatedFolders(folder, () => tryWriting(folder));
  } catch (error) {
    throw new Failure('setting', `--books-export ${folder} cannot be written: ${describeWriteError(error)}.`, {
      hint: 'Name a folder that this user can write. A missing folder is created.',
    });
  }
}

export function openExportTarget(folder: string, { manifest, hashes }: ImportedBookState): ExportTarget {
  const root = findBookRoot(folder, manifest);
  const source = existsSync(root.root) ? openSourceFolder(root) : emptyFolder(root.root);
  const plan = planFolder(source, manifest, hashes.keys());
  const placement = new Map(plan.files.map(({ from, to }) => [from, to]));
  const isSite = manifest?.kind === 'docusaurus';
  return {
    source,
    isNew: source.paths.length === 0,
    note: root.note,
    plan,
    reimportedHash: createReimportedHash(plan, source),
    linkFormOf: page => ({ addresses: findLinkAddresses(source, placement, page), isSite }),
  };
}

function emptyFolder(root: string): SourceFolder {
  return {
    root,
    id: createFolderId(root),
    paths: [],
    skipped: new Map(),
    has: () => false,
    mayContain: () => false,
    text: () => undefined,
    bytes: () => Buffer.alloc(0),
  };
}

function planFolder(source: SourceFolder, manifest: ImportManifest | undefined, paths: Iterable<string>): ImportPlan {
  return planImport(source, titleOfImportSource(source), manifest && { manifest, paths });
}

function createReimportedHash(plan: ImportPlan, source: SourceFolder): (file: string) => string | undefined {
  const files = new Map(plan.files.map(file => [file.from, file]));
  return name => {
    const file = files.get(name);
    return file && sha256Of(file.content ?? source.bytes(file.from));
  };
}

export interface FolderAfterExport {
  plan: ImportPlan;
  /** The manifest after the export. It contains the order of the pages and the files that no longer exist. */
  manifest: ImportManifest;
  /** Returns the content that an import of a page would write into the library. */
  contentOf: (file: string) => string | undefined;
}

/** Plans the import of the folder after the export wrote the given pages and assets. */
export function planImportAfterExport(
  { source, isNew, plan: { order: former } }: ExportTarget,
  written: ReadonlyMap<string, string | undefined>,
  manifest: ImportManifest,
  paths: readonly string[],
): FolderAfterExport {
  const known = new Set([...source.paths, ...written.keys()]);
  const after: SourceFolder = {
    ...source,
    paths: [...known].sort(compareCodePoints),
    has: file => known.has(file),
    text: file => written.get(file) ?? source.text(file),
  };
  const { order } = planFolder(after, manifest, paths);
  const orders = replacePageOrder(manifest.orders, former, order).map(groups => groups.map(group => [...group]));
  const present = new Set(paths);
  // A new folder never contained the files of lessons that were deleted earlier.
  const files = isNew
    ? manifest.files
    : markMissingFiles(
        manifest.files,
        to => present.has(to),
        from => known.has(from) || source.mayContain(from),
      );
  const next = { ...manifest, orders, files };
  const plan = planFolder(after, next, paths);
  const contents = new Map(
    plan.files.filter(({ from }) => isMarkdownPage(from)).map(file => [file.from, file.content]),
  );
  return { plan, manifest: next, contentOf: file => contents.get(file) };
}
