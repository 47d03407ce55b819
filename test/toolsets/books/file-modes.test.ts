import { closeSync, constants, fchmodSync, fstatSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  BufferPool,
  computePrivateFileModes,
  computePublicFileModes,
  createFileWithMode,
  setFileMode,
} from '../../../src/toolsets/books/storage/disk/file.ts';

const octal = ({ folder, file }: { folder: number; file: number }): string =>
  `${folder.toString(8)} ${file.toString(8)}`;

test.each([
  [0o40000, '700 600', '755 644'],
  [0o40755, '750 640', '755 644'],
  [0o42777, '770 660', '775 664'],
  [0o40070, '770 660', '775 664'],
  [0o40007, '700 600', '755 644'],
])('below a folder of mode %o private files have the modes %s and public ones %s', (root, modes, publicModes) => {
  const own = computePrivateFileModes(root);
  expect([octal(own), octal(computePublicFileModes(own))]).toEqual([modes, publicModes]);
});

test.skipIf(process.platform === 'win32')(
  'a new file has its mode regardless of the umask, and an existing one is an error',
  () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'oj-mcp-test-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, 'file');
    const descriptor = createFileWithMode(file, constants.O_RDWR, 0o666);
    const modeOf = (open: number): string => (fstatSync(open).mode & 0o7777).toString(8);
    expect(modeOf(descriptor)).toBe('666');
    expect(() => createFileWithMode(file, constants.O_RDWR, 0o666)).toThrow('EEXIST');
    closeSync(descriptor);
    const open = openSync(folder, constants.O_RDONLY);
    fchmodSync(open, 0o2755);
    setFileMode(open, 0o770);
    expect(modeOf(open)).toBe('2770');
    setFileMode(open, 0o770);
    expect(modeOf(open)).toBe('2770');
    closeSync(open);
  },
);

test('the buffer pool reuses at most four buffers', () => {
  const pool = new BufferPool();
  const taken = Array.from({ length: 5 }, () => pool.take());
  for (const buffer of taken) pool.giveBack(buffer);
  const again = Array.from({ length: 5 }, () => pool.take());
  expect(again.map(buffer => taken.indexOf(buffer))).toEqual([3, 2, 1, 0, -1]);
});
