import { foldCaseAndAccents } from './fold.ts';

const names = [
  'january jan januar enero ene janvier janv gennaio janeiro januari',
  'february feb februar febrero fevrier fevr febbraio fevereiro februari',
  'march mar marz maerz marzo mars marco maart',
  'april apr abril abr avril avr aprile',
  'may mai mayo maggio maio mei',
  'june jun juni junio juin giugno junho',
  'july jul juli julio juillet juil luglio julho',
  'august aug agosto ago aout augustus',
  'september sep sept septiembre septembre settembre setembro',
  'october oct oktober okt octubre octobre ottobre outubro',
  'november nov noviembre novembre',
  'december dec dezember dez diciembre dic decembre dicembre dezembro',
];

const numbers: ReadonlyMap<string, number> = new Map(
  names.flatMap((list, index) =>
    foldCaseAndAccents(list)
      .split(' ')
      .map((name): [string, number] => [name, index + 1]),
  ),
);

const numerals = ['一', '二', '三', '四', '五', '六', '七', '八', '九', '十', '十一', '十二'];

/** Returns the Chinese and Japanese names of a month. */
export function createCjkMonthNames(month: number): string[] {
  return [`${month}月`, `${numerals[month - 1] ?? ''}月`];
}

/** Returns the number of the month whose name in one of several languages is this word, or undefined. */
export function monthNumberOf(word: string): number | undefined {
  const cjk = /^(.{1,2})月$/.exec(word)?.[1];
  if (cjk === undefined) return numbers.get(word);
  const month = numerals.indexOf(cjk) + 1 || Number(cjk);
  return Number.isInteger(month) && month >= 1 && month <= 12 ? month : undefined;
}

/**
 * Returns an artificial word that represents a month in file names. It begins with a control character, so that no real
 * word is equal to it.
 */
export function createMonthSearchWord(month: number): string {
  return `\u0001month${String(month).padStart(2, '0')}`;
}

const date = /(?:19|20)\d\d([-_. ]?)(?:0[1-9]|1[0-2])(?:\1(?:0[1-9]|[12]\d|3[01]))?(?!\d)/g;
const dayFirst = /(?<!\d)(?:0[1-9]|[12]\d|3[01])[-_. ](0[1-9]|1[0-2])[-_. ]((?:19|20)\d\d)(?!\d)/g;

/**
 * Returns the year, month and day in the dates of a file name, such as `2025-03-14`, `IMG_20250314` and `14.03.2025`.
 */
export function extractDateWords(name: string): string[] {
  const found: string[] = [];
  for (const [text] of name.matchAll(date)) {
    const digits = text.replace(/\D/g, '');
    const month = Number(digits.slice(4, 6));
    found.push(digits.slice(0, 4), String(month), createMonthSearchWord(month));
    if (digits.length === 8) found.push(String(Number(digits.slice(6))));
  }
  for (const [, month] of name.matchAll(dayFirst)) found.push(createMonthSearchWord(Number(month)));
  return found;
}
