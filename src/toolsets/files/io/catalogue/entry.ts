import fs from 'node:fs';
import { type FileType, type FileTypes, isNameUnsure, typeByName } from '../../model/file-type.ts';
import type { Signature } from '../../model/search/signature.ts';
import { type FileStat, isUnreadable } from '../open-file.ts';
import { type ReaderAnswer, type Status, statFields, statuses } from '../threads/reader-messages.ts';

/** What is known of a file's text: its signature, why there is none, or nothing. */
export type Content = Signature | 'binary' | 'tooLarge' | 'unreadable' | 'unparsed';

/** A file of the catalogue. `content` and `type` belong to the state in `stat`. */
export interface Entry {
  readonly path: string;
  type: FileType;
  isTypeSure: boolean;
  stat: FileStat | undefined;
  /** When `stat` was last seen to be true. */
  checkedAt: number;
  content: Content | undefined;
  /** It was read once, for a phrase alone: the next time its signature is made on the way. */
  wasRead: boolean;
  /** How often a reader was lost with it. */
  setbacks: number;
}

export function createEntry(path: string, types: FileTypes): Entry {
  return {
    path,
    type: typeByName(types, path),
    isTypeSure: false,
    stat: undefined,
    checkedAt: -1,
    content: undefined,
    wasRead: false,
    setbacks: 0,
  };
}

/** Takes over a state; what was known of another one is forgotten. */
export function setStat(entry: Entry, stat: FileStat, now: number): void {
  const { stat: old } = entry;
  entry.checkedAt = now;
  if (
    old !== undefined &&
    old.mtimeMs === stat.mtimeMs &&
    old.ctimeMs === stat.ctimeMs &&
    old.size === stat.size &&
    old.ino === stat.ino
  )
    return;
  entry.stat = { mtimeMs: stat.mtimeMs, ctimeMs: stat.ctimeMs, size: stat.size, ino: stat.ino };
  entry.content = undefined;
  entry.setbacks = 0;
  entry.isTypeSure = !isNameUnsure(entry.path);
}

/** File times are coarse: a file this young may be written again without its times showing it. */
const settledMs = 2100;

/** Takes over what a reader says of one file. `wallClockMs` is the time at which it was asked. */
export function applyAnswer(
  entry: Entry,
  answer: ReaderAnswer,
  index: number,
  offset: number,
  now: number,
  wallClockMs: number,
): Status {
  const status = statuses[answer.statuses[index] ?? 0] ?? 'gone';
  const length = answer.signatureLengths[index] ?? 0;
  // Nothing new is known of most files of a first search: whoever signs them later sees their state anyway.
  if (status === 'read' && length === 0) {
    entry.wasRead = true;
    return status;
  }
  const stat = statOf(answer, index);
  if (stat === undefined) {
    if (status === 'unreadable') entry.content = status;
    return status;
  }
  setStat(entry, stat, now);
  if (wallClockMs - stat.ctimeMs < settledMs) return status;
  if (length > 0) entry.content = answer.signatures.subarray(offset, offset + length);
  else if (status === 'binary' || status === 'tooLarge' || status === 'unparsed') entry.content = status;
  return status;
}

export function statOf({ stats }: ReaderAnswer, index: number): FileStat | undefined {
  const at = index * statFields;
  const ctimeMs = stats[at + 1] ?? 0;
  const ino = stats[at + 3] ?? 0;
  if (ctimeMs === 0 && ino === 0) return undefined;
  return { mtimeMs: stats[at] ?? 0, ctimeMs, size: stats[at + 2] ?? 0, ino };
}

/** Notes that a reader was lost with it. The clock may be to blame, and not the file: it is tried once more, later. */
export function noteSetback(entry: Entry): void {
  refresh(entry);
  entry.setbacks++;
  entry.content = entry.setbacks > 1 ? 'unparsed' : undefined;
}

/** Looks at the file unless that was done since. */
export function check(entry: Entry, since: number): void {
  if (entry.checkedAt < since) refresh(entry);
}

export function refresh(entry: Entry): void {
  const now = performance.now();
  let stat: fs.Stats | undefined;
  let content: Content | undefined;
  try {
    stat = fs.lstatSync(entry.path, { throwIfNoEntry: false });
  } catch (error) {
    content = isUnreadable(error) ? 'unreadable' : undefined; // the folder is closed to us
  }
  if (stat?.isFile() === true) setStat(entry, stat, now);
  else {
    entry.stat = undefined;
    entry.content = content;
    entry.checkedAt = now;
  }
}
