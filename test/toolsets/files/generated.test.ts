import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { decodeUtf8 } from '../../../src/documents/encoding/decode.ts';
import { Failure } from '../../../src/errors/failure.ts';
import { isInsideFolder, parseAbsolutePath, replaceParentFolder } from '../../../src/toolsets/files/access/paths.ts';
import { parseMountInfo } from '../../../src/toolsets/files/access/system-folders.ts';
import { TrigramSignatureStore } from '../../../src/toolsets/files/index/signature-store.ts';
import { findDates, isYearOfDateAt } from '../../../src/toolsets/files/match/date-forms.ts';
import { parseIsoDate, parseRangeEnd } from '../../../src/toolsets/files/match/dates.ts';
import { excerptOf } from '../../../src/toolsets/files/match/excerpt.ts';
import { CharacterFoldTable, foldTextInPieces } from '../../../src/toolsets/files/match/fold.ts';
import { isInflectionOf, stemOfWord } from '../../../src/toolsets/files/match/inflection.ts';
import { extractDateWords } from '../../../src/toolsets/files/match/months.ts';
import { NewWordCollector } from '../../../src/toolsets/files/match/new-words.ts';
import { computeEditDistance, findSimilarWords } from '../../../src/toolsets/files/match/spelling.ts';
import {
  createTrigramBuffer,
  createTrigramSignature,
  mayContainTrigrams,
  trigramHashesOf,
} from '../../../src/toolsets/files/match/trigrams.ts';
import { matchNameWords, matchWords } from '../../../src/toolsets/files/match/word-match.ts';
import { bigramsOf, spellInAscii, splitWords } from '../../../src/toolsets/files/match/words.ts';
import { containsEnoughQueryWords } from '../../../src/toolsets/files/query/candidates.ts';
import { parseQuery, type QueryWord } from '../../../src/toolsets/files/query/parse.ts';
import {
  createAllWordsStage,
  createAnyWordStage,
  createSimilarWordsStage,
  type SearchStage,
} from '../../../src/toolsets/files/query/plan.ts';
import { computeWeightedWordShare, scoreFile, wordWeightsOf } from '../../../src/toolsets/files/query/rank.ts';
import { createSearchAnswer } from '../../../src/toolsets/files/text.ts';
import { Generator, listGenerated } from '../../support/generator.ts';
import {
  absolutePath,
  excerptInput,
  identifier,
  isoDate,
  misspelling,
  mounts,
  query,
  queryAndText,
  resultPage,
  searchedText,
  textWithDates,
  twoWords,
} from './approved/generators.ts';

const known = new Set(
  'invoice invoices lease tax agreement data base note report running rechnung straße gross'.split(' '),
);

function outcomeOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    if (error instanceof Failure) return `${error.message} ${error.hint ?? ''}`;
    throw error;
  }
}

function stagesOf(words: readonly QueryWord[]): SearchStage[] {
  return [createAllWordsStage(words), createAnyWordStage(words), createSimilarWordsStage(words, known)];
}

function listQuery(text: string): unknown {
  const { words, ...others } = parseQuery(text);
  const shown = words.map(({ fitsPattern, ...word }) => ({ ...word, fits: fitsPattern?.('report-2024.md') }));
  const stages = stagesOf(words).map(({ terms, quotas, corrections }) => [
    terms.map(term => `${term.text} ${term.word} ${term.quality}${term.date ?? ''}`),
    quotas,
    [...corrections],
  ]);
  return [others, shown, ...stages];
}

/** Returns the match of a text with the terms of each stage, and the score of a file with this text. */
function listMatch({ query: words, text, isName }: ReturnType<typeof queryAndText>): unknown {
  return stagesOf(parseQuery(words).words).map(stage => {
    const inName = matchNameWords(splitWords(text), stage.terms);
    const match = isName
      ? { qualities: inName, closeness: 0 }
      : matchWords([decodeUtf8(Buffer.from(text))], stage.terms);
    const weights = wordWeightsOf(
      stage.words.map((_, index) => index * 3),
      10,
    );
    const candidate = { name: inName, names: inName, isOfKind: isName };
    return [
      match.qualities.toString(4),
      match.closeness,
      containsEnoughQueryWords(match.qualities, stage),
      computeWeightedWordShare(match.qualities, stage.words, weights).toFixed(6),
      scoreFile(candidate, match, stage.words, weights),
    ];
  });
}

function listDates(text: string): unknown {
  const years = Array.from(text.matchAll(/(?:19|20)\d\d/g), ({ index }) =>
    ['2024-03-14', '1999-03-31', '2024-03-03'].map(iso => Number(isYearOfDateAt(text, index, iso))).join(''),
  );
  return [findDates(text), extractDateWords(text), years];
}

function listPath(text: string): unknown {
  return (['posix', 'windows'] as const).map(style => [
    outcomeOf(() => parseAbsolutePath(text, 'path', style)),
    ['/a', 'C:\\A', '/', 'c:\\'].map(folder => Number(isInsideFolder(text, folder, style))).join(''),
    replaceParentFolder(style === 'posix' ? '/a/b/c' : 'C:\\a\\b\\c', style === 'posix' ? '/a' : 'C:\\a', text, style),
  ]);
}

test.each<[inputs: string, list: () => string]>([
  ['queries', () => listGenerated(query, listQuery, { shown: 30, blocks: 5 })],
  ['matches', () => listGenerated(queryAndText, listMatch, { shown: 40, blocks: 6 })],
  ['dates', () => listGenerated(textWithDates, listDates, { shown: 40 })],
  [
    'iso-dates',
    () =>
      listGenerated(
        isoDate,
        text => [
          outcomeOf(() => new Date(parseIsoDate(text, 'since')).getTime() % 86_400_000),
          outcomeOf(() => parseRangeEnd(text, 'until') % 1000),
        ],
        { shown: 40, blocks: 3 },
      ),
  ],
  [
    'excerpts',
    () =>
      listGenerated(excerptInput, ({ text, phrase, isConverted }) => excerptOf(text, phrase, isConverted), {
        shown: 0,
        blocks: 8,
      }),
  ],
  [
    'word-pairs',
    () => listGenerated(twoWords, ([one, other]) => [stemOfWord(one), isInflectionOf(stemOfWord(one) ?? one, other)]),
  ],
  [
    'misspellings',
    () =>
      listGenerated(misspelling, ([word, other]) => [
        [0, 1, 2, 9].map(limit => computeEditDistance(word, other, limit)),
        findSimilarWords(other, [
          'invoice',
          'receipt',
          'abcde',
          'accommodation',
          'tomorrow',
          'plant',
          'plants',
          'abcdefgh',
          'abcdefg',
        ]),
      ]),
  ],
  ['identifiers', () => listGenerated(identifier, text => [splitWords(text), bigramsOf(text), spellInAscii(text)])],
  [
    'mount-tables',
    () =>
      listGenerated(mounts, ({ mountInfo, folder }) => {
        const found = parseMountInfo(mountInfo);
        return [found.has(folder), found.contains(folder)];
      }),
  ],
  ['absolute-paths', () => listGenerated(absolutePath, listPath, { shown: 40, blocks: 5 })],
  [
    'results',
    () =>
      listGenerated(
        resultPage,
        page => createSearchAnswer(page, { offset: page.hitCount, limit: 3 }, 5000, path => path),
        { shown: 15, blocks: 5 },
      ),
  ],
])('the approved file lists the %s of generated inputs', async (name, list) => {
  await expect(list()).toMatchFileSnapshot(`approved/generated-${name}.txt`);
});

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex').slice(0, 16);

/** Signatures are stored in the cache file, so that a change of the hashes makes old cache files wrong. */
test('trigram signatures, hashes, folded characters and collected words are the approved ones', async () => {
  const buffer = createTrigramBuffer();
  const collector = new NewWordCollector();
  const lines = Array.from({ length: 40 }, (_, seed) => {
    const text = searchedText(new Generator(seed)).repeat(1 + (seed % 5) * 3);
    const signature = createTrigramSignature(
      [decodeUtf8(Buffer.from(text)), decodeUtf8(Buffer.from('other text'))],
      buffer,
      collector,
    );
    const hashes = trigramHashesOf(Buffer.from(text.slice(0, 12).toLowerCase()));
    const phrases = ['lease', 'tax', 'no such', 'other t', 'x'].map(phrase => trigramHashesOf(Buffer.from(phrase)));
    const is = phrases.map(phrase => Number(mayContainTrigrams(signature, phrase))).join('');
    return [signature.length, sha256(signature), [...hashes], is, collector.take()];
  });
  const table = new CharacterFoldTable();
  const codes = Uint8Array.from({ length: 0x2_0000 }, (_, point) => table.codeOf(point));
  const leads = Array.from({ length: 0x80 }, (_, code) => table.leadsOf(code).join(' '));
  const long = `${'é x'.repeat(400_000)} ${'😀'.repeat(300_000)}e\u0301 \n  end`;
  const pieces = [0, 64].map(overlap =>
    [...foldTextInPieces(long, overlap)].map(piece => [piece.length, sha256(piece)]),
  );
  const list = [...lines, sha256(codes), leads, ...pieces].map(line => `${JSON.stringify(line)}\n`).join('');
  await expect(list).toMatchFileSnapshot('approved/signatures.txt');
});

test('foldTextInPieces splits a long text before an ASCII character, or else before a character near the wanted length', () => {
  const lengthsOf = (text: string, overlap: number): number[] => {
    const pieces = [...foldTextInPieces(text, overlap)];
    expect(pieces.every(piece => piece.isWellFormed())).toBe(true);
    return pieces.map(piece => piece.length);
  };
  const wanted = 1 << 20;
  const splits = [0, 1, 4095, 4096, 4097].map(late => lengthsOf(`${'数'.repeat(wanted + late)}a\x7f\x80数`, 0)[0]);
  expect(splits).toEqual([0, 1, 4095, 4096, 4096].map(late => wanted + late));
  expect(lengthsOf(`${'数'.repeat(wanted)}\x7f`, 0)).toEqual([wanted, 1]);
  expect(lengthsOf(`${'数'.repeat(wanted)}\x80`, 0)).toEqual([wanted + 1]);
  // An offset inside a surrogate pair moves to its start: 4095 instead of 4096, and 4 code units instead of 3.
  for (const character of ['\u{10000}', '\u{103ff}', '😀', '😁', '\u{10fffd}']) {
    const astral = character.repeat(wanted / 2 + 4096);
    expect(lengthsOf(`${astral}a`, 3)).toEqual([wanted + 4096, 4 + 4096 + 1]);
    expect(lengthsOf(`数${astral}a`, 2)).toEqual([wanted + 4095, 2 + 4098 + 1]);
  }
  expect(lengthsOf('\uffff'.repeat(wanted + 4097), 3)).toEqual([wanted + 4096, 3 + 1]);
});

test('a signature store places each signature after the last one and inside one buffer', () => {
  const store = new TrigramSignatureStore();
  const signatureOf = (length: number): Uint8Array => new Uint8Array(length).fill(length % 251);
  const lengths = [8, 65_536, 16, ...Array.from({ length: 15 }, () => 65_536), 32_768, 65_536, 8];
  const references = lengths.map(length => store.add(signatureOf(length)));
  expect(references.map(reference => Math.floor(reference / 32) % 65_536)).toEqual([
    0,
    8,
    8,
    ...Array.from({ length: 14 }, () => 24),
    0,
    0,
    32_768,
    32_768,
  ]);
  expect(references.map(reference => store.get(reference).length)).toEqual(lengths);
  expect(references.map(reference => store.get(reference)[0])).toEqual(lengths.map(length => length % 251));
  const bytes = Array.from({ length: store.bytes / 8 }, (_, row) => store.get(row * 8 * 32 + 3));
  const copy = new TrigramSignatureStore(Buffer.concat(bytes));
  expect(references.every(reference => Buffer.from(copy.get(reference)).equals(store.get(reference)))).toBe(true);
  expect([store.isWasteful, store.isFull, copy.bytes]).toEqual([false, false, store.bytes]);
});

test('a signature store is wasteful if more than 8 MiB and more than half of it are freed', () => {
  const freeOf = (count: number, freed: number): boolean => {
    const store = new TrigramSignatureStore();
    const references = Array.from({ length: count }, () => store.add(new Uint8Array(65_536)));
    for (const reference of references.slice(0, freed)) store.free(reference);
    return store.isWasteful;
  };
  expect([freeOf(258, 129), freeOf(258, 130)]).toEqual([false, true]); // half
  expect([freeOf(129, 128), freeOf(129, 129)]).toEqual([false, true]); // 8 MiB
});
