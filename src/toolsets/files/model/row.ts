import path from 'node:path';
import { isoSeconds } from './dates.ts';
import type { FileType } from './file-type.ts';
import type { Excerpt } from './search/place.ts';

/** One result: few keys, because a model pays for every byte. The keys stand in the order of their code units. */
export interface Row {
  [key: string]: string | number | Excerpt;
  _path: string;
  /** Where the file holds what was looked for, when that was asked for. */
  excerpt?: Excerpt;
  kMDItemContentModificationDate: string;
  kMDItemContentType: string;
  kMDItemDisplayName: string;
  kMDItemFSSize: number;
}

export interface FoundFile {
  path: string;
  type: FileType;
  mtimeMs: number;
  size: number;
  excerpt?: Excerpt;
}

export function toRow({ path: file, type, mtimeMs, size, excerpt }: FoundFile): Row {
  return {
    _path: file,
    ...(excerpt && { excerpt }),
    kMDItemContentModificationDate: isoSeconds(mtimeMs),
    kMDItemContentType: type.identifier,
    kMDItemDisplayName: path.basename(file),
    kMDItemFSSize: size,
  };
}

/** The one order of all results: newest first, then by path. */
export function newestFirst(left: { path: string; mtimeMs: number }, right: { path: string; mtimeMs: number }): number {
  if (left.mtimeMs !== right.mtimeMs) return right.mtimeMs - left.mtimeMs;
  return left.path < right.path ? -1 : left.path > right.path ? 1 : 0;
}
