import { readJson } from '../../../text/json.ts';
import { type FileLocation, metadataFolder, reservedUserNameForBook } from './key.ts';
import { createStorageFailure } from './refusal.ts';

/**
 * The type of a journal record. `intent` begins a change by a tool, and `commit` or `abort` ends it. `external` is a
 * change by another program. `scan` is a comparison of all files with the journal. `note` is an operation that changed
 * nothing.
 */
const kinds = ['intent', 'commit', 'abort', 'external', 'scan', 'note'] as const;
type Kind = (typeof kinds)[number];

/**
 * One line of the journal. The field `chain` is the hash of the previous line, so that changed and missing lines are
 * detected.
 */
export interface JournalRecord {
  kind: Kind;
  seq: number;
  time: string;
  book: string;
  /** The storage backend: `fs` for a folder, `s3` for a bucket. */
  backend?: string | undefined;
  agent: string;
  operation: string;
  path: string;
  user: string;
  /**
   * The hash of the file before the change. The field `new` contains the hash after it. A hash is null if the file is
   * missing.
   */
  prev: string | null;
  new: string | null;
  status: string;
  error?: string | undefined;
  ms?: number | undefined;
  /** The modification time of the file, for a change by another program. */
  changed?: string | undefined;
  manifest?: string | undefined;
  /**
   * The number of the intent record that a commit or abort record ends. It is needed because several changes can be
   * unfinished.
   */
  intent?: number | undefined;
  /** The ETag of the object that the change has created in a bucket. */
  tag?: string | undefined;
  /**
   * The other file of a move and its hash after the move. Only the intent and commit records of a move have this field.
   */
  moved?: MovedFile | undefined;
  chain: string;
}

export interface MovedFile {
  path: string;
  hash: string | null;
}

export type JournalRecordDraft = Omit<JournalRecord, 'seq' | 'time' | 'book' | 'backend' | 'chain'>;

export const firstChainHash = '0'.repeat(64);

export function journalNameOfUser(user: string | undefined): string {
  return user ?? reservedUserNameForBook;
}

/** The state of one file, according to the journal records that were read. */
export interface JournaledFileState {
  place: FileLocation;
  hash: string | null;
  changedMs: number;
  agent: string;
  /** The ETag of the object, for a file in a bucket. */
  tag?: string | undefined;
}

/** A version of a file with the time of its change. The hash is null if the file was deleted. */
export type FileVersion = Pick<JournaledFileState, 'changedMs' | 'hash' | 'place'>;

/** Limits the number of stored manifest hashes. A client with an older manifest gets the whole book. */
const maxManifests = 1000;

/**
 * Limits the number of unfinished changes. A journal with more of them is damaged or malicious, because a process has
 * at most some hundred changes in progress.
 */
export const maxUnfinishedIntents = 10_000;

/** The state of a journal: the last change of each file, and the unfinished changes. */
export class JournalState {
  readonly files = new Map<string, JournaledFileState>();
  /** Maps the manifest hashes in the journal to the numbers of their scan records. */
  readonly manifests = new Map<string, number>();
  /** Maps the number of each intent record without a commit or abort record to the record. */
  readonly open = new Map<number, JournalRecord>();
  seq = 0;
  lastMs = 0;

  get hasBaseline(): boolean {
    return this.manifests.size > 0;
  }

  file(place: FileLocation): JournaledFileState | undefined {
    return this.files.get(createFileStateKey(place.path, journalNameOfUser(place.user)));
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
        return;
    }
  }

  /**
   * Adds an unfinished change. Throws an error above the limit, because the recovery must read the file of each
   * unfinished change.
   */
  addOpen(intent: JournalRecord): void {
    if (this.open.size >= maxUnfinishedIntents && !this.open.has(intent.seq)) throw tooManyOpenIntents(intent.book);
    this.open.set(intent.seq, intent);
  }

  keepManifest(hash: string, seq: number): void {
    this.manifests.delete(hash);
    this.manifests.set(hash, seq);
    const [oldest] = this.manifests.keys();
    if (this.manifests.size > maxManifests && oldest !== undefined) this.manifests.delete(oldest);
  }

  setFile(file: JournaledFileState): void {
    this.files.set(createFileStateKey(file.place.path, journalNameOfUser(file.place.user)), file);
  }

  /** Returns a time that is later than the times of all earlier records, even if the clock was set back. */
  nextTime(nowMs: number): number {
    return Math.max(nowMs, this.lastMs + 1);
  }

  #set(record: JournalRecord, changedMs: number): void {
    const { book, path, agent, tag } = record;
    const user = record.user === reservedUserNameForBook ? undefined : record.user;
    this.setFile({ place: { book, path, user }, hash: record.new, changedMs, agent, tag });
  }

  #end(record: JournalRecord): void {
    const intent = intentRecordOfOutcome(record, this.open);
    if (intent !== undefined) this.open.delete(intent.seq);
  }
}

function tooManyOpenIntents(book: string): Error {
  return createStorageFailure(
    'UNAVAILABLE',
    `The journal of ${book} has more than ${maxUnfinishedIntents} unfinished changes.`,
    {
      path: `${metadataFolder}/${book}`,
      suggestion:
        'The journal is damaged. The user can move this folder away; the lessons stay, and the next change creates a new journal.',
    },
  );
}

/** Returns the intent record of the change that a commit or abort record ends. */
export function intentRecordOfOutcome(
  end: JournalRecord,
  open: ReadonlyMap<number, JournalRecord>,
): JournalRecord | undefined {
  const intent = end.intent === undefined ? undefined : open.get(end.intent);
  return intent?.path === end.path && intent.user === end.user ? intent : undefined;
}

export function createFileStateKey(path: string, user: string): string {
  return `${user}\n${path}`;
}

/** Parses one line of a journal. Returns undefined if it is not a valid record. */
export function parseJournalRecord(line: string): JournalRecord | undefined {
  const value = readJson(line);
  if (typeof value !== 'object' || value === null) return undefined;
  // The fields are parsed without a schema, because validating each line of a long journal would be slow.
  const get = (name: string): unknown => Reflect.get(value, name);
  const kind = kinds.find(known => known === get('kind'));
  const seq = get('seq');
  const time = textOf(get('time'));
  const chain = textOf(get('chain'));
  const changed = textOf(get('changed'));
  if (kind === undefined || !Number.isSafeInteger(seq) || typeof seq !== 'number') return undefined;
  if (time === undefined || !isPossible(time) || chain === undefined) return undefined;
  const text = (name: string): string => textOf(get(name)) ?? '';
  return {
    kind,
    seq,
    time,
    chain,
    book: text('book'),
    backend: textOf(get('backend')),
    agent: text('agent'),
    operation: text('operation'),
    path: text('path'),
    user: textOf(get('user')) ?? reservedUserNameForBook,
    prev: textOf(get('prev')) ?? null,
    new: textOf(get('new')) ?? null,
    status: text('status'),
    error: textOf(get('error')),
    ms: numberOf(get('ms')),
    changed: changed !== undefined && isPossible(changed) ? changed : undefined,
    manifest: textOf(get('manifest')),
    intent: numberOf(get('intent')),
    tag: textOf(get('tag')),
    moved: readMovedFile(get('moved')),
  };
}

function readMovedFile(value: unknown): MovedFile | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const path = textOf(Reflect.get(value, 'path'));
  return path === undefined ? undefined : { path, hash: textOf(Reflect.get(value, 'hash')) ?? null };
}

/** A record with a later time is invalid, because the following records need later times. */
const latestMs = Date.UTC(9000, 0);

function isPossible(time: string): boolean {
  const ms = Date.parse(time);
  return ms >= 0 && ms < latestMs;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
