import assert from 'node:assert/strict';
import { encodeAsUtf8 } from '../../../../src/documents/encoding/decode.ts';
import { excerptOf } from '../../../../src/toolsets/files/match/excerpt.ts';
import { foldCaseAndAccents, foldQueryPhrase } from '../../../../src/toolsets/files/match/fold.ts';
import { containsPhrase, createFileNameMatcher, preparePhrase } from '../../../../src/toolsets/files/match/needle.ts';
import { ChoiceReader, defineTarget } from '../../../fuzz/target.ts';

export const target = defineTarget({
  name: 'search-text',
  corpus: [
    'hello world\0Say HELLO\n\t world now',
    'résumé\0re\u0301sume\u0301 and Resume',
    'ΟΔΥΣ\0οδυς Οδυσσευς',
    '本語\0日本語テキスト\f第二頁',
    "don't\0don’t stop “now” co‑operate",
    '*.m?\0notes.md',
    'é*\0E\u0301tude.txt',
    'softhyphen\0soft\u00adhyphen zero\u200bwidth',
  ],
  dictionary: [
    '\0',
    ' ',
    '\u00a0',
    '\u0301',
    '\u00ad',
    'ß',
    'ς',
    'Σ',
    'İ',
    'ı',
    'K',
    '’',
    '‑',
    '*',
    '?',
    '\f',
    '😀',
    'ﬁ',
    'が',
    'e',
  ],
  mutations: 2000,
  run(bytes) {
    const choice = new ChoiceReader(bytes);
    const phrase = foldQueryPhrase(choice.field().toString());
    const text = choice.rest().toString();
    if (phrase === '') return undefined;
    checkName(phrase, text);
    return checkContent(phrase, text);
  },
});

/** Returns the excerpt of a search result. */
function checkContent(phrase: string, text: string): unknown {
  const isFound = containsPhrase(preparePhrase(phrase), encodeAsUtf8(text));
  assert.equal(
    isFound,
    foldCaseAndAccents(text).includes(phrase),
    'the search and a comparison of the folded texts differ',
  );
  const excerpt = excerptOf(text, phrase, false);
  if (excerpt === undefined) return undefined;
  assert.ok(isFound, 'a text without the phrase has an excerpt');
  assert.ok(excerpt.text.isWellFormed(), 'the excerpt contains a lone surrogate');
  return excerpt;
}

function checkName(phrase: string, name: string): void {
  const isFound = createFileNameMatcher(phrase)(name);
  const folded = foldCaseAndAccents(name);
  const source = Array.from(phrase, character =>
    character === '*' ? '.*' : character === '?' ? '.' : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  ).join('');
  const isPattern = /[*?]/.test(phrase);
  // Patterns with more wildcards are excluded, because the regular expression that computes the expected result would
  // backtrack too long.
  if (isPattern && phrase.split('*').length > 4) return;
  assert.equal(
    isFound,
    isPattern ? new RegExp(`^${source}$`, 'su').test(folded) : folded.includes(phrase),
    'a name test differs from RegExp',
  );
}
