import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { suggestPath } from '../../src/toolset/similar-path.ts';

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
