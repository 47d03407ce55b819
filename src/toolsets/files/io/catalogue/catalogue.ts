import { Pause } from '../../../../pause.ts';
import type { FileTypes } from '../../model/file-type.ts';
import { neededResults } from '../../model/results.ts';
import { addSkipped, nothingSkipped, type Skipped } from '../../model/skip.ts';
import { readPlist } from '../../model/spotlight.ts';
import { systemAttributes } from '../inspect.ts';
import { type Control, sliceMs } from '../threads/control.ts';
import { runJobs } from '../threads/errand.ts';
import type { Attributes, Found, Question, ReaderJob, Wish } from '../threads/messages.ts';
import type { ReaderPool } from '../threads/reader-pool.ts';
import { Background } from './background.ts';
import type { Cache } from './cache.ts';
import { Finding } from './finding.ts';
import { type File, isInPlace } from './folder.ts';
import { present } from './present.ts';
import { lastCpuMs, Search } from './search.ts';
import { checkTold, filesAt } from './told.ts';
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

  async find(question: Asked<'find'>, control: Control): Promise<Found> {
    this.#background.callBegins();
    try {
      const key = JSON.stringify([question.scope, question.wish]);
      const before = this.#unfinished.find(key);
      // A page behind the first one is cut from the answer whose first page was seen.
      if (before !== undefined && question.page.offset > 0) return await this.#again(question, before.hits, control);
      return await this.#find(question, key, before?.hits ?? [], control);
    } finally {
      this.#background.callEnds();
    }
  }

  async #find(question: Asked<'find'>, key: string, before: readonly KnownHit[], control: Control): Promise<Found> {
    const { scope, wish, page } = question;
    const resumed = this.#unfinished.takeProgress(key, () => this.#tree.walk(scope));
    const walk = resumed?.walk ?? this.#tree.walk(scope);
    const search = this.#searchFor(scope, wish, control, resumed?.left);
    const known = search === undefined ? before : [];
    const remembered = new Set(known.map(hit => hit.path));
    const finding = new Finding(this.#tree, scope, wish, search, remembered);
    if (search !== undefined) {
      this.#readers.join(search);
      for (const hit of before) this.#recall(hit, search, remembered);
    }
    const look = search && (async () => await search.check(neededResults(page)));
    const at = await this.#visit(walk, resumed?.at ?? start, finding, control, look);
    await look?.();
    await search?.finish();
    // What readers find out from here on is told by the next call.
    const now = soFar({ walk, at, left: search?.leave() }, finding, search, resumed);
    const isWalked = walk.isComplete && at.folders === walk.visited.length;
    const told = this.#told(question, walk, remembered);
    const hits = distinct([...known, ...finding.hits, ...(told?.hits ?? []), ...(search?.hits ?? [])]);
    const isWhole = isWalked && !control.isOver;
    const isNowhere = isWhole && hits.length === 0;
    const apart = isNowhere ? await this.#apart(walk, question, control) : undefined;
    // Those there was no time for stay in the answer while their files are as they were.
    const unseen = isWhole ? [] : this.#unseen(before, hits);
    if (isWhole) this.#unfinished.forget(key);
    else this.#unfinished.keep(key, [...withStates(hits, search?.hits ?? []), ...unseen], now);
    const found = await present(this.#tree, this.#readers, [...hits, ...unseen], question, control);
    const isBeyondMemory = this.#tree.tidy(walk);
    if (search !== undefined && !isCancelled(control) && !isBeyondMemory) this.#background.add(walk);
    const skipped = addSkipped(skippedOn(walk), now.skipped, told?.skipped ?? {});
    // That a phrase is nowhere is the whole answer, even if there was no time left for a hint.
    const isTimedOut = found.isTimedOut && !isNowhere;
    if (isTimedOut) [skipped.unvisited, skipped.unread] = [walk.unvisited, now.left?.size ?? 0];
    const engine = told === undefined || told.hits.length === 0 ? now.engine : 'mdfind';
    return { ...found, isTimedOut, engine, skipped, apart, isBeyondMemory, isFromBefore: false };
  }

  /** Hits that were known before and were not come to this time. */
  #unseen(before: readonly KnownHit[], hits: readonly KnownHit[]): KnownHit[] {
    const seen = new Set(hits.map(hit => hit.path));
    return before.filter(hit => !seen.has(hit.path));
  }

  /** A page of an answer that was not complete, as it was. */
  async #again(question: Asked<'find'>, before: readonly KnownHit[], control: Control): Promise<Found> {
    const found = await present(this.#tree, this.#readers, before, question, control);
    const rest = { skipped: nothingSkipped(), apart: undefined, isBeyondMemory: false, isFromBefore: true } as const;
    return { ...found, ...rest, engine: 'scan', isTimedOut: true };
  }

  #searchFor(scope: string, { phrase, match }: Wish, control: Control, left: Progress['left']): Search | undefined {
    if (phrase === undefined || match === 'name') return undefined;
    return new Search(this.#tree, this.#readers, scope, [phrase], control, left);
  }

  /** What an answer before this one knew is looked at first. */
  #recall(hit: KnownHit, search: Search, recalled: Set<string>): void {
    const file = this.#tree.find(hit.path);
    if (file === undefined) return;
    recalled.add(hit.path);
    search.remember({ ...file, mtimeMs: hit.mtimeMs });
  }

  /**
   * Goes through the folders of a walk from a place on, and on with the walk; gives how far it came. After a third of the
   * time what is known by then is looked at: hits that are known come before anything that is not.
   */
  async #visit(
    walk: Walk,
    from: Place,
    finding: Finding,
    control: Control,
    look: (() => Promise<void>) | undefined,
  ): Promise<Place> {
    const pause = new Pause(sliceMs);
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
          finding.consider(folder, index);
          if ((index & 63) !== 63) continue;
          await pause.take();
          if (control.isOver) return { folders: at, files: index + 1 };
        }
        at++;
        first = 0;
      }
      if (!hasLooked && performance.now() > lookAt) {
        hasLooked = true;
        await look?.();
      }
      await pause.take();
    }
    if (isNew) walk.spentMs += performance.now() - started;
    return { folders: at, files: first };
  }

  /** What something else has found and the walk has not. */
  #told({ told, wish, scope }: Asked<'find'>, walk: Walk, known: ReadonlySet<string>): Finding | undefined {
    if (told.length === 0) return undefined;
    const visited = new Set(walk.visited);
    const finding = new Finding(this.#tree, scope, wish, undefined, known);
    for (const { folder, index } of filesAt(this.#tree, told))
      if (!visited.has(folder)) finding.consider(folder, index);
    return finding;
  }

  /** A file that holds the words of a phrase which was found nowhere. */
  async #apart(walk: Walk, { scope, wish }: Asked<'find'>, control: Control): Promise<string | undefined> {
    const words = [...new Set((wish.phrase ?? '').split(' '))].slice(0, 8);
    if (words.length < 2 || wish.match === 'name' || control.isOver) return undefined;
    const search = new Search(this.#tree, this.#readers, scope, words, control);
    const finding = new Finding(this.#tree, scope, { ...wish, match: 'content' }, search, new Set());
    this.#readers.join(search);
    await this.#visit(walk, start, finding, control, undefined);
    const file = await search.findOne();
    this.#readers.leave(search);
    return file?.path;
  }

  async check(question: Asked<'check'>, control: Control): Promise<Found> {
    this.#background.callBegins();
    try {
      return await checkTold(this.#tree, this.#readers, question, control);
    } finally {
      this.#background.callEnds();
    }
  }

  async describe({ path: file, plist }: Asked<'describe'>, control: Control): Promise<Attributes | undefined> {
    const known = systemAttributes(file, this.#tree.types);
    if (known === undefined) return undefined;
    const job: ReaderJob = { kind: 'describe', fence: file, paths: [file], phrases: [], isSigning: false };
    const [told] = await runJobs(this.#readers, [job], lastCpuMs, control);
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
