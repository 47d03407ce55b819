import { EventLoopYielder } from '../../../async/yielder.ts';
import { type FileType, fileTypeOfName, isFileTypeUncertain, mayBeOfFileKind } from '../../../documents/file-type.ts';
import { detectFileType } from '../access/inspect.ts';
import type { FileStat } from '../access/open-file.ts';
import { countSkipped, countUnparsedFile, createSkippedFileCounts } from '../access/skip.ts';
import type { FileTable } from '../index/file-table.ts';
import { type FolderTableRows, isIndexed, type TableFile, tableFileAt } from '../index/folder.ts';
import type { FolderWalk } from '../index/folder-walk.ts';
import { createFileNameMatcher } from '../match/needle.ts';
import { type CallTimeControl, eventLoopTimeSliceMs } from '../workers/control.ts';
import type { ContentSearch } from './content-search.ts';
import type { FolderWalkPosition } from './partial-results.ts';
import type { FileQuery } from './protocol.ts';

/**
 * Tests the files of the searched folder: directly by name, kind and time, and by contents through a content search.
 */
export class SearchedFileFilter {
  /** The files that match by name, kind and time, without a search of their contents. */
  readonly hits: TableFile[] = [];
  readonly skipped = createSkippedFileCounts();
  readonly #table: FileTable;
  readonly #scope: string;
  readonly #query: FileQuery;
  readonly #search: ContentSearch | undefined;
  readonly #matchesName: ((name: string) => boolean) | undefined;
  readonly #pathsToSkip: ReadonlySet<string>;

  /** `remembered` contains the paths of known hits of the search, which are skipped. */
  constructor(
    table: FileTable,
    scope: string,
    query: FileQuery,
    search: ContentSearch | undefined,
    pathsToSkip: ReadonlySet<string>,
  ) {
    this.#table = table;
    this.#scope = scope;
    this.#query = query;
    this.#search = search;
    this.#pathsToSkip = pathsToSkip;
    const { phrase, match = 'content' } = query;
    this.#matchesName = phrase === undefined || match === 'content' ? undefined : createFileNameMatcher(phrase);
  }

  /**
   * Tests the files of a folder tree from a position on, and lists further folders if the list is incomplete. Returns
   * the position at the end. After a third of the remaining time it calls `readCandidates` once, which reads the
   * candidates that were found so far.
   */
  async test(
    walk: FolderWalk,
    from: FolderWalkPosition,
    control: CallTimeControl,
    readCandidates?: () => Promise<void>,
  ): Promise<FolderWalkPosition> {
    const yielder = new EventLoopYielder(eventLoopTimeSliceMs);
    const readAt = performance.now() + control.remainingMs / 3;
    let hasRead = readCandidates === undefined;
    let { folders: at, files: first } = from;
    while (!control.isOver) {
      const folder = walk.listed[at];
      if (folder === undefined && walk.isComplete) break;
      if (folder === undefined) walk.step();
      else {
        // If another call has listed the folder again, its rows have changed, so that all of them are tested.
        const stopped = await this.#considerFolder(folder, folder.walk === walk ? first : 0, control, yielder);
        if (stopped !== undefined) return { folders: at, files: stopped };
        [at, first] = [at + 1, 0];
      }
      if (!hasRead && performance.now() > readAt) {
        hasRead = true;
        await readCandidates?.();
      }
      await yielder.yieldIfDue();
    }
    return { folders: at, files: first };
  }

  /**
   * Returns undefined if all files of the folder were tested. If the call ended before, returns the index of the next
   * file.
   */
  async #considerFolder(
    folder: FolderTableRows,
    first: number,
    control: CallTimeControl,
    yielder: EventLoopYielder,
  ): Promise<number | undefined> {
    for (let index = first; index < folder.names.length; index++) {
      this.#consider(folder, index);
      if ((index & 63) !== 63) continue;
      await yielder.yieldIfDue();
      if (control.isOver) return index + 1;
    }
    return undefined;
  }

  /** Tests the files that Spotlight found. */
  considerAll(files: readonly TableFile[]): void {
    for (const { folder, index } of files) this.#consider(folder, index);
  }

  /** Returns whether the query applies to names and the name contains the phrase of the query. */
  fitsName(name: string): boolean {
    return this.#matchesName?.(name) === true;
  }

  /** Tests one file by its name and time. If this is not sufficient, the content search tests the file. */
  #consider(folder: FolderTableRows, index: number): void {
    const { phrase, match } = this.#query;
    const name = folder.names[index] ?? '';
    if (!this.#mayFitKind(name)) return;
    const isHit = phrase === undefined || this.fitsName(name);
    const needsStat = isHit || this.#hasTime;
    if (!needsStat && match === 'name') return;
    if (!this.#fitsTime(folder, index, needsStat) || this.#isToSkip(folder, index)) return;
    if (isHit) this.#addHit(tableFileAt(folder, index));
    else if (isIndexed(folder.state(index))) this.#search?.consider(folder, index);
    else this.#considerUnindexed(folder, index, name);
  }

  #isToSkip(folder: FolderTableRows, index: number): boolean {
    return this.#pathsToSkip.size > 0 && this.#pathsToSkip.has(folder.file(index));
  }

  #mayFitKind(name: string): boolean {
    const { kind } = this.#query;
    return (
      kind === undefined || fileTypeOfName(this.#table.types, name).kinds.includes(kind) || mayBeOfFileKind(name, kind)
    );
  }

  get #hasTime(): boolean {
    return this.#query.sinceMs !== undefined || this.#query.untilMs !== undefined;
  }

  /**
   * Returns whether the modification time of a file matches the query. The stat is read only if it is needed, or if the
   * index contains data about the file that may be outdated.
   */
  #fitsTime(folder: FolderTableRows, index: number, needsStat: boolean): boolean {
    folder.refresh(index, needsStat, this.#table.signatures);
    const state = folder.state(index);
    if (state === 'gone') return false;
    if (needsStat && folder.stat(index).ctimeMs === 0) {
      if (state === 'unreadable') countSkipped(this.skipped, state, folder.names[index]);
      return false;
    }
    // If the stat is not needed, the query has no time range, so that the time may be unknown.
    return isInRequestedTimeRange(this.#query, folder.mtimeMs(index));
  }

  #addHit(file: TableFile): void {
    const { kind } = this.#query;
    if (kind === undefined || trueType(this.#table, file, this.#scope).kinds.includes(kind)) this.hits.push(file);
  }

  #considerUnindexed(folder: FolderTableRows, index: number, name: string): void {
    const { format, identifier } = fileTypeOfName(this.#table.types, name);
    if (format === 'unsupported') countUnparsedFile(this.skipped, name);
    else if (format !== 'none') this.#search?.consider(folder, index);
    else if (/archive|disk-image|iso-image/.test(identifier)) countSkipped(this.skipped, 'archives', name);
  }
}

/** Returns whether a modification time is in the time range of the query. */
export function isInRequestedTimeRange({ sinceMs, untilMs }: FileQuery, mtimeMs: number): boolean {
  return mtimeMs >= (sinceMs ?? Number.NEGATIVE_INFINITY) && mtimeMs <= (untilMs ?? Number.POSITIVE_INFINITY);
}

/** Returns whether the kind and time of a file still match the query. */
export function matchesKindAndTime(
  query: FileQuery,
  { mtimeMs }: Pick<FileStat, 'mtimeMs'>,
  { kinds }: FileType,
): boolean {
  return (query.kind === undefined || kinds.includes(query.kind)) && isInRequestedTimeRange(query, mtimeMs);
}

/**
 * Returns the type of a file by its name, or by its first bytes if the name is ambiguous. The first bytes are read
 * again only if the file has changed.
 */
function trueType(table: FileTable, { folder, index, path }: TableFile, scope: string): FileType {
  if (!isFileTypeUncertain(path)) return fileTypeOfName(table.types, path);
  const known = folder.type(index);
  if (known > 0) return table.typeNumbers.at(known - 1) ?? fileTypeOfName(table.types, path);
  const type = detectFileType(path, scope, table.types);
  const number = table.typeNumbers.indexOf(type);
  folder.setType(index, number + 1);
  return type;
}
