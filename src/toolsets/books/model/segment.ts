import { readJson } from '../../../text/json.ts';
import { JournalState, parseJournalRecord } from './journal.ts';
import { reservedUserNameForBook } from './key.ts';

/**
 * Returns the folder of the segments of a journal. They are numbered files on disk and objects in a bucket. The
 * checkpoints are in another folder.
 */
export const journalFolder = 'journal';
export const checkpointFolder = 'state';

export function formatSegmentFileName(number: number): string {
  return `${digits(number)}.jsonl`;
}

/** Returns the number of a segment file, or undefined for other files of the folder. */
export function segmentNumberOf(name: string): number | undefined {
  const match = /^(\d{12})\.jsonl$/.exec(name);
  return match === null ? undefined : Number(match[1]);
}

/** Returns the sorted segment numbers in these file names. */
export function findSegmentNumbers(names: readonly string[]): number[] {
  const numbers = names.map(segmentNumberOf).filter(number => number !== undefined);
  return numbers.sort((one, other) => one - other);
}

export function formatCheckpointFileName(segment: number): string {
  return `${digits(segment)}.jsonl.gz`;
}

/** Returns the segment numbers of the checkpoints in these file names, the latest first. */
export function findCheckpointNumbers(names: readonly string[]): number[] {
  const numbers = names.map(name => /^(\d{12})\.jsonl\.gz$/.exec(name)).filter(match => match !== null);
  return numbers.map(([, number]) => Number(number)).sort((one, other) => other - one);
}

function digits(number: number): string {
  return String(number).padStart(12, '0');
}

/**
 * A checkpoint: the state of a journal after the last line of a segment. A process that loads it need not read earlier
 * segments.
 */
export interface Checkpoint {
  state: JournalState;
  /** The hash of the segment's last line, which the next record contains in its field `chain`. */
  chain: string;
}

const format = 1;

/** Serializes a checkpoint to JSON lines: a header, one line for each entry, and the number of lines. */
export function* serializeCheckpoint({ state, chain }: Checkpoint): Generator<string> {
  let count = 1;
  yield JSON.stringify({ format, seq: state.seq, lastMs: state.lastMs, chain });
  for (const { place, hash, changedMs, agent, tag } of state.files.values()) {
    count++;
    const { book, path, user = reservedUserNameForBook } = place;
    yield JSON.stringify({ book, path, user, hash, changedMs, agent, tag });
  }
  for (const [manifest, seq] of state.manifests) {
    count++;
    yield JSON.stringify({ manifest, seq });
  }
  for (const intent of state.open.values()) {
    count++;
    yield JSON.stringify({ intent });
  }
  yield JSON.stringify({ end: count });
}

/** Parses the lines of a checkpoint. An incomplete checkpoint is ignored. */
export class CheckpointReader {
  readonly #state = new JournalState();
  #chain: string | undefined;
  #count = 0;
  #isWhole = false;
  #isBroken = false;

  add(line: string): void {
    const fields = fieldsOf(line);
    this.#isBroken ||= fields === undefined || this.#isWhole || !this.#read(fields);
    this.#count++;
  }

  finish(): Checkpoint | undefined {
    if (!this.#isWhole || this.#isBroken || this.#chain === undefined) return undefined;
    return { state: this.#state, chain: this.#chain };
  }

  /** Adds a line to the state. Returns false if the line is damaged. */
  #read(fields: Fields): boolean {
    if (this.#count === 0) return this.#readHead(fields);
    if (fields.has('manifest')) return this.#readManifest(fields);
    if (fields.has('intent')) return this.#readIntent(fields.get('intent'));
    if (!fields.has('end')) return this.#readFile(fields);
    this.#isWhole = fields.get('end') === this.#count;
    return true;
  }

  #readHead(fields: Fields): boolean {
    const [seq, lastMs, chain] = [fields.get('seq'), fields.get('lastMs'), fields.get('chain')];
    if (fields.get('format') !== format || typeof chain !== 'string' || !isCount(seq) || !isCount(lastMs)) return false;
    this.#state.seq = seq;
    this.#state.lastMs = lastMs;
    this.#chain = chain;
    return true;
  }

  #readManifest(fields: Fields): boolean {
    const [manifest, seq] = [fields.get('manifest'), fields.get('seq')];
    if (typeof manifest !== 'string' || !isCount(seq)) return false;
    this.#state.keepManifest(manifest, seq);
    return true;
  }

  #readIntent(value: unknown): boolean {
    const intent = parseJournalRecord(JSON.stringify(value));
    if (intent !== undefined) this.#state.addOpen(intent);
    return intent !== undefined;
  }

  #readFile(fields: Fields): boolean {
    const [book, path, user, agent] = ['book', 'path', 'user', 'agent'].map(name => fields.get(name));
    const [hash, changedMs, tag] = [fields.get('hash'), fields.get('changedMs'), fields.get('tag')];
    const isHash = hash === null || typeof hash === 'string';
    if (typeof book !== 'string' || typeof path !== 'string' || typeof user !== 'string') return false;
    if (typeof agent !== 'string' || !isHash || !isCount(changedMs)) return false;
    const place = { book, path, user: user === reservedUserNameForBook ? undefined : user };
    this.#state.setFile({ place, hash, changedMs, agent, tag: typeof tag === 'string' ? tag : undefined });
    return true;
  }
}

type Fields = ReadonlyMap<string, unknown>;

function fieldsOf(line: string): Fields | undefined {
  const value = readJson(line);
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
