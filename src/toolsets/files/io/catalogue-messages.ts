import type { Kind } from '../model/file-type.ts';
import type { Page } from '../model/page.ts';
import type { FoundFile } from '../model/row.ts';
import type { Skipped } from '../model/skip.ts';
import type { Attributes } from './reader-messages.ts';

/** What the catalogue thread is asked for. Scopes and paths are real: resolved, and checked to be inside a root. */
export type Question =
  | { kind: 'search'; scope: string; phrase: string; page: Page }
  | { kind: 'byKind'; scope: string; wanted: Kind; page: Page }
  | { kind: 'recent'; scope: string; sinceMs: number; page: Page }
  /** Those of the files found elsewhere that are what was asked for; stands in for walking. */
  | { kind: 'check'; scope: string; paths: readonly string[]; test: Test; page: Page }
  | { kind: 'describe'; path: string };

export type Test = { phrase: string } | { wanted: Kind } | { sinceMs: number };

export type ToCatalogue = { id: number; question: Question; timeoutMs: number } | { id: number; isCancelled: true };

export type FromCatalogue =
  | { id: number; progress: { done: number; total: number } }
  | { id: number; found: Found }
  | { id: number; description: Attributes | undefined }
  | { id: number; error: string };

/** One page of results, and what has to be said about how complete it is. */
export interface Found {
  files: readonly FoundFile[];
  isTruncated: boolean;
  /** How many hits are known; there may be more of them. */
  hitCount: number;
  isTimedOut: boolean;
  /** `index`: signatures said which files to read; `scan`: files were read without them. */
  engine: 'scan' | 'index' | 'mdfind';
  skipped: Skipped;
}
