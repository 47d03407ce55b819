import { readJson } from '../../../text/json.ts';
import { baseUser, metadataFolder, type Place } from './key.ts';
import { storageFailure } from './refusal.ts';

/**
 * intent, then commit or abort: a change made here. external: a change found in the library. scan: the state of all
 * files was compared, with the hash of the manifest. note: everything that changed nothing, failures included. sweep,
 * then swept: the empty body that stands for a deleted file in a bucket was taken away.
 */
const kinds = ['intent', 'commit', 'abort', 'external', 'scan', 'note', 'sweep', 'swept'] as const;
type Kind = (typeof kinds)[number];

/** One line of the journal. `chain` is the hash of the line before: nothing can be altered or left out unseen. */
export interface JournalRecord {
  kind: Kind;
  seq: number;
  time: string;
  book: string;
  /** The kind of storage; journals of the first days do not say. */
  backend?: string;
  agent: string;
  operation: string;
  path: string;
  user: string;
  /** The hash before and after; null when there is no such file. */
  prev: string | null;
  new: string | null;
  status: string;
  error?: string;
  ms?: number;
  /** For a change found later: when it was made, as far as the file tells. */
  changed?: string;
  manifest?: string;
  /** Of an end: the number of the intent it ends, where several may be open. */
  intent?: number;
  /** What a bucket calls the version that came of it (its ETag). */
  tag?: string;
  chain: string;
}

export type Draft = Omit<JournalRecord, 'seq' | 'time' | 'book' | 'backend' | 'chain'>;

export const chainStart = '0'.repeat(64);

export function userField(user: string | undefined): string {
  return user ?? baseUser;
}

/** What the journal knows of one file. */
export interface FileState {
  place: Place;
  hash: string | null;
  changedMs: number;
  agent: string;
  /** What a bucket calls this version. */
  tag?: string;
}

/** A file as it was left at an instant; a hash that is null: deleted. */
export type FileVersion = Pick<FileState, 'changedMs' | 'hash' | 'place'>;

/** Older ones are forgotten: whoever comes with one gets the whole book. */
const maxManifests = 1000;

/** A process has at most some hundred changes under way. A journal with more open intents is damaged or hostile. */
export const maxOpenIntents = 10_000;

/** The journal as far as it has been read: who changed what last, and what is still open. */
export class JournalState {
  readonly files = new Map<string, FileState>();
  /** The manifests the journal has seen, with the number of the record that did. */
  readonly manifests = new Map<string, number>();
  /** Intents without an end, by their number. */
  readonly open = new Map<number, JournalRecord>();
  seq = 0;
  lastMs = 0;

  get hasBaseline(): boolean {
    return this.manifests.size > 0;
  }

  file(place: Place): FileState | undefined {
    return this.files.get(stateKey(place.path, userField(place.user)));
  }

  apply(record: JournalRecord): void {
    this.seq = record.seq;
    const ms = Date.parse(record.time);
    this.lastMs = Math.max(this.lastMs, ms);
    switch (record.kind) {
      case 'intent':
        this.addOpen(record);
        return;
      case 'commit':
        this.#end(record);
        this.#set(record, ms);
        return;
      case 'abort':
        this.#end(record);
        return;
      case 'external':
        this.#set(record, record.changed === undefined ? ms : Date.parse(record.changed));
        return;
      case 'scan':
        if (record.manifest !== undefined) this.keepManifest(record.manifest, record.seq);
        return;
      case 'note':
      case 'sweep':
      case 'swept':
        return;
    }
  }

  /** Throws beyond a limit: each open intent costs a look at its file. */
  addOpen(intent: JournalRecord): void {
    if (this.open.size >= maxOpenIntents && !this.open.has(intent.seq)) throw tooManyOpenIntents(intent.book);
    this.open.set(intent.seq, intent);
  }

  keepManifest(hash: string, seq: number): void {
    this.manifests.delete(hash);
    this.manifests.set(hash, seq);
    const [oldest] = this.manifests.keys();
    if (this.manifests.size > maxManifests && oldest !== undefined) this.manifests.delete(oldest);
  }

  setFile(file: FileState): void {
    this.files.set(stateKey(file.place.path, userField(file.place.user)), file);
  }

  /** Strictly later than every record before, whatever the clock does. */
  nextTime(nowMs: number): number {
    return Math.max(nowMs, this.lastMs + 1);
  }

  #set(record: JournalRecord, changedMs: number): void {
    const { book, path, agent, tag } = record;
    const user = record.user === baseUser ? undefined : record.user;
    this.setFile({
      place: { book, path, user },
      hash: record.new,
      changedMs,
      agent,
      ...(tag !== undefined && { tag }),
    });
  }

  #end(record: JournalRecord): void {
    const intent = intentEndedBy(record, this.open);
    if (intent !== undefined) this.open.delete(intent.seq);
  }
}

function tooManyOpenIntents(book: string): Error {
  return storageFailure('UNAVAILABLE', `The journal of ${book} has more than ${maxOpenIntents} unfinished changes.`, {
    path: `${metadataFolder}/${book}`,
    suggestion:
      'It is damaged. The user can move this folder away; the lessons stay, and the next change begins a new journal.',
  });
}

/** The intent that a record ends. */
export function intentEndedBy(end: JournalRecord, open: ReadonlyMap<number, JournalRecord>): JournalRecord | undefined {
  const intent = end.intent === undefined ? undefined : open.get(end.intent);
  return intent?.path === end.path && intent.user === end.user ? intent : undefined;
}

export function stateKey(path: string, user: string): string {
  return `${user}\n${path}`;
}

/** Reads one line; undefined when it is not a record. */
export function readRecord(line: string): JournalRecord | undefined {
  const value = readJson(line);
  if (typeof value !== 'object' || value === null) return undefined;
  // Journals are long: no map of the fields is made for each line.
  const get = (name: string): unknown => Reflect.get(value, name);
  const kind = kinds.find(known => known === get('kind'));
  const seq = get('seq');
  const time = textOf(get('time'));
  const chain = textOf(get('chain'));
  if (kind === undefined || !Number.isSafeInteger(seq) || typeof seq !== 'number') return undefined;
  if (time === undefined || !isPossible(time) || chain === undefined) return undefined;
  const error = textOf(get('error'));
  const ms = get('ms');
  const changed = textOf(get('changed'));
  const backend = textOf(get('backend'));
  const manifest = textOf(get('manifest'));
  const intent = get('intent');
  const tag = textOf(get('tag'));
  return {
    kind,
    seq,
    time,
    chain,
    book: textOf(get('book')) ?? '',
    ...(backend !== undefined && { backend }),
    agent: textOf(get('agent')) ?? '',
    operation: textOf(get('operation')) ?? '',
    path: textOf(get('path')) ?? '',
    user: textOf(get('user')) ?? baseUser,
    prev: textOf(get('prev')) ?? null,
    new: textOf(get('new')) ?? null,
    status: textOf(get('status')) ?? '',
    ...(error !== undefined && { error }),
    ...(typeof ms === 'number' && { ms }),
    ...(changed !== undefined && isPossible(changed) && { changed }),
    ...(manifest !== undefined && { manifest }),
    ...(typeof intent === 'number' && { intent }),
    ...(tag !== undefined && { tag }),
  };
}

/** Later than this nothing has been written: such a time would leave no room for those that follow. */
const latestMs = Date.UTC(9000, 0);

function isPossible(time: string): boolean {
  const ms = Date.parse(time);
  return ms >= 0 && ms < latestMs;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
