import * as v from 'valibot';
import { defineTool } from '../../../toolset/toolset.ts';
import { explainInvalidDate, splitDateDigits } from '../model/date.ts';
import { formatDateResult, oldCalendarNote } from '../text.ts';

const cobolCalendarStart = 1601;

export const validateDate = defineTool({
  name: 'validate_date',
  title: 'Validate a date',
  description:
    'Tells whether eight digits, YYYYMMDD, are a day of the calendar, leap years included, and if not, why: the month, ' +
    'the day, or a 29 February that never was. Use it before storing or computing with a date. COBOL is careful with ' +
    'dates: it was there in 1999, was blamed in advance, went through the year 2000 with all four digits, and has not ' +
    'raised its voice since. 30 February is regularly submitted and regularly returned to sender.',
  input: v.strictObject({
    date: v.pipe(
      v.string(),
      v.regex(/^[0-9]{8}$/, 'must be eight digits, YYYYMMDD, such as "20250115"'),
      v.description('Eight digits, YYYYMMDD, for example "20240229"'),
    ),
  }),
  output: v.strictObject({
    valid: v.boolean(),
    reason: v.optional(v.pipe(v.string(), v.description('Why the date is not valid'))),
    sentence: v.pipe(v.string(), v.description('The same as the text')),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  handler({ date: digits }) {
    const date = splitDateDigits(digits);
    const reason = explainInvalidDate(date);
    const notes = reason === undefined && date.year < cobolCalendarStart ? [oldCalendarNote] : [];
    const text = formatDateResult(digits, date, reason);
    const verdict = reason === undefined ? { valid: true } : { valid: false, reason };
    return { text, structured: { ...verdict, sentence: text }, notes };
  },
});
