import assert from 'node:assert/strict';
import { type Outcome, openTools } from '../../../fuzz/open-tools.ts';
import { ChoiceReader, defineTarget } from '../../../fuzz/target.ts';

const tools = openTools('clerk', {});

export const target = defineTarget({
  name: 'clerk',
  corpus: [
    '\x000.1\x000.2',
    '\x00-99999999999999999999999999999999999999\x001',
    '\x001e3\x00-.5E-2',
    '\x00 12.\x00+0001.50',
    '\x0120240229',
    '\x0119000229',
    '\x0120251301',
    '\x021234567.895\x00',
    '\x02-0.005\x00$$$,$$9.99CR',
    '\x020\x00ZZ,ZZ9.99 BLANK WHEN ZERO',
    '\x0212.5\x00$**,**9.99DB',
  ],
  dictionary: [
    ...'.|-|+|e|E|0|00|9|99|e38|e-38|.5|,|$|Z|*|B|/|CR|DB|(9)|9(4)|V|S|BLANK WHEN ZERO|2024|0229|1231|0000'.split('|'),
    '\0',
  ],
  mutations: 1000,
  async run(bytes) {
    const choice = new ChoiceReader(bytes);
    switch (choice.below(3)) {
      case 0:
        return await checkSum(choice.field().toString(), choice.field().toString());
      case 1:
        return await checkDate(choice.rest().toString());
      default:
        return await checkCurrency(choice.field().toString(), choice.field().toString());
    }
  },
});

/** An exact decimal is `units` divided by ten to the power of `scale`. */
interface Exact {
  units: bigint;
  scale: number;
}

/**
 * Parses a decimal number. The code is independent of the program. Returns undefined if the text is not a number or its
 * exponent is large.
 */
function exactOf(text: string): Exact | undefined {
  const [mantissa = '', exponent = '0', ...more] = text.trim().toLowerCase().split('e');
  const [whole = '', fraction = '', ...others] = mantissa.replace(/^[+-]/, '').split('.');
  const digits = whole + fraction;
  if (more.length + others.length > 0 || !/^[0-9]+$/.test(digits) || !/^[+-]?[0-9]{1,3}$/.test(exponent))
    return undefined;
  const power = Number(exponent);
  const size = BigInt(digits) * 10n ** BigInt(Math.max(0, power));
  return { units: mantissa.startsWith('-') ? -size : size, scale: fraction.length + Math.max(0, -power) };
}

function isEqual(left: Exact, right: Exact): boolean {
  return left.units * 10n ** BigInt(right.scale) === right.units * 10n ** BigInt(left.scale);
}

async function checkSum(a: string, b: string): Promise<Outcome> {
  const outcome = await (await tools).call('add', { a, b });
  if (outcome.isError) return outcome;
  const [left, right] = [exactOf(a), exactOf(b)];
  const sum = exactOf(String(outcome.structured['sum']));
  assert.ok(sum !== undefined, 'the sum is not a number');
  if (left === undefined || right === undefined) return outcome; // a large exponent, which the program reads as 0 or rejects
  const scale = left.scale + right.scale;
  const units = left.units * 10n ** BigInt(right.scale) + right.units * 10n ** BigInt(left.scale);
  assert.ok(isEqual(sum, { units, scale }), 'the sum differs from that of BigInt');
  return outcome;
}

async function checkDate(date: string): Promise<Outcome> {
  const outcome = await (await tools).call('validate_date', { date });
  assert.equal(outcome.isError, !/^[0-9]{8}$/.test(date), 'eight digits are a date, and nothing else is');
  if (outcome.isError) return outcome;
  const [year, month, day] = [Number(date.slice(0, 4)), Number(date.slice(4, 6)), Number(date.slice(6))];
  const read = new Date(0);
  read.setUTCFullYear(year, month - 1, day);
  const isDay = read.getUTCFullYear() === year && read.getUTCMonth() === month - 1 && read.getUTCDate() === day;
  assert.equal(outcome.structured['valid'], isDay, 'the verdict differs from that of Date');
  return outcome;
}

async function checkCurrency(amount: string, picture: string): Promise<Outcome> {
  const outcome = await (await tools).call('format_currency', { amount, ...(picture !== '' && { picture }) });
  if (outcome.isError || picture !== '') return outcome;
  const exact = exactOf(amount);
  const printed = exactOf(
    String(outcome.structured['formatted'])
      .replace(/^\$|[,]/g, '')
      .replace(/^(.*)-$/, '-$1'),
  );
  assert.ok(printed !== undefined, 'the printed amount is not a number');
  if (exact === undefined) return outcome;
  // The error is counted in thousandths of a cent, so that half a cent is an integer.
  const factor = 10n ** BigInt(exact.scale);
  const error = printed.units * 10n * factor - exact.units * 1000n;
  assert.ok(error * 2n <= 10n * factor && error * -2n <= 10n * factor, 'the amount is not rounded to the nearest cent');
  return outcome;
}
