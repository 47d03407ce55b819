import { isUtf8 } from 'node:buffer';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../../../errors/failure.ts';
import { systemCode } from '../../../errors/system-error.ts';
import { compareCodePoints } from '../model/key.ts';
import { type BookRoot, isSiteFile } from './book-root.ts';
import type { SourceTree } from './outline.ts';

const maxFiles = 100_000;
const maxPageBytes = 16 * 1024 * 1024;

const skippedFolders = new Set(['node_modules', 'build', 'target']);

/** A folder to import. Hidden files are left out, and symbolic links are never followed. */
export interface SourceFolder extends SourceTree {
  /** The folder to which the paths are relative. */
  root: string;
  bytes: (file: string) => Buffer;
  /** The paths of symbolic links and special files, which are not imported. */
  skipped: readonly string[];
}

export function openSourceFolder({ root, docs }: BookRoot): SourceFolder {
  const { paths, skipped } = docs === undefined ? walk(root, ['']) : walkSite(root, docs);
  const known = new Set(paths);
  const texts = new Map<string, string | undefined>();
  const bytes = (file: string): Buffer => readFileSync(path.join(root, file));
  const text = (file: string): string | undefined => {
    if (!known.has(file)) return undefined;
    if (!texts.has(file)) texts.set(file, readText(root, file));
    return texts.get(file);
  };
  return { root, paths, skipped, has: file => known.has(file), bytes, text, ...(docs !== undefined && { docs }) };
}

function readText(root: string, file: string): string | undefined {
  if (lstatSync(path.join(root, file)).size > maxPageBytes) return undefined;
  const content = readFileSync(path.join(root, file));
  return isUtf8(content) ? content.toString('utf8') : undefined;
}

/** Lists the pages of a site, and the files beside them that an import needs. */
function walkSite(root: string, docs: string): ReturnType<typeof walk> {
  const { paths, skipped } = walk(root, [docs, ...(existsSync(path.join(root, 'static')) ? ['static'] : [])]);
  const settings = entriesOf(root, '').filter(entry => entry.isFile() && isSiteFile(entry.name));
  return { paths: [...paths, ...settings.map(({ name }) => name)].sort(compareCodePoints), skipped };
}

function walk(root: string, waiting: string[]): { paths: string[]; skipped: string[] } {
  const paths: string[] = [];
  const skipped: string[] = [];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of entriesOf(root, folder)) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.name.startsWith('.') || (entry.isDirectory() && skippedFolders.has(entry.name))) continue;
      if (entry.isDirectory()) waiting.push(name);
      else if (entry.isFile()) paths.push(name);
      else skipped.push(name);
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
    const code = systemCode(error);
    if (code === undefined) throw error;
    const shown = path.join(root, folder);
    throw new Failure('setting', readErrors.get(code)?.(shown) ?? `${shown} cannot be read (${code}).`, {
      hint: 'Give a folder that exists and that this user may read.',
    });
  }
}

const readErrors: ReadonlyMap<string, (folder: string) => string> = new Map([
  ['ENOENT', folder => `There is no folder ${folder}.`],
  ['ENOTDIR', folder => `${folder} is a file, not a folder.`],
  ['EACCES', folder => `This user has no permission to read ${folder}.`],
]);
