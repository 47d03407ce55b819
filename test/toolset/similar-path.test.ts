import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findSimilarPath, suggestPath } from '../../src/toolset/similar-path.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'oj-mcp-similar-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('suggests the existing path with the most similar name', () => {
  writeFileSync(path.join(folder, 'Documents'), '');
  expect(suggestPath(path.join(folder, 'Documnets'))).toBe(` Did you mean ${path.join(folder, 'Documents')}?`);
});

test.skipIf(process.platform === 'win32')('does not suggest a link to a missing file in place of itself', () => {
  symlinkSync('nowhere', path.join(folder, 'notes'));
  expect(suggestPath(path.join(folder, 'notes'))).toBe('');
});

test('suggests a path in the most similar folder if the folder is missing too', () => {
  mkdirSync(path.join(folder, 'Documents'));
  writeFileSync(path.join(folder, 'Documents/notes.txt'), '');
  expect(findSimilarPath(path.join(folder, 'Documnets/note.txt'))).toBe(path.join(folder, 'Documents/notes.txt'));
  expect(findSimilarPath(path.join(folder, 'elsewhere/note.txt'))).toBeUndefined();
  expect(findSimilarPath(path.join(folder, 'Documents/other'))).toBeUndefined();
  expect(findSimilarPath(path.parse(folder).root)).toBeUndefined();
});
