import { type FileType, type FileTypes, type Kind, mayBeOfKind } from '../../model/file-type.ts';
import { NewestQueue } from '../../model/newest-queue.ts';
import { neededResults, type Page } from '../../model/page.ts';
import { readPlist } from '../../model/plist.ts';
import { type FoundFile, newestFirst } from '../../model/row.ts';
import type { Skipped } from '../../model/skip.ts';
import { inspect, typeOf } from '../inspect.ts';
import type { FileStat } from '../open-file.ts';
import { systemAttributes } from '../system-attributes.ts';
import type { Found, Question } from '../threads/catalogue-messages.ts';
import type { Control } from '../threads/control.ts';
import { createPace } from '../threads/pace.ts';
import type { Attributes } from '../threads/reader-messages.ts';
import type { ReaderPool } from '../threads/reader-pool.ts';
import { check, type Entry, refresh } from './entry.ts';
import { type Listing, Listings } from './listings.ts';
import { TextSearch } from './text-search.ts';
import { walk } from './walk.ts';

/** A file that stands in line for the answer. */
interface Candidate {
  path: string;
  mtimeMs: number;
}

type Asked<About extends Question['kind']> = Extract<Question, { kind: About }>;

/** What makes a file a result: as a name, in its present state, and once more when it goes out. */
interface Wish {
  mayBe(entry: Entry): boolean;
  is(entry: Entry, stat: FileStat): boolean;
  isStill(file: FoundFile): boolean;
}

/** The files of the scopes that were asked for, and what is known of them; nothing of it is ever written to disk. */
export class Catalogue {
  readonly #types: FileTypes;
  readonly #readers: ReaderPool;
  readonly #listings: Listings;
  readonly #text: TextSearch;

  constructor(types: FileTypes, readers: ReaderPool) {
    this.#types = types;
    this.#readers = readers;
    this.#listings = new Listings(types);
    this.#text = new TextSearch(this.#listings, readers);
  }

  async search({ scope, phrase, page }: Asked<'search'>, control: Control): Promise<Found> {
    const query = this.#text.begin(scope, phrase, control);
    let listing = this.#listings.fresh(scope, performance.now());
    if (listing === undefined) {
      this.#readers.warm();
      listing = await this.#list(scope, control, entry => {
        if (entry.content !== undefined) refresh(entry);
        query.consider(entry);
      });
    } else {
      for (const entry of listing.entries) query.consider(entry);
    }
    const hits = await query.finish(neededResults(page));
    const found = await this.#present(hits, scope, page, control, () => true);
    if (!control.isOver) this.#text.signLater(listing);
    return { ...found, engine: query.engine, skipped: addSkipped(listing.skipped, query.skipped) };
  }

  async byKind({ scope, wanted, told, page }: Asked<'byKind'>, control: Control): Promise<Found> {
    return await this.#listed(scope, told, page, control, {
      mayBe: entry => this.#mayBe(entry, wanted),
      is: entry => this.#typeOf(entry, scope).kinds.includes(wanted),
      isStill: ({ type }) => type.kinds.includes(wanted),
    });
  }

  async recent({ scope, sinceMs, told, page }: Asked<'recent'>, control: Control): Promise<Found> {
    return await this.#listed(scope, told, page, control, {
      mayBe: () => true,
      is: (_, { mtimeMs }) => mtimeMs >= sinceMs,
      isStill: ({ mtimeMs }) => mtimeMs >= sinceMs,
    });
  }

  /** What can be said without reading. What something else has found is added to what the walk has found. */
  async #listed(scope: string, told: readonly string[], page: Page, control: Control, wish: Wish): Promise<Found> {
    const listing = await this.#freshListing(scope, control);
    const { entries } = listing;
    const listed = new Set(told.length === 0 ? [] : entries.map(({ path }) => path));
    const added = told.filter(path => !listed.has(path)).map(path => this.#listings.know(path));
    const pace = createPace();
    const hits: Candidate[] = [];
    const skipped = { ...listing.skipped };
    let engine: Found['engine'] = 'scan';
    for (const [index, entry] of [...entries, ...added].entries()) {
      if (control.isOver) break;
      if (wish.mayBe(entry)) {
        check(entry, listing.startedAt);
        if (isClosed(entry)) skipped.unreadable++;
        if (entry.stat !== undefined && wish.is(entry, entry.stat)) {
          hits.push({ path: entry.path, mtimeMs: entry.stat.mtimeMs });
          if (index >= entries.length) engine = 'mdfind';
        }
      }
      await pace();
    }
    return { ...(await this.#present(hits, scope, page, control, file => wish.isStill(file))), engine, skipped };
  }

  /** Judges files that something else has found: they must be inside, and hold the phrase as far as can be told. */
  async check({ scope, phrase, told, page }: Asked<'check'>, control: Control): Promise<Found> {
    const pace = createPace();
    const seen: FoundFile[] = [];
    for (const path of told) {
      if (control.isOver) break;
      const inspected = inspect(path, scope, this.#types);
      if (inspected !== undefined)
        seen.push(toFound(path, inspected.stat.mtimeMs, inspected.stat.size, inspected.type));
      await pace();
    }
    const { files, skipped } = await this.#text.judge(scope, phrase, seen, control);
    const found = await this.#present(files, scope, page, control, () => true);
    // Only a walk can tell what is passed over; how far it comes says nothing of what was found elsewhere.
    const listing = await this.#freshListing(scope, control);
    const passedOver = { ...listing.skipped, unvisited: 0 };
    return { ...found, isTimedOut: control.isTimedOut, engine: 'mdfind', skipped: addSkipped(passedOver, skipped) };
  }

  async describe({ path, plist }: Asked<'describe'>, control: Control): Promise<Attributes | undefined> {
    const known = systemAttributes(path, this.#types);
    if (known === undefined) return undefined;
    const work = this.#readers.run({ kind: 'describe', fence: path, paths: [path] }, control);
    const told = await Promise.race([work, control.over]);
    return { ...readPlist(plist ?? ''), ...known, ...told?.answer.description };
  }

  async #freshListing(scope: string, control: Control): Promise<Listing> {
    return this.#listings.fresh(scope, performance.now()) ?? (await this.#list(scope, control, () => {}));
  }

  /** Walks a scope. A walk that was broken off gives what it has, and is not kept. */
  async #list(scope: string, control: Control, onEntry: (entry: Entry) => void): Promise<Listing> {
    this.#listings.tidy();
    const startedAt = performance.now();
    const entries: Entry[] = [];
    const skipped = await walk(scope, control, path => {
      const entry = this.#listings.enter(path);
      entries.push(entry);
      onEntry(entry);
    });
    if (control.isOver) return { scope, startedAt, freshUntil: startedAt, entries, skipped };
    return this.#listings.keep(scope, startedAt, performance.now(), entries, skipped);
  }

  #mayBe({ path, type, isTypeSure }: Entry, wanted: Kind): boolean {
    return type.kinds.includes(wanted) || (!isTypeSure && mayBeOfKind(path, wanted));
  }

  #typeOf(entry: Entry, scope: string): FileType {
    if (!entry.isTypeSure && entry.stat !== undefined) {
      entry.type = typeOf(entry.path, scope, this.#types);
      entry.isTypeSure = true;
    }
    return entry.type;
  }

  /** Sorts, and looks once more at each file that goes out: it must be there now, and where it was found. */
  async #present(
    hits: readonly Candidate[],
    scope: string,
    { offset, limit }: Page,
    control: Control,
    isStill: (file: FoundFile) => boolean,
  ): Promise<Pick<Found, 'files' | 'isTruncated' | 'hitCount' | 'isTimedOut'>> {
    const pace = createPace();
    const queue = new NewestQueue(hits);
    queue.takeSome(offset);
    const files: FoundFile[] = [];
    for (let hit = queue.take(); hit !== undefined && files.length <= limit; hit = queue.take()) {
      const { path } = hit;
      const inspected = inspect(path, scope, this.#types);
      const file = inspected && toFound(path, inspected.stat.mtimeMs, inspected.stat.size, inspected.type);
      if (file !== undefined && isStill(file)) files.push(file);
      await pace();
    }
    const page = files.slice(0, limit).sort(newestFirst);
    return { files: page, isTruncated: files.length > limit, hitCount: hits.length, isTimedOut: control.isTimedOut };
  }
}

/** Whether not even its state can be seen. */
function isClosed({ stat, content }: Entry): boolean {
  return stat === undefined && content === 'unreadable';
}

function toFound(path: string, mtimeMs: number, size: number, type: FileType): FoundFile {
  return { path, mtimeMs, size, type };
}

function addSkipped(left: Skipped, right: Skipped): Skipped {
  return {
    hidden: left.hidden + right.hidden,
    generated: left.generated + right.generated,
    links: left.links + right.links,
    tooLarge: left.tooLarge + right.tooLarge,
    unreadable: left.unreadable + right.unreadable,
    unparsed: left.unparsed + right.unparsed,
    unvisited: left.unvisited + right.unvisited,
  };
}
