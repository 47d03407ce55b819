import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Connection, connect } from './client.ts';

let clerk: Connection;
beforeAll(async () => {
  clerk = await connect('--toolsets', 'clerk');
});
afterAll(async () => await clerk.close());

describe('format_currency', () => {
  test('returns a sentence with the PICTURE clause, and all characters of the formatted field as structured content', async () => {
    const sentence = '1234567.89 is printed as $1,234,567.89 (PICTURE $$$,$$$,$$$,$$9.99-).';
    expect(await clerk.call('format_currency', { amount: 1234567.89 })).toEqual({
      text: sentence,
      types: ['text'],
      structured: {
        formatted: '$1,234,567.89',
        field: '     $1,234,567.89 ',
        picture: '$$$,$$$,$$$,$$9.99-',
        rounded: false,
        sentence,
      },
      isError: false,
    });
  });

  test('states that the amount was rounded, and rounds halves away from zero', async () => {
    const { text, structured } = await clerk.call('format_currency', { amount: 1234.565 });
    expect(text).toBe('1234.565 is printed as $1,234.57 (PICTURE $$$,$$$,$$$,$$9.99-, ROUNDED half away from zero).');
    expect(structured?.['rounded']).toBe(true);
  });

  test.each([
    [0, '$0.00'],
    [-0, '$0.00'],
    [-0.001, '$0.00'],
    [0.01, '$0.01'],
    ['12', '$12.00'],
    [999, '$999.00'],
    [1000, '$1,000.00'],
    [-1234.56, '$1,234.56-'],
    [1.005, '$1.01'],
    [-1.005, '$1.01-'],
    [1234567890.12, '$1,234,567,890.12'],
    ['99999999999.99', '$99,999,999,999.99'],
    ['99999999999.995', '$100,000,000,000.00'],
    ['123456789012345678.9', '$123,456,789,012,345,678.90'],
    ['1e35', `$100${',000'.repeat(11)}.00`],
    [`-${'9'.repeat(36)}.99`, `$${'999,'.repeat(11)}999.99-`],
    ['1e-38', '$0.00'],
  ])('prints the amount %j as %s', async (amount, printed) => {
    const { structured, isError } = await clerk.call('format_currency', { amount });
    expect(isError).toBe(false);
    expect(structured?.['formatted']).toBe(printed);
  });

  test('returns a SIZE ERROR for more than 36 digits before the decimal point', async () => {
    const { isError, text } = await clerk.call('format_currency', { amount: '1e36' });
    expect(isError).toBe(true);
    expect(text).toMatch(/^SIZE ERROR: 10{36} has 37 digits before the point, and PICTURE \$\S+9\.99- holds 36\.\n/);
  });

  test('returns a sentence with the word "blanks" if the field is empty', async () => {
    expect((await clerk.call('format_currency', { amount: 0, picture: 'ZZZ' })).text).toBe(
      '0 is printed as blanks (PICTURE ZZZ).',
    );
  });

  test('adds a note if the PICTURE has no place for the minus of the amount', async () => {
    const note = 'The amount is negative and this PICTURE has no place for a sign; add - or CR at its end.';
    const { text, structured } = await clerk.call('format_currency', { amount: -5, picture: '$$9' });
    const sentence = '-5 is printed as $5 (PICTURE $$9).';
    expect(text).toBe(`${sentence}\n${note}`);
    expect(structured).toEqual({
      formatted: '$5',
      field: ' $5',
      picture: '$$9',
      rounded: false,
      sentence,
      notes: [note],
    });
  });

  test('returns a SIZE ERROR for an amount with more digits than the PICTURE', async () => {
    const { isError, text } = await clerk.call('format_currency', { amount: '99999.995', picture: '$$$,$$9.99' });
    expect(isError).toBe(true);
    expect(text).toBe(
      'SIZE ERROR: 100000 has 6 digits before the point, and PICTURE $$$,$$9.99 holds 5.\n\n' +
        'Nothing was cut off. Use a wider PICTURE; it can have at most 38 digits.',
    );
  });

  test('rejects an invalid PICTURE and states the position and the permitted symbols', async () => {
    const { isError, text } = await clerk.call('format_currency', { amount: 1, picture: '$$9.9Z' });
    expect(isError).toBe(true);
    expect(text).toMatch(/^"picture" is invalid at character 6, "Z": it cannot follow "9"\.\n\nSymbols: 9 digit, /);
  });

  test('rejects a PICTURE of more than 200 characters', async () => {
    const { isError, text } = await clerk.call('format_currency', { amount: 1, picture: '9'.repeat(100_000) });
    expect(isError).toBe(true);
    expect(text).toMatch(/^format_currency: "picture" must have at most 200 characters, got the string "9+…"$/);
  });
});
