import { describe, expect, test } from 'vitest';
import { decodeUtf8 } from '../../../src/documents/encoding/decode.ts';
import { findDates } from '../../../src/toolsets/files/match/date-forms.ts';
import { isInflectionOf, stemOfWord } from '../../../src/toolsets/files/match/inflection.ts';
import { createMonthSearchWord, extractDateWords, monthNumberOf } from '../../../src/toolsets/files/match/months.ts';
import { NewWordCollector } from '../../../src/toolsets/files/match/new-words.ts';
import { computeEditDistance, findSimilarWords } from '../../../src/toolsets/files/match/spelling.ts';
import { matchQualityLevels, matchQualityOfWord, matchWords } from '../../../src/toolsets/files/match/word-match.ts';
import { bigramsOf, spellInAscii, splitWords } from '../../../src/toolsets/files/match/words.ts';
import { parseQuery } from '../../../src/toolsets/files/query/parse.ts';

test.each([
  ['lease_agreement-2025.final.txt', ['lease', 'agreement', '2025', 'final', 'txt']],
  ['week04', ['week', '4']],
  ['cartReducer HTMLParser', ['cart', 'reducer', 'html', 'parser']],
  ['Résumé Käse', ['resume', 'kase']],
  ['a00 000 007', ['a', '0', '0', '7']],
  ['請求書のPDF', ['請求書', 'の', 'pdf']],
  ['プレゼン資料', ['フレセン', '資料']],
  ['PDF文件 Windows版の', ['pdf', '文件', 'windows', '版', 'の']],
  ['Wi‑Fiเครือข่ายHome', ['wi', 'fi', 'เครอขาย', 'home']],
])('splitWords splits %j at punctuation, upper case letters, digits and changes of script', (text, expected) => {
  expect(splitWords(text)).toEqual(expected);
});

test('bigramsOf returns all pairs of adjacent characters of a word', () => {
  expect(bigramsOf('旅行计划')).toEqual(['旅行', '行计', '计划']);
  expect(bigramsOf('旅行')).toEqual(['旅行']);
});

test('spellInAscii spells letters such as ß and ö in ASCII, as ss and oe', () => {
  expect(['Größe', 'U\u0308bung', 'Résumé', 'Ærø'].map(spellInAscii)).toEqual(['Groesse', 'Uebung', 'Résumé', 'Aeroe']);
});

describe('inflection matching', () => {
  test.each([
    ['invoices', 'invoice'],
    ['agreement', 'agreements'],
    ['recipes', 'recipe'],
    ['scanned', 'scan'],
    ['studies', 'study'],
    ['vertrage', 'vertrag'],
    ['rechnungen', 'rechnung'],
    ['contratos', 'contrato'],
    ['unvertraglichkeit', 'unvertraglich'],
    ['krankheiten', 'krankheit'],
    ['running', 'runs'],
    ['oma', 'omas'],
    ['bug', 'bugs'],
    ['map', 'mapping'],
  ])('accepts for the word %j the form %j', (word, other) => {
    expect(isInflectionOf(stemOfWord(word) ?? '-', other)).toBe(true);
  });

  test.each([
    ['lease', 'leaseholders'],
    ['invoice', 'invoke'],
    ['report', 'reporter-at-large'],
    ['car', 'care'],
    ['cars', 'care'],
  ])('rejects for the word %j the form %j', (word, other) => {
    expect(isInflectionOf(stemOfWord(word) ?? '-', other)).toBe(false);
  });

  test('finds no stem for a word with less than three letters or with a digit', () => {
    expect(['ad', 'a4b8', '合同'].map(stemOfWord)).toEqual([undefined, undefined, undefined]);
  });
});

describe('spelling comparison', () => {
  test.each([
    ['recieve', 'receive', 1],
    ['adress', 'address', 1],
    ['djikstra', 'dijkstra', 1],
    ['kitten', 'sitting', 3],
    ['same', 'same', 0],
  ])('counts the edits between %j and %j', (left, right, edits) => {
    expect(computeEditDistance(left, right, 5)).toBe(edits);
    expect(computeEditDistance(right, left, 5)).toBe(edits);
  });

  test('allows one edit from five letters, two if the longer word has eight, and suggests only the closest words', () => {
    expect(findSimilarWords('sourdoh', ['sourdough', 'sound', 'sourdough'])).toEqual(['sourdough']);
    expect(findSimilarWords('sourdough', ['sourdoh'])).toEqual(['sourdoh']);
    expect(findSimilarWords('leas', ['leases', 'lease'])).toEqual([]);
    expect(findSimilarWords('kerner', ['keener', 'karned', 'kenn'])).toEqual(['keener']);
    expect(findSimilarWords('kerner', ['karned'])).toEqual([]);
    expect(findSimilarWords('leese', ['lease', 'leash', 'cheese'])).toEqual(['lease']);
    expect(findSimilarWords('leas', ['lease'])).toEqual([]);
    expect(findSimilarWords('agrement', ['agreement', 'argument'])).toEqual(['agreement']);
    expect(findSimilarWords('recieveing', ['receiving'])).toEqual(['receiving']);
  });
});

describe('dates in file names and queries', () => {
  test.each([
    ['invoice_2025-03.pdf', ['2025', '3', createMonthSearchWord(3)]],
    ['IMG_20250314.jpg', ['2025', '3', createMonthSearchWord(3), '14']],
    ['scan 14.03.2025', [createMonthSearchWord(3)]],
    ['build-20259999', []],
  ])('are found as separate words in the name %j', (name, expected) => {
    expect(extractDateWords(name)).toEqual(expected);
  });

  test.each([
    ['march', 3],
    ['marz', 3],
    ['dezember', 12],
    ['3月', 3],
    ['十二月', 12],
    ['marching', undefined],
    ['13月', undefined],
  ])('can contain a month name: %j is read as the month %s', (word, month) => {
    expect(monthNumberOf(word)).toBe(month);
  });
});

test.each([
  ['2024-03-14T10:00 and 14. 3. 2024', ['2024-03-14']],
  ['IMG_20240314.jpg', ['2024-03-14']],
  ['14 March 2024, March 14th, 2024', ['2024-03-14']],
  ['14. marz 2024', ['2024-03-14']],
  ['14 de marzo de 2024', ['2024-03-14']],
  ['2024年3月14日', ['2024-03-14']],
  ['3/4/2024', ['2024-04-03', '2024-03-04']],
  ['March 2024, 32.03.2024, 14.13.2024, 120240314, 2024.3', []],
])('findDates returns the dates with a day in the text %j', (text, expected) => {
  expect([...new Set(findDates(text).map(({ iso }) => iso))]).toEqual(expected);
});

describe('matchWords', () => {
  const terms = (...words: string[]) => words.map((text, word) => ({ text, word, quality: matchQualityLevels.word }));
  const found = (text: string, ...words: string[]) => {
    const { qualities } = matchWords([decodeUtf8(Buffer.from(text))], terms(...words));
    return words.filter((_, word) => matchQualityOfWord(qualities, word) > 0);
  };

  test.each([
    ['the Lease and its agreement', ['lease', 'agreement'], ['lease', 'agreement']],
    ['a release', ['lease'], ['lease']],
    ['currently', ['rent', 'curr'], ['curr']],
    ['cat scatter', ['cat'], ['cat']],
    ['scatter', ['cat'], []],
    ['week04 and 2025', ['4', '25'], ['4']],
    ['租房合同', ['合同', '租金'], ['合同']],
    ['12月3日', ['12月', '2月', '3'], ['12月', '3']],
  ])('finds in the text %j of the words %j: %j', (text, words, expected) => {
    expect(found(text, ...words)).toEqual(expected);
  });

  test('returns a higher closeness for adjacent words than for distant words', () => {
    const closeness = (text: string) => matchWords([decodeUtf8(Buffer.from(text))], terms('alpha', 'omega')).closeness;
    const filler = 'x '.repeat(100);
    expect([
      closeness('alpha omega'),
      closeness(`alpha ${'x '.repeat(30)} omega`),
      closeness(`alpha ${filler} omega`),
      closeness(`alpha ${filler.repeat(10)} omega`),
    ]).toEqual([3, 2, 1, 0]);
  });
});

test('NewWordCollector returns a repeated word again only if another word took its slot in the hash table', () => {
  const collector = new NewWordCollector();
  const words = Array.from({ length: 20_000 }, (_, index) =>
    (Math.imul(index + 1, 0x9e3779b1) >>> 0)
      .toString(26)
      .replaceAll(/\d/g, digit => 'qrstuvwxyz'.charAt(Number(digit))),
  );
  const passes = [0, 1, 2].map(() => {
    collector.collect(Buffer.from(words.join(' ')));
    return collector.take().length;
  });
  expect(passes).toEqual([19_998, 5281, 5281]);
});

test('NewWordCollector returns each word of five or more letters once', () => {
  const words = new NewWordCollector();
  words.collect(
    Buffer.from('The Lighthouse keeper, the KEEPER; x1234 straße käse 株式会社 abcdefghijklmnopqrstuvwxyz'),
  );
  expect(words.take().sort()).toEqual(['keeper', 'lighthouse', 'straße']);
  words.collect(Buffer.from('keeper of the garden keys'));
  expect(words.take()).toEqual(['garden']);
});

describe('parseQuery', () => {
  const required = (text: string) => parseQuery(text).words.flatMap(word => (word.isRequired ? [word.text] : []));

  test('drops the possessive s', () => {
    expect(parseQuery("Grandma's plum cake, Mira’s").words.map(({ text }) => text)).toEqual([
      'grandma',
      'plum',
      'cake',
      'mira',
    ]);
  });

  test.each([
    ['the notes from my dentist', ['notes', 'dentist']],
    ['apartment lease pdf', ['apartment', 'lease']],
    ['pdf', ['pdf']],
    ['to be or not to be', ['to', 'be', 'or', 'not']],
    ['docker-compose', ['docker', 'compose']],
    ['filename:budget ext:xlsx', ['budget']],
    ['last month bank statement', ['bank', 'statement']],
    ['die Rechnung vom Klempner', ['rechnung', 'klempner']],
    ['租赁合同的月租金', ['租赁合同', '月租金']],
    ['田中花子の履歴書', ['田中花子', '履歴書']],
    ['李老师的课什么时候考试', ['李老师', '考试']],
    ['wann ist die Prüfung', ['prufung']],
    ['cuánto cuesta el hotel', ['cuesta', 'hotel']],
    ['2025年3月14日', ['2025年3月14日']],
    ['Rechnung vom 22.04.2024', ['rechnung', '22.04.2024']],
    ['２０２４年３月５日', ['2024年3月5日']],
    ['$1,234.56 and 12’000 or 10.0.0.1', ['1234', '56', '12000', '10', '0', '1']],
  ])('reads from the query %j the required words %j', (text, expected) => {
    expect(required(text)).toEqual(expected);
  });

  test.each([
    ['"exact words"', 'exact words'],
    ['„genaue Wörter“', 'genaue worter'],
    ['say "exact" words', undefined],
  ])('reads a query in quotation marks as a phrase only: %j', (text, quoted) => {
    expect(parseQuery(text).quoted).toBe(quoted);
  });

  test('lists the operators that it treats as text', () => {
    expect(parseQuery('lease OR filename:rent AND').operators).toEqual(['OR', 'filename:']);
  });

  test('reads a word with * or ? as a pattern for names if it has at least three other characters', () => {
    const patterns = (text: string) => parseQuery(text).words.filter(word => word.fitsPattern !== undefined).length;
    expect(['report-202?', '*.pdf', 'where is it?', '*a*'].map(patterns)).toEqual([2, 1, 0, 0]);
  });
});
