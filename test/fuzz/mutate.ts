import { maxInputBytes, type Target } from './target.ts';

/** Returns a random integer from 0 to `limit - 1`. */
export type Random = (limit: number) => number;

/** The random number generator mulberry32: equal seeds give equal sequences on every platform. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return limit => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) % limit;
  };
}

/** Bytes that parsers treat in a special way: NUL, line ends, quotation marks, brackets and the limits of ASCII. */
const specialBytes = Buffer.from('\0\t\n\r "\'<>&()[]{}/\\:;,.=+-*%#0129AZaz\x7f\x80\xbf\xc0\xe2\xf0\xff', 'latin1');

/**
 * Characters that text functions treat in a special way: invisible, combining and wide characters, and one above
 * U+FFFF.
 */
const specialText = ['\u200b', '\u200d', '\ufe0f', '\u202e', '\u2028', '\u0301', '\u00a0', '\u3000', '\ufeff', '😀'];

const numbers = ['0', '-1', '1e9', '255', '65536', '2147483648', '4294967295', '9007199254740993', '1e400'];

/** Changes an input at one to four offsets. Some changes copy ranges from the inputs in `others`. */
export function mutate(
  random: Random,
  input: Buffer,
  others: readonly Buffer[],
  dictionary: Target['dictionary'],
): Buffer {
  let bytes = input;
  for (let changes = 1 + random(4); changes > 0; changes--) bytes = change(random, bytes, others, dictionary);
  return bytes.subarray(0, maxInputBytes);
}

function change(random: Random, bytes: Buffer, others: readonly Buffer[], dictionary: Target['dictionary']): Buffer {
  const at = random(bytes.length + 1);
  const length = random(1 + Math.min(bytes.length - at, 1 << random(8)));
  const replace = (by: Uint8Array, removed = length): Buffer =>
    Buffer.concat([bytes.subarray(0, at), by, bytes.subarray(at + removed)]);
  switch (random(11)) {
    case 0:
      return replace(Buffer.of((bytes[at] ?? 0) ^ (1 << random(8))), 1);
    case 1:
      return replace(Buffer.of(random(256)), random(2));
    case 2:
      return replace(Buffer.of(specialBytes[random(specialBytes.length)] ?? 0), random(2));
    case 3:
      return replace(Buffer.alloc(0));
    case 4:
      return replace(bytes.subarray(at, at + length), 0);
    case 5:
      return replace(Buffer.concat(Array.from({ length: 1 + random(40) }, () => bytes.subarray(at, at + length))), 0);
    case 6:
      return replace(Buffer.from(numbers[random(numbers.length)] ?? ''));
    case 7:
      return replace(Buffer.from(specialText[random(specialText.length)] ?? ''), random(2));
    case 8:
      return replace(rangeOf(random, others[random(others.length)] ?? bytes));
    default:
      return replace(Buffer.from(dictionary[random(dictionary.length)] ?? ''), random(3) === 0 ? length : 0);
  }
}

function rangeOf(random: Random, bytes: Buffer): Buffer {
  const start = random(bytes.length + 1);
  return bytes.subarray(start, start + random(bytes.length - start + 1));
}
