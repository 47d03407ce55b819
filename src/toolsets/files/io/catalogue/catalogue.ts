import { type FileTypes, typeByName } from '../../../../documents/file-type.ts';
import { NewestQueue, neededResults } from '../../model/results.ts';
import { addSkipped, type Skipped } from '../../model/skip.ts';
import { readPlist } from '../../model/spotlight.ts';
import { systemAttributes } from '../inspect.ts';
import { type Control, runJobs } from '../threads/control.ts';
import type { Attributes, Found, Question, ReaderJob, Wish } from '../threads/messages.ts';
import type { ReaderPool } from '../threads/reader-pool.ts';
import { Background } from './background.ts';
import type { Cache } from './cache.ts';
import { Finding, isStill } from './finding.ts';
import { content, type File, isInPlace } from './folder.ts';
import { present } from './present.ts';
import { Search } from './search.ts';
import { Tree } from './tree.ts';
import { type KnownHit, type Place, type Progress, Unfinished } from './unfinished.ts';
import type { Walk } from './walk.ts';

type Asked<About extends Question['kind']> = Extract<Question, { kind: About }>;

const start: Place = { folders: 0, files: 0 };

/** The files of the scopes that were asked for, and what is known of them. */
export class Catalogue {
  readonly #readers: ReaderPool;
  readonly #tree: Tree;
  readonly #unfinished = new Unfinished();
  readonly #background: Background;

  constructor(types: FileTypes, readers: ReaderPool, cache?: Cache) {
    this.#readers = readers;
    this.#tree = new Tree(types);
    cache?.load(this.#tree);
    this.#background = new Background(this.#tree, readers, () => cache?.saveLater(this.#tree));
  }

  async find(question: Asked<'find' | 'check'>, control: Control): Promise<Found> {
    this.#background.callBegins();
    try {
      if (question.kind === 'check') return await this.#check(question, control);
      const key = JSON.stringify([question.scope, question.wish]);
      const before = this.#unfinished.find(key);
      if (before === undefined || question.page.offset === 0)
        return await this.#find(question, key, before?.hits ?? [], control);
      // A page behind the first one is cut from the answer whose first page was seen.
      const found = await present(this.#tree, this.#readers, before.hits, question, control);
      return { ...found, isFromBefore: true, isTimedOut: true };
    } finally {
      this.#background.callEnds();
    }
  }

  async #find(question: Asked<'find'>, key: string, before: readonly KnownHit[], control: Control): Promise<Found> {
    const { scope, wish, page } = question;
    const resumed = this.#unfinished.takeProgress(key, () => this.#tree.walk(scope));
    const walk = resumed?.walk ?? this.#tree.walk(scope);
    const search = this.#searchFor(question, control, resumed?.left);
    const known = search === undefined ? before : [];
    const remembered = new Set(known.map(hit => hit.path));
    const finding = new Finding(this.#tree, scope, wish, search, remembered);
    if (search !== undefined) {
      this.#readers.join(search);
      for (const hit of before) this.#recall(hit, search, remembered);
    }
    const look = search && (async () => await search.check(neededResults(page)));
    const at = await finding.visit(walk, resumed?.at ?? start, control, look);
    await look?.();
    await search?.finish();
    // What readers find out from here on is told by the next call.
    const now = soFar({ walk, at, left: search?.leave() }, finding, search, resumed);
    const isWalked = walk.isComplete && at.folders === walk.visited.length;
    const told = this.#told(question, walk, remembered);
    const hits = distinct([...known, ...finding.hits, ...(told?.hits ?? []), ...(search?.hits ?? [])]);
    const isStarved = search?.isStarved === true;
    const isWhole = isWalked && !control.isOver && !isStarved;
    const isNowhere = isWhole && hits.length === 0;
    const apart = isNowhere ? await this.#apart(walk, question, control) : undefined;
    // Those there was no time for stay in the answer while their files are as they were.
    const seen = new Set(hits.map(hit => hit.path));
    const unseen = isWhole ? [] : before.filter(hit => !seen.has(hit.path));
    if (isWhole) this.#unfinished.forget(key);
    else this.#unfinished.keep(key, [...withStates(hits, search?.hits ?? []), ...unseen], now);
    const found = await present(this.#tree, this.#readers, [...hits, ...unseen], question, control);
    const isBeyondMemory = this.#tree.tidy(walk);
    if (search !== undefined && !isCancelled(control) && !isBeyondMemory) this.#background.add(walk);
    const skipped = addSkipped(skippedOn(walk), now.skipped, told?.skipped ?? {});
    // That a phrase is nowhere is the whole answer, even if there was no time left for a hint.
    const isTimedOut = found.isTimedOut && !isNowhere;
    if (isTimedOut || isStarved) [skipped.unvisited, skipped.unread] = [walk.unvisited, now.left?.size ?? 0];
    const engine = told === undefined || told.hits.length === 0 ? now.engine : 'mdfind';
    return { ...found, isTimedOut, isStarved, engine, skipped, apart, isBeyondMemory };
  }

  /** None where names and dates alone decide. */
  #searchFor({ scope, wish }: Asked<'find'>, control: Control, left: Progress['left']): Search | undefined {
    if (wish.phrase === undefined || wish.match === 'name') return undefined;
    return new Search(this.#tree, this.#readers, scope, [wish.phrase], control, left);
  }

  /** What an answer before this one knew is looked at first. */
  #recall(hit: KnownHit, search: Search, recalled: Set<string>): void {
    const file = this.#tree.find(hit.path);
    if (file === undefined) return;
    recalled.add(hit.path);
    search.remember({ ...file, mtimeMs: hit.mtimeMs });
  }

  /** What something else has found and the walk has not. */
  #told({ told, wish, scope }: Asked<'find'>, walk: Walk, known: ReadonlySet<string>): Finding | undefined {
    if (told.length === 0) return undefined;
    const visited = new Set(walk.visited);
    const finding = new Finding(this.#tree, scope, wish, undefined, known);
    finding.considerAll(this.#tree.filesAt(told).filter(({ folder }) => !visited.has(folder)));
    return finding;
  }

  /** A file that holds the words of a phrase which was found nowhere. */
  async #apart(walk: Walk, { scope, wish }: Asked<'find'>, control: Control): Promise<string | undefined> {
    const words = [...new Set((wish.phrase ?? '').split(' '))].slice(0, 8);
    if (words.length < 2 || wish.match === 'name' || control.isOver) return undefined;
    const search = new Search(this.#tree, this.#readers, scope, words, control);
    const finding = new Finding(this.#tree, scope, { ...wish, match: 'content' }, search, new Set());
    this.#readers.join(search);
    await finding.visit(walk, start, control);
    const file = await search.findOne();
    this.#readers.leave(search);
    return file?.path;
  }

  /** Judges files that something else has found, the newest first, until the page is full: they must be inside, and hold the phrase as far as can be told. */
  async #check(question: Asked<'check'>, control: Control): Promise<Found> {
    const [tree, readers] = [this.#tree, this.#readers];
    const { scope, wish, page, told } = question;
    const search = new Search(tree, readers, scope, [wish.phrase ?? ''], control);
    const hits: File[] = [];
    const queue = new NewestQueue(tree.filesAt(told).filter(file => isWanted(tree, file, wish)));
    readers.join(search);
    const needed = neededResults(page);
    while (queue.next !== undefined && hits.length < needed && !control.isOver && !search.isStarved) {
      const files = queue.takeSome(Math.max(32, needed - hits.length));
      const isOurs = ({ path: file }: File): boolean =>
        !['none', 'opaque'].includes(typeByName(tree.types, file).reading);
      hits.push(...files.filter(file => !isOurs(file)));
      for (const file of files.filter(isOurs)) search.remember(file);
      await search.check(Number.POSITIVE_INFINITY);
      // What Spotlight can read and we cannot is believed.
      hits.push(...search.hits.splice(0), ...search.unparsed.splice(0));
    }
    readers.leave(search);
    const found = await present(tree, readers, hits, question, control);
    const isTruncated = found.isTruncated || queue.next !== undefined;
    return { ...found, isTruncated, engine: 'mdfind', skipped: search.skipped, isStarved: search.isStarved };
  }

  async describe({ path: file, plist }: Asked<'describe'>, control: Control): Promise<Attributes | undefined> {
    const known = systemAttributes(file, this.#tree.types);
    if (known === undefined) return undefined;
    const job: ReaderJob = { kind: 'describe', fence: file, paths: [file], phrases: [], isSigning: false };
    const [told] = await runJobs(this.#readers, [job], control);
    return { ...readPlist(plist ?? ''), ...known, ...told?.description };
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
  finding: Finding,
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

function isWanted({ types }: Tree, { folder, index, path, mtimeMs }: File, wish: Wish): boolean {
  return folder.content(index) !== content.gone && isStill(wish, { mtimeMs }, typeByName(types, path));
}
