import { type FileTypeTable, fileTypeOfName } from '../../../documents/file-type.ts';
import { type FileAttributes, getSystemAttributes } from '../access/inspect.ts';
import { createSkippedFileCounts } from '../access/skip.ts';
import { BackgroundIndexer } from '../index/background.ts';
import type { IndexCache } from '../index/cache.ts';
import { computeIndexCoverage } from '../index/coverage.ts';
import { FileTable } from '../index/file-table.ts';
import { type TableFile } from '../index/folder.ts';
import type { FolderWalk } from '../index/folder-walk.ts';
import { NewestFirstQueue } from '../match/newest-queue.ts';
import { parsePlist } from '../spotlight/query.ts';
import { type CallTimeControl, runReaderJobs } from '../workers/control.ts';
import type { FileReaderPool } from '../workers/pool.ts';
import type { ReaderJob } from '../workers/reader-job.ts';
import { ContentSearch } from './content-search.ts';
import { searchAndCountExcluded } from './excluded-hits.ts';
import { matchesKindAndTime } from './file-filter.ts';
import { parseQuery } from './parse.ts';
import { type FoundHit, PartialResultCache } from './partial-results.ts';
import { PhraseSearch } from './phrase-search.ts';
import type { DescribeRequest, FileQuery, IndexCoverage, SearchRequest, SearchResultPage } from './protocol.ts';
import { buildResultPage, orderHitsByTime } from './result-page.ts';
import { countNeededResults } from './results.ts';
import { WordStageRunner, type WordStagesInput } from './word-stages.ts';

/** The result of the search for the phrase, and the list of the folder tree that was searched. */
interface PhraseResult {
  found: SearchResultPage;
  walk: FolderWalk;
}

/** Returns whether a file contains the phrase. A later result page can be empty although the first page had results. */
function hasHits({ found }: PhraseResult, { page }: SearchRequest): boolean {
  return found.files.length > 0 || (found.hitCount > 0 && page.offset > 0);
}

/** Owns the index of the folders that were searched, and runs all searches on it. */
export class FileCatalogue {
  readonly #readers: FileReaderPool;
  readonly #table: FileTable;
  readonly #partialResults = new PartialResultCache();
  readonly #background: BackgroundIndexer;
  readonly #stages: WordStageRunner;
  /** Stores the last percentage of indexed files that was reported for each searched folder. */
  readonly #percents = new Map<string, number>();

  constructor(types: FileTypeTable, readers: FileReaderPool, cache?: IndexCache) {
    this.#readers = readers;
    this.#table = new FileTable(types);
    cache?.load(this.#table);
    this.#stages = new WordStageRunner(this.#table, readers);
    this.#background = new BackgroundIndexer(this.#table, readers, () => cache?.saveLater(this.#table));
  }

  async find(request: SearchRequest, control: CallTimeControl): Promise<SearchResultPage> {
    this.#background.callBegins();
    try {
      return await (request.kind === 'verify'
        ? this.#verify(request, control)
        : searchAndCountExcluded(request, control, (changed, limited) => this.#findByStages(changed, limited)));
    } finally {
      this.#background.callEnds();
    }
  }

  /**
   * Searches the phrase first. Contents are searched for the words only if no file contains the phrase. Otherwise at
   * most names are compared with the words, for a note.
   */
  async #findByStages(request: SearchRequest, control: CallTimeControl): Promise<SearchResultPage> {
    const { text, match } = request.query;
    const asWritten = await this.#resumeOrSearchPhrase(request, control);
    if (text === undefined) return asWritten.found;
    const parsed = parseQuery(text);
    const { quoted } = parsed;
    // The first search for a query in quotation marks includes the marks. The second search is for the text between
    // them.
    const phrase =
      hasHits(asWritten, request) || quoted === undefined
        ? asWritten
        : await this.#resumeOrSearchPhrase({ ...request, query: { ...request.query, phrase: quoted } }, control);
    const where = match ?? 'any';
    const input: WordStagesInput = { request, parsed, where, walk: phrase.walk, phrase: phrase.found };
    if (hasHits(phrase, request) || quoted !== undefined || parsed.words.length === 0)
      return await this.#stages.explainPhrase(input, control);
    // The search by words also runs after the time limit. It then reads no file, so that only names can match.
    return await this.#stages.findByWords(input, control);
  }

  async #resumeOrSearchPhrase(request: SearchRequest, control: CallTimeControl): Promise<PhraseResult> {
    const key = JSON.stringify([request.scope, request.query]);
    const before = this.#partialResults.find(key);
    if (before === undefined || request.page.offset === 0)
      return await this.#searchPhrase(request, key, before?.hits ?? [], control);
    // A later page is taken from the stored hits of the first page.
    const found = await buildResultPage(this.#table, this.#readers, orderHitsByTime(before.hits), request, control);
    const fields = {
      engine: 'scan',
      skipped: createSkippedFileCounts(),
      isTimedOut: true,
      isFromBefore: true,
    } as const;
    return { found: { ...found, ...fields }, walk: this.#table.walk(request.scope) };
  }

  async #searchPhrase(
    request: SearchRequest,
    key: string,
    before: readonly FoundHit[],
    control: CallTimeControl,
  ): Promise<PhraseResult> {
    const search = new PhraseSearch(
      this.#table,
      this.#readers,
      this.#partialResults,
      { request, key, before },
      control,
    );
    const found = await search.run();
    const { walk } = search;
    const isBeyondMemory = this.#table.tidy(walk);
    if (!isCancelled(control) && !isBeyondMemory) this.#background.add(walk);
    const indexed = found.isTimedOut ? this.#coverage(walk) : undefined;
    return { found: { ...found, isBeyondMemory, indexed }, walk };
  }

  /**
   * Returns the number of files in the searched folder and the percentage of them that is indexed. The percentage never
   * decreases between calls.
   */
  #coverage(walk: FolderWalk): IndexCoverage | undefined {
    if (!walk.isComplete) return undefined;
    const { fileCount, share } = computeIndexCoverage(this.#table, walk);
    const percent = Math.max(Math.floor(100 * share), this.#percents.get(walk.scope) ?? 0);
    this.#percents.set(walk.scope, percent);
    return { fileCount, percent };
  }

  /**
   * Tests the files that Spotlight found, the newest first, until the result page is full. A result must be inside the
   * searched folder and contain the phrase.
   */
  async #verify(request: SearchRequest, control: CallTimeControl): Promise<SearchResultPage> {
    const [table, readers] = [this.#table, this.#readers];
    const { scope, query, page, externalHits } = request;
    const search = new ContentSearch(table, readers, scope, [query.phrase ?? ''], control);
    const hits: TableFile[] = [];
    const queue = new NewestFirstQueue(table.filesAt(externalHits).filter(file => isWanted(table, file, query)));
    search.start();
    const needed = countNeededResults(page);
    while (queue.next !== undefined && hits.length < needed && !control.isOver && !search.hasNoWorkers) {
      const files = queue.takeSome(Math.max(32, needed - hits.length));
      const isReadable = ({ path: file }: TableFile): boolean =>
        !['none', 'unsupported'].includes(fileTypeOfName(table.types, file).format);
      hits.push(...files.filter(file => !isReadable(file)));
      for (const file of files.filter(isReadable)) search.remember(file);
      await search.readCandidates(Number.POSITIVE_INFINITY);
      // A file in a format that only Spotlight can read is accepted without a test of its contents.
      hits.push(...search.hits.splice(0), ...search.unparsed.splice(0));
    }
    search.leave();
    const found = await buildResultPage(table, readers, orderHitsByTime(hits), request, control);
    const isTruncated = found.isTruncated || queue.next !== undefined;
    const { skipped, hasNoWorkers } = search;
    const fields = { engine: 'mdfind', skipped, hasNoWorkers, isTimedOut: control.isTimedOut } as const;
    return { ...found, ...fields, isTruncated, isFromBefore: false };
  }

  async describe(
    { path: file, plist }: DescribeRequest,
    control: CallTimeControl,
  ): Promise<FileAttributes | undefined> {
    const known = getSystemAttributes(file, this.#table.types);
    if (known === undefined) return undefined;
    const job: ReaderJob = { kind: 'describe', allowedRoot: file, paths: [file], phrases: [], isSigning: false };
    const [answer] = await runReaderJobs(this.#readers, [job], control);
    return { ...parsePlist(plist ?? ''), ...known, ...answer?.description };
  }
}

function isCancelled({ isOver, isTimedOut }: CallTimeControl): boolean {
  return isOver && !isTimedOut;
}

function isWanted({ types }: FileTable, { folder, index, path, mtimeMs }: TableFile, query: FileQuery): boolean {
  return folder.state(index) !== 'gone' && matchesKindAndTime(query, { mtimeMs }, fileTypeOfName(types, path));
}
