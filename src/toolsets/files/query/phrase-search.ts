import { basename } from 'node:path';
import { EventLoopYielder } from '../../../async/yielder.ts';
import { type SkippedFiles, sumSkippedFiles } from '../access/skip.ts';
import type { FileTable } from '../index/file-table.ts';
import { hasSameTableRow, type TableFile } from '../index/folder.ts';
import type { FolderWalk } from '../index/folder-walk.ts';
import { type CallTimeControl, eventLoopTimeSliceMs } from '../workers/control.ts';
import type { FileReaderPool } from '../workers/pool.ts';
import { ContentSearch } from './content-search.ts';
import { SearchedFileFilter } from './file-filter.ts';
import type { FolderWalkPosition, FoundHit, PartialResultCache, SearchCheckpoint } from './partial-results.ts';
import type { SearchRequest, SearchResultPage } from './protocol.ts';
import { buildResultPage, orderHitsByTime } from './result-page.ts';
import { countNeededResults } from './results.ts';

/** A request, its cache key, and the hits of the previous call if that call was incomplete. */
export interface PhraseSearchInput {
  request: SearchRequest;
  key: string;
  before: readonly FoundHit[];
}

const start: FolderWalkPosition = { folders: 0, files: 0 };

/**
 * Searches a phrase for one call, or lists files by name, kind and date. If a previous call with the same key was
 * incomplete, the search continues from its checkpoint.
 */
export class PhraseSearch {
  readonly walk: FolderWalk;
  readonly #table: FileTable;
  readonly #readers: FileReaderPool;
  readonly #partialResults: PartialResultCache;
  readonly #input: PhraseSearchInput;
  readonly #control: CallTimeControl;
  readonly #resumed: SearchCheckpoint | undefined;
  /** Searches the contents of files. It is undefined if the query tests only names and dates. */
  readonly #search: ContentSearch | undefined;
  readonly #filter: SearchedFileFilter;
  /**
   * The paths of the hits of the previous call. The file filter skips them, because a search by contents reads these
   * files first, and a search by names and dates keeps their results.
   */
  readonly #pathsToSkip: Set<string>;
  /** The hits of the previous call whose contents need not be searched. */
  readonly #hitsToKeep: readonly FoundHit[];

  constructor(
    table: FileTable,
    readers: FileReaderPool,
    partialResults: PartialResultCache,
    input: PhraseSearchInput,
    control: CallTimeControl,
  ) {
    const { scope, query } = input.request;
    [this.#table, this.#readers, this.#partialResults] = [table, readers, partialResults];
    [this.#input, this.#control] = [input, control];
    this.#resumed = partialResults.takeCheckpoint(input.key, () => table.walk(scope));
    this.walk = this.#resumed?.walk ?? table.walk(scope);
    const searchesContents = query.phrase !== undefined && query.match !== 'name';
    const phrases = searchesContents ? [query.phrase ?? ''] : [];
    this.#search = searchesContents
      ? new ContentSearch(table, readers, scope, phrases, control, this.#resumed?.left)
      : undefined;
    // The set is shared with the filter, and filled below and by `#recall`.
    this.#pathsToSkip = new Set();
    this.#filter = new SearchedFileFilter(table, scope, query, this.#search, this.#pathsToSkip);
    this.#hitsToKeep = searchesContents
      ? input.before.filter(hit => this.#filter.fitsName(basename(hit.path)))
      : input.before;
    for (const { path } of this.#hitsToKeep) this.#pathsToSkip.add(path);
  }

  async run(): Promise<SearchResultPage> {
    if (this.#search !== undefined) await this.#startReading(this.#search);
    const at = await this.#testFiles();
    // Workers can still deliver results after this point. The checkpoint contains the unread files, so that the next
    // call includes these results.
    const checkpoint = this.#checkpoint(at, this.#search?.leave());
    const external = this.#externalHits();
    const hits = this.#hits(external);
    const isWhole = this.#isWhole(at);
    // A hit of the previous call that was not read again before the time limit stays in the result if its file is
    // unchanged.
    const kept = isWhole ? hits : [...hits, ...this.#unverified(hits)];
    this.#keep(kept, checkpoint, isWhole);
    const page = await buildResultPage(
      this.#table,
      this.#readers,
      orderHitsByTime(kept),
      this.#input.request,
      this.#control,
    );
    // A search that tested all files and found none is complete, even if the time limit passed before the result was
    // created.
    const isTimedOut = this.#control.isTimedOut && !(isWhole && hits.length === 0);
    const hasNoWorkers = this.#hasNoWorkers;
    const skipped = sumSkippedFiles(skippedIn(this.walk), checkpoint.skipped, external.skipped);
    if (isTimedOut || hasNoWorkers) this.#countUnread(skipped, checkpoint);
    const engine = external.hits.length === 0 ? checkpoint.engine : 'mdfind';
    return { ...page, isTimedOut, hasNoWorkers, engine, skipped, isFromBefore: false };
  }

  #countUnread(skipped: SkippedFiles, { left }: SearchCheckpoint): void {
    skipped.unvisited = this.walk.unvisited;
    skipped.unread = left?.size ?? 0;
  }

  get #hasNoWorkers(): boolean {
    return this.#search?.hasNoWorkers === true;
  }

  async #startReading(search: ContentSearch): Promise<void> {
    await this.#listNames();
    search.start();
    for (const hit of this.#input.before) this.#recall(hit, search);
  }

  /**
   * Lists file names for at most a third of the time before any file is read, because names alone soon answer many
   * queries.
   */
  async #listNames(): Promise<void> {
    const yielder = new EventLoopYielder(eventLoopTimeSliceMs);
    const until = performance.now() + this.#control.remainingMs / 3;
    while (!this.walk.isComplete && !this.#control.isOver && performance.now() < until) {
      this.walk.step();
      await yielder.yieldIfDue();
    }
  }

  /** Reads the hits of the previous call before other files. */
  #recall(hit: FoundHit, search: ContentSearch): void {
    const file = this.#table.find(hit.path);
    if (file === undefined || this.#pathsToSkip.has(hit.path)) return;
    this.#pathsToSkip.add(hit.path);
    search.remember({ ...file, mtimeMs: hit.mtimeMs });
  }

  async #testFiles(): Promise<FolderWalkPosition> {
    const search = this.#search;
    const readCandidates =
      search && (async () => await search.readCandidates(countNeededResults(this.#input.request.page)));
    const at = await this.#filter.test(this.walk, this.#resumed?.at ?? start, this.#control, readCandidates);
    await readCandidates?.();
    await search?.finish();
    return at;
  }

  /** Combines the checkpoint of this call with the checkpoint of the previous call. */
  #checkpoint(at: FolderWalkPosition, left: SearchCheckpoint['left']): SearchCheckpoint {
    return {
      walk: this.walk,
      at,
      left,
      skipped: sumSkippedFiles(this.#resumed?.skipped ?? {}, this.#filter.skipped, this.#search?.skipped ?? {}),
      engine: this.#resumed?.engine === 'scan' ? 'scan' : (this.#search?.engine ?? 'scan'),
    };
  }

  /** Returns the files that Spotlight has found in folders that the search has not listed. */
  #externalHits(): SearchedFileFilter {
    const { externalHits, query, scope } = this.#input.request;
    const filter = new SearchedFileFilter(this.#table, scope, query, undefined, this.#pathsToSkip);
    if (externalHits.length === 0) return filter;
    const listed = new Set(this.walk.listed);
    filter.considerAll(this.#table.filesAt(externalHits).filter(({ folder }) => !listed.has(folder)));
    return filter;
  }

  /**
   * Returns the hits by name, contents and Spotlight without duplicates. A file can occur twice if another call listed
   * its folder again.
   */
  #hits(external: SearchedFileFilter): FoundHit[] {
    const all = [...this.#hitsToKeep, ...this.#filter.hits, ...external.hits, ...(this.#search?.hits ?? [])];
    return [...new Map(all.map(hit => [hit.path, hit])).values()];
  }

  #unverified(hits: readonly FoundHit[]): FoundHit[] {
    const seen = new Set(hits.map(hit => hit.path));
    return this.#input.before.filter(hit => !seen.has(hit.path));
  }

  #isWhole(at: FolderWalkPosition): boolean {
    const isWalked = this.walk.isComplete && at.folders === this.walk.listed.length;
    return isWalked && !this.#control.isOver && !this.#hasNoWorkers;
  }

  #keep(hits: readonly FoundHit[], checkpoint: SearchCheckpoint, isWhole: boolean): void {
    const { key } = this.#input;
    if (isWhole) this.#partialResults.forget(key);
    else this.#partialResults.keep(key, withChangeTimes(hits, this.#search?.hits ?? []), checkpoint);
  }
}

/**
 * Adds the change time (ctime) of its file to each hit. Hits by name get none, and hits of a previous call keep their
 * times.
 */
function withChangeTimes(hits: readonly FoundHit[], read: readonly TableFile[]): FoundHit[] {
  const changeTimes = new Map(
    read.filter(hasSameTableRow).map(file => [file.path, file.folder.stat(file.index).ctimeMs]),
  );
  return hits.map(({ path, mtimeMs, ctimeMs }) => ({ path, mtimeMs, ctimeMs: changeTimes.get(path) ?? ctimeMs }));
}

function skippedIn({ listed }: FolderWalk): SkippedFiles {
  return sumSkippedFiles(...listed.flatMap(({ skipped }) => skipped ?? []));
}
