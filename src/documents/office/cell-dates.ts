/** The formats of dates that spreadsheets do not store (ECMA-376, 18.8.30). An empty format depends on the language. */
const builtInFormats: readonly (readonly [id: number, code: string])[] = [
  [15, 'd-mmm-yy'],
  [16, 'd-mmm'],
  [17, 'mmm-yy'],
  ...[14, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58].map(id => [id, 'yyyy-mm-dd'] as const),
];
/** Matches literal text, a colour or language in brackets, a filler, and a group of equal letters. */
const formatParts = /"([^"]*)"|\\(.)|\[[^\]]*\]|[_*].|am\/pm|a\/p|y+|m+|d+|[hs]+|general|standard|./gi;
const dayMs = 24 * 60 * 60 * 1000;
const maxSerial = 2_958_465;
const months = 'January February March April May June July August September October November December'.split(' ');
const days = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

/** Finds the dates in a workbook. A date is stored as a number in a cell whose style has a date format. */
export class CellDateFinder {
  /** True if day 0 is 1904-01-01 and not 1899-12-30. */
  is1904 = false;
  readonly #formats = new Map(builtInFormats.map(([id, code]) => [id, dateParts(code)]));
  /** The number of the format of each cell style. */
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

  /** Returns the date in ISO form, and as the cell shows it. Returns an empty string if the cell has no date. */
  textOf(style: number, serial: number): string {
    const shown = this.#formats.get(this.#styles[style] ?? 0);
    if (shown === undefined || !(serial >= 1 && serial <= maxSerial)) return '';
    const date = new Date(Date.UTC(1899, 11, 30) + (Math.floor(serial) + (this.is1904 ? 1462 : 0)) * dayMs);
    const iso = date.toISOString().slice(0, 10);
    // The time of day is left out. A format with hours or seconds is written in ISO form only, because its letter m can
    // mean minutes or months.
    const text = shown.some(part => /^[hs]/i.test(part)) ? iso : shown.map(part => formatPart(part, date)).join('');
    return text.trim() === iso ? iso : `${iso} ${text.trim()}`;
  }
}

/** Splits a format into groups of letters and literal text, which starts with a quotation mark. */
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
