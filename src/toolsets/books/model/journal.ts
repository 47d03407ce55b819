import { baseUser, type Place } from './key.ts';

/**
 * intent, then commit or abort: a change made here. external: a change found on the disk. scan: the state of all
 * files was compared, with the hash of the manifest. note: everything that changed nothing, failures included.
 */
const kinds = ['intent', 'commit', 'abort', 'external', 'scan', 'note'] as const;
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
}

/** The journal as far as it has been read: who changed what last, and what is still open. */
export class JournalState {
  readonly files = new Map<string, FileState>();
  /** The manifests the journal has seen, with the number of the record that did. */
  readonly manifests = new Map<string, number>();
  seq = 0;
  lastMs = 0;
  pending: JournalRecord | undefined;

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
        this.pending = record;
        return;
      case 'commit':
        this.pending = undefined;
        this.#set(record, ms);
        return;
      case 'abort':
        this.pending = undefined;
        return;
      case 'external':
        this.#set(record, record.changed === undefined ? ms : Date.parse(record.changed));
        return;
      case 'scan':
        if (record.manifest !== undefined) this.manifests.set(record.manifest, record.seq);
        return;
      case 'note':
        return;
    }
  }

  /** Strictly later than every record before, whatever the clock does. */
  nextTime(nowMs: number): number {
    return Math.max(nowMs, this.lastMs + 1);
  }

  #set(record: JournalRecord, changedMs: number): void {
    const user = record.user === baseUser ? undefined : record.user;
    this.files.set(stateKey(record.path, record.user), {
      place: { book: record.book, path: record.path, user },
      hash: record.new,
      changedMs,
      agent: record.agent,
    });
  }
}

function stateKey(path: string, user: string): string {
  return `${user}\n${path}`;
}

/** Reads one line; undefined when it is not a record. */
export function readRecord(line: string): JournalRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(value));
  const kind = kinds.find(known => known === fields.get('kind'));
  const seq = fields.get('seq');
  const time = textOf(fields.get('time'));
  const chain = textOf(fields.get('chain'));
  if (kind === undefined || !Number.isSafeInteger(seq) || typeof seq !== 'number') return undefined;
  if (time === undefined || !isPossible(time) || chain === undefined) return undefined;
  const error = textOf(fields.get('error'));
  const ms = fields.get('ms');
  const changed = textOf(fields.get('changed'));
  const backend = textOf(fields.get('backend'));
  const manifest = textOf(fields.get('manifest'));
  return {
    kind,
    seq,
    time,
    chain,
    book: textOf(fields.get('book')) ?? '',
    ...(backend !== undefined && { backend }),
    agent: textOf(fields.get('agent')) ?? '',
    operation: textOf(fields.get('operation')) ?? '',
    path: textOf(fields.get('path')) ?? '',
    user: textOf(fields.get('user')) ?? baseUser,
    prev: textOf(fields.get('prev')) ?? null,
    new: textOf(fields.get('new')) ?? null,
    status: textOf(fields.get('status')) ?? '',
    ...(error !== undefined && { error }),
    ...(typeof ms === 'number' && { ms }),
    ...(changed !== undefined && isPossible(changed) && { changed }),
    ...(manifest !== undefined && { manifest }),
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

/** What is wrong with a whole journal, line by line: the chain of lines, the numbers, and prev and new of each file. */
export function auditProblems(lines: Iterable<string>, hashOf: (line: string) => string): string[] {
  const problems: string[] = [];
  const current = new Map<string, string | null>();
  let chain = chainStart;
  let seq = 0;
  let lastTime = '';
  let open: JournalRecord | undefined;
  let count = 0;
  for (const line of lines) {
    const where = `line ${++count}`;
    const record = readRecord(line);
    if (record === undefined) {
      problems.push(`${where} is not a record`);
      chain = hashOf(line);
      continue;
    }
    if (record.chain !== chain) problems.push(`${where} does not follow the line before`);
    if (record.seq !== seq + 1) problems.push(`${where} has number ${record.seq} after ${seq}`);
    if (record.time <= lastTime) problems.push(`${where} is not later than the line before`);
    if (record.agent === '' || record.agent === 'system') problems.push(`${where} has no author`);
    if (record.path !== '' && record.kind !== 'scan') {
      const key = stateKey(record.path, record.user);
      if ((current.get(key) ?? null) !== record.prev) problems.push(`${where}: ${record.path} was not at "prev"`);
      if (record.kind === 'commit' || record.kind === 'external') current.set(key, record.new);
    }
    if (record.kind === 'commit' || record.kind === 'abort') {
      if (open?.path !== record.path || open.user !== record.user) problems.push(`${where} ends no intent`);
      open = undefined;
    } else if (open !== undefined) problems.push(`${where} comes inside an intent`);
    if (record.kind === 'intent') open = record;
    chain = hashOf(line);
    seq = record.seq;
    lastTime = record.time;
  }
  return problems;
}
