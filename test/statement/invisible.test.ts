import { expect, test } from 'vitest';
import { statementMarkdown } from '../../src/statement/index.ts';
import { removeInvisibleAndLoneSurrogates } from '../../src/statement/invisible.ts';
import { invisibleCharacterClass } from '../../src/text/invisible.ts';

test('removeInvisibleAndLoneSurrogates removes each invisible character of the Basic Multilingual Plane', () => {
  const unseen = new RegExp(`[${invisibleCharacterClass}\\p{Cc}\\p{Cs}]`, 'u');
  const passed: string[] = [];
  for (let code = 0; code <= 0xffff; code++) {
    const text = `a${String.fromCharCode(code)}b`;
    if (unseen.test(text) && !/[\t\n\v\f\r]/.test(text) && removeInvisibleAndLoneSurrogates(text) === text)
      passed.push(code.toString(16));
  }
  expect(passed).toEqual([]);
});

test.each([
  ['tag characters', '&#xE0041;&#xE0042;'],
  ['a zero-width space', '&#8203;'],
  ['a control character', '&#7;'],
])('statementMarkdown removes %s that are written as entities in Markdown with tags', (_, entities) => {
  expect(statementMarkdown(`# T\n\na${entities}b <b>c</b>`, undefined)).toBe('# T\n\nab **c**');
});
