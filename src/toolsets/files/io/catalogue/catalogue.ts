import path from 'node:path';
import { Pause } from '../../../../pause.ts';
import { type FileTypes, typeByName } from '../../model/file-type.ts';
import { NewestQueue } from '../../model/newest-queue.ts';
import { neededResults, type Page } from '../../model/page.ts';
import { readPlist } from '../../model/plist.ts';
import { type FoundFile, newestFirst } from '../../model/row.ts';
import { addSkipped, nothingSkipped, type Skipped } from '../../model/skip.ts';
import { systemAttributes } from '../attributes.ts';
import { inspect } from '../inspect.ts';
import { type Control, sliceMs } from '../threads/control.ts';
import { runJobs } from '../threads/errand.ts';
import type { Attributes, Found, Question, ReaderJob, Wish } from '../threads/messages.ts';
import type { ReaderPool } from '../threads/reader-pool.ts';
import { Background } from './background.ts';
import type { Cache } from './cache.ts';
import { Finding, isStill } from './finding.ts';
import { content, type File, Folder, fileAt, isInPlace } from './folder.ts';
import { lastCpuMs, Search } from './search.ts';
import { Tree } from './tree.ts';
import { type KnownHit, type Place, type Progress, Unfinished } from './unfinished.ts';
import type { Walk } from './walk.ts';

type Asked<About extends Question['kind']> = Extract<Question, { kind: About }>;

const start: Place = { folders: 0, files: 0 };

/** Files for whose excerpts a reader is asked at once. */
const excerptBatch = 16;

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
      return await this.#find(question, key, before?.hits ?? [], before?.progress, control);
    } finally {
      this.#background.callEnds();
    }
  }

  async #find(
    question: Asked<'find'>,
    key: string,
    before: readonly KnownHit[],
    progress: Progress | undefined,
    control: Control,
  ): Promise<Found> {
    const { scope, wish, page } = question;
    const walk = this.#tree.walk(scope);
    const search = this.#searchFor(scope, wish, control);
    const known = search === undefined ? before : [];
    const remembered = new Set(known.map(hit => hit.path));
    const finding = new Finding(this.#tree, scope, wish, search, remembered);
    if (search !== undefined) {
      this.#readers.join(search);
      for (const hit of before) this.#recall(hit, search, remembered);
    }
    const resumed = progress?.walk === walk ? progress : undefined;
    for (const file of resumed?.left ?? []) if (!remembered.has(file.path)) this.#goOn(file, search);
    const look = search && (async () => await search.check(neededResults(page)));
    const at = await this.#visit(walk, resumed?.at ?? start, finding, control, look);
    await look?.();
    await search?.finish();
    if (search !== undefined) this.#readers.leave(search);
    // What readers find out from here on is told by the next call.
    const now = soFar({ walk, at }, finding, search, resumed);
    const isWalked = walk.isComplete && at.folders === walk.visited.length;
    const told = this.#told(question, walk, remembered);
    const hits = distinct([...known, ...finding.hits, ...(told?.hits ?? []), ...(search?.hits ?? [])]);
    const apart = hits.length === 0 && isWalked ? await this.#apart(walk, question, control) : undefined;
    const isWhole = isWalked && !control.isTimedOut;
    // Those there was no time for stay in the answer while their files are as they were.
    const unseen = isWhole ? [] : this.#unseen(before, hits);
    if (isWhole) this.#unfinished.forget(key);
    else this.#unfinished.keep(key, [...withStates(hits, search?.hits ?? []), ...unseen], now);
    const found = await this.#present([...hits, ...unseen], question, control);
    const isBeyondMemory = this.#tree.tidy(walk);
    if (search !== undefined && !isCancelled(control) && !isBeyondMemory) this.#background.add(walk);
    const skipped = addSkipped(skippedOn(walk), now.skipped, told?.skipped ?? {});
    if (found.isTimedOut) [skipped.unvisited, skipped.unread] = [walk.unvisited, now.left.length];
    const engine = told === undefined || told.hits.length === 0 ? now.engine : 'mdfind';
    return { ...found, engine, skipped, apart, isBeyondMemory, isFromBefore: false };
  }

  /** Hits that were known before and were not come to this time. */
  #unseen(before: readonly KnownHit[], hits: readonly KnownHit[]): KnownHit[] {
    const seen = new Set(hits.map(hit => hit.path));
    return before.filter(hit => !seen.has(hit.path));
  }

  /** A page of an answer that was not complete, as it was. */
  async #again(question: Asked<'find'>, before: readonly KnownHit[], control: Control): Promise<Found> {
    const found = await this.#present(before, question, control);
    const rest = { skipped: nothingSkipped(), apart: undefined, isBeyondMemory: false, isFromBefore: true } as const;
    return { ...found, ...rest, engine: 'scan', isTimedOut: true };
  }

  #searchFor(scope: string, { phrase, match }: Wish, control: Control): Search | undefined {
    if (phrase === undefined || match === 'name') return undefined;
    return new Search(this.#tree, this.#readers, scope, [phrase], control);
  }

  /** One that a call before this one has not come to. */
  #goOn(file: File, search: Search | undefined): void {
    const now = isInPlace(file) ? file : this.#tree.find(file.path);
    if (now !== undefined) search?.consider(now.folder, now.index);
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
    for (const { folder, index } of this.#filesAt(told)) if (!visited.has(folder)) finding.consider(folder, index);
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

  /** Judges files that something else has found, the newest first, until the page is full: they must be inside, and hold the phrase as far as can be told. */
  async check(question: Asked<'check'>, control: Control): Promise<Found> {
    const { scope, wish, page, told } = question;
    const search = new Search(this.#tree, this.#readers, scope, [wish.phrase ?? ''], control);
    const hits: File[] = [];
    const queue = new NewestQueue(
      this.#filesAt(told).filter(file => isThere(file) && isWanted(this.#tree, file, wish)),
    );
    this.#background.callBegins();
    this.#readers.join(search);
    const needed = neededResults(page);
    while (queue.next !== undefined && hits.length < needed && !control.isOver) {
      const files = queue.takeSome(Math.max(32, needed - hits.length));
      const isOurs = ({ path: file }: File): boolean =>
        !['none', 'opaque'].includes(typeByName(this.#tree.types, file).reading);
      hits.push(...files.filter(file => !isOurs(file)));
      for (const file of files.filter(isOurs)) search.remember(file);
      await search.check(Number.POSITIVE_INFINITY);
      // What Spotlight can read and we cannot is believed.
      hits.push(...search.hits.splice(0), ...search.unparsed.splice(0));
    }
    this.#readers.leave(search);
    this.#background.callEnds();
    const found = await this.#present(hits, question, control);
    const { skipped } = search;
    const isTruncated = found.isTruncated || queue.next !== undefined;
    return {
      ...found,
      isTruncated,
      engine: 'mdfind',
      skipped,
      apart: undefined,
      isBeyondMemory: false,
      isFromBefore: false,
    };
  }

  async describe({ path: file, plist }: Asked<'describe'>, control: Control): Promise<Attributes | undefined> {
    const known = systemAttributes(file, this.#tree.types);
    if (known === undefined) return undefined;
    const job: ReaderJob = { kind: 'describe', fence: file, paths: [file], phrases: [], isSigning: false };
    const [told] = await runJobs(this.#readers, [job], lastCpuMs, control);
    return { ...readPlist(plist ?? ''), ...known, ...told?.description };
  }

  /** Those that are known, and others in folders of their own, which nobody remembers. */
  #filesAt(paths: readonly string[]): File[] {
    return paths.map(file => {
      const known = this.#tree.find(file);
      if (known !== undefined) return known;
      const folder = new Folder(path.dirname(file));
      folder.list(folder, [path.basename(file)], [], this.#tree.signatures);
      folder.look(0, this.#tree.signatures);
      return fileAt(folder, 0);
    });
  }

  /** Sorts, and looks once more at each file that goes out: it must be there now, and where it was found. */
  async #present(
    hits: readonly KnownHit[],
    { scope, wish, page, excerpts }: Pick<Asked<'find'>, 'scope' | 'wish' | 'page' | 'excerpts'>,
    control: Control,
  ): Promise<Pick<Found, 'files' | 'isTruncated' | 'hitCount' | 'isTimedOut'>> {
    const { offset, limit }: Page = page;
    const pause = new Pause(sliceMs);
    const queue = new NewestQueue(hits);
    queue.takeSome(offset);
    const files: FoundFile[] = [];
    for (let hit = queue.take(); hit !== undefined && files.length <= limit; hit = queue.take()) {
      const seen = inspect(hit.path, scope, this.#tree.types);
      if (seen !== undefined && isAsRead(hit, seen.stat) && isStill(wish, seen.stat, seen.type)) {
        files.push({ path: hit.path, mtimeMs: seen.stat.mtimeMs, size: seen.stat.size, type: seen.type });
      }
      await pause.take();
    }
    const shown = files.slice(0, limit).sort(newestFirst);
    return {
      files: excerpts && wish.phrase !== undefined ? await this.#excerpts(shown, scope, wish.phrase, control) : shown,
      isTruncated: files.length > limit,
      hitCount: hits.length,
      isTimedOut: control.isTimedOut,
    };
  }

  async #excerpts(files: readonly FoundFile[], scope: string, phrase: string, control: Control): Promise<FoundFile[]> {
    const jobs: ReaderJob[] = [];
    for (let at = 0; at < files.length; at += excerptBatch) {
      const paths = files.slice(at, at + excerptBatch).map(file => file.path);
      const texts = paths.map(file => this.#tree.textOf(file));
      jobs.push({ kind: 'excerpt', fence: scope, paths, phrases: [phrase], isSigning: false, texts });
    }
    const answers = await runJobs(this.#readers, jobs, lastCpuMs, control);
    return files.map((file, index) => {
      const excerpt = answers[Math.floor(index / excerptBatch)]?.excerpts[index % excerptBatch];
      return excerpt === undefined ? file : { ...file, excerpt };
    });
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

/** Of what this call has read itself there is no state to compare. */
function isAsRead({ ctimeMs }: KnownHit, now: { ctimeMs: number }): boolean {
  return ctimeMs === undefined || Math.abs(ctimeMs - now.ctimeMs) < clockGrainMs;
}

/** The same time in two forms differs by this much. */
const clockGrainMs = 0.01;

function isThere({ folder, index }: File): boolean {
  return folder.content(index) !== content.gone;
}

function isWanted({ types }: Tree, { path: file, mtimeMs }: File, wish: Wish): boolean {
  return isStill(wish, { mtimeMs }, typeByName(types, file));
}

/** How far a call has come, with what those before it had come to. */
function soFar(
  place: Pick<Progress, 'walk' | 'at'>,
  finding: Finding,
  search: Search | undefined,
  before: Progress | undefined,
): Progress {
  return {
    ...place,
    left: search?.left ?? [],
    skipped: addSkipped(before?.skipped ?? {}, finding.skipped, search?.skipped ?? {}),
    engine: before?.engine === 'scan' ? 'scan' : (search?.engine ?? 'scan'),
  };
}

function skippedOn({ visited }: Walk): Skipped {
  return addSkipped(...visited.flatMap(({ skipped }) => skipped ?? []));
}
