import { isUtf8 } from 'node:buffer';
import { storageFailure } from '../../model/refusal.ts';
import type { Storage } from './storage.ts';

/** Longer lessons do not exist, and a text has to fit into one answer. */
export const maxTextBytes = 16 * 1024 * 1024;

export interface TextFile {
  content: string;
  size: number;
  hash: string;
  modified: Date;
}

/** A file that must be text; undefined when there is none. Not a byte of it is lost on the way, a mark at its start included. */
export async function readText(storage: Storage, key: string): Promise<TextFile | undefined> {
  const stored = await storage.read(key, maxTextBytes);
  if (stored === undefined) return undefined;
  const { bytes, hash, modified } = stored;
  if (!isUtf8(bytes)) throw storageFailure('NOT_TEXT', `${key} is not text in UTF-8.`, { path: key });
  return { content: bytes.toString('utf8'), size: bytes.length, hash, modified };
}
