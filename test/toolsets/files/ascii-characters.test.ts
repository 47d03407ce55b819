import { expect, test } from 'vitest';
import { decodeUtf8 } from '../../../src/documents/encoding/decode.ts';
import { CharacterFoldTable, foldCaseAndAccents } from '../../../src/toolsets/files/match/fold.ts';
import { containsPhrase, createFileNameMatcher, preparePhrase } from '../../../src/toolsets/files/match/needle.ts';
import {
  createTrigramBuffer,
  createTrigramSignature,
  trigramHashesOf,
} from '../../../src/toolsets/files/match/trigrams.ts';
import { matchQualityLevels, matchWords, type SearchTerm } from '../../../src/toolsets/files/match/word-match.ts';

const ascii = Array.from({ length: 0x80 }, (_, code) => String.fromCharCode(code));
const textOf = (text: string) => decodeUtf8(Buffer.from(text));

test('each ASCII character of a text matches the phrases with the same case-folded character, and no other', () => {
  const folds = new CharacterFoldTable();
  const texts = ascii.map(character => {
    const text = `some text q${character}j more`;
    return { phrase: foldCaseAndAccents(`q${character}j`), forms: [text, `${text} é`, `é${text}`].map(textOf) };
  });
  for (const phrase of new Set(texts.map(text => text.phrase))) {
    const needle = preparePhrase(phrase, folds);
    const wrong = texts.filter(text =>
      text.forms.some(form => containsPhrase(needle, form) !== (text.phrase === phrase)),
    );
    expect(wrong, JSON.stringify(phrase)).toEqual([]);
  }
});

test('a text and its case-folded form have the same trigram signature', () => {
  const buffer = createTrigramBuffer();
  const signatureOf = (text: string): string =>
    Buffer.from(createTrigramSignature([textOf(text)], buffer)).toString('hex');
  for (const character of ascii) {
    const text = `Some words ${character}and${character}${character} others`;
    expect(signatureOf(text), JSON.stringify(character)).toBe(signatureOf(foldCaseAndAccents(text)));
    const isBlank = foldCaseAndAccents(`ab${character}cd`) === 'ab cd';
    expect(signatureOf(`ab${character}cd`) === signatureOf('ab cd'), JSON.stringify(character)).toBe(isBlank);
  }
  expect(signatureOf('  two \t\n words')).toBe(signatureOf(' two words'));
  expect(signatureOf('two words')).not.toBe(signatureOf('twowords'));
});

test.each([
  ['abcde', 3 + 1],
  ['abcd1', 3],
  ['zabcz', 3 + 1],
  ['ab{cd', 3],
  ['ab`cd', 3],
  ['aббb', 4 + 2], // the letters of each run of five bytes, two of them for each Cyrillic letter
  ['рррр', 2 + 2], // D1 80 D1 80 D1 80 D1 80
])('the phrase %s has a hash for each trigram and for each run of five letters', (phrase, count) => {
  expect(trigramHashesOf(Buffer.from(phrase))).toHaveLength(count);
});

test('a number matches whole numbers, and a word matches whole words, next to any other ASCII character', () => {
  const exact = { word: 0, quality: matchQualityLevels.word };
  const similar = { word: 0, quality: matchQualityLevels.spelling };
  const isFound = (text: string, term: SearchTerm): boolean => matchWords([textOf(text)], [term]).qualities > 0;
  const listNextTo = (find: (character: string) => boolean): string => ascii.filter(each => !find(each)).join('');
  const digits = '0123456789';
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const notBefore = listNextTo(character => isFound(`x ${character}12 x`, { ...exact, text: '12' }));
  expect([notBefore, listNextTo(character => isFound(`x 12${character} x`, { ...exact, text: '12' }))]).toEqual([
    digits.slice(1), // leading zeros are ignored
    digits,
  ]);
  for (const text of ['x 1CATx', 'x CATx', 'xCAT x']) expect(isFound(text, { ...exact, text: 'cat' })).toBe(false);
  for (const term of [
    { ...similar, text: 'cathedral' },
    { ...exact, text: 'cat' },
  ]) {
    expect(listNextTo(character => isFound(`9 ${character}${term.text} 9`, term))).toBe(letters);
    expect(listNextTo(character => isFound(`9 ${term.text}${character} 9`, term))).toBe(letters);
  }
});

test.each([
  ['*', '', true],
  ['?', '', false],
  ['?', 'a', true],
  ['?', 'ab', false],
  ['a*', 'a', true],
  ['a*', 'ba', false],
  ['*a', 'ba', true],
  ['*a', 'ab', false],
  ['*a*', 'bab', true],
  ['a**b', 'ab', true],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-c-b', false],
  ['*ab', 'aab', true],
  ['*aab', 'aaaab', true],
  ['?*?', 'a', false],
  ['?*?', 'ab', true],
  ['*.md', 'a.md.txt', false],
  ['rep?rt-*.md', 'report-2024.md', true],
])('the pattern %j and the file name %j: %j', (pattern, name, isMatch) => {
  expect(createFileNameMatcher(pattern)(name)).toBe(isMatch);
});
