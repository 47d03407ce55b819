import { encodeAsUtf8 } from '../../../../src/documents/encoding/decode.ts';
import { excerptOf } from '../../../../src/toolsets/files/match/excerpt.ts';
import { foldQueryPhrase } from '../../../../src/toolsets/files/match/fold.ts';
import { containsPhrase, createFileNameMatcher, preparePhrase } from '../../../../src/toolsets/files/match/needle.ts';
import { splitAtParticles } from '../../../../src/toolsets/files/match/stop-words.ts';
import { splitWords } from '../../../../src/toolsets/files/match/words.ts';
import { parseQuery } from '../../../../src/toolsets/files/query/parse.ts';
import { parsePlist } from '../../../../src/toolsets/files/spotlight/query.ts';
import { defineReader, nest, repeat } from '../../../fuzz/pump/reader.ts';

const texts = [
  'a',
  'ab',
  'é',
  'e\u0301',
  '\u0301',
  ' ',
  '\u00a0',
  '\u00ad',
  '\n',
  '\f',
  'ß',
  'ς',
  '’',
  '日',
  '😀',
  'İ',
  'x y ',
];

/** Phrases that match at no offset or almost match at every offset. */
const searches = ['aaaaaaab', 'abababac', 'é b', 'ab ab x', "don't", '日本', 'x', ' e e'].map(query => {
  const phrase = foldQueryPhrase(query);
  return defineReader({
    name: `search ${JSON.stringify(query)}`,
    cases: repeat([...texts, `${query.slice(0, -1)} `]),
    read(input) {
      const text = input.toString('utf8');
      return [containsPhrase(preparePhrase(phrase), encodeAsUtf8(text)), excerptOf(text, phrase, false)];
    },
  });
});

const names = ['*a*a*a*b', '?*?*?*b', '*é*', 'a', '**b'].map(pattern => {
  const test = createFileNameMatcher(foldQueryPhrase(pattern));
  return defineReader({
    name: `name ${pattern}`,
    cases: repeat(['a', 'é', 'ab', 'e\u0301', ' ']),
    // Limits the length of a name, because no file system allows longer names.
    read: input => test(input.subarray(0, 255).toString('utf8')),
  });
});

/** The length of a phrase is limited by the length of an argument, because short texts are case-folded completely. */
const phrases = defineReader({
  name: 'phrase',
  cases: repeat(texts),
  read: input => preparePhrase(foldQueryPhrase(input.toString('utf8'))),
});

const plist = defineReader({
  name: 'property list',
  cases: [
    ...repeat(['<key>a</key>', '<', '<a', 'a', '<a ', '<string>a', '&amp;', '<dict>', '<array/>', '</', '>'], '<dict>'),
    ...repeat(['a', ' ', '/'], '<'),
    ...nest([
      ['<dict>', '</dict>'],
      ['<array>', '</array>'],
    ]),
  ],
  read: input => parsePlist(input.toString('utf8')),
});

const query = defineReader({
  name: 'query',
  cases: repeat([
    ...texts,
    '"',
    '“',
    'name:',
    '3月',
    '3 月',
    '年',
    '1',
    'AND ',
    '-',
    '*',
    'の',
    '「',
    'Å',
    'aB',
    '.',
    '_',
  ]),
  read(input) {
    const written = input.toString('utf8');
    return [parseQuery(written), splitWords(written), splitAtParticles(written)];
  },
});

export const readers = [...searches, ...names, phrases, query, plist];
