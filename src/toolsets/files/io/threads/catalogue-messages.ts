import type { Kind } from '../../model/file-type.ts';
import type { Page } from '../../model/page.ts';
import type { FoundFile } from '../../model/row.ts';
import type { Skipped } from '../../model/skip.ts';
import type { Attributes } from './reader-messages.ts';

/**
 * What the catalogue thread is asked for. Scopes and paths are real: resolved, and checked to be inside a root.
 * `told` are files that something else has found: suggestions, of which nothing is believed but the place.
 */
export type Question =
  | { kind: 'search'; scope: string; phrase: string; page: Page }
  | { kind: 'byKind'; scope: string; wanted: Kind; told: readonly string[]; page: Page }
  | { kind: 'recent'; scope: string; sinceMs: number; told: readonly string[]; page: Page }
  /** Those of the files found elsewhere that hold the phrase; stands in for reading the others. */
  | { kind: 'check'; scope: string; phrase: string; told: readonly string[]; page: Page }
  /** The property list is what the system's own index says of the file. */
  | { kind: 'describe'; path: string; plist: string | undefined };

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
