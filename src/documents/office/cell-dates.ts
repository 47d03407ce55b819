/**
 * The built-in date formats, which spreadsheets refer to by number (ECMA-376, 18.8.30). An empty format depends on the
 * language of the user.
 */
const builtInFormats: readonly (readonly [id: number, code: string])[] = [
  [15, 'd-mmm-yy'],
  [16, 'd-mmm'],
  [17, 'mmm-yy'],
  ...[14, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58].map(id => [id, 'yyyy-mm-dd'] as const),
];
/**
 * Matches a part of a cell format: literal text, a colour or language in brackets, a filler, or a group of equal
 * letters.
 */
const formatParts = /"([^"]*)"|\\(.)|\[[^\]]*\]|[_*].|am\/pm|a\/p|y+|m+|d+|[hs]+|general|standard|./gi;
const dayMs = 24 * 60 * 60 * 1000;
const maxSerial = 2_958_465;
const months = 'January February March April May June July August September October November December'.split(' ');
const days = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

/** Finds the dates in a workbook. A date is stored as a number in a cell whose style has a date format. */
export class CellDateFinder {
  /** True if the workbook counts days from 1904-01-01 and not from 1899-12-30. */
  is1904 = false;
  readonly #formats = new Map(builtInFormats.map(([id, code]) => [id, dateParts(code)]));
  /** Maps the index of a cell style to the number of its format. */
  readonly #styles: number[] = [];

  addFormat(id: number, code: string): void {
    const parts = dateParts(code);
    if (parts.some(part => /^(?:y+|d+|m{3,})$/i.test(part))) this.#formats.set(id, parts);
    else this.#formats.delete(id);
  }

  addStyle(format: number): void {
    this.#styles.push(format);
  }

  isDate(style: number): boolean {
    return this.#formats.has(this.#styles[style] ?? 0);
  }

  /** Returns the date in ISO form and in the form of the cell. Returns an empty string if the cell has no date. */
  textOf(style: number, serial: number): string {
    const shown = this.#formats.get(this.#styles[style] ?? 0);
    const dayNumber = Math.floor(serial) + (this.is1904 ? 1462 : 0);
    if (shown === undefined || !(serial >= 1 && dayNumber <= maxSerial)) return '';
    const date = new Date(Date.UTC(1899, 11, 30) + dayNumber * dayMs);
    const iso = date.toISOString().slice(0, 10);
    // The time of day is left out. A date whose format has hours or seconds is written only in ISO form, because the
    // letter m in the format can mean minutes or months.
    const text = shown.some(part => /^[hs]/i.test(part)) ? iso : shown.map(part => formatPart(part, date)).join('');
    return text.trim() === iso ? iso : `${iso} ${text.trim()}`;
  }
}

/** Splits a cell format into groups of equal letters and literal text. Literal text starts with a quotation mark. */
function dateParts(code: string): string[] {
  const [positive = ''] = code.split(';', 1);
  return Array.from(positive.slice(0, 255).matchAll(formatParts), ([part, quoted, escaped]) => {
    if (quoted !== undefined || escaped !== undefined) return `"${quoted ?? escaped ?? ''}`;
    return /^(?:[[_*]|am\/pm|a\/p|general|standard)/i.test(part) ? '' : part;
  });
}

function formatPart(part: string, date: Date): string {
  const { length } = part;
  const letter = part.charAt(0).toLowerCase();
  if (letter === '"') return part.slice(1);
  if (letter === 'y') return String(date.getUTCFullYear()).slice(length <= 2 ? 2 : 0);
  if (letter !== 'm' && letter !== 'd') return part;
  const number = letter === 'm' ? date.getUTCMonth() + 1 : date.getUTCDate();
  if (length <= 2) return String(number).padStart(length, '0');
  const name = (letter === 'm' ? months[date.getUTCMonth()] : days[date.getUTCDay()]) ?? '';
  return length === 3 ? name.slice(0, 3) : name;
}
