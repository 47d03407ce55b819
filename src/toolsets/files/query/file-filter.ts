import { EventLoopYielder } from '../../../async/yielder.ts';
import { type FileType, isNameUnsure, mayBeOfKind, typeByName } from '../../../documents/file-type.ts';
import { typeOf } from '../access/inspect.ts';
import type { FileStat } from '../access/open-file.ts';
import { countUnparsed, noneSkipped } from '../access/skip.ts';
import type { Walk } from '../index/crawl.ts';
import { content, type File, type Folder, fileAt } from '../index/folder.ts';
import type { Tree } from '../index/tree.ts';
import { createNameTest } from '../match/needle.ts';
import { type Control, sliceMs } from '../workers/control.ts';
import type { Place } from './partial-results.ts';
import type { Query } from './protocol.ts';
import type { Search } from './search.ts';

/** Decides of each file of a scope whether it is looked for: by its name and dates at once, by its contents through a search. */
export class FileFilter {
  /** Hits for which nothing had to be read. */
  readonly hits: File[] = [];
  readonly skipped = noneSkipped();
  readonly #tree: Tree;
  readonly #scope: string;
  readonly #query: Query;
  readonly #search: Search | undefined;
  readonly #fitsName: ((name: string) => boolean) | undefined;
  readonly #remembered: ReadonlySet<string>;

  /** `remembered` are known to be hits: the search has them already. */
  constructor(tree: Tree, scope: string, query: Query, search: Search | undefined, remembered: ReadonlySet<string>) {
    this.#tree = tree;
    this.#scope = scope;
    this.#query = query;
    this.#search = search;
    this.#remembered = remembered;
    const { phrase, match = 'content' } = query;
    this.#fitsName = phrase === undefined || match === 'content' ? undefined : createNameTest(phrase);
  }

  /**
   * Goes through the folders of a walk from a place on, and on with the walk; gives how far it came. After a third of the
   * time what is known by then is looked at: hits that are known come before anything that is not.
   */
  async visit(walk: Walk, from: Place, control: Control, look?: () => Promise<void>): Promise<Place> {
    const yielder = new EventLoopYielder(sliceMs);
    const started = performance.now();
    const lookAt = started + control.remainingMs / 3;
    const isNew = !walk.isComplete;
    let hasLooked = look === undefined;
    let { folders: at, files: first } = from;
    while (!control.isOver) {
      const folder = walk.visited[at];
      if (folder === undefined && walk.isComplete) break;
      if (folder === undefined) walk.step();
      else {
        // Of a folder that was listed anew since, nobody knows which files were considered.
        for (let index = folder.walk === walk ? first : 0; index < folder.names.length; index++) {
          this.#consider(folder, index);
          if ((index & 63) !== 63) continue;
          await yielder.yieldIfDue();
          if (control.isOver) return { folders: at, files: index + 1 };
        }
        at++;
        first = 0;
      }
      if (!hasLooked && performance.now() > lookAt) {
        hasLooked = true;
        await look?.();
      }
      await yielder.yieldIfDue();
    }
    if (isNew) walk.spentMs += performance.now() - started;
    return { folders: at, files: first };
  }

  /** Files that something else has found. */
  considerAll(files: readonly File[]): void {
    for (const { folder, index } of files) this.#consider(folder, index);
  }

  #consider(folder: Folder, index: number): void {
    const { signatures, types } = this.#tree;
    const { phrase, match, kind, sinceMs, untilMs } = this.#query;
    const name = folder.names[index] ?? '';
    if (kind !== undefined && !typeByName(types, name).kinds.includes(kind) && !mayBeOfKind(name, kind)) return;
    const isHit = phrase === undefined || this.#fitsName?.(name) === true;
    const needsStat = isHit || sinceMs !== undefined || untilMs !== undefined;
    if (!needsStat && match === 'name') return;
    folder.refresh(index, needsStat, signatures);
    const known = folder.content(index);
    if (known === content.gone) return;
    if (needsStat && folder.stat(index).ctimeMs === 0) {
      if (known === content.unreadable) this.skipped.unreadable++;
      return;
    }
    if (!isInTime(this.#query, folder.mtimeMs(index))) return;
    if (this.#remembered.size > 0 && this.#remembered.has(folder.file(index))) return;
    if (isHit) {
      const file = fileAt(folder, index);
      if (kind === undefined || trueType(this.#tree, file, this.#scope).kinds.includes(kind)) this.hits.push(file);
      return;
    }
    const { format } = typeByName(types, name);
    if (format === 'unsupported') countUnparsed(this.skipped, name);
    else if (format !== 'none') this.#search?.consider(folder, index);
  }
}

/** Whether a modification time fits the query. */
export function isInTime({ sinceMs, untilMs }: Query, mtimeMs: number): boolean {
  return mtimeMs >= (sinceMs ?? Number.NEGATIVE_INFINITY) && mtimeMs <= (untilMs ?? Number.POSITIVE_INFINITY);
}

/** Whether the kind and time of a file still fit the query. */
export function isStill(query: Query, { mtimeMs }: Pick<FileStat, 'mtimeMs'>, { kinds }: FileType): boolean {
  return (query.kind === undefined || kinds.includes(query.kind)) && isInTime(query, mtimeMs);
}

/** Its type by name and bytes; bytes are looked at once for each state of the file. */
function trueType(tree: Tree, { folder, index, path }: File, scope: string): FileType {
  if (!isNameUnsure(path)) return typeByName(tree.types, path);
  const known = folder.type(index);
  if (known > 0) return tree.typeNumbers.at(known - 1) ?? typeByName(tree.types, path);
  const type = typeOf(path, scope, tree.types);
  const number = tree.typeNumbers.indexOf(type);
  folder.setType(index, number + 1);
  return type;
}
