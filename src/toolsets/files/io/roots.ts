import { lstat, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { Failure } from '../../../failure.ts';
import { excerpt } from '../model/excerpt.ts';
import { isInside, type PathStyle, readAbsolutePath } from '../model/paths.ts';

/** A folder that may be searched, as it was given and as the system knows it: `/tmp` may be `/private/tmp`. */
interface Root {
  given: string;
  real: string;
}

/** A place a client has named, inside a root in both forms. */
export interface Place {
  given: string;
  real: string;
}

/** The folders that may be searched. Nothing outside of them is ever told apart: it may exist or not. */
export class Roots {
  readonly #given: readonly string[];
  readonly #style: PathStyle;
  readonly #resolved = new Map<string, Root>();

  constructor(given: readonly string[], style: PathStyle) {
    this.#given = given;
    this.#style = style;
  }

  /** The folder named by a client; `what` names the argument. */
  async folder(text: string, what: string): Promise<Place> {
    const place = await this.#place(text, what);
    const found = place === undefined ? undefined : await statOrNothing(place.real);
    if (place === undefined || found?.isDirectory() !== true) {
      throw new Failure('argument', `${what} must be an existing folder, got ${JSON.stringify(excerpt(text))}`);
    }
    return place;
  }

  /** The file or folder named by a client. */
  async file(text: string, what: string): Promise<Place> {
    const place = await this.#place(text, what);
    if (place === undefined) throw new Failure('argument', `File not found: ${excerpt(text)}`);
    return place;
  }

  /** Undefined for what is inside a root and does not exist. */
  async #place(text: string, what: string): Promise<Place | undefined> {
    const given = readAbsolutePath(text, what, this.#style);
    const roots = await this.#roots();
    if (!roots.some(root => this.#isInside(given, root.given) || this.#isInside(given, root.real)))
      throw this.#outside(text, what);
    const real = await resolveOrNothing(given);
    const resting = real ?? (await this.#nearestExisting(given));
    if (resting === undefined || !roots.some(root => this.#isInside(resting, root.real)))
      throw this.#outside(text, what);
    return real === undefined ? undefined : { given, real };
  }

  /** Where a path that does not exist would stand; undefined behind a link that leads nowhere or that may not be followed. */
  async #nearestExisting(missing: string): Promise<string | undefined> {
    for (let current = missing; ; current = path.dirname(current)) {
      const real = await resolveOrNothing(current);
      if (real !== undefined) return real;
      if ((await isLink(current)) || current === path.dirname(current)) return undefined;
    }
  }

  async #roots(): Promise<readonly Root[]> {
    if (this.#given.length === 0) {
      throw new Failure('refused', 'No folder may be searched: the server was started without --files-root.', {
        hint: 'The user can allow one by starting oj-mcp with --files-root DIR, once for each folder, or with OJ_MCP_FILES_ROOT.',
      });
    }
    for (const given of this.#given) {
      if (this.#resolved.has(given)) continue;
      const real = await resolveOrNothing(given);
      if (real !== undefined && (await statOrNothing(real))?.isDirectory() === true)
        this.#resolved.set(given, { given, real });
    }
    if (this.#resolved.size > 0) return [...this.#resolved.values()];
    throw new Failure('refused', `None of the folders given with --files-root exists: ${this.#given.join(', ')}`);
  }

  #isInside(inner: string, folder: string): boolean {
    return isInside(inner, folder, this.#style);
  }

  #outside(text: string, what: string): Failure {
    const folders = [...this.#resolved.keys()].join(', ');
    const sentence = `${what} must be inside a folder that may be searched, got ${JSON.stringify(excerpt(text))}`;
    return new Failure('refused', sentence, {
      hint: `Folders that may be searched: ${folders}.`,
    });
  }
}

async function resolveOrNothing(file: string): Promise<string | undefined> {
  return await realpath(file).catch(() => undefined);
}

async function statOrNothing(file: string): Promise<Awaited<ReturnType<typeof stat>> | undefined> {
  return await stat(file).catch(() => undefined);
}

async function isLink(file: string): Promise<boolean> {
  return await lstat(file).then(
    found => found.isSymbolicLink(),
    () => false,
  );
}
