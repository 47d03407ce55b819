import { foldCaseAndAccents } from './fold.ts';
import { monthNumberOf } from './months.ts';

/** A complete date in a text: the characters as written, and the ISO form 2024-03-14. */
export interface WrittenDate {
  text: string;
  iso: string;
}

/**
 * The forms in which a date can be written. A date with slashes can begin with the day or with the month, so that it
 * matches two forms.
 */
const forms = [
  /(?<!\d)(?<year>(?:19|20)\d\d)(?<gap>[-_./])(?<month>\d\d?)\k<gap>(?<day>\d\d?)(?!\d)/gu,
  /(?<!\d)(?<year>(?:19|20)\d\d)(?<month>\d\d)(?<day>\d\d)(?!\d)/gu,
  /(?<!\d)(?<year>(?:19|20)\d\d) ?年 ?(?<month>\d\d?) ?月 ?(?<day>\d\d?)(?: ?日)?/gu,
  /(?<!\d)(?<day>\d\d?)(?<gap>[-_./] ?)(?<month>\d\d?)\k<gap>(?<year>(?:19|20)\d\d)(?!\d)/gu,
  /(?<!\d)(?<month>\d\d?)\/(?<day>\d\d?)\/(?<year>(?:19|20)\d\d)(?!\d)/gu,
  /(?<!\d)(?<day>\d\d?)(?:st|nd|rd|th)?\.?\s{1,2}(?:de |of )?(?<month>\p{L}{3,10})\.?,?\s{1,2}(?:de |del )?(?<year>(?:19|20)\d\d)(?!\d)/gu,
  /(?<!\p{L})(?<month>\p{L}{3,10})\.?\s{1,2}(?<day>\d\d?)(?:st|nd|rd|th)?,?\s{1,2}(?<year>(?:19|20)\d\d)(?!\d)/gu,
];

/** Returns the complete dates in a text, such as `2024-03-14`, `14.3.2024`, `14 March 2024` and `March 14, 2024`. */
export function findDates(text: string): WrittenDate[] {
  return forms.flatMap(form =>
    Array.from(text.matchAll(form)).flatMap(({ 0: written, groups = {} }) => {
      const month = Number(groups['month']) || (monthNumberOf(foldCaseAndAccents(groups['month'] ?? '')) ?? 0);
      const day = Number(groups['day']);
      if (month < 1 || month > 12 || day < 1 || day > 31) return [];
      const two = (number: number): string => String(number).padStart(2, '0');
      return [{ text: written, iso: `${groups['year'] ?? ''}-${two(month)}-${two(day)}` }];
    }),
  );
}

/**
 * Two lengths in characters: the longest text in a date before its year, with one character before it because no digit
 * may precede a date, and the longest date that begins with its year.
 */
const beforeYear = 29;
const afterYear = 14;

/** Returns whether the year at this offset of a text is part of the date `iso`, such as 2024-03-14. */
export function isYearOfDateAt(text: string, at: number, iso: string): boolean {
  const around = text.slice(Math.max(0, at - beforeYear), at + afterYear);
  return around.includes(String(Number(iso.slice(8)))) && findDates(around).some(date => date.iso === iso);
}

/**
 * Returns an artificial word for a date. It is added to the words of a file name that contains the date in any form,
 * and is searched if the query contains the date.
 */
export function createDateSearchWord(iso: string): string {
  return `\u0001date${iso}`;
}
