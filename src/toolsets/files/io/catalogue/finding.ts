import { type FileType, typeByName } from '../../model/file-type.ts';
import { createNameTest } from '../../model/search/needle.ts';
import { nothingSkipped } from '../../model/skip.ts';
import type { FileStat } from '../open-file.ts';
import type { Wish } from '../threads/messages.ts';
import { mayBe, trueType } from './file.ts';
import { content, type File, type Folder, fileAt } from './folder.ts';
import type { Search } from './search.ts';
import type { Tree } from './tree.ts';

/** Decides of each file of a scope whether it is looked for: by its name and dates at once, by its contents through a search. */
export class Finding {
  /** Hits for which nothing had to be read. */
  readonly hits: File[] = [];
  readonly skipped = nothingSkipped();
  readonly #tree: Tree;
  readonly #scope: string;
  readonly #wish: Wish;
  readonly #search: Search | undefined;
  readonly #fitsName: ((name: string) => boolean) | undefined;
  readonly #remembered: ReadonlySet<string>;

  /** `remembered` are known to be hits: the search has them already. */
  constructor(tree: Tree, scope: string, wish: Wish, search: Search | undefined, remembered: ReadonlySet<string>) {
    this.#tree = tree;
    this.#scope = scope;
    this.#wish = wish;
    this.#search = search;
    this.#remembered = remembered;
    const { phrase, match = 'content' } = wish;
    this.#fitsName = phrase === undefined || match === 'content' ? undefined : createNameTest(phrase);
  }

  consider(folder: Folder, index: number): void {
    const { signatures, types } = this.#tree;
    const { phrase, match, kind, sinceMs, untilMs } = this.#wish;
    const name = folder.names[index] ?? '';
    if (kind !== undefined && !mayBe(this.#tree, name, kind)) return;
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
    if (!isInTime(this.#wish, folder.mtimeMs(index))) return;
    if (this.#remembered.size > 0 && this.#remembered.has(folder.file(index))) return;
    if (isHit) {
      const file = fileAt(folder, index);
      if (kind === undefined || trueType(this.#tree, file, this.#scope).kinds.includes(kind)) this.hits.push(file);
      return;
    }
    const { reading } = typeByName(types, name);
    if (reading === 'opaque') this.skipped.unparsed++;
    else if (reading !== 'none') this.#search?.consider(folder, index);
  }
}

function isInTime({ sinceMs, untilMs }: Wish, mtimeMs: number): boolean {
  return mtimeMs >= (sinceMs ?? Number.NEGATIVE_INFINITY) && mtimeMs <= (untilMs ?? Number.POSITIVE_INFINITY);
}

/** Whether a file is still what was looked for, as far as that can be told without its contents. */
export function isStill(wish: Wish, { mtimeMs }: Pick<FileStat, 'mtimeMs'>, { kinds }: FileType): boolean {
  return (wish.kind === undefined || kinds.includes(wish.kind)) && isInTime(wish, mtimeMs);
}
