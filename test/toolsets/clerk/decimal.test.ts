import { describe, expect, test } from 'vitest';
import { Failure } from '../../../src/errors/failure.ts';
import {
  addDecimals,
  type Decimal,
  formatDecimal,
  mayHaveLostDigits,
  readDecimal,
  roundDecimal,
} from '../../../src/toolsets/clerk/model/decimal.ts';
import * as fc from '../../support/property.ts';

/** The test model counts units of ten to the power of minus 38, so that every operand is an integer. */
const modelScale = 38;

function model({ units, scale }: Decimal): bigint {
  return units * 10n ** BigInt(modelScale - scale);
}

/** Generates numbers of at most `maxDigits` digits as text, with a decimal point at any place and additional zeros. */
function decimalText(maxDigits: number): fc.Arbitrary<string> {
  const units = fc.bigInt({ min: 0n, max: 10n ** BigInt(maxDigits) - 1n });
  const parts = fc.tuple(fc.constantFrom('', '-', '+'), units, fc.nat({ max: maxDigits }), fc.nat({ max: maxDigits }));
  return parts.map(([sign, value, width, decimals]) => {
    const digits = String(value).padStart(width, '0');
    const point = Math.max(0, digits.length - decimals);
    return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
  });
}

const runs = { numRuns: 100_000 };
const read = (text: string): Decimal => readDecimal('a', text);

describe('addDecimals', () => {
  test('returns the same sum as a BigInt model for 100,000 random pairs', () => {
    fc.assert(
      fc.property(decimalText(18), decimalText(18), (left, right) => {
        const [a, b] = [read(left), read(right)];
        expect(model(addDecimals(a, b))).toBe(model(a) + model(b));
      }),
      runs,
    );
  });

  test('is commutative and associative for 100,000 random triples', () => {
    fc.assert(
      fc.property(decimalText(18), decimalText(18), decimalText(18), (first, second, third) => {
        const [a, b, c] = [read(first), read(second), read(third)];
        expect(formatDecimal(addDecimals(b, a))).toBe(formatDecimal(addDecimals(a, b)));
        expect(formatDecimal(addDecimals(a, addDecimals(b, c)))).toBe(formatDecimal(addDecimals(addDecimals(a, b), c)));
      }),
      runs,
    );
  });

  test('returns the exact sum of numbers with up to 38 digits, or a SIZE ERROR if the sum has more digits', () => {
    fc.assert(
      fc.property(decimalText(38), decimalText(38), (left, right) => {
        const [a, b] = [read(left), read(right)];
        const expected = model(a) + model(b);
        const written = written38(expected);
        const digits = written.replace(/^-?0?\.?|\./g, '').length;
        expect(sumOrError(a, b)).toBe(digits > 38 ? 'SIZE ERROR: the sum needs more than 38 digits.' : written);
      }),
      { numRuns: 10_000 },
    );
  });
});

function sumOrError(left: Decimal, right: Decimal): string {
  try {
    return formatDecimal(addDecimals(left, right));
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

/** Formats a number of the test model in plain notation. The code is independent of the program. */
function written38(value: bigint): string {
  const digits = String(value < 0n ? -value : value).padStart(modelScale + 1, '0');
  const fraction = digits.slice(-modelScale).replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -modelScale)}${fraction === '' ? '' : `.${fraction}`}`;
}

describe('readDecimal', () => {
  test('reads a JSON number as the shortest decimal number that has the same double value', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -1e20, max: 1e20 }), value => {
        fc.pre(value === 0 || Math.abs(value) > 1e-15);
        expect(Number(formatDecimal(readDecimal('a', value)))).toBe(value + 0);
      }),
    );
  });

  test('returns the original number for the output of formatDecimal', () => {
    fc.assert(
      fc.property(decimalText(38), text => {
        expect(read(formatDecimal(read(text)))).toEqual(read(text));
      }),
    );
  });

  test('returns a number or throws a Failure for any text', () => {
    const symbols = fc.string({ unit: fc.constantFrom(...Array.from('0123456789.eE+- \t٣x_,$')), maxLength: 30 });
    fc.assert(
      fc.property(fc.oneof(symbols, fc.string({ unit: 'binary' })), text => {
        expect(formatOrError(text)).toMatch(
          /^-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$|^SIZE ERROR: "a" |^"a" must be a number/,
        );
      }),
      { numRuns: 5000 },
    );
  });
});

function formatOrError(text: string): string {
  try {
    return formatDecimal(read(text));
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

describe('roundDecimal', () => {
  test.each([
    ['1.005', 2, '1.01'],
    ['-1.005', 2, '-1.01'],
    ['1.0049999999999999999999999999999999999', 2, '1'],
    ['-0.005', 2, '-0.01'],
    ['-0.0049', 2, '0'],
    ['2.5', 0, '3'],
    ['-2.5', 0, '-3'],
    ['0.4', 0, '0'],
    ['99999.995', 2, '100000'],
    ['1.5', 2, '1.5'],
    ['7', 2, '7'],
  ])('rounds %s to %i places: %s', (text, places, rounded) => {
    expect(formatDecimal(roundDecimal(read(text), places))).toBe(rounded);
  });

  test('changes a number by at most half a unit of the last place and rounds halves away from zero', () => {
    fc.assert(
      fc.property(decimalText(38), fc.nat({ max: 10 }), (text, places) => {
        const value = read(text);
        const unit = 10n ** BigInt(modelScale - places);
        const [exact, rounded] = [model(value), model(roundDecimal(value, places))];
        const error = exact < 0n ? exact - rounded : rounded - exact; // positive is away from zero
        expect(rounded % unit).toBe(0n);
        expect(-unit < 2n * error && 2n * error <= unit).toBe(true);
      }),
      { numRuns: 10_000 },
    );
  });
});

describe('mayHaveLostDigits', () => {
  test.each([
    [0.1, false],
    [123456789012345, false],
    [1e15, false],
    [9007199254740991, true],
    [9007199254740992, true],
    [0.1 + 0.2, true],
    [1e23, true],
    [0, false],
    [-12.5, false],
    ['9007199254740993', false],
  ])('returns for the value %j: %j', (value, expected) => {
    expect(mayHaveLostDigits(value)).toBe(expected);
  });
});
