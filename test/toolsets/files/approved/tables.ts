import { endOfPagesCharacter } from '../../../../src/documents/pages.ts';
import { findDates, isYearOfDateAt } from '../../../../src/toolsets/files/match/date-forms.ts';
import { formatIsoSeconds, parseIsoDate, parseRangeEnd } from '../../../../src/toolsets/files/match/dates.ts';
import { excerptOf } from '../../../../src/toolsets/files/match/excerpt.ts';
import { foldQueryPhrase } from '../../../../src/toolsets/files/match/fold.ts';
import { isInflectionOf, stemOfWord } from '../../../../src/toolsets/files/match/inflection.ts';
import { createCjkMonthNames, extractDateWords, monthNumberOf } from '../../../../src/toolsets/files/match/months.ts';
import { preparePhrase } from '../../../../src/toolsets/files/match/needle.ts';
import { computeEditDistance, findSimilarWords } from '../../../../src/toolsets/files/match/spelling.ts';
import { bigramsOf, spellInAscii, splitWords } from '../../../../src/toolsets/files/match/words.ts';
import { parseQuery } from '../../../../src/toolsets/files/query/parse.ts';
import { createSpotlightQuery, parsePlist } from '../../../../src/toolsets/files/spotlight/query.ts';

function linesOf<Input>(inputs: readonly Input[], list: (input: Input) => unknown): string {
  return inputs.map(input => `${JSON.stringify(input)}: ${JSON.stringify(list(input))}\n`).join('');
}

function errorOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return String(error);
  }
}

const queries = [
  'tax return 2024',
  'the and of',
  'the',
  ' "Exact phrase" ',
  '“curly”',
  '„low”',
  '«guillemets»',
  '「corner」 ',
  '『double』',
  '"two" "phrases"',
  'filename:report ext:pdf',
  'path: x kind:',
  'cats OR dogs AND NOT birds',
  'OR cats',
  'cats AND',
  'a && b || c',
  "Anna's invoice's",
  'James’s car',
  '2025年3月14日 会议',
  '３月の請求書',
  '十二月报告',
  '13月',
  '14 March 2024 invoice',
  'March 14, 2024',
  '3/4/2024',
  '2024-13-40',
  'reserveCopies parseXMLFile',
  'snake_case kebab-case e-mail',
  'report-202?',
  'what is this?',
  '*.md',
  'ab*',
  'abc*',
  'IMG_20?',
  'v2?',
  'Größe strasse Ærø Łódź',
  '1,234.56 and 1.234.567 and 12,34',
  '1234 12345678 1234567890 2024 999 01234',
  'photos from last week',
  'excel spreadsheets',
  'python',
  'x y z',
  'を の です ます',
  '我的报告和照片',
  '为什么',
  'a b c d e f g h i j k l m n o p q r s t u v w x y z aa bb cc dd ee ff gg hh ii jj kk ll mm nn oo pp qq rr ss tt uu vv ww xx yy zz',
  'word word Word WORD',
  'OCT 2023',
  'mai',
  '',
];

export function listQueries(): string {
  return linesOf(queries, query => {
    const { words, ...others } = parseQuery(query);
    const shown = words.map(word => ({ ...word, fitsPattern: word.fitsPattern?.('report-2024.md abc') }));
    return { ...others, words: shown };
  });
}

const isoDates = [
  '2024-02-29',
  '2023-02-29',
  '1900-02-29',
  '2000-02-29',
  '2024-04-30',
  '2024-04-31',
  '2024-06-31',
  '2024-09-31',
  '2024-11-31',
  '2024-12-31',
  '2024-12-32',
  '2024-00-10',
  '2024-13-10',
  '2024-01-00',
  '0001-01-01',
  '0099-12-31T23:59:59Z',
  '2024-01-01T23:59:59Z',
  '2024-01-01T24:00:00Z',
  '2024-01-01T23:60Z',
  '2024-01-01T23:59:60Z',
  '2024-01-01t01:02z',
  '2024-01-01T01:02:03.4Z',
  '2024-01-01T01:02:03,123456789Z',
  '2024-01-01T01:02:03.1234567890Z',
  '2024-01-01T01:02:03+02:00',
  '2024-01-01T01:02:03-0230',
  '2024-01-01T01:02:03+23',
  '2024-01-01T01:02:03+24',
  '2024-01-01T01:02:03-23:59',
  '2024-01-01T01:02:03-23:60',
  '2024-01-01T1:02Z',
  '2024-1-1',
  'x'.repeat(300),
];

const datesInText = [
  '2024-03-14 2024_3_4 2024.03.14 2024/3/14 2024-03.14 x2024-03-14y 12024-03-14 2024-03-144',
  '20240314 IMG_20240314 120240314 202403145 20241314 20240332 20240300',
  '2024年3月14日 2024 年 12 月 31 2024 年 9 月 14 日',
  '14th.  de septiembre.,  del 2024',
  '314th.  de septiembre.,  del 2024',
  '14.3.2024 14. 3. 2024 14-03-2024 14/3/2024 3/14/2024 31/12/2024 32/12/2024 0/1/2024 1/0/2024',
  '14 March 2024, 1st of may 1999, 2nd Jun. 2001, 14. März 2024, 3 de enero del 2020, 14  March  2024, 14   March 2024',
  'March 14, 2024 Sept. 3rd 2024 mai 1 2024 Foo 1 2024 dec 31, 1899 dec 31, 2100',
  'March 14 24, may 2024, 2024',
];

export function listDates(): string {
  const years = datesInText.map(text =>
    Array.from(text.matchAll(/(?:19|20)\d\d/g), ({ index }) =>
      ['2024-03-14', '2024-09-14', '2024-12-31', '2020-01-03']
        .map(iso => (isYearOfDateAt(text, index, iso) ? 1 : 0))
        .join(''),
    ).join(' '),
  );
  const months = [
    'january',
    'märz',
    'marz',
    'dez',
    'xyz',
    '三月',
    '十二月',
    '十三月',
    '0月',
    '1月',
    '12月',
    '13月',
    '1.5月',
  ];
  return [
    linesOf(isoDates, text => errorOf(() => [parseIsoDate(text, 'since'), parseRangeEnd(text, 'until')])),
    linesOf([0, 999, 1000, -1, 8.64e15, 8.65e15, Number.NaN], formatIsoSeconds),
    linesOf(datesInText, findDates),
    linesOf(years, () => ''),
    linesOf(months, monthNumberOf),
    linesOf([1, 10, 11, 12, 13], createCjkMonthNames),
    linesOf(
      [
        '2025-03-14',
        'IMG_20250314.jpg',
        '14.03.2025',
        '202503',
        '2025 03',
        '2025-13',
        '2025-03-32',
        '32.03.2025',
        'x2025_12',
        '2025-3',
        '01-12-1999',
        '1-12-1999',
        '20250314153000',
      ],
      extractDateWords,
    ),
  ].join('\n');
}

const inflected =
  'a at cat cats car care cars caring carry carries carried run runs running runner scan scans scanned scanning scanner bus buses box boxes rechnung rechnungen rechnungs freiheit freiheiten kind kinder kindern auto autos casa casas nota notas city cities story stories stop stopped planning plan planned plane add adding added egg eggs egged nation national payment payments pay paid use used using user x1s 日本語 ing ings'.split(
    ' ',
  );
const spelled =
  'invoice invoices invocie invoic inovice invoyce invoiec voice recieve receive receipt reciept tomorow tomorrow tommorow abcde abcd abdce ebcda abcdefgh abcdefhg badcefgh zbcdefgy abcdef accommodation acommodation acomodation'.split(
    ' ',
  );

export function listWords(): string {
  const camel = [
    'camelCase',
    'XMLFile',
    'aB2c',
    'x007',
    '007',
    '00',
    '日本語テキストー',
    'カタカナひらがな漢字',
    'ไทยabc',
    "don't",
    'a-b_c',
    'É\u0301té',
    'ﬁn',
    'ǅungla',
  ];
  return [
    linesOf(inflected, stemOfWord),
    linesOf(inflected, word => inflected.filter(other => isInflectionOf(stemOfWord(word) ?? word, other)).join(' ')),
    linesOf(spelled, word => findSimilarWords(word, spelled).join(' ')),
    linesOf(spelled, word =>
      spelled.map(other => [0, 1, 2, 9].map(limit => computeEditDistance(word, other, limit)).join('')).join(' '),
    ),
    linesOf(['abcdef'], word =>
      findSimilarWords(word, [
        'zbcdef',
        'abcdez',
        'abzdef',
        'abcdef',
        'abcdeg',
        'abcde',
        'abcdefg',
        'aabcdef',
        'abcdfe',
        'abcdeg',
      ]),
    ),
    linesOf(['receipts', 'plants', 'abcdefgh', 'abcde'], word =>
      findSimilarWords(word, [
        'receptas',
        'receipt',
        'recaipst',
        'plaints',
        'plantain',
        'bacdefhg',
        'abcdegfh',
        'abxdefgx',
        'abcd',
        'xbcde',
        'abdce',
      ]),
    ),
    linesOf(camel, splitWords),
    linesOf(['a', 'ab', 'abc', 'abcd', '😀b', '😀bc'], bigramsOf),
    linesOf(['Größe', 'ÄÖÜ äöü', 'Ærø Œuvre Łódź Åse å', 'ẞß', 'a\u0308'], spellInAscii),
  ].join('\n');
}

/** Lists the tables for the search of a phrase. They change the speed, but not the results. */
export function listPhrases(): string {
  const phrases = [
    'e',
    'ee',
    'zebra',
    'the quick',
    'a e',
    'état',
    'naïve café',
    'Q',
    '0123',
    'x'.repeat(300),
    `a ${'y'.repeat(255)}`,
    `a ${'y'.repeat(256)} b`,
    'ing',
    'tea eat',
  ];
  return linesOf(phrases, text => {
    const { anchor, isAnchorRare, isAscii, starts, end, jumps } = preparePhrase(foldQueryPhrase(text));
    const most = Math.max(...jumps);
    return {
      anchor,
      isAnchorRare,
      isAscii,
      starts,
      end,
      most,
      jumps: [...jumps].flatMap((jump, byte) => (jump === most ? [] : [[byte, jump]])),
    };
  });
}

export function listExcerpts(): string {
  const lengths = [0, 1, 5, 59, 60, 61, 79, 80, 81, 82, 100, 160, 200, 8187, 8190, 8192];
  const texts = lengths.flatMap(length => [
    `${'ab '.repeat(length / 3)}needle in${' cd'.repeat(length / 3)}`,
    `${'x'.repeat(length)}needle${'y'.repeat(length)}`,
    `${'\n'.repeat(length)}NEE\u00addle\n${'é'.repeat(length)}`,
  ]);
  const distances = [44, 45, 46, 47, 48, 49, 74, 75, 76, 77, 78].map(
    length => `${'x'.repeat(100)} ${'y'.repeat(length)}needle${'z'.repeat(200)}`,
  );
  const paged = [
    'a\fb needle\fc',
    'needle\fa',
    `a\fb${endOfPagesCharacter}needle`,
    `a needle${endOfPagesCharacter}b`,
    'no',
  ];
  const long = `${'w '.repeat(100)}needle ${'v'.repeat(500)} end ${'u '.repeat(200)}`;
  return [
    ...[...texts, ...distances].map(text => `${text.length}: ${JSON.stringify(excerptOf(text, 'needle', false))}\n`),
    ...paged.map(
      text => `${JSON.stringify(text)}: ${JSON.stringify([true, false].map(is => excerptOf(text, 'needle', is)))}\n`,
    ),
    ...[78, 79, 80, 118, 119, 120, 121, 122, 158, 159, 160, 161, 398, 399, 400, 401].map(
      length => `${length}: ${JSON.stringify(excerptOf(long, `needle ${'v'.repeat(length - 7)}`, false))}\n`,
    ),
    ...[117, 118, 119, 120, 121, 130].map(
      length =>
        `${length}: ${JSON.stringify(excerptOf('x'.repeat(60) + 'y'.repeat(length), 'y'.repeat(length), false))}\n`,
    ),
    ...['v'.repeat(10), `needle ${'v'.repeat(300)}`, `needle ${'v'.repeat(500)} end`, 'e u', 'w w'].map(
      phrase => `${phrase.length}: ${JSON.stringify(excerptOf(long, phrase, false))}\n`,
    ),
  ].join('');
}

export function listSpotlight(): string {
  const plist = (content: string): string =>
    `<?xml version="1.0"?><!DOCTYPE plist><plist version="1.0">${content}</plist>`;
  const values = [
    '<string>a &amp; b &lt;&gt;&quot;&apos;&#65;&#x42;&#x110000;&#x10ffff;&unknown;</string>',
    '<integer>42</integer>',
    '<real>1.5</real>',
    '<real>nan</real>',
    '<true/>',
    '<false/>',
    '<date>2024-01-01T00:00:00Z</date>',
    '<data>AAAA</data>',
    '<array><string>a</string><integer>1</integer></array>',
    '<array/>',
    '<array></array>',
    '<array><data>AA</data></array>',
    '<dict><key>x</key><string>y</string></dict>',
    '<dict/>',
    '<string/>',
    '<string></string>',
  ];
  const documents = [
    ...values.map(value => plist(`<dict><key>kMDItemX</key>${value}<key>kMDItemY</key><integer>1</integer></dict>`)),
    plist('<dict><key>kMDItemTextContent</key><string>no</string><key>other</key><string>no</string></dict>'),
    plist('<string>x</string>'),
    plist('<array><string>x</string></array>'),
    '',
    'not xml',
    '(null)',
  ];
  const since = { sinceMs: 1_700_000_000_500 };
  const wanted = [
    { text: 'two wörds' },
    { text: 'a"b\\c*' },
    { text: '??' },
    { text: 'x', match: 'content' as const },
    { text: 'x', match: 'name' as const },
    { text: 'x', kind: 'pdf' as const, ...since },
    ...(['document', 'image', 'video', 'audio', 'pdf', 'code'] as const).map(kind => ({ kind, untilMs: 5 })),
    since,
    { ...since, untilMs: 1_800_000_000_000 },
    {},
  ];
  return `${linesOf(documents, parsePlist)}\n${linesOf(wanted, createSpotlightQuery)}`;
}
