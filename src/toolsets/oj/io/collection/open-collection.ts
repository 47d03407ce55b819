import { closeSync, openSync, readdirSync, readSync, realpathSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { reasonOf } from '../../../../errors/reason.ts';
import { systemErrorCodeOf } from '../../../../errors/system-error.ts';
import { suggestPath } from '../../../../toolset/similar-path.ts';
import {
  createInvalidCollectionFailure,
  createProblemCollection,
  encodingHint,
  type ProblemCollection,
  type ProblemCollectionEntry,
  type ProblemCollectionPart,
} from './collection.ts';
import { openJsonFile } from './json-file.ts';
import { createPackageEntry, isProblemPackage } from './package-folder.ts';
import { openSqliteFile } from './sqlite-file.ts';

/** Limits the number of folders. A path with more folders was probably given by mistake and is rejected. */
const maxFolders = 200_000;
const headBytes = 4096;

/** Opens the files and folders of --problems. Throws a Failure for the first invalid one. */
export function openCollectionFiles(paths: readonly string[]): ProblemCollection {
  const parts: ProblemCollectionPart[] = [];
  try {
    for (const given of paths) parts.push(...openPath(given));
    return createProblemCollection(parts, paths);
  } catch (error) {
    for (const part of parts) part.close?.();
    const code = systemErrorCodeOf(error);
    if (code === undefined || !(error instanceof Error)) throw error;
    throw createInvalidCollectionFailure(
      (error as NodeJS.ErrnoException).path ?? paths.join(', '),
      `it cannot be read: ${reasonOf(code, error.message)}`,
      pathHint,
    );
  }
}

function openPath(given: string): ProblemCollectionPart[] {
  const stats = statOf(given);
  if (stats === undefined)
    throw createInvalidCollectionFailure(given, 'the path does not exist', pathHint + suggestPath(given));
  if (stats.isDirectory()) return openFolder(realpathSync(given));
  if (!stats.isFile()) throw createInvalidCollectionFailure(given, 'it is neither a file nor a folder');
  if (stats.size === 0) throw createInvalidCollectionFailure(given, 'the file is empty');
  const kind = kindOf(given);
  if (kind === 'sqlite') return [openSqliteFile(given)];
  if (kind === 'UTF-16') throw createInvalidCollectionFailure(given, 'the text is in UTF-16', encodingHint);
  if (kind === undefined) throw createInvalidCollectionFailure(given, 'the file has no supported format');
  return [openJsonFile(given)];
}

const pathHint =
  'Correct --problems: it needs a path that the user who runs the host can read. Several paths are several flags.';

function statOf(file: string): Stats | undefined {
  return statSync(file, { throwIfNoEntry: false });
}

/** Detects the format of a file by its first bytes. */
function kindOf(file: string): 'json' | 'array' | 'sqlite' | 'UTF-16' | undefined {
  const head = readHead(file);
  if (head.startsWith('SQLite format 3\0')) return 'sqlite';
  if (/^(?:\u00ff\u00fe|\u00fe\u00ff)/.test(head)) return 'UTF-16';
  const text = head.replace(/^(?:\u00ef\u00bb\u00bf)?\s*/, '');
  if (text.startsWith('[')) return 'array';
  return text.startsWith('{') ? 'json' : undefined;
}

function readHead(file: string): string {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.allocUnsafe(headBytes);
    return bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, headBytes, 0));
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Searches a folder for packages and collection files. Symbolic links are skipped, because they could lead out of the
 * folder or duplicate problems.
 */
function openFolder(root: string): ProblemCollectionPart[] {
  const packages: ProblemCollectionEntry[] = [];
  const files: string[] = [];
  const folders = [root];
  for (let count = 0; ; count++) {
    const folder = folders.pop();
    if (folder === undefined) break;
    if (count === maxFolders) throw createInvalidCollectionFailure(root, `it has more than ${maxFolders} folders`);
    const children = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    const names = children.map(({ name }) => name);
    if (isProblemPackage(names)) {
      packages.push(createPackageEntry(root, folder, names));
      continue;
    }
    for (const child of children.filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')) {
      if (child.isDirectory()) folders.push(path.join(folder, child.name));
      else if (child.isFile()) files.push(path.join(folder, child.name));
    }
  }
  const ignored: string[] = [];
  const parts: ProblemCollectionPart[] = [{ entries: packages, ignored }];
  for (const file of files) {
    const part = openFileInFolder(file);
    if (part === undefined) ignored.push(file);
    else parts.push(part);
  }
  return parts;
}

/**
 * Opens a file that was found in a folder. The folder may contain other files: only JSON Lines, arrays of records and
 * databases are opened.
 */
function openFileInFolder(file: string): ProblemCollectionPart | undefined {
  if (/\.(?:jsonl|ndjson)$/i.test(file)) return openJsonFile(file);
  const isJson = /\.json$/i.test(file);
  if (!isJson && !/\.(?:db|sqlite3?)$/i.test(file)) return undefined;
  const kind = kindOf(file);
  if (kind === 'sqlite') return openSqliteFile(file);
  return kind === 'array' && /"source"\s*:/.test(readHead(file)) ? openJsonFile(file) : undefined;
}
