import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Connection, callRaw, connect } from './client.ts';

let clerk: Connection;
beforeAll(async () => {
  clerk = await connect('--toolsets', 'clerk');
});
afterAll(async () => await clerk.close());

const nines = '9'.repeat(38);

describe('add', () => {
  test('returns a sentence with the sum, and the sum as structured content', async () => {
    expect(await clerk.call('add', { a: 3, b: 4 })).toEqual({
      text: '3 + 4 = 7 (exact decimal arithmetic, as COBOL does it).',
      types: ['text'],
      structured: { sum: '7', sentence: '3 + 4 = 7 (exact decimal arithmetic, as COBOL does it).' },
      isError: false,
    });
  });

  test('writes a negative second number in brackets', async () => {
    expect((await clerk.call('add', { a: -1.5, b: '-2' })).text).toMatch(/^-1\.5 \+ \(-2\) = -3\.5 /);
  });

  test.each([
    [0.1, 0.2, '0.3'],
    [999999999999, 1, '1000000000000'],
    [0.00001, 1, '1.00001'],
    ['3', 4, '7'],
    ['1e3', 4, '1004'],
    [1e3, 4, '1004'],
    ['5.', '.5', '5.5'],
    [' \t+7\r\n', '-7', '0'],
    [-0, '-0.000', '0'],
    ['1.50', '1.50', '3'],
    [1e21, '1', '1000000000000000000001'],
    [5e-7, '0', '0.0000005'],
    ['1E+2', '1E-2', '100.01'],
    ['0e1000000000', 1, '1'],
    [`${'0'.repeat(150)}1`, '0', '1'],
    ['1000000.000000', '0.01', '1000000.01'],
    ['1234567.89', '-1234567.89', '0'],
    [nines, 0, nines],
    ['1e37', '-1', '9'.repeat(37)],
    ['1e-38', 0, `0.${'0'.repeat(37)}1`],
    ['9007199254740993', '1', '9007199254740994'],
  ])('returns for %j + %j the sum %s', async (a, b, sum) => {
    expect(await clerk.call('add', { a, b })).toMatchObject({ structured: { sum }, isError: false });
  });

  test.each([
    ['', 'got the string ""'],
    [' ', 'got the string " "'],
    ['abc', 'got the string "abc"'],
    ['0x10', 'got the string "0x10"'],
    [' ٣', 'got the string " ٣"'],
    ['３', 'got the string "３"'],
    ['\u00a01', 'got the string'],
    ['NaN', 'got the string "NaN"'],
    ['Infinity', 'got the string "Infinity"'],
    ['1_000', 'got the string "1_000"'],
    ['1,000', 'got the string "1,000"'],
    ['$5', 'got the string "$5"'],
    ['1 2', 'got the string "1 2"'],
    ['.', 'got the string "."'],
    ['+', 'got the string "+"'],
    ['--1', 'got the string "--1"'],
    ['1e', 'got the string "1e"'],
    ['e5', 'got the string "e5"'],
    ['1e1.5', 'got the string "1e1.5"'],
    ['1.2.3', 'got the string "1.2.3"'],
    ['10n', 'got the string "10n"'],
    [`${'1'.repeat(100)}x`, `got the string "${'1'.repeat(40)}…"`],
  ])('rejects %j because it is not a number', async (b, got) => {
    const { isError, text } = await clerk.call('add', { a: 1, b });
    expect(isError).toBe(true);
    expect(text).toContain('"b" must be a number, got the string');
    expect(text).toContain(got);
  });

  test.each([
    [true, 'add: "a" must be a number or a string, got the boolean true'],
    [[], 'add: "a" must be a number or a string, got a list'],
    [{}, 'add: "a" must be a number or a string, got an object'],
    [null, 'add: "a" is required'],
    [undefined, 'add: "a" is required'],
  ])('rejects %j because of its JSON type', async (a, sentence) => {
    expect(await clerk.call('add', { a, b: 1 })).toMatchObject({ isError: true, text: sentence });
  });

  test('rejects a string of more than 200 characters', async () => {
    const { isError, text } = await clerk.call('add', { a: '9'.repeat(10_000), b: 1 });
    expect(isError).toBe(true);
    expect(text).toBe('"a" may have 200 characters at most, got a string of 10000');
  });

  test.each([
    ['1e38', 0, '"a"'],
    ['1e-39', 0, '"a"'],
    ['1e1000000000', 0, '"a"'],
    ['-1e-1000000000', 0, '"a"'],
    [`1e${'9'.repeat(190)}`, 0, '"a"'],
    [0, `${nines}1`, '"b"'],
    [0, `${'9'.repeat(20)}.${'9'.repeat(19)}`, '"b"'],
    [1e300, 0, '"a"'],
    [nines, 1, 'the sum'],
    ['1e37', '1e-37', 'the sum'],
  ])('returns a SIZE ERROR for %j + %j', async (a, b, subject) => {
    const { isError, text, structured } = await clerk.call('add', { a, b });
    expect(isError).toBe(true);
    expect(text).toContain(`SIZE ERROR: ${subject} needs more than 38 digits.`);
    expect(structured).toBeUndefined();
  });

  test.each(['1e1000000000', '-1e400', '9'.repeat(10_000)])(
    'returns a SIZE ERROR for the JSON number %.20s…',
    number => {
      const { isError, text } = callRaw('add', `{"a": ${number}, "b": 1}`);
      expect(isError).toBe(true);
      expect(text).toContain('SIZE ERROR: "a" needs more than 38 digits.');
    },
  );

  test.each(['9007199254740993', '0.30000000000000004', '123456789012345678901'])(
    'notes that the JSON number %s may have lost digits',
    number => {
      const note = '"a" is a JSON number and may have lost digits in transit; send long numbers as strings.';
      const { text, structured } = callRaw('add', `{"a": ${number}, "b": 1}`);
      expect(text).toContain(note);
      expect(structured?.['notes']).toEqual([note]);
    },
  );

  test('does not note lost digits for a long number that is given as a string', async () => {
    const { structured } = await clerk.call('add', { a: '0.30000000000000004', b: 123456789012345 });
    expect(structured?.['notes']).toBeUndefined();
  });
});
