import { NewestQueue } from '../../model/newest-queue.ts';
import { type FoundFile, newestFirst } from '../../model/row.ts';
import { mayHold, phraseHashes } from '../../model/search/signature.ts';
import { nothingSkipped, type Skipped } from '../../model/skip.ts';
import type { Control } from '../threads/control.ts';
import type { ReaderJob, Status } from '../threads/reader-messages.ts';
import type { Interest, ReaderPool } from '../threads/reader-pool.ts';
import { applyAnswer, type Entry, noteSetback } from './entry.ts';
import type { Listing, Listings } from './listings.ts';

/** Files a reader gets at once: a few milliseconds of work, so that a call can be ended soon. */
const textBatch = 256;
const documentBatch = 8;

interface Hit {
  path: string;
  mtimeMs: number;
}

/** Finds phrases in texts, and prepares signatures so that the next search reads less. */
export class TextSearch {
  readonly #listings: Listings;
  readonly #readers: ReaderPool;
  readonly #unsigned = new Set<Listing>();
  #isSigning = false;

  constructor(listings: Listings, readers: ReaderPool) {
    this.#listings = listings;
    this.#readers = readers;
  }

  begin(scope: string, phrase: string, control: Control): Query {
    return new Query(scope, phrase, control, this.#listings, this.#readers);
  }

  /** Which of some files hold the phrase. Those whose text is for others to read are believed. */
  async judge(
    scope: string,
    phrase: string,
    files: readonly FoundFile[],
    control: Control,
  ): Promise<{ files: readonly FoundFile[]; skipped: Skipped }> {
    const query = this.begin(scope, phrase, control);
    const isOurs = ({ type }: FoundFile): boolean => type.reading !== 'none' && type.reading !== 'opaque';
    const statusOf = await query.readAll(files.filter(isOurs).map(({ path }) => path));
    const isHit = (file: FoundFile): boolean => {
      if (!isOurs(file)) return true;
      const status = statusOf.get(file.path);
      return status === 'match' || (status === 'unparsed' && file.type.reading !== 'plain');
    };
    return { files: files.filter(isHit), skipped: query.skipped };
  }

  /** Builds what signatures are missing while nobody is waiting. */
  signLater(listing: Listing): void {
    this.#unsigned.add(listing);
    if (!this.#isSigning) void this.#sign();
  }

  async #sign(): Promise<void> {
    this.#isSigning = true;
    const always: Interest = { isOver: false };
    for (const listing of this.#unsigned) {
      this.#unsigned.delete(listing);
      const batches = new Batches(listing.entries.filter(entry => needsReading(entry) && entry.setbacks === 0));
      const streams = Array.from({ length: this.#readers.size }, async () => {
        for (let entries = batches.next(); entries !== undefined; entries = batches.next()) {
          await read(
            entries,
            paths => ({ kind: 'sign', fence: listing.scope, paths }),
            (job, interest) => this.#readers.runLater(job, interest),
            always,
          );
        }
      });
      await Promise.all(streams);
    }
    this.#isSigning = false;
  }
}

function needsReading({ content, type }: Entry): boolean {
  return (content === undefined || content === 'unreadable') && type.reading !== 'none';
}

function isDocument({ type }: Entry): boolean {
  return type.reading === 'office' || type.reading === 'pdf';
}

/** One search on its way through the files. */
export class Query {
  readonly skipped = nothingSkipped();
  readonly #scope: string;
  readonly #phrase: string;
  readonly #hashes: Uint32Array;
  readonly #control: Control;
  readonly #listings: Listings;
  readonly #readers: ReaderPool;
  readonly #texts: Entry[] = [];
  /** Those that a search has read before: it will not be the last one, so they are signed on the way. */
  readonly #textsAgain: Entry[] = [];
  readonly #documents: Entry[] = [];
  readonly #candidates: Entry[] = [];
  readonly #hits: Hit[] = [];
  readonly #work: Promise<void>[] = [];
  #scanned = 0;
  #done = 0;

  constructor(scope: string, phrase: string, control: Control, listings: Listings, readers: ReaderPool) {
    this.#scope = scope;
    this.#phrase = phrase;
    this.#hashes = phraseHashes(Buffer.from(phrase, 'utf8'));
    this.#control = control;
    this.#listings = listings;
    this.#readers = readers;
  }

  /** Whether signatures alone said which files to read. */
  get engine(): 'scan' | 'index' {
    return this.#scanned === 0 && this.#hashes.length > 0 ? 'index' : 'scan';
  }

  /** Passes over a file, notes it for later, or sends it to be read. */
  consider(entry: Entry): void {
    if (needsReading(entry)) {
      const texts = entry.wasRead ? this.#textsAgain : this.#texts;
      const [list, size] = isDocument(entry) ? [this.#documents, documentBatch] : [texts, textBatch];
      if (entry.content === undefined) this.#scanned++;
      if (list.push(entry) >= size) this.#send(list);
    } else if (entry.content instanceof Uint8Array) {
      if (mayHold(entry.content, this.#hashes)) this.#candidates.push(entry);
    } else this.#count(entry.content);
  }

  /** The newest hits, as many as are needed, unless the call is over before. */
  async finish(needed: number): Promise<readonly Hit[]> {
    this.#send(this.#documents);
    this.#send(this.#texts);
    this.#send(this.#textsAgain);
    await Promise.race([Promise.all(this.#work), this.#control.over]);
    const candidates = new NewestQueue(
      this.#candidates.map(entry => ({ entry, path: entry.path, mtimeMs: entry.stat?.mtimeMs ?? 0 })),
    );
    let size = this.#readers.size * documentBatch;
    for (let { next } = candidates; next !== undefined && !this.#control.isOver; { next } = candidates) {
      if (this.#isEnough(needed, next)) break;
      const chunk = candidates.takeSome(size).map(({ entry }) => entry);
      const batches = new Batches(chunk, Math.ceil(chunk.length / this.#readers.size));
      const work: Promise<void>[] = [];
      for (let entries = batches.next(); entries !== undefined; entries = batches.next())
        work.push(this.#read(entries));
      await Promise.race([Promise.all(work), this.#control.over]);
      size = Math.min(size * 2, 4 * textBatch);
    }
    return this.#hits;
  }

  /** Whether enough hits stand before everything that has not been read. */
  #isEnough(needed: number, next: Hit): boolean {
    let count = 0;
    for (const hit of this.#hits) if (newestFirst(hit, next) < 0) count++;
    return count >= needed;
  }

  /** Reads some files whatever is known of them. */
  async readAll(paths: readonly string[]): Promise<ReadonlyMap<string, Status>> {
    const statusOf = new Map<string, Status>();
    const batches = new Batches(paths.map(path => this.#listings.know(path)));
    const work: Promise<void>[] = [];
    for (let entries = batches.next(); entries !== undefined; entries = batches.next()) {
      work.push(this.#read(entries, (path, status) => statusOf.set(path, status)));
    }
    await Promise.race([Promise.all(work), this.#control.over]);
    return statusOf;
  }

  #send(list: Entry[]): void {
    if (list.length > 0) this.#work.push(this.#read(list.splice(0)));
  }

  async #read(entries: readonly Entry[], note: (path: string, status: Status) => void = () => {}): Promise<void> {
    const isSigning = entries.every(({ wasRead, content }) => wasRead && content === undefined);
    await read(
      entries,
      paths => ({ kind: 'match', fence: this.#scope, paths, phrase: this.#phrase, isSigning }),
      (task, interest) => this.#readers.run(task, interest),
      this.#control,
      (entry, status) => {
        if (this.#control.isOver) return;
        if (status === 'match') this.#hits.push({ path: entry.path, mtimeMs: entry.stat?.mtimeMs ?? 0 });
        else this.#count(status);
        note(entry.path, status);
      },
    );
    this.#done += entries.length;
    if (this.#scanned > 0) this.#control.progress(this.#done, this.#scanned);
  }

  #count(status: Status | Entry['content']): void {
    if (status === 'tooLarge' || status === 'unreadable' || status === 'unparsed') this.skipped[status]++;
  }
}

type Run = ReaderPool['run'];

/** Has a job done on some files and takes over what it says of them. */
async function read(
  entries: readonly Entry[],
  toJob: (paths: readonly string[]) => ReaderJob,
  run: Run,
  interest: Interest,
  onFile: (entry: Entry, status: Status) => void = () => {},
): Promise<void> {
  const wallClockMs = Date.now();
  const now = performance.now();
  const batch = await run(toJob(entries.map(({ path }) => path)), interest);
  if (batch === undefined) return;
  const stuck = new Set(batch.stuck);
  const answered = stuck.size === 0 ? entries : entries.filter(({ path }) => !stuck.has(path));
  let offset = 0;
  answered.forEach((entry, index) => {
    onFile(entry, applyAnswer(entry, batch.answer, index, offset, now, wallClockMs));
    offset += batch.answer.signatureLengths[index] ?? 0;
  });
  for (const entry of stuck.size === 0 ? [] : entries.filter(({ path }) => stuck.has(path))) {
    noteSetback(entry);
    onFile(entry, 'unparsed');
  }
}

/** Entries in portions; documents, which take long, in small ones and first. */
class Batches {
  readonly #documents: Entry[];
  readonly #texts: Entry[];
  readonly #textSize: number;

  constructor(entries: readonly Entry[], textSize = textBatch) {
    this.#documents = entries.filter(isDocument);
    this.#texts = entries.filter(entry => !isDocument(entry));
    this.#textSize = Math.min(textSize, textBatch);
  }

  next(): Entry[] | undefined {
    if (this.#documents.length > 0) return this.#documents.splice(-documentBatch);
    return this.#texts.length > 0 ? this.#texts.splice(-this.#textSize) : undefined;
  }
}
