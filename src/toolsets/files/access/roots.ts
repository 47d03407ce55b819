import { lstat, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { Failure } from '../../../errors/failure.ts';
import { undefinedIfSystemError } from '../../../errors/system-error.ts';
import { shortenText } from '../../../text/truncate.ts';
import { isInsideFolder, type PathStyle, parseAbsolutePath } from './paths.ts';

/**
 * A root folder: its path in the configuration, and the same path without symbolic links. On macOS `/tmp` is a link to
 * `/private/tmp`.
 */
interface Root {
  given: string;
  real: string;
}

/** A path that a client sent and that is inside a root folder: as the client wrote it, and without symbolic links. */
export interface ResolvedPath {
  given: string;
  real: string;
  /** The path of the root folder that contains this path, without symbolic links. */
  root: string;
}

/**
 * The root folders that exist at the start of a call. A root folder can be missing, because it may be on a removable
 * disk.
 */
interface CurrentRoots {
  roots: readonly Root[];
  /** The root folders that do not exist at the moment. */
  missing: readonly string[];
}

/**
 * Resolves paths of clients and rejects those outside of the root folders. The error is the same whether the path
 * exists or not, so that it reveals no names.
 */
export class RootFolders {
  readonly #given: readonly string[];
  readonly #style: PathStyle;
  /**
   * Stores the path of each root folder without symbolic links, as it was at the first call. A symbolic link that
   * replaces the root folder later must not select another folder.
   */
  readonly #first = new Map<string, string>();

  constructor(given: readonly string[], style: PathStyle) {
    this.#given = given;
    this.#style = style;
  }

  /** Resolves the folder in an argument of a client. `argument` is the name of the argument for the error message. */
  async folder(text: string, argument: string): Promise<ResolvedPath> {
    const place = await this.#place(text, argument);
    const found = place && (await stat(place.real).catch(undefinedIfSystemError));
    if (place === undefined || found?.isDirectory() !== true) {
      const sentence = `${argument} must be an existing folder, got ${JSON.stringify(shortenText(text))}`;
      throw new Failure('argument', sentence, { hint: hintOn(this.#given) });
    }
    return place;
  }

  /** Resolves the file or folder in an argument of a client. */
  async file(text: string, argument: string): Promise<ResolvedPath> {
    const place = await this.#place(text, argument);
    if (place === undefined) throw new Failure('argument', `File not found: ${shortenText(text)}`);
    const other = await describeSpecialFile(place.real);
    if (other !== undefined) {
      throw new Failure('argument', `${argument} must be a file or folder, got ${other}: ${shortenText(text)}`);
    }
    return place;
  }

  /** Resolves a path. Returns undefined if its root folder does not exist at the moment. */
  async #place(text: string, argument: string): Promise<ResolvedPath | undefined> {
    const given = parseAbsolutePath(text, argument, this.#style, this.#given.length > 0 ? hintOn(this.#given) : '');
    const { roots, missing } = await this.#currentRoots();
    if (!roots.some(root => this.#isInside(given, root.given) || this.#isInside(given, root.real))) {
      // A path below a root folder that does not exist cannot exist either.
      if (missing.some(root => this.#isInside(given, root))) return undefined;
      throw outside(text, argument, roots);
    }
    const resolved = await resolve(given);
    const resting = typeof resolved === 'string' ? resolved : await this.#nearestExisting(given);
    const root = resting === undefined ? undefined : roots.find(({ real }) => this.#isInside(resting, real));
    if (root === undefined) throw outside(text, argument, roots);
    if (typeof resolved === 'string') return { given, real: resolved, root: root.real };
    if (resolved.isDenied) {
      throw new Failure(
        'argument',
        `${argument} is in a folder that cannot be read, got ${JSON.stringify(shortenText(text))}`,
      );
    }
    return undefined;
  }

  /**
   * Returns the nearest existing parent folder of a missing path, without symbolic links. Returns undefined if a
   * symbolic link in the path is broken or unreadable.
   */
  async #nearestExisting(missing: string): Promise<string | undefined> {
    for (let current = missing; ; current = path.dirname(current)) {
      const real = await resolve(current);
      if (typeof real === 'string') return real;
      if ((await isLink(current)) || current === path.dirname(current)) return undefined;
    }
  }

  async #currentRoots(): Promise<CurrentRoots> {
    const roots: Root[] = [];
    const others: Record<'missing' | 'moved' | 'unreadable', string[]> = { missing: [], moved: [], unreadable: [] };
    for (const given of this.#given) {
      const root = await this.#currentRoot(given);
      if (typeof root === 'string') others[root].push(given);
      else roots.push(root);
    }
    const { missing, moved, unreadable } = others;
    if (roots.length > 0) return { roots, missing };
    const sentences = [
      missing.length > 0 && `None of the folders given with --files-root exists: ${missing.join(', ')}`,
      moved.length > 0 &&
        `These roots now lead to another folder, so that the server must be restarted: ${moved.join(', ')}`,
      unreadable.length > 0 && `Given with --files-root, but not a readable folder: ${unreadable.join(', ')}`,
    ];
    const message = sentences.filter(sentence => sentence !== false).join('. ');
    throw new Failure('refused', message);
  }

  /** Resolves a root folder, or returns the reason why it cannot be used. */
  async #currentRoot(given: string): Promise<Root | 'missing' | 'moved' | 'unreadable'> {
    const real = await resolve(given);
    if (typeof real !== 'string') return real.isDenied ? 'unreadable' : 'missing';
    const found = await stat(real).catch(undefinedIfSystemError);
    if (found?.isDirectory() !== true) return 'unreadable';
    const first = this.#first.get(given);
    if (first !== undefined && first !== real) return 'moved';
    this.#first.set(given, real);
    return { given, real };
  }

  #isInside(inner: string, folder: string): boolean {
    return isInsideFolder(inner, folder, this.#style);
  }
}

function outside(text: string, argument: string, roots: readonly Root[]): Failure {
  const sentence = `${argument} must be inside a folder that can be searched, got ${JSON.stringify(shortenText(text))}`;
  return new Failure('refused', sentence, { hint: hintOn(roots.map(({ given }) => given)) });
}

function hintOn(roots: readonly string[]): string {
  return `Folders that can be searched: ${roots.join(', ')}.`;
}

/**
 * Returns the path without symbolic links. If the path cannot be resolved, the result states whether access was denied.
 */
async function resolve(file: string): Promise<string | { isDenied: boolean }> {
  return await realpath(file).catch((error: NodeJS.ErrnoException) => ({
    isDenied: error.code === 'EACCES' || error.code === 'EPERM',
  }));
}

/** Returns the type of an entry that is neither a file nor a folder, such as "a pipe". */
async function describeSpecialFile(file: string): Promise<string | undefined> {
  const found = await lstat(file).catch(undefinedIfSystemError);
  if (found?.isFIFO()) return 'a pipe';
  if (found?.isSocket()) return 'a socket';
  return found?.isBlockDevice() || found?.isCharacterDevice() ? 'a device' : undefined;
}

async function isLink(file: string): Promise<boolean> {
  return await lstat(file).then(
    found => found.isSymbolicLink(),
    () => false,
  );
}
