/** What the thread that matches lines is given at its start. */
export interface LineThreadData {
  pattern: string;
}

/** One text to look through. */
export interface LineJob {
  bytes: Uint8Array;
  limit: number;
  /** Hits up to this line are known. */
  afterLine: number;
}

export interface LineHit {
  /** From 1. */
  number: number;
  shown: string;
}

/** The first message says what became of the pattern; then one follows for each job. */
export type LineReply =
  | { kind: 'ready'; isLinear: boolean }
  | { kind: 'refused'; reason: string }
  | { kind: 'hits'; hits: LineHit[] }
  | { kind: 'noText' };
