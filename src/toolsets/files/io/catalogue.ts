import { type FileType, type FileTypes, type Kind, mayBeOfKind } from '../model/file-type.ts';
import { neededResults, type Page } from '../model/page.ts';
import { type FoundFile, newestFirst } from '../model/row.ts';
import { nothingSkipped, type Skipped } from '../model/skip.ts';
import type { Found, Test } from './catalogue-messages.ts';
import type { Control } from './control.ts';
import { check, type Entry, refresh } from './entry.ts';
import { inspect, typeOf } from './inspect.ts';
import { type Listing, Listings } from './listings.ts';
import { createPace } from './pace.ts';
import type { Attributes } from './reader-messages.ts';
import type { ReaderPool } from './reader-pool.ts';
import { systemAttributes } from './system-attributes.ts';
import { TextSearch } from './text-search.ts';
import { walk } from './walk.ts';

/** A file that stands in line for the answer. */
interface Candidate {
  path: string;
  mtimeMs: number;
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

  async search(scope: string, phrase: string, page: Page, control: Control): Promise<Found> {
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

  async byKind(scope: string, wanted: Kind, page: Page, control: Control): Promise<Found> {
    const listing = await this.#freshListing(scope, control);
    const pace = createPace();
    const hits: Candidate[] = [];
    const skipped = { ...listing.skipped };
    for (const entry of listing.entries) {
      if (control.isOver) break;
      if (this.#mayBe(entry, wanted)) {
        check(entry, listing.startedAt);
        if (isClosed(entry)) skipped.unreadable++;
        if (entry.stat !== undefined && this.#typeOf(entry, scope).kinds.includes(wanted)) {
          hits.push({ path: entry.path, mtimeMs: entry.stat.mtimeMs });
        }
      }
      await pace();
    }
    const found = await this.#present(hits, scope, page, control, ({ type }) => type.kinds.includes(wanted));
    return { ...found, engine: 'scan', skipped };
  }

  async recent(scope: string, sinceMs: number, page: Page, control: Control): Promise<Found> {
    const listing = await this.#freshListing(scope, control);
    const pace = createPace();
    const hits: Candidate[] = [];
    const skipped = { ...listing.skipped };
    for (const entry of listing.entries) {
      if (control.isOver) break;
      check(entry, listing.startedAt);
      if (isClosed(entry)) skipped.unreadable++;
      const mtimeMs = entry.stat?.mtimeMs;
      if (mtimeMs !== undefined && mtimeMs >= sinceMs) hits.push({ path: entry.path, mtimeMs });
      await pace();
    }
    const found = await this.#present(hits, scope, page, control, ({ mtimeMs }) => mtimeMs >= sinceMs);
    return { ...found, engine: 'scan', skipped };
  }

  /** Judges files that something else has found: they must be inside, and be what was asked for as far as can be told. */
  async check(scope: string, paths: readonly string[], test: Test, page: Page, control: Control): Promise<Found> {
    const pace = createPace();
    const seen: FoundFile[] = [];
    for (const path of paths) {
      if (control.isOver) break;
      const inspected = inspect(path, scope, this.#types);
      if (inspected !== undefined)
        seen.push(toFound(path, inspected.stat.mtimeMs, inspected.stat.size, inspected.type));
      await pace();
    }
    const { files, skipped } =
      'phrase' in test
        ? await this.#text.judge(scope, test.phrase, seen, control)
        : {
            files: seen.filter(file =>
              'wanted' in test ? file.type.kinds.includes(test.wanted) : file.mtimeMs >= test.sinceMs,
            ),
            skipped: nothingSkipped(),
          };
    return { ...(await this.#present(files, scope, page, control, () => true)), engine: 'mdfind', skipped };
  }

  async describe(path: string, control: Control): Promise<Attributes | undefined> {
    const known = systemAttributes(path, this.#types);
    if (known === undefined) return undefined;
    const work = this.#readers.run({ kind: 'describe', fence: path, paths: [path] }, control);
    const told = await Promise.race([work, control.over]);
    return { ...known, ...told?.answer.description };
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
    const sorted = hits.toSorted(newestFirst);
    const files: FoundFile[] = [];
    for (let index = offset; index < sorted.length && files.length <= limit; index++) {
      const path = sorted[index]?.path ?? '';
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
  const sum = nothingSkipped();
  for (const source of [left, right]) {
    sum.hidden += source.hidden;
    sum.generated += source.generated;
    sum.tooLarge += source.tooLarge;
    sum.unreadable += source.unreadable;
    sum.unparsed += source.unparsed;
    sum.unvisited += source.unvisited;
  }
  return sum;
}
