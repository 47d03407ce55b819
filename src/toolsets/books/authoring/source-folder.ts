import { isUtf8 } from 'node:buffer';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../../../errors/failure.ts';
import { reasonOf } from '../../../errors/reason.ts';
import { systemErrorCodeOf, tryOrUndefined } from '../../../errors/system-error.ts';
import { suggestPath } from '../../../toolset/similar-path.ts';
import { sha256Of } from '../model/hash.ts';
import { compareCodePoints } from '../model/key.ts';
import { type BookRoot, isDocusaurusConfigFile } from './book-root.ts';
import { isMarkdownPage, parentFolderOf, type SourceTree } from './outline.ts';

const maxFiles = 100_000;
const maxPageBytes = 16 * 1024 * 1024;

const skippedFolders = new Set(['node_modules', 'build', 'target']);

/** A folder to import. Hidden files are left out, and symbolic links are never followed. */
export interface SourceFolder extends SourceTree {
  /** The folder to which the paths are relative. */
  root: string;
  /** A string that identifies the folder in the manifest of an import. */
  id: string;
  bytes: (file: string) => Buffer;
  mayContain: (path: string) => boolean;
  skipped: ReadonlyMap<string, string>;
}

const linkReason = 'links and special files are not imported';

export function openSourceFolder({ root, docs }: BookRoot): SourceFolder {
  const { paths, skipped } = docs === undefined ? walk(root, ['']) : walkSite(root, docs);
  const texts = new Map<string, string | undefined>();
  const text = (file: string): string | undefined => {
    if (!texts.has(file)) texts.set(file, readText(root, file));
    return texts.get(file);
  };
  for (const file of paths)
    if (isMarkdownPage(file) && text(file) === undefined) skipped.set(file, unreadableReasonOf(root, file));
  const known = new Set(paths.filter(file => !skipped.has(file)));
  const isOutside = (file: string): boolean =>
    docs !== undefined && ![docs, 'static'].some(folder => file.startsWith(`${folder}/`));
  return {
    root,
    id: createFolderId(root),
    paths: [...known],
    skipped,
    has: file => known.has(file),
    mayContain: file => known.has(file) || isOutside(file) || isSkippedPath(skipped, file) || isInFolder(root, file),
    bytes: file => readFileSync(path.join(root, file)),
    text: file => (known.has(file) ? text(file) : undefined),
    ...(docs !== undefined && { docs }),
  };
}

/** Returns whether a path is skipped, or a parent folder of it. */
function isSkippedPath(skipped: ReadonlyMap<string, string>, file: string): boolean {
  return skipped.has(file) || (file !== '' && isSkippedPath(skipped, parentFolderOf(file)));
}

/**
 * Returns whether a file exists, also one in a hidden folder or in a folder with build results. The names of its folder
 * are compared, because some file systems also find a file under a name in other letter case.
 */
function isInFolder(root: string, file: string): boolean {
  const place = path.join(root, file);
  if (!existsSync(place)) return false;
  return tryOrUndefined(() => readdirSync(path.dirname(place)).includes(path.basename(place))) ?? true;
}

/** Returns a part of the hash of a path, because the path itself can contain a user name. */
export function createFolderId(root: string): string {
  return sha256Of(root).slice(0, 16);
}

function readText(root: string, file: string): string | undefined {
  if (isTooLarge(root, file)) return undefined;
  const content = readFileSync(path.join(root, file));
  return isUtf8(content) ? content.toString('utf8') : undefined;
}

function isTooLarge(root: string, file: string): boolean {
  return lstatSync(path.join(root, file)).size > maxPageBytes;
}

function unreadableReasonOf(root: string, file: string): string {
  return isTooLarge(root, file) ? `it is larger than ${maxPageBytes >> 20} MiB` : 'it is not text in UTF-8';
}

/** Lists the pages of a site, and the files beside them that an import needs. */
function walkSite(root: string, docs: string): ReturnType<typeof walk> {
  const { paths, skipped } = walk(root, [docs, ...(existsSync(path.join(root, 'static')) ? ['static'] : [])]);
  const settings = entriesOf(root, '').filter(entry => entry.isFile() && isDocusaurusConfigFile(entry.name));
  return { paths: [...paths, ...settings.map(({ name }) => name)].sort(compareCodePoints), skipped };
}

function walk(root: string, waiting: string[]): { paths: string[]; skipped: Map<string, string> } {
  const paths: string[] = [];
  const skipped = new Map<string, string>();
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of entriesOf(root, folder)) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.name.startsWith('.') || (entry.isDirectory() && skippedFolders.has(entry.name))) continue;
      if (entry.isDirectory()) waiting.push(name);
      else if (entry.isFile()) paths.push(name);
      else skipped.set(name, linkReason);
    }
    if (paths.length > maxFiles) {
      throw new Failure('setting', `${root} has more than ${maxFiles} files.`, {
        hint: 'Give the folder of one book, not of a whole disk.',
      });
    }
  }
  return { paths: paths.sort(compareCodePoints), skipped };
}

function entriesOf(root: string, folder: string) {
  try {
    return readdirSync(path.join(root, folder), { withFileTypes: true });
  } catch (error) {
    const code = systemErrorCodeOf(error);
    if (code === undefined) throw error;
    throw new Failure('setting', `${path.join(root, folder)} cannot be read: ${reasonOf(code)}.`, {
      hint: `Give a folder that exists and that this user may read.${code === 'ENOENT' ? suggestPath(root) : ''}`,
    });
  }
}
