import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  applyAnswer,
  check,
  createEntry,
  type Entry,
  noteSetback,
  setStat,
} from '../../../src/toolsets/files/io/catalogue/entry.ts';
import { type ReaderAnswer, statuses } from '../../../src/toolsets/files/io/threads/reader-messages.ts';
import { createFileTypes } from '../../../src/toolsets/files/model/file-type.ts';
import { createFolder, write } from './room.ts';

const types = createFileTypes();
const stat = { mtimeMs: 1000, ctimeMs: 50_000, size: 10, ino: 7 };

function signedEntry(): Entry {
  const entry = createEntry('/root/note.txt', types);
  setStat(entry, stat, 0);
  entry.content = new Uint8Array([1]);
  return entry;
}

describe('what is known of a file', () => {
  test('stays while its state is the same', () => {
    const entry = signedEntry();
    setStat(entry, { ...stat }, 5);
    expect(entry.content).toBeInstanceOf(Uint8Array);
    expect(entry.checkedAt).toBe(5);
  });

  test.each(['mtimeMs', 'ctimeMs', 'size', 'ino'] as const)('is forgotten when only its %s is another', key => {
    const entry = signedEntry();
    setStat(entry, { ...stat, [key]: stat[key] + 1 }, 5);
    expect(entry.content).toBeUndefined();
  });
});

describe('a file with which a reader was lost', () => {
  test('is tried once more and then not again until it changes', () => {
    const root = createFolder({ 'slow.pdf': '%PDF' });
    const entry = createEntry(path.join(root, 'slow.pdf'), types);
    noteSetback(entry);
    expect(entry).toMatchObject({ content: undefined, setbacks: 1 });
    noteSetback(entry);
    expect(entry).toMatchObject({ content: 'unparsed', setbacks: 2 });
    write(root, 'slow.pdf', '%PDF-1.4');
    check(entry, Number.POSITIVE_INFINITY);
    expect(entry).toMatchObject({ content: undefined, setbacks: 0 });
  });
});

describe('what a reader says of a file', () => {
  const answer = (status: (typeof statuses)[number], signature: number[] = []): ReaderAnswer => ({
    statuses: Uint8Array.of(statuses.indexOf(status)),
    stats: Float64Array.of(stat.mtimeMs, stat.ctimeMs, stat.size, stat.ino),
    signatures: Uint8Array.from(signature),
    signatureLengths: Uint32Array.of(signature.length),
    description: undefined,
  });
  const take = (given: ReaderAnswer, ageMs: number): Entry => {
    const entry = createEntry('/root/note.txt', types);
    applyAnswer(entry, given, 0, 0, 1, stat.ctimeMs + ageMs);
    return entry;
  };

  test('is kept of one that has not changed for a while', () => {
    expect(take(answer('read', [9]), 2100).content).toEqual(Uint8Array.of(9));
    expect(take(answer('unparsed'), 2100).content).toBe('unparsed');
    expect(take(answer('binary'), 2100).content).toBe('binary');
  });

  test('is not kept of one so young that it may change again within the same tick', () => {
    for (const given of [answer('read', [9]), answer('unparsed')]) {
      expect(take(given, 2099).content).toBeUndefined();
      expect(take(given, -1).content).toBeUndefined();
    }
  });

  test('that it may not be read is kept without a state, and tried again', () => {
    const given = { ...answer('unreadable'), stats: new Float64Array(4) };
    expect(take(given, 9000)).toMatchObject({ content: 'unreadable', stat: undefined });
  });
});
