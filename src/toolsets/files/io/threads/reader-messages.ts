import type { PlistValue } from '../../model/plist.ts';

/** What a reader thread is asked for, and what it answers. */

export type ReaderJob =
  /**
   * Which of the files hold the phrase? Documents get their signatures on the way, since getting their text is the cost;
   * texts only if that is wanted, since it takes several times as long as matching.
   */
  | { kind: 'match'; fence: string; paths: readonly string[]; phrase: string; isSigning: boolean }
  /** Signatures of the files' texts. */
  | { kind: 'sign'; fence: string; paths: readonly string[] }
  /** All that one file says of itself. */
  | { kind: 'describe'; fence: string; paths: readonly string[] };

/** The same on its way: one text is sent faster than many. No path contains the separator. */
export interface SentJob {
  kind: ReaderJob['kind'];
  fence: string;
  paths: string;
  phrase: string | undefined;
  isSigning: boolean;
}
export const pathSeparator = '\0';

export const statuses = ['gone', 'read', 'match', 'binary', 'tooLarge', 'unreadable', 'unparsed'] as const;
export type Status = (typeof statuses)[number];

/** One answer to a whole job: numbers in flat arrays, because there are tens of thousands of files. */
export interface ReaderAnswer {
  /** Indexes of `statuses`. */
  statuses: Uint8Array;
  /** mtimeMs, ctimeMs, size, ino of each file; zeros where nothing is known. */
  stats: Float64Array;
  /** Signatures one after the other, and the length of each; 0 where there is none. */
  signatures: Uint8Array;
  signatureLengths: Uint32Array;
  description: Attributes | undefined;
}

export type Attributes = Readonly<Record<string, PlistValue>>;

export const statFields = 4;

export function createAnswer(count: number): ReaderAnswer {
  return {
    statuses: new Uint8Array(count),
    stats: new Float64Array(count * statFields),
    signatures: new Uint8Array(0),
    signatureLengths: new Uint32Array(count),
    description: undefined,
  };
}

/** Shared with a reader while it works, one number each. */
export const shared = {
  /** The file of its job it is at. */
  position: 0,
  /** Set by others: the rest of the job is not wanted any more. */
  isStopped: 1,
  /** Set by the reader: what it does now takes long for long texts, and always ends. */
  isSure: 2,
  count: 3,
} as const;
