import path from 'node:path';
import type { FileType } from '../../../documents/file-type.ts';
import { formatIsoSeconds } from '../match/dates.ts';
import type { Excerpt } from '../match/excerpt.ts';

/** The reasons why a file that does not contain the phrase is a result. */
export const matchReasons = ['words', 'name', 'some words', 'inflection', 'spelling'] as const;
export type MatchReason = (typeof matchReasons)[number];

/**
 * One row of a search result. It has few keys, because a model pays for every byte. The keys are sorted alphabetically.
 */
export interface SearchResultRow {
  [key: string]: string | number | Excerpt;
  _path: string;
  /** The text around the first occurrence of the phrase, if excerpts were requested. */
  excerpt?: Excerpt;
  kMDItemContentModificationDate: string;
  kMDItemContentType: string;
  kMDItemDisplayName: string;
  kMDItemFSSize: number;
  matched?: MatchReason;
}

export interface FoundFile {
  path: string;
  type: FileType;
  mtimeMs: number;
  size: number;
  excerpt?: Excerpt;
  matched?: MatchReason;
}

export function toSearchResultRow({ path: file, type, mtimeMs, size, excerpt, matched }: FoundFile): SearchResultRow {
  return {
    _path: file,
    ...(excerpt && { excerpt }),
    kMDItemContentModificationDate: formatIsoSeconds(mtimeMs),
    kMDItemContentType: type.identifier,
    kMDItemDisplayName: path.basename(file),
    kMDItemFSSize: size,
    ...(matched && { matched }),
  };
}

/** The requested range of results: offset and limit. */
export interface PageRequest {
  offset: number;
  limit: number;
}

/** Returns the number of results that are needed for the page, and one more to detect whether there is a next page. */
export function countNeededResults({ offset, limit }: PageRequest): number {
  return offset + limit + 1;
}
