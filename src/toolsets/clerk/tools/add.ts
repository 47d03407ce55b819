import * as v from 'valibot';
import { defineTool } from '../../../toolset/toolset.ts';
import { NumberArgument } from '../model/argument.ts';
import { addDecimals, formatDecimal, readDecimal } from '../model/decimal.ts';
import { createLostDigitsNotes, formatSum } from '../text.ts';

export const add = defineTool({
  name: 'add',
  title: 'Add two numbers',
  description:
    'Adds two numbers exactly, in the manner of COBOL: 0.1 + 0.2 is 0.3, a result floating point still has under ' +
    'review. Use it whenever a sum has to be right to the last digit. Takes JSON numbers or numeric strings; send ' +
    'numbers of more than 15 digits as strings, because JSON numbers lose the rest. Holds 38 digits; what needs more ' +
    'is a SIZE ERROR, never a wrong number. Payrolls have been added up like this since 1959, and payroll is where ' +
    'people check. No punched cards are folded, spindled or mutilated.',
  input: v.strictObject({
    a: v.pipe(NumberArgument, v.description('The first number, for example 12.5 or "12.50"')),
    b: v.pipe(NumberArgument, v.description('The second number')),
  }),
  output: v.strictObject({
    sum: v.pipe(v.string(), v.description('In plain decimal notation')),
    sentence: v.pipe(v.string(), v.description('The same as the text')),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  handler({ a, b }) {
    const left = readDecimal('a', a);
    const right = readDecimal('b', b);
    const sum = addDecimals(left, right);
    const text = formatSum(left, right, sum);
    return { text, structured: { sum: formatDecimal(sum), sentence: text }, notes: createLostDigitsNotes({ a, b }) };
  },
});
