import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mergeTexts } from '../../../src/toolsets/books/model/merge.ts';
import * as fc from '../../support/property.ts';

const hasGit = spawnSync('git', ['--version']).status === 0;

describe('mergeTexts', () => {
  test.each([
    ['changes of different lines', 'A\nb\nc\n', 'a\nb\nc\n', 'a\nb\nC\n', 'A\nb\nC\n'],
    ['the same change on both sides', 'x\nb\n', 'a\nb\n', 'x\nb\n', 'x\nb\n'],
    ['an insertion and a deletion', 'a\nb\nc\nd\nnew\n', 'a\nb\nc\nd\n', 'b\nc\nd\n', 'b\nc\nd\nnew\n'],
    ['Windows line ends', 'A\r\nb\r\nc\r\n', 'a\r\nb\r\nc\r\n', 'a\r\nb\r\nC\r\n', 'A\r\nb\r\nC\r\n'],
    ['a last line without a line end', 'A\nb\nc', 'a\nb\nc', 'a\nb\nc', 'A\nb\nc'],
  ])('merges %s', (_, mine, base, theirs, content) => {
    expect(mergeTexts(mine, base, theirs)).toEqual({ content, conflicts: 0 });
  });

  test('adds conflict markers around lines that both sides changed', () => {
    expect(mergeTexts('a\nmine', 'a\nb', 'a\ntheirs')).toEqual({
      content: 'a\n<<<<<<< yours\nmine\n=======\ntheirs\n>>>>>>> library\n',
      conflicts: 1,
    });
  });

  test('returns undefined for texts with too many equal lines', () => {
    const lines = 'same\n'.repeat(100_000);
    expect(mergeTexts(`${lines}a`, lines, `b\n${lines}`)).toBeUndefined();
  });

  test('merges texts if the number of pairs of equal lines is at most the limit', () => {
    const [two, three] = ['same\n'.repeat(2), 'same\n'.repeat(3)];
    expect(mergeTexts(two, two, two, 8)).toEqual({ content: two, conflicts: 0 });
    expect(mergeTexts(two, two, three, 9)).toBeUndefined();
    expect(mergeTexts(three, two, two, 9)).toBeUndefined();
    expect(mergeTexts(three, two, two, 10)).toEqual({ content: three, conflicts: 0 });
  });
});

describe.runIf(hasGit)('mergeTexts in comparison with git merge-file', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'oj-mcp-test-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function gitMerge(texts: readonly [string, string, string]): { content: string; status: number | null } {
    const files = texts.map((text, index) => {
      const file = path.join(folder, `${index}.md`);
      writeFileSync(file, text);
      return file;
    });
    const { stdout, status } = spawnSync('git', ['merge-file', '-p', ...files], { encoding: 'utf8' });
    return { content: stdout, status };
  }

  const edit = fc.record({
    at: fc.nat({ max: 11 }),
    remove: fc.nat({ max: 2 }),
    insert: fc.array(fc.nat({ max: 99 }), { maxLength: 2 }),
  });
  const applied = (
    base: readonly string[],
    edits: readonly { at: number; remove: number; insert: number[] }[],
    side: string,
  ): string => {
    const lines = [...base];
    for (const { at, remove, insert } of edits)
      lines.splice(at, remove, ...insert.map(number => `${side} ${number}\n`));
    return lines.join('');
  };

  test('never merges cleanly where git reports a conflict, and returns the same text where both merge cleanly', () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 3 }), fc.array(edit, { maxLength: 3 }), (mineEdits, theirEdits) => {
        const base = Array.from({ length: 12 }, (_, index) => `line ${index}\n`);
        const texts = [applied(base, mineEdits, 'mine'), base.join(''), applied(base, theirEdits, 'theirs')] as const;
        const [merge, git] = [mergeTexts(...texts), gitMerge(texts)];
        const isClean = merge?.conflicts === 0;
        expect(isClean && git.status !== 0).toBe(false);
        const bothClean = isClean && git.status === 0;
        expect(bothClean ? merge?.content : git.content).toBe(git.content);
      }),
      { numRuns: 150 },
    );
  });

  test('requires that git is installed', () => {
    expect(execFileSync('git', ['--version'], { encoding: 'utf8' })).toContain('git version');
  });
});
