import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createFileTypeTable } from '../../../src/documents/file-type.ts';
import { IndexCache } from '../../../src/toolsets/files/index/cache.ts';
import { deserializeTable, serializeTable } from '../../../src/toolsets/files/index/cache-content.ts';
import { FileTable } from '../../../src/toolsets/files/index/file-table.ts';
import { type FolderTableRows } from '../../../src/toolsets/files/index/folder.ts';
import { parseSettings } from '../../../src/toolsets/files/settings.ts';
import { line, pdf } from '../../documents/pdf.ts';
import { forgedCaches, withDamagedTexts } from './forged-cache.ts';
import { createFolder, type OpenFiles, openFiles, write } from './open-files.ts';

const old = '2026-01-01T00:00:00Z';

/**
 * The files in these folders are old enough to be cached. They are created together, so that the tests wait only once.
 */
const settled: string[] = [];
const all = mkdtempSync(path.join(realpathSync(tmpdir()), 'oj-mcp-files-'));
afterAll(() => rmSync(all, { recursive: true }));
beforeAll(async () => {
  for (let count = 0; count < 6; count++) settled.push(path.join(all, `${count}`));
  for (const base of settled) fill(path.join(base, 'root'));
  // Files that are newer than the resolution of the file system's clock are not cached.
  const youngest = path.join(settled.at(-1) ?? '', 'root/d.bin');
  const isOld = (): boolean => Date.now() - statSync(youngest).ctimeMs > 2200;
  await vi.waitUntil(isOld, { timeout: 600_000 });
});

function fill(root: string): void {
  write(root, 'a.txt', 'lazy propagation', old);
  write(root, 'b.txt', 'eager propagation', old);
  write(root, 'c.pdf', pdf({ pages: [line('lazy propagation')] }), old);
  write(root, 'd.bin', Buffer.from([0, 1, 2]), old);
}

/** Returns a root that was searched once by a server with a cache. */
async function searchedOnce(): Promise<{ root: string; folder: string; file: string }> {
  const base = settled.pop() ?? '';
  const root = path.join(base, 'root');
  const folder = path.join(base, 'cache');
  const opened = await open(root, folder);
  expect(await find(opened)).toEqual(['a.txt', 'c.pdf']);
  await expect.poll(() => existsSync(folder) && readdirSync(folder).some(name => name.endsWith('.cache'))).toBe(true);
  return { root, folder, file: path.join(folder, readdirSync(folder)[0] ?? '') };
}

const open = async (root: string, folder: string): Promise<OpenFiles> =>
  await openFiles({ 'files-root': [root], 'files-cache': folder });
const find = async (opened: OpenFiles): Promise<string[]> =>
  (await opened.paths('search', { query: 'lazy propagation' })).sort();

const engineOf = async (root: string, folder: string): Promise<unknown> => {
  const opened = await open(root, folder);
  const outcome = await opened.call('search', { query: 'lazy propagation', scope: root });
  expect(outcome.structured?.['results']).toHaveLength(2);
  return outcome.structured?.['engine'];
};

describe.skipIf(process.platform === 'win32')('the index cache on disk', () => {
  test('is used by the first search after a restart, is readable by its owner only, and is ignored for changed files', async () => {
    const { root, folder, file } = await searchedOnce();
    expect(lstatSync(file).mode & 0o777).toBe(0o600);
    expect(await engineOf(root, folder)).toBe('index');
    write(root, 'a.txt', 'nothing of the kind', old);
    write(root, 'b.txt', 'lazy propagation', old);
    expect(await find(await open(root, folder))).toEqual(['b.txt', 'c.pdf']);
  });

  test('is discarded if any part is invalid, so that it never changes a search result', async () => {
    const { root, folder: first, file: kept } = await searchedOnce();
    const whole = readFileSync(kept);
    // Each attempt uses a new folder, because the previous server may still write to the old one.
    let [folder, file, aside] = [first, kept, ''];
    const renew = (name: string): void => {
      folder = path.join(path.dirname(first), name);
      mkdirSync(folder, { mode: 0o700 });
      file = path.join(folder, path.basename(kept));
      aside = path.join(folder, 'aside');
      writeFileSync(file, whole, { mode: 0o600 });
    };
    const poisons: readonly (readonly [name: string, poison: () => void])[] = [
      ['cut', () => writeFileSync(file, whole.subarray(0, whole.length >> 1))],
      ['empty', () => writeFileSync(file, '')],
      ['another kind of file', () => writeFileSync(file, 'a text')],
      ...Array.from(
        { length: 12 },
        (_, turn) => [`a bit in place ${turn}`, () => writeFileSync(file, flipped(whole, turn))] as const,
      ),
      ['a pipe', () => (rmSync(file), execFileSync('mkfifo', ['-m', '600', file]))],
      ['a link', () => (renameSync(file, aside), symlinkSync(aside, file))],
      ['readable by others', () => chmodSync(file, 0o644)],
      ['a folder others may write to', () => chmodSync(folder, 0o777)],
    ];
    for (const [name, poison] of poisons) {
      renew(name);
      poison();
      expect(load(root, folder), name).toBe(0);
      expect(await find(await open(root, folder)), name).toEqual(['a.txt', 'c.pdf']);
    }
    renew('whole');
    // The unchanged cache is valid, so that it must be loaded. The changed ones must not.
    expect(load(root, folder)).toBe(1);
  });

  test('leaves no temporary file if it cannot be written, and removes those of killed servers', () => {
    const base = createFolder({ 'root/a.txt': 'x', 'cache/files-other.cache.1': 'of others' });
    const folder = path.join(base, 'cache');
    const table = new FileTable(createFileTypeTable());
    const cache = new IndexCache({ folder, roots: [path.join(base, 'root')] });
    table.signatures.add(new Uint8Array(8));
    cache.save(table);
    const name = readdirSync(folder).find(other => other.endsWith('.cache')) ?? '';
    const file = path.join(folder, name);
    rmSync(file);
    // A folder at the path of the cache file prevents a write, which simulates a full disk.
    mkdirSync(path.join(file, 'inner'), { recursive: true });
    for (const [turn, seconds] of [1, 86_400].entries()) {
      writeFileSync(`${file}.${turn + 1}`, 'half');
      utimesSync(`${file}.${turn + 1}`, Date.now() / 1000 - seconds, Date.now() / 1000 - seconds);
    }
    table.signatures.add(new Uint8Array(8));
    cache.save(table);
    expect(readdirSync(folder).sort()).toEqual([name, `${name}.1`, 'files-other.cache.1'].sort());
  });

  test('is discarded if its content is invalid although its hash is correct', async () => {
    const { root, folder, file } = await searchedOnce();
    const whole = readFileSync(file);
    for (const [name, bytes] of forgedCaches(whole)) {
      writeFileSync(file, bytes);
      expect(load(root, folder), name).toBe(0);
    }
    expect(await find(await open(root, folder))).toEqual(['a.txt', 'c.pdf']);
    // A document must be parsed again if its cached text is damaged.
    writeFileSync(file, withDamagedTexts(whole));
    expect(load(root, folder)).toBe(1);
    const opened = await open(root, folder);
    expect(await find(opened)).toEqual(['a.txt', 'c.pdf']);
    const { structured } = await opened.call('search', { query: 'lazy', scope: root, excerpts: true });
    expect(JSON.stringify(structured)).toContain('"excerpt":{"page":1,"text":"lazy propagation"}');
  });

  test('restores the state, trigram signature and text of each file, also for large signatures', () => {
    const [before, after] = [new FileTable(createFileTypeTable()), new FileTable(createFileTypeTable())];
    const stateOf = (file: number) => ({
      mtimeMs: file + 0.25,
      ctimeMs: file + 0.5,
      size: file * 3,
      ino: 2 ** 40 + file,
    });
    const sizes = [8, 32_768, 16, 512, 4096, 64, 16_384];
    for (let folder = 0; folder < 40; folder++) {
      const names = Array.from({ length: 30 }, (_, index) => `${folder}-${index}.txt`);
      before.enter(`/f${folder}`).list({}, names, before.signatures);
      for (let index = 0; index < names.length; index++) {
        const bytes = new Uint8Array(sizes[(folder * 30 + index) % sizes.length] ?? 8).fill((folder + index) % 251);
        const row = before.enter(`/f${folder}`);
        row.setStat(index, stateOf(folder * 30 + index), before.signatures);
        if (index === 7) row.setState(index, 'binary', before.signatures);
        else
          row.setSignature(index, before.signatures.add(bytes), before.signatures, index === 9 ? 'partly' : 'indexed');
      }
    }
    const knownOf = ({ signatures }: FileTable, folder: FolderTableRows, index: number): string | number =>
      folder.state(index) === 'binary'
        ? 'binary'
        : folder.state(index) + Buffer.from(signatures.get(folder.signature(index))).toString('base64');
    before.texts.keep('/f1/1-1.txt', { stat: stateOf(31), bytes: Uint8Array.of(1, 2, 3) });
    deserializeTable(after, Buffer.concat(serializeTable(before)));
    expect(before.signatures.bytes).toBeGreaterThan(3 << 20);
    for (const folder of before.folders) {
      const kept = after.enter(folder.path);
      expect(kept.names).toEqual(folder.names);
      folder.names.forEach((_, index) => {
        expect(kept.stat(index)).toEqual(folder.stat(index));
        expect(knownOf(after, kept, index)).toBe(knownOf(before, folder, index));
      });
    }
    expect([...after.texts.entries]).toEqual([...before.texts.entries]);
  });

  test('is not used for another root folder with the same file names', async () => {
    const [one, other] = [await searchedOnce(), await searchedOnce()];
    copyFileSync(one.file, other.file);
    chmodSync(other.file, 0o600);
    expect(await find(await open(other.root, other.folder))).toEqual(['a.txt', 'c.pdf']);
    // The second root folder gets the path of the first one. Its files have the same names, sizes and times, but other
    // contents.
    renameSync(one.root, `${one.root}-away`);
    mkdirSync(one.root);
    for (const name of ['a.txt', 'b.txt', 'c.pdf']) {
      const content = readFileSync(path.join(`${one.root}-away`, name));
      write(one.root, name, name === 'a.txt' ? 'eager propagation'.slice(0, content.length) : content, old);
    }
    expect(await find(await open(one.root, one.folder))).toEqual(['c.pdf']);
  });

  test.runIf(process.getuid?.() === 0)('is not read if the file or its folder belongs to another user', async () => {
    const { root, folder, file } = await searchedOnce();
    const { chownSync } = await import('node:fs');
    chownSync(file, 65_534, 65_534);
    expect(load(root, folder)).toBe(0);
    chownSync(file, 0, 0);
    expect(load(root, folder)).toBe(1);
    chownSync(folder, 65_534, 65_534);
    expect(load(root, folder)).toBe(0);
  });

  test('is never written inside a root folder, also not through a symbolic link', async () => {
    const base = createFolder({ 'root/a.txt': 'x' });
    const root = path.join(base, 'root');
    expect(() =>
      parseSettings({ 'files-root': [root], 'files-cache': path.join(root, 'cache') }, { isDemo: false }),
    ).toThrow(/--files-cache .*must not be inside a folder that is searched/);
    mkdirSync(path.join(root, 'inner'));
    symlinkSync(path.join(root, 'inner'), path.join(base, 'way-in'));
    const table = new FileTable(createFileTypeTable());
    utimesSync(path.join(root, 'a.txt'), new Date(old), new Date(old));
    const cache = new IndexCache({ folder: path.join(base, 'way-in'), roots: [root] });
    table.signatures.add(new Uint8Array(8));
    cache.save(table);
    expect(readdirSync(path.join(root, 'inner'))).toEqual([]);
  });
});

/** Loads the cache into a new index and returns the number of its folders. */
function load(root: string, folder: string): number {
  const table = new FileTable(createFileTypeTable());
  new IndexCache({ folder, roots: [root] }).load(table);
  return [...table.folders].length;
}

function flipped(bytes: Buffer, turn: number): Buffer {
  const copy = Buffer.from(bytes);
  const at = turn < 3 ? turn * 20 : Math.floor((turn / 12) * bytes.length);
  copy[at] = (copy[at] ?? 0) ^ (1 << (turn % 8));
  return copy;
}
