import { Failure } from '../../../errors/failure.ts';
import { shortenText } from '../../../text/truncate.ts';

/**
 * A decimal number, which is `units` divided by ten to the power of `scale`. The scale is as small as possible, and
 * zero has no sign.
 */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

/** The maximum number of digits in COBOL, before and after the decimal point together. */
export const maxDigits = 38;
/** Limits the length of the string. The limit is sufficient for 38 digits with leading zeros and an exponent. */
const maxCharacters = 200;
const maxShownCharacters = 40;

/** Parses an argument. A JSON number is converted to its shortest decimal string, so that 0.1 is exactly 0.1. */
export function readDecimal(name: string, value: number | string): Decimal {
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) throw sizeError(`"${name}"`);
  const text = String(value);
  if (text.length > maxCharacters) {
    throw new Failure(
      'argument',
      `"${name}" may have ${maxCharacters} characters at most, got a string of ${text.length}`,
    );
  }
  const match = /^[ \t\r\n]*([+-]?)(?=\.?[0-9])([0-9]*)\.?([0-9]*)(?:e([+-]?[0-9]+))?[ \t\r\n]*$/i.exec(text);
  if (match === null) {
    throw new Failure('argument', `"${name}" must be a number, got the string ${quote(text)}`, {
      hint: 'Write plain digits, such as "1234.56", "-0.5" or "1e3": no grouping, no currency sign, no other notation.',
    });
  }
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return zero;
  const power = Number(exponent) - fraction.length + (digits.length - significant.length);
  // The limit is checked before the number is expanded, because the digits of 1e1000000000 must not be allocated.
  if (countDigits(significant.length, power) > maxDigits) throw sizeError(`"${name}"`);
  const units = BigInt(significant) * 10n ** BigInt(Math.max(0, power));
  return { units: sign === '-' ? -units : units, scale: Math.max(0, -power) };
}

const zero: Decimal = { units: 0n, scale: 0 };

/**
 * Returns whether the client's JSON parser may have lost digits of a number. A double keeps 15 digits, and integers up
 * to 2^53.
 */
export function mayHaveLostDigits(value: number | string): boolean {
  if (typeof value === 'string') return false;
  const [mantissa = ''] = String(value).split('e');
  const significant = mantissa.replace(/[-.]/g, '').replace(/^0+|0+$/g, '');
  return significant.length > 15 || Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

export function addDecimals(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(left.scale, right.scale);
  const sum = normalize(toUnitsAtScale(left, scale) + toUnitsAtScale(right, scale), scale);
  if (countDigits(String(computeAbsoluteValue(sum.units)).length, -sum.scale) > maxDigits) throw sizeError('the sum');
  return sum;
}

/** Rounds to the nearest value, and halves away from zero, as ROUNDED does in COBOL. */
export function roundDecimal(value: Decimal, places: number): Decimal {
  if (value.scale <= places) return value;
  const divisor = 10n ** BigInt(value.scale - places);
  const size = (computeAbsoluteValue(value.units) + divisor / 2n) / divisor;
  return normalize(value.units < 0n ? -size : size, places);
}

/**
 * Returns the value as an integer in units of ten to the power of minus `scale`. This scale must not be smaller than
 * that of the value.
 */
export function toUnitsAtScale(value: Decimal, scale: number): bigint {
  return value.units * 10n ** BigInt(scale - value.scale);
}

/** Formats a number as a string without exponent and trailing zeros. */
export function formatDecimal({ units, scale }: Decimal): string {
  const digits = String(computeAbsoluteValue(units)).padStart(scale + 1, '0');
  const point = digits.length - scale;
  const fraction = scale === 0 ? '' : `.${digits.slice(point)}`;
  return `${units < 0n ? '-' : ''}${digits.slice(0, point)}${fraction}`;
}

export function countIntegerDigits({ units, scale }: Decimal): number {
  return units === 0n ? 0 : Math.max(0, String(computeAbsoluteValue(units)).length - scale);
}

export function computeAbsoluteValue(units: bigint): bigint {
  return units < 0n ? -units : units;
}

function normalize(units: bigint, scale: number): Decimal {
  if (units === 0n) return zero;
  let [shorter, places] = [units, scale];
  while (places > 0 && shorter % 10n === 0n) {
    shorter /= 10n;
    places--;
  }
  return { units: shorter, scale: places };
}

/** Returns the number of digits in plain notation. `power` is the power of ten of the last significant digit. */
function countDigits(significant: number, power: number): number {
  return power >= 0 ? significant + power : Math.max(significant, -power);
}

function sizeError(subject: string): Failure {
  return new Failure('refused', `SIZE ERROR: ${subject} needs more than ${maxDigits} digits.`, {
    hint: `Digits before and after the point count together; COBOL allows at most ${maxDigits}. Nothing was cut off.`,
  });
}

function quote(text: string): string {
  return JSON.stringify(shortenText(text, maxShownCharacters));
}
