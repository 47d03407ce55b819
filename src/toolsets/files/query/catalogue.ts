import { EventLoopYielder } from '../../../async/yielder.ts';
import { type FileTypes, typeByName } from '../../../documents/file-type.ts';
import { type Attributes, systemAttributes } from '../access/inspect.ts';
import { addSkipped, type Skipped } from '../access/skip.ts';
import { Background } from '../index/background.ts';
import type { Cache } from '../index/cache.ts';
import type { Walk } from '../index/crawl.ts';
import { content, type File, isInPlace } from '../index/folder.ts';
import { indexProgress } from '../index/progress.ts';
import { Tree } from '../index/tree.ts';
import { NewestQueue } from '../match/newest-queue.ts';
import { readPlist } from '../spotlight/query.ts';
import { type Control, runJobs, sliceMs } from '../workers/control.ts';
import type { ReaderPool } from '../workers/pool.ts';
import type { ReaderJob } from '../workers/protocol.ts';
import { FileFilter, isStill } from './file-filter.ts';
import { parseQuery } from './parse.ts';
import { type KnownHit, PartialResults, type Place, type Progress } from './partial-results.ts';
import type { Found, IndexProgress, Query, Question } from './protocol.ts';
import { buildPage, byTime } from './result-page.ts';
import { neededResults } from './results.ts';
import { Search } from './search.ts';
import { type StageInput, WordStages } from './word-stages.ts';

type Asked<About extends Question['kind']> = Extract<Question, { kind: About }>;

const start: Place = { folders: 0, files: 0 };

/** The answer of the phrase stage, and the folders that it has considered. */
interface PhraseResult {
  found: Found;
  walk: Walk;
}

/** Whether the phrase was found in a file that is still there. */
function hasHits({ found }: PhraseResult, { page }: Asked<'find'>): boolean {
  return found.files.length > 0 || (found.hitCount > 0 && page.offset > 0);
}

/** The files of the scopes that were asked for, and what is known of them. */
export class Catalogue {
  readonly #readers: ReaderPool;
  readonly #tree: Tree;
  readonly #partialResults = new PartialResults();
  readonly #background: Background;
  readonly #stages: WordStages;
  /** The last percentage that was reported, by scope. */
  readonly #percents = new Map<string, number>();

  constructor(types: FileTypes, readers: ReaderPool, cache?: Cache) {
    this.#readers = readers;
    this.#tree = new Tree(types);
    cache?.load(this.#tree);
    this.#stages = new WordStages(this.#tree, readers);
    this.#background = new Background(this.#tree, readers, () => cache?.saveLater(this.#tree));
  }

  async find(question: Asked<'find' | 'check'>, control: Control): Promise<Found> {
    this.#background.callBegins();
    try {
      return await (question.kind === 'check' ? this.#check(question, control) : this.#findByStages(question, control));
    } finally {
      this.#background.callEnds();
    }
  }

  /** The phrase first; only if no file contains it, the words. */
  async #findByStages(question: Asked<'find'>, control: Control): Promise<Found> {
    const { text, match } = question.query;
    const first = await this.#findPhrase(question, control);
    if (text === undefined) return first.found;
    const parsed = parseQuery(text);
    const { quoted } = parsed;
    const phrase =
      hasHits(first, question) || quoted === undefined
        ? first
        : await this.#findPhrase({ ...question, query: { ...question.query, phrase: quoted } }, control);
    const where = match ?? 'any';
    const input: StageInput = { question, parsed, where, walk: phrase.walk, phrase: phrase.found };
    if (hasHits(phrase, question) || quoted !== undefined || parsed.words.length === 0)
      return await this.#stages.explainPhrase(input, control);
    return await this.#stages.findByWords(input, control);
  }

  async #findPhrase(question: Asked<'find'>, control: Control): Promise<PhraseResult> {
    const key = JSON.stringify([question.scope, question.query]);
    const before = this.#partialResults.find(key);
    if (before === undefined || question.page.offset === 0)
      return await this.#find(question, key, before?.hits ?? [], control);
    // A page behind the first one is cut from the answer whose first page was seen.
    const found = await buildPage(this.#tree, this.#readers, byTime(before.hits), question, control);
    return { found: { ...found, isFromBefore: true, isTimedOut: true }, walk: this.#tree.walk(question.scope) };
  }

  async #find(
    question: Asked<'find'>,
    key: string,
    before: readonly KnownHit[],
    control: Control,
  ): Promise<PhraseResult> {
    const { scope, query, page } = question;
    const resumed = this.#partialResults.takeProgress(key, () => this.#tree.walk(scope));
    const walk = resumed?.walk ?? this.#tree.walk(scope);
    const search = this.#searchFor(question, control, resumed?.left);
    if (search !== undefined) await listNames(walk, control);
    const known = search === undefined ? before : [];
    const remembered = new Set(known.map(hit => hit.path));
    const finding = new FileFilter(this.#tree, scope, query, search, remembered);
    if (search !== undefined) {
      this.#readers.join(search);
      for (const hit of before) this.#recall(hit, search, remembered);
    }
    const look = search && (async () => await search.check(neededResults(page)));
    const at = await finding.visit(walk, resumed?.at ?? start, control, look);
    await look?.();
    await search?.finish();
    // Answers of readers that arrive later belong to the next call.
    const now = soFar({ walk, at, left: search?.leave() }, finding, search, resumed);
    const isWalked = walk.isComplete && at.folders === walk.visited.length;
    const externalHits = this.#externalHits(question, walk, remembered);
    const hits = distinct([...known, ...finding.hits, ...(externalHits?.hits ?? []), ...(search?.hits ?? [])]);
    const hasNoWorkers = search?.hasNoWorkers === true;
    const isWhole = isWalked && !control.isOver && !hasNoWorkers;
    const isNowhere = isWhole && hits.length === 0;
    // Those there was no time for stay in the answer while their files are as they were.
    const seen = new Set(hits.map(hit => hit.path));
    const unseen = isWhole ? [] : before.filter(hit => !seen.has(hit.path));
    if (isWhole) this.#partialResults.forget(key);
    else this.#partialResults.keep(key, [...withStates(hits, search?.hits ?? []), ...unseen], now);
    const found = await buildPage(this.#tree, this.#readers, byTime([...hits, ...unseen]), question, control);
    const isBeyondMemory = this.#tree.tidy(walk);
    if (!isCancelled(control) && !isBeyondMemory) this.#background.add(walk);
    const skipped = addSkipped(skippedOn(walk), now.skipped, externalHits?.skipped ?? {});
    // That a phrase is nowhere is the whole answer, even if there was no time left for a hint.
    const isTimedOut = found.isTimedOut && !isNowhere;
    if (isTimedOut || hasNoWorkers) [skipped.unvisited, skipped.unread] = [walk.unvisited, now.left?.size ?? 0];
    const engine = externalHits === undefined || externalHits.hits.length === 0 ? now.engine : 'mdfind';
    const indexed = isTimedOut ? this.#progress(walk) : undefined;
    return { found: { ...found, isTimedOut, hasNoWorkers, engine, skipped, isBeyondMemory, indexed }, walk };
  }

  /** How much of a scope is indexed; never less than what was reported before. */
  #progress(walk: Walk): IndexProgress | undefined {
    if (!walk.isComplete) return undefined;
    const { fileCount, share } = indexProgress(this.#tree, walk);
    const percent = Math.max(Math.floor(100 * share), this.#percents.get(walk.scope) ?? 0);
    this.#percents.set(walk.scope, percent);
    return { fileCount, percent };
  }

  /** None where names and dates alone decide. */
  #searchFor({ scope, query }: Asked<'find'>, control: Control, left: Progress['left']): Search | undefined {
    if (query.phrase === undefined || query.match === 'name') return undefined;
    return new Search(this.#tree, this.#readers, scope, [query.phrase], control, left);
  }

  /** What an answer before this one knew is looked at first. */
  #recall(hit: KnownHit, search: Search, recalled: Set<string>): void {
    const file = this.#tree.find(hit.path);
    if (file === undefined) return;
    recalled.add(hit.path);
    search.remember({ ...file, mtimeMs: hit.mtimeMs });
  }

  /** What something else has found and the walk has not. */
  #externalHits(
    { externalHits, query, scope }: Asked<'find'>,
    walk: Walk,
    known: ReadonlySet<string>,
  ): FileFilter | undefined {
    if (externalHits.length === 0) return undefined;
    const visited = new Set(walk.visited);
    const finding = new FileFilter(this.#tree, scope, query, undefined, known);
    finding.considerAll(this.#tree.filesAt(externalHits).filter(({ folder }) => !visited.has(folder)));
    return finding;
  }

  /** Judges files that something else has found, the newest first, until the page is full: they must be inside the scope and contain the phrase. */
  async #check(question: Asked<'check'>, control: Control): Promise<Found> {
    const [tree, readers] = [this.#tree, this.#readers];
    const { scope, query, page, externalHits } = question;
    const search = new Search(tree, readers, scope, [query.phrase ?? ''], control);
    const hits: File[] = [];
    const queue = new NewestQueue(tree.filesAt(externalHits).filter(file => isWanted(tree, file, query)));
    readers.join(search);
    const needed = neededResults(page);
    while (queue.next !== undefined && hits.length < needed && !control.isOver && !search.hasNoWorkers) {
      const files = queue.takeSome(Math.max(32, needed - hits.length));
      const isOwnedByUs = ({ path: file }: File): boolean =>
        !['none', 'unsupported'].includes(typeByName(tree.types, file).format);
      hits.push(...files.filter(file => !isOwnedByUs(file)));
      for (const file of files.filter(isOwnedByUs)) search.remember(file);
      await search.check(Number.POSITIVE_INFINITY);
      // What Spotlight can read and we cannot is believed.
      hits.push(...search.hits.splice(0), ...search.unparsed.splice(0));
    }
    readers.leave(search);
    const found = await buildPage(tree, readers, byTime(hits), question, control);
    const isTruncated = found.isTruncated || queue.next !== undefined;
    return { ...found, isTruncated, engine: 'mdfind', skipped: search.skipped, hasNoWorkers: search.hasNoWorkers };
  }

  async describe({ path: file, plist }: Asked<'describe'>, control: Control): Promise<Attributes | undefined> {
    const known = systemAttributes(file, this.#tree.types);
    if (known === undefined) return undefined;
    const job: ReaderJob = { kind: 'describe', allowedRoot: file, paths: [file], phrases: [], isSigning: false };
    const [answer] = await runJobs(this.#readers, [job], control);
    return { ...readPlist(plist ?? ''), ...known, ...answer?.description };
  }
}

/** Names are listed before anything is read: they answer questions at once. Reading gets two thirds of the time. */
async function listNames(walk: Walk, control: Control): Promise<void> {
  const yielder = new EventLoopYielder(sliceMs);
  const until = performance.now() + control.remainingMs / 3;
  while (!walk.isComplete && !control.isOver && performance.now() < until) {
    walk.step();
    await yielder.yieldIfDue();
  }
}

function isCancelled({ isOver, isTimedOut }: Control): boolean {
  return isOver && !isTimedOut;
}

/** A folder that was listed anew in the middle is gone through once more. */
function distinct(hits: readonly KnownHit[]): KnownHit[] {
  return [...new Map(hits.map(hit => [hit.path, hit])).values()];
}

/** Hits with the state in which their files were read; those by name need none. */
function withStates(hits: readonly KnownHit[], read: readonly File[]): KnownHit[] {
  const states = new Map(read.filter(isInPlace).map(file => [file.path, file.folder.stat(file.index).ctimeMs]));
  return hits.map(({ path: file, mtimeMs }) => ({ path: file, mtimeMs, ctimeMs: states.get(file) }));
}

/** How far a call has come, with what those before it had come to. */
function soFar(
  place: Pick<Progress, 'walk' | 'at' | 'left'>,
  finding: FileFilter,
  search: Search | undefined,
  before: Progress | undefined,
): Progress {
  return {
    ...place,
    skipped: addSkipped(before?.skipped ?? {}, finding.skipped, search?.skipped ?? {}),
    engine: before?.engine === 'scan' ? 'scan' : (search?.engine ?? 'scan'),
  };
}

function skippedOn({ visited }: Walk): Skipped {
  return addSkipped(...visited.flatMap(({ skipped }) => skipped ?? []));
}

function isWanted({ types }: Tree, { folder, index, path, mtimeMs }: File, query: Query): boolean {
  return folder.content(index) !== content.gone && isStill(query, { mtimeMs }, typeByName(types, path));
}
