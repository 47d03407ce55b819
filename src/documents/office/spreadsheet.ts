import { findAttributeValues, findStartTag, findTagEnd, removeElements, unescapeMarkup } from '../markup.ts';
import { undefinedIfUnreadable } from '../unreadable.ts';
import { CellDateFinder } from './cell-dates.ts';
import type { ZipFile } from './zip.ts';

const maxTagLength = 500;
const maxPrologLength = 5000;

export function listSheetNames(workbook: string): string {
  return findAttributeValues(workbook, /<(?:\w+:)?sheet\s[^<>]*?\bname=(?:"([^"<]*)"|'([^'<]*)')/g);
}

/** Determines which cell styles of a workbook are date formats. */
export function readCellDateFormats(zip: ZipFile): CellDateFinder {
  const dates = new CellDateFinder();
  const read = (name: string): string => {
    const member = zip.member(name);
    return (member && undefinedIfUnreadable(() => zip.text(member))) ?? '';
  };
  dates.is1904 = /<(?:\w+:)?workbookPr\s[^<>]*?\bdate1904=["'](?:1|true)/.test(read('xl/workbook.xml'));
  const styles = read('xl/styles.xml');
  for (const [tag] of styles.matchAll(/<(?:\w+:)?numFmt\s[^<]*/g)) {
    const code = /\sformatCode=(?:"([^"]*)"|'([^']*)')/.exec(tag);
    dates.addFormat(numberIn(tag, formatAttribute), unescapeMarkup(code?.[1] ?? code?.[2] ?? ''));
  }
  const cells = /<(?:\w+:)?cellXfs[\s>].*?<\/(?:\w+:)?cellXfs>/s.exec(styles)?.[0] ?? '';
  for (const [tag] of cells.matchAll(/<(?:\w+:)?xf\s[^<>]*/g)) dates.addStyle(numberIn(tag, formatAttribute));
  return dates;
}

const formatAttribute = /\snumFmtId=["'](\d+)/;
const styleAttribute = /\ss=["'](\d+)/;

/** Returns the number in the value of an attribute, or 0 if the element lacks the attribute. */
function numberIn(tag: string, attribute: RegExp): number {
  return Number(attribute.exec(tag)?.[1] ?? 0);
}

/**
 * Removes formulas, and cells of type `s`, because they contain indexes into the table of strings. Adds the dates of
 * cells that store a number and show a date.
 */
export function replaceFormulasByCellValues(sheet: string, dates: CellDateFinder | undefined): string {
  const prefix = /<(\w+:)?worksheet[\s>]/.exec(sheet.slice(0, maxPrologLength))?.[1] ?? '';
  const rest = removeElements(sheet, [`${prefix}f`]);
  const cell = `${prefix}c`;
  const pieces: string[] = [];
  let at = 0;
  for (let open = findStartTag(rest, cell, 0); open !== -1; open = findStartTag(rest, cell, Math.max(at, open + 1))) {
    const end = findTagEnd(rest, open);
    if (end === -1) break;
    const tag = rest.slice(open, Math.min(end, open + maxTagLength));
    const [, type = 'n'] = /\st=["'](\w+)["']/.exec(tag) ?? [];
    const date = type === 'n' ? dateAfter(rest, end, numberIn(tag, styleAttribute), dates) : '';
    if (type !== 's' && date === '') continue;
    pieces.push(rest.slice(at, open), date);
    if (type !== 's') at = open;
    else {
      const close = rest[end - 1] === '/' ? end + 1 : rest.indexOf(`</${cell}>`, end);
      at = close === -1 ? rest.length : close;
    }
  }
  return pieces.join('') + rest.slice(at);
}

const maxNumberLength = 100;

/**
 * Returns the date of a cell, or an empty string. The start tag of the cell ends at this offset, and the end tag of a
 * removed formula can be before the value.
 */
function dateAfter(sheet: string, end: number, style: number, dates: CellDateFinder | undefined): string {
  if (dates?.isDate(style) !== true) return '';
  const [, value] =
    /^>\s*(?:<\/(?:\w+:)?f>\s*)?<(?:\w+:)?v>([^<]*)</.exec(sheet.slice(end, end + maxNumberLength)) ?? [];
  const text = dates.textOf(style, Number(value));
  return text === '' ? '' : `<br/>${text.replace(/[<>&]/g, ' ')}`;
}
