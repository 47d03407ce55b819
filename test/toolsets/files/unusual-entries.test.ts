import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createFileTypeTable } from '../../../src/documents/file-type.ts';
import { detectFileType, inspectFile } from '../../../src/toolsets/files/access/inspect.ts';
import { isFileAccessError } from '../../../src/toolsets/files/access/open-file.ts';
import { FileTable } from '../../../src/toolsets/files/index/file-table.ts';
import { createFolder, openFiles, rowsOf } from './open-files.ts';

const searches = [
  ['search', { query: 'needle' }],
  ['search_by_kind', { kind: 'document' }],
  ['recent_files', {}],
] as const;

/** Creates a file or folder whose name is not valid UTF-8. */
function writeBadly(folder: string, kind: 'file' | 'folder'): void {
  const script = {
    file: `printf needle > "$1/$(printf 'bad\\377.txt')"`,
    folder: `mkdir "$1/$(printf 'bad\\377')"; printf needle > "$1/$(printf 'bad\\377')/in.txt"`,
  }[kind];
  execFileSync('sh', ['-c', script, 'sh', folder]);
}

// APFS and NTFS do not support such names.
describe.skipIf(process.platform !== 'linux')('a file name that is not UTF-8', () => {
  test.each(searches)('is counted and never returned by %s', async (tool, args) => {
    const root = createFolder({ 'note.txt': 'needle' });
    writeBadly(root, 'file');
    writeBadly(root, 'folder');
    const opened = await openFiles({ 'files-root': [root] });
    const outcome = await opened.call(tool, { ...args, scope: root });
    expect(rowsOf(outcome).map(row => row['kMDItemDisplayName'])).toEqual(['note.txt']);
    expect(outcome.structured?.['skipped']).toEqual({ unreadable: 2 });
    expect(outcome.structured?.['notes']).toContain(
      'Not searched: 2 entries without permission or with a name that is not UTF-8 (bad\ufffd, bad\ufffd.txt).',
    );
  });

  test.each(searches)(
    'is not confused by %s with another file whose name is equal after decoding',
    async (tool, args) => {
      const root = createFolder({ 'bad\ufffd.txt': 'needle' });
      writeBadly(root, 'file');
      const opened = await openFiles({ 'files-root': [root] });
      const outcome = await opened.call(tool, { ...args, scope: root });
      expect(rowsOf(outcome).map(row => row['kMDItemDisplayName'])).toEqual(['bad\ufffd.txt']);
      expect(outcome.structured?.['skipped']).toEqual({ unreadable: 1 });
    },
  );
});

test.skipIf(process.platform === 'win32').each(searches)(
  'the tool %s does not block on pipes and sockets',
  async (tool, args) => {
    const root = createFolder({ 'note.txt': 'needle', 'li\nne "quoted" *.txt': 'needle' });
    execFileSync('mkfifo', [path.join(root, 'pipe.txt')]);
    const socket = createServer().listen(path.join(root, 'socket.txt'));
    await once(socket, 'listening');
    onTestFinished(() => void socket.close());
    const opened = await openFiles({ 'files-root': [root] });
    expect((await opened.paths(tool, args)).sort()).toEqual(['li\nne "quoted" *.txt', 'note.txt']);
  },
);

describe('a file that changes between the walk and its inspection', () => {
  const types = createFileTypeTable();

  test('gets its type from its name and is not returned if it was removed or replaced by a folder', () => {
    const root = createFolder({ real: '%PDF-1.4' });
    mkdirSync(path.join(root, 'folder'));
    for (const name of ['gone', 'folder', 'gone/below', 'real/below']) {
      expect(detectFileType(path.join(root, name), root, types).identifier).toBe('public.data');
      expect(inspectFile(path.join(root, name), root, types)).toBeUndefined();
    }
    expect(detectFileType(path.join(root, 'real'), root, types).identifier).toBe('com.adobe.pdf');
  });

  test.skipIf(process.platform === 'win32')('is not returned if it was replaced by a symbolic link', () => {
    const root = createFolder({ real: '%PDF-1.4' });
    symlinkSync('real', path.join(root, 'link'));
    expect(detectFileType(path.join(root, 'link'), root, types).identifier).toBe('public.data');
    expect(inspectFile(path.join(root, 'link'), root, types)).toBeUndefined();
  });
});

describe('a walk of the folder tree', () => {
  test.skipIf(process.platform === 'win32')('visits only regular files, and counts symbolic links', () => {
    const root = createFolder({ 'a.txt': '' });
    execFileSync('mkfifo', [path.join(root, 'pipe')]);
    symlinkSync('a.txt', path.join(root, 'link'));
    symlinkSync('.', path.join(root, 'loop'));
    const walk = new FileTable(createFileTypeTable()).walk(root);
    walk.step();
    expect(walk.isComplete).toBe(true);
    expect(walk.listed.flatMap(({ names }) => names)).toEqual(['a.txt']);
    expect(walk.listed.map(({ skipped }) => skipped)).toEqual([{ links: 2 }]);
  });
});

test.each([
  ['EACCES', true],
  ['EIO', true],
  ['ESTALE', true],
  ['ETIMEDOUT', true],
  ['ENOENT', false],
  ['ENOTDIR', false],
  ['ELOOP', false],
  ['ENXIO', false],
])('isFileAccessError returns for the error code %s: %s', (code, expected) => {
  expect(isFileAccessError(Object.assign(new Error(code), { code, syscall: 'open' }))).toBe(expected);
});
