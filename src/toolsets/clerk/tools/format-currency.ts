import * as v from 'valibot';
import { defineTool } from '../../../toolset/toolset.ts';
import { NumberArgument } from '../model/argument.ts';
import { printAmount } from '../model/currency.ts';
import { readDecimal } from '../model/decimal.ts';
import { createLostDigitsNotes, formatCurrencyResult, lostSignNote } from '../text.ts';

export const formatCurrency = defineTool({
  name: 'format_currency',
  title: 'Format an amount of money',
  description:
    'Prints an amount as US currency, $1,234.56, through a COBOL PICTURE clause. Use it for amounts in letters, tables ' +
    'and cheques. Amounts are ROUNDED to cents, halves away from zero, and the answer says so; negative ones get a ' +
    'trailing minus. Another layout comes with `picture`: 9 is a digit, Z a digit or blank, * a digit or star, two or ' +
    'more of $ + - float up to the first digit, CR or DB mark negative amounts, and , . B 0 / are inserted. An amount ' +
    'that does not fit is a SIZE ERROR, never cut. It knew where the commas go before there were screens to put them ' +
    'on, no library has ever been needed, and it is the only formatter that draws a pension.',
  input: v.strictObject({
    amount: v.pipe(NumberArgument, v.description('The amount, for example 1234567.89 or "1234567.89"')),
    picture: v.optional(
      v.pipe(
        v.string(),
        v.maxLength(200, 'must have at most 200 characters'),
        v.description(
          'A COBOL PICTURE such as $$$,$$9.99CR, $**,**9.99 or ZZ,ZZ9.99 BLANK WHEN ZERO; left out: dollars and cents, as wide as needed',
        ),
      ),
    ),
  }),
  output: v.strictObject({
    formatted: v.pipe(v.string(), v.description('The amount as printed')),
    field: v.pipe(v.string(), v.description('The whole printed field, padding included, for columns that line up')),
    picture: v.pipe(v.string(), v.description('The PICTURE it was printed through')),
    rounded: v.pipe(v.boolean(), v.description('Whether decimals were rounded away')),
    sentence: v.pipe(v.string(), v.description('The same as the text')),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  handler({ amount, picture }) {
    const value = readDecimal('amount', amount);
    const currency = printAmount(value, picture);
    const { field, picture: clause, rounded } = currency;
    const notes = [...(currency.isSignLost ? [lostSignNote] : []), ...createLostDigitsNotes({ amount })];
    const text = formatCurrencyResult(value, currency);
    return { text, structured: { formatted: field.trim(), field, picture: clause, rounded, sentence: text }, notes };
  },
});
