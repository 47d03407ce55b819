import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../../src/errors/failure.ts';
import { printAmount } from '../../../src/toolsets/clerk/model/currency.ts';
import { explainInvalidDate, splitDateDigits } from '../../../src/toolsets/clerk/model/date.ts';
import { addDecimals, formatDecimal, readDecimal } from '../../../src/toolsets/clerk/model/decimal.ts';
import { readPicture } from '../../../src/toolsets/clerk/model/picture.ts';

interface Row {
  amount: string;
  moved: string;
  computed: string;
  rounded: string;
}

interface Section {
  title: string;
  quirk: string;
  rows: string[][];
}

const sections = readSections(readFileSync(new URL('oracle-sample.txt', import.meta.url), 'utf8'));
const pictures = sections
  .filter(({ title }) => title.startsWith('PICTURE '))
  .map(({ title, quirk, rows }) => ({ picture: title.slice('PICTURE '.length), quirk, rows: rows.map(toRow) }));

function readSections(text: string): Section[] {
  const found: Section[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('|')) found.at(-1)?.rows.push(line.slice(1, -1).split('|'));
    else if (line !== '' && !line.startsWith('#')) {
      const [title = '', quirk = ''] = line.split(' # ');
      found.push({ title, quirk, rows: [] });
    }
  }
  return found;
}

function toRow([amount = '', moved = '', computed = '', rounded = '']: string[]): Row {
  return {
    amount,
    moved,
    computed: computed === '=' ? moved : computed,
    rounded: rounded === '=' ? moved : rounded,
  };
}

function rowsOf(title: string): string[][] {
  return sections.find(section => section.title === title)?.rows ?? [];
}

function printed(amount: string, picture: string): string {
  try {
    return printAmount(readDecimal('amount', amount), picture).field;
  } catch (error) {
    if (error instanceof Failure && error.message.startsWith('SIZE ERROR')) return 'SIZE ERROR';
    throw error;
  }
}

/** Truncates the decimals to the number in the PICTURE, as COMPUTE without ROUNDED does. */
function cutDecimals(amount: string, picture: string): string {
  const [whole = '', fraction = ''] = amount.split('.');
  return `${whole}.${fraction.slice(0, readPicture(picture).decimalDigits)}`;
}

/** Truncates the first and the last digits to the size of the PICTURE, as MOVE does. */
function cutBothEnds(amount: string, picture: string): string {
  const { integerDigits } = readPicture(picture);
  const sign = amount.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = cutDecimals(amount.slice(sign.length), picture).split('.');
  return `${sign}${whole.slice(Math.max(0, whole.length - integerDigits))}.${fraction}`;
}

const unmarked = pictures.filter(({ quirk }) => quirk === '');

describe('the comparison of the clerk toolset with recorded GnuCOBOL output', () => {
  test('covers 15 PICTUREs and 66 amounts for each of them', () => {
    expect(pictures.map(({ rows }) => rows.length)).toEqual(pictures.map(() => 66));
    expect(pictures).toHaveLength(15);
    expect(unmarked).toHaveLength(13);
  });

  test.each(unmarked)(
    'prints the same as COMPUTE ROUNDED with the PICTURE $picture in every row',
    ({ picture, rows }) => {
      for (const { amount, rounded } of rows) expect([amount, printed(amount, picture)]).toEqual([amount, rounded]);
    },
  );

  test.each(unmarked)('prints the same as COMPUTE with the PICTURE $picture for each amount', ({ picture, rows }) => {
    for (const { amount, computed } of rows) {
      expect([amount, printed(cutDecimals(amount, picture), picture)]).toEqual([amount, computed]);
    }
  });

  test('prints the same as MOVE except for six amounts, for which MOVE keeps leading zeros (defect Q4)', () => {
    const others = pictures
      .filter(({ quirk }) => quirk !== 'Q1')
      .flatMap(({ picture, rows }) => rows.map(({ amount, moved }) => ({ picture, amount, moved })))
      .map(row => ({ ...row, ours: printed(cutBothEnds(row.amount, row.picture), row.picture) }))
      .filter(({ moved, ours }) => ours !== moved)
      .map(({ picture, amount, moved, ours }) => [picture, amount, moved, ours]);
    expect(others).toEqual([
      ['$$,$$9.99', '10000', '$0,000.00', '    $0.00'],
      ['$$$,$$$.$$', '100000', '$00,000.00', '          '],
      ['$$$,$$9.99 BLANK WHEN ZERO', '100000', '$00,000.00', '          '],
      ['$Z,ZZZ,ZZ9.99CR', '1234567890123456.78', '$0,123,456.78  ', '$  123,456.78  '],
      ['---,--9.99', '100000', ' 00,000.00', '      0.00'],
      ['----9', '10000', ' 0000', '    0'],
    ]);
  });

  test('prints a different sign only with the PICTUREs of defect Q1, because GnuCOBOL prints it incorrectly', () => {
    for (const { picture, rows } of pictures.filter(({ quirk }) => quirk === 'Q1')) {
      for (const { amount, rounded } of rows) {
        const isNegative = amount.startsWith('-') && /[1-9]/.test(rounded);
        const right = isNegative ? rounded.replace('+', '-') : rounded;
        expect([amount, printed(amount, picture)]).toEqual([amount, right]);
      }
    }
  });

  test('returns the same sums for all pairs of numbers', () => {
    expect(rowsOf('SUMS')).toHaveLength(5);
    for (const [left = '', right = '', sum = ''] of rowsOf('SUMS')) {
      const ours = addDecimals(readDecimal('a', left), readDecimal('b', right));
      expect(formatDecimal(ours)).toBe(formatDecimal(readDecimal('sum', sum)));
    }
  });

  test('accepts the same dates, and in addition years before 1601', () => {
    const codes: Record<string, RegExp | undefined> = { '2': /^Month /, '3': /^Day / };
    expect(rowsOf('DATES')).toHaveLength(14);
    for (const [date = '', code = ''] of rowsOf('DATES')) {
      const verdict = explainInvalidDate(splitDateDigits(date)) ?? 'valid';
      expect(`${date} ${verdict}`).toMatch(new RegExp(`^${date} ${codes[code]?.source.slice(1) ?? 'valid$'}`));
    }
  });
});
