import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { OpenFolder } from '../../../src/toolsets/books/storage/disk/folder.ts';
import { acquireLock, type FileLock } from '../../../src/toolsets/books/storage/disk/lock.ts';
import { openLibraryRoot } from '../../../src/toolsets/books/storage/disk/root.ts';
import { countOpenDescriptors } from '../../support/descriptors.ts';
import { temporaryLibrary } from './support/library.ts';

const nonce = '01234567-89ab-cdef-0123-456789abcdef';

async function openLocked() {
  const library = temporaryLibrary('memory');
  onTestFinished(() => library[Symbol.dispose]());
  const root = openLibraryRoot(library.root);
  const folder = await OpenFolder.make(root, ['.oj-books', 'graphs'], 0o700);
  onTestFinished(() => folder.close());
  const acquire = async (waitMs = 0, onWait?: () => void): Promise<FileLock> =>
    await acquireLock(folder, { modes: root.modes, self: root.self, waitMs, onWait });
  const at = (name: string): string => path.join(folder.path, name);
  return {
    acquire,
    names: () => readdirSync(folder.path).sort(),
    read: (name: string): unknown => JSON.parse(readFileSync(at(name), 'utf8')),
    write: (name: string, text: string) => writeFileSync(at(name), text),
    self: { ...root.self, folder: folder.identity() },
  };
}

test('a lock names its process and its folder, and disappears when it is released', async () => {
  const { acquire, names, read, self } = await openLocked();
  const before = countOpenDescriptors();
  const lock = await acquire();
  expect([names(), lock.isHeld()]).toEqual([['lock'], true]);
  expect(read('lock')).toEqual({ ...self, nonce: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  lock.release();
  expect([names(), lock.isHeld()]).toEqual([[], false]);
  lock.release();
  const again = await acquire();
  lock.release();
  expect([names(), lock.isHeld(), again.isHeld()]).toEqual([['lock'], false, true]);
  again.release();
  expect(countOpenDescriptors()).toBe(before);
});

test('a lock of a living process is not acquired within the time limit', async () => {
  const { acquire, names } = await openLocked();
  const lock = await acquire();
  const waits: string[] = [];
  await expect(acquire(0, () => waits.push('waits'))).rejects.toThrow(
    'Another process is writing to graphs and has not finished.',
  );
  expect([waits, names(), lock.isHeld()]).toEqual([[], ['lock'], true]);
});

test('a process that waits acquires the lock after its release', async () => {
  const { acquire, names } = await openLocked();
  const first = await acquire();
  let waits = 0;
  const second = await acquire(60_000, () => {
    waits++;
    if (waits === 3) first.release();
  });
  expect([waits, names(), first.isHeld(), second.isHeld()]).toEqual([3, ['lock'], false, true]);
});

test.each<[holder: string, change: Record<string, unknown>, isAcquired: boolean]>([
  ['has ended', { started: 'other' }, true],
  ['ran before the last start of the machine', { boot: 'other' }, true],
  ['runs', {}, false],
  ['runs on another machine', { host: 'other' }, false],
  ['runs in another container', { pidNamespace: 'other' }, false],
  ['locked a copy of the library', { folder: 'other' }, false],
])('a lock whose process %s is taken over immediately: %s', async (_, change, isAcquired) => {
  const { acquire, names, write, read, self } = await openLocked();
  const holder = { ...self, nonce, ...change };
  write('lock', JSON.stringify(holder));
  const lock = await acquire().catch(() => undefined);
  expect([lock?.isHeld() ?? false, names()]).toEqual([isAcquired, ['lock']]);
  expect(JSON.stringify(read('lock')).includes(nonce)).toBe(!isAcquired);
});

test.each<[guard: string, change: Record<string, unknown>, isAcquired: boolean, left: string[]]>([
  ['a process that has ended', { started: 'other' }, true, ['lock']],
  ['a running process', {}, false, [`guard-${nonce}`, 'lock']],
])('a lock of a dead process that %s was removing is taken over: %j', async (_, change, isAcquired, left) => {
  const { acquire, names, write, self } = await openLocked();
  write('lock', JSON.stringify({ ...self, nonce, started: 'other' }));
  write(`guard-${nonce}`, JSON.stringify({ ...self, nonce: nonce.replaceAll('0', '1'), ...change }));
  const lock = await acquire(20).catch(() => undefined);
  expect([lock?.isHeld() ?? false, names()]).toEqual([isAcquired, left]);
});

test.each([
  ['is empty', ''],
  ['is no JSON', 'x'],
  ['is too long', JSON.stringify({ nonce, text: 'x'.repeat(5000) })],
])('a new lock file that %s is not taken over', async (_, text) => {
  const { acquire, names, write } = await openLocked();
  write('lock', text);
  await expect(acquire()).rejects.toThrow('has not finished');
  expect(names()).toEqual(['lock']);
});
