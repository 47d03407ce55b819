import { expect, test } from 'vitest';
import { kindOf } from '../../../src/toolsets/files/io/catalogue/walk.ts';

const shown = (as: 'file' | 'folder' | 'link' | 'pipe'): Parameters<typeof kindOf>[0] => ({
  isFile: () => as === 'file',
  isDirectory: () => as === 'folder',
  isSymbolicLink: () => as === 'link',
});

test.each([
  ['a file', 'file', undefined, 'file'],
  ['a folder', 'folder', undefined, 'folder'],
  ['a link', 'link', undefined, 'link'],
  ['a pipe', 'pipe', undefined, undefined],
  ['a file kept online, on Windows', 'link', 'file', 'file'],
  ['a folder kept online, on Windows', 'link', 'folder', 'folder'],
  ['a link or a junction, on Windows', 'link', 'link', 'link'],
  ['a device behind a reparse point, on Windows', 'link', 'pipe', undefined],
  ['one that is gone or refused, on Windows', 'link', 'gone', 'link'],
] as const)('%s: listed as %s and itself %s, it is %s', (_, listed, itself, expected) => {
  const look = itself === undefined ? undefined : () => (itself === 'gone' ? undefined : shown(itself));
  expect(kindOf(shown(listed), look)).toBe(expected);
});

test('what is listed as a file or folder is not looked at once more', () => {
  const look = (): never => {
    throw new Error('looked at');
  };
  expect([kindOf(shown('file'), look), kindOf(shown('folder'), look)]).toEqual(['file', 'folder']);
});
