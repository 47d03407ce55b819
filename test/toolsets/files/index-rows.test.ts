import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFileTypeTable } from '../../../src/documents/file-type.ts';
import { FileTable } from '../../../src/toolsets/files/index/file-table.ts';
import { FolderTableRows, isIndexed } from '../../../src/toolsets/files/index/folder.ts';
import { TrigramSignatureStore } from '../../../src/toolsets/files/index/signature-store.ts';
import { Generator } from '../../support/generator.ts';
import { createFolder } from './open-files.ts';

/** Records the references that are freed. */
class RecordingStore extends TrigramSignatureStore {
  readonly freed: number[] = [];

  override free(reference: number): void {
    this.freed.push(reference);
    super.free(reference);
  }
}

const names = Array.from({ length: 6 }, (_, index) => `${index}.txt`);

test('a folder frees each trigram signature exactly once, when its row loses it', () => {
  for (let seed = 0; seed < 60; seed++) {
    const random = new Generator(seed);
    const store = new RecordingStore();
    const folder = new FolderTableRows('/nonexistent');
    folder.list({}, names, store);
    const added: number[] = [];
    for (let count = 0; count < 40; count++) {
      const index = random.below(folder.names.length);
      const kind = random.below(6);
      if (kind < 2) {
        const reference = store.add(new Uint8Array(8 << random.below(4)));
        added.push(reference);
        folder.setSignature(index, reference, store, random.below(2) === 0 ? 'indexed' : 'partly');
      } else if (kind === 2) folder.setState(index, random.pick(['read', 'binary', 'gone']), store);
      else if (kind === 3) folder.setStat(index, { mtimeMs: 1, ctimeMs: 2, size: random.below(2), ino: 4 }, store);
      else if (kind === 4) folder.readStat(index, store);
      else
        folder.list(
          {},
          names.filter((_, each) => each === 0 || random.below(4) > 0),
          store,
        );
      const kept = folder.names.flatMap((_, each) => (isIndexed(folder.state(each)) ? [folder.signature(each)] : []));
      expect(new Set([...kept, ...store.freed])).toEqual(new Set(added));
      expect(kept.length + store.freed.length).toBe(added.length);
    }
  }
});

describe('refresh reads the stat of a file', () => {
  /** Changes the size of all files before each call, and returns the indexes of the files whose stats were read. */
  function readBy(
    calls: readonly (readonly [index: number, isWanted: boolean])[],
    state: 'unknown' | 'binary' | 'read',
  ): number[] {
    const root = createFolder(Object.fromEntries(names.map(name => [name, ''])));
    const store = new TrigramSignatureStore();
    const folder = new FolderTableRows(root);
    folder.list({}, names, store);
    for (const index of names.keys()) folder.setState(index, state, store);
    return calls.flatMap(([index, isWanted], count) => {
      writeFileSync(path.join(root, names[index] ?? ''), 'x'.repeat(count + 1));
      folder.refresh(index, isWanted, store);
      const isRead = folder.stat(index).size === count + 1;
      if (isRead) folder.setState(index, state, store);
      return isRead ? [count] : [];
    });
  }

  test.each([
    ['once for each listing, if all files are wanted in order', 'unknown', '0+ 1+ 2+ 0+ 1+ 2+ 0- 2- 3+', [0, 1, 2, 8]],
    ['each time, if the files are not in order', 'unknown', '2+ 2+ 1+ 1+ 0+ 0+ 1+ 1+', [0, 1, 2, 3, 4, 6]],
    ['not at all, if the file is not wanted and nothing is known about it', 'unknown', '0- 1- 2- 0-', []],
    [
      'once for each listing, if the file is not wanted but its state is known',
      'binary',
      '0- 1- 2- 0- 1- 2-',
      [0, 1, 2],
    ],
    ['each time, if files that are not wanted are not in order', 'binary', '2- 2- 0- 0- 1- 2- 1-', [0, 1, 2, 4, 5]],
    ['not at all, if the file is not wanted and was read without a signature', 'read', '0- 1- 0-', []],
    ['once, if the files that are not wanted follow the wanted ones', 'binary', '0+ 1+ 2- 2- 3- 3-', [0, 1, 2, 4]],
    [
      'again, if a file that was not wanted is wanted later',
      'binary',
      '0- 1- 0+ 1+ 0- 2- 2+ 3-',
      [0, 1, 2, 3, 5, 6, 7],
    ],
  ] as const)('%s', (_, state, calls, expected) => {
    const parsed = calls.split(' ').map(call => [Number(call.slice(0, -1)), call.endsWith('+')] as const);
    expect(readBy(parsed, state)).toEqual(expected);
  });
});

test('tidy copies the trigram signatures that are in use, if most of the others were freed', () => {
  const table = new FileTable(createFileTypeTable());
  const walk = table.walk('/nonexistent');
  const folder = table.enter('/nonexistent');
  const files = Array.from({ length: 258 }, (_, index) => `${index}.txt`);
  folder.list({}, files, table.signatures);
  for (const index of files.keys()) {
    const bytes = new Uint8Array(65_536).fill(index);
    folder.setSignature(index, table.signatures.add(bytes), table.signatures, index % 2 === 0 ? 'indexed' : 'partly');
  }
  const before = table.signatures;
  for (let index = 0; index < 129; index++) folder.setState(index, 'binary', table.signatures);
  expect([table.tidy(walk), table.signatures === before]).toEqual([false, true]);
  folder.setState(129, 'binary', table.signatures);
  expect([table.tidy(walk), table.signatures === before, table.signatures.bytes]).toEqual([false, false, 128 * 65_536]);
  for (let index = 130; index < 258; index++)
    expect([folder.state(index), table.signatures.get(folder.signature(index))[0]]).toEqual([
      index % 2 === 0 ? 'indexed' : 'partly',
      index % 256,
    ]);
});
