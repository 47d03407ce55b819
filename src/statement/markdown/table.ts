import type { ConversionBudget } from '../budget.ts';
import { childElementsOf, type StatementElement } from '../html/node.ts';

const maxRows = 2000;
const maxSpan = 100;
/**
 * Column spans are ignored in a row with more columns, because the product of many spans could exceed the memory of the
 * process.
 */
const maxColumns = 1000;
// These escapes are removed in a table cell. They are needed only at the start of a line, and a cell never stands
// there.
const lineStartEscape = /^(\d{0,9})\\(?=[#>+.)=-]|\*$)/;
/** Matches the characters that must be escaped in a table cell. */
const touched = /[\n\\|]/;
const pipeCharacter = /(\\*)\|/g;
const maxRepeated = 2000;
const maxRepeatedLength = 200;

interface Row {
  readonly cells: readonly Cell[];
  readonly isHead: boolean;
  /** True if the row has several cells or a cell with content. An empty row with one cell only adds vertical space. */
  readonly isShown: boolean;
}

interface Cell {
  readonly markdown: string;
  /** The index of the cell's first column. Cells that span several rows or columns move the following cells. */
  readonly column: number;
  readonly width: number;
  /** True for a cell of an earlier row that extends into this row. */
  readonly isContinued: boolean;
}

/**
 * Returns a Markdown table in the GFM syntax. A table with a single cell becomes the content of this cell. A table
 * whose cells contain code blocks or tables becomes a series of sections.
 */
export function formatMarkdownTable(table: StatementElement, budget: ConversionBudget): string {
  const every = groupsOf(table).flatMap(rows => rowsOf(rows, budget));
  const rows = every.filter(({ cells }) => cells.some(({ markdown, isContinued }) => markdown !== '' && !isContinued));
  const all = rows.flatMap(({ cells }) => cells.filter(({ isContinued }) => !isContinued));
  if (all.length <= 1) return all[0]?.markdown ?? '';
  if (all.some(cell => holdsBlocks(cell.markdown))) return sections(rows);
  return grid(every.filter(({ isShown }) => isShown));
}

/**
 * Returns the rows of each row group. The first <thead> comes first and the first <tfoot> comes last, wherever they are
 * in the source.
 */
function groupsOf(table: StatementElement): (readonly StatementElement[])[] {
  const groups: StatementElement[][] = [];
  let head: StatementElement[] | undefined;
  let foot: StatementElement[] | undefined;
  let isLoose = false;
  for (const part of childElementsOf(table, 'ROW', 'ROWS', 'HEAD')) {
    const rows = part.nodeName === 'ROW' ? [part] : childElementsOf(part, 'ROW');
    if (part.nodeName === 'HEAD' && head === undefined) head = rows;
    else if (part.nodeName === 'ROWS' && part.number !== undefined && foot === undefined) foot = rows;
    // Rows outside of a row group form one group.
    else if (part.nodeName === 'ROW' && isLoose) groups.at(-1)?.push(part);
    else groups.push(rows);
    isLoose = part.nodeName === 'ROW';
  }
  return [head ?? [], ...groups, foot ?? []];
}

/** Assigns the cells of a row group to columns. No cell extends beyond its group. */
function rowsOf(group: readonly StatementElement[], budget: ConversionBudget): Row[] {
  const running = new Map<number, { readonly cell: Cell; left: number }>();
  return group.map(row => {
    const own = childElementsOf(row, 'CELL', 'HEADCELL');
    const cells: Cell[] = [];
    let column = 0;
    const passRunning = (): void => {
      for (let above = running.get(column); above !== undefined; above = running.get(column)) {
        above.left -= 1;
        if (above.left <= 0) running.delete(column);
        cells.push(above.cell);
        column += above.cell.width;
        budget.written.spend(above.cell.width);
      }
    };
    for (const { markdown, number = 1, rowSpan } of own) {
      passRunning();
      const isWide = column >= maxColumns;
      const cell = { markdown, column, width: isWide ? 1 : spanOf(number), isContinued: false };
      // A cell with `rowspan=0` extends to the end of its group, and `running` ends there.
      const height = rowSpan === 0 ? group.length : spanOf(rowSpan);
      if (height > 1 && !isWide) running.set(column, { cell: { ...cell, isContinued: true }, left: height - 1 });
      cells.push(cell);
      // The delimiter row below the column titles has six characters, `| --- `, for each column.
      budget.written.spend(6 * cell.width);
      column += cell.width;
    }
    for (const last = Math.max(-1, ...running.keys()); column <= last; column++) passRunning();
    const isHead = row.parentNode.nodeName === 'HEAD' || isHeading(own);
    return { cells, isHead, isShown: own.length > 1 || own.some(({ markdown }) => markdown !== '') };
  });
}

function isHeading(cells: readonly StatementElement[]): boolean {
  return cells.every(({ nodeName, markdown }) => nodeName === 'HEADCELL' || /^\*\*[^*]+\*\*$/.test(markdown));
}

function holdsBlocks(markdown: string): boolean {
  return /^(?:`{3,}|\| |#{1,6} )/m.test(markdown);
}

/** Old online judges arrange samples in tables. Each cell becomes a section whose title is the name of its column. */
function sections(rows: readonly Row[]): string {
  const [head] = rows;
  const names = new Map<number, string>();
  if (head?.isHead === true && rows.length > 1) {
    for (const { markdown, column, width } of head.cells) {
      for (let at = column; at < column + width; at++) names.set(at, markdown.replace(/^\*\*(.+)\*\*$/s, '$1'));
    }
  }
  const parts: string[] = [];
  for (const { cells } of names.size === 0 ? rows : rows.slice(1)) {
    for (const { markdown, column, isContinued } of cells) {
      if (isContinued) continue;
      const name = names.get(column) ?? '';
      if (name !== '') parts.push(`**${name}**`);
      if (markdown !== '') parts.push(markdown);
    }
  }
  return parts.join('\n\n');
}

function grid(rows: readonly Row[]): string {
  const lines = gridLines(rows.slice(0, maxRows));
  const width = lines.reduce((most, cells) => Math.max(most, cells.length), 0);
  const [first = [], ...others] = lines;
  const hasHead = rows[0]?.isHead === true;
  const head = hasHead ? first : [];
  const body = hasHead ? others : lines;
  const table = [
    tableLine(Array.from({ length: width }, (_, column) => head[column] ?? '')),
    `|${' --- |'.repeat(width)}`,
    ...body.map(tableLine),
  ].join('\n');
  const left = rows.length - maxRows;
  return left > 0 ? `${table}\n\n(${left} more rows)` : table;
}

/** Returns the text of a cell on one line. Except for `<br>`, Markdown has no syntax for a line break in a cell. */
function cellText(markdown: string): string {
  // A horizontal rule in a cell is omitted, because Markdown would show its hyphens as text.
  if (markdown === '---') return '';
  if (!touched.test(markdown)) return markdown;
  return splitNonBlankLines(markdown)
    .filter(line => line !== '---')
    .map(line => line.replace(lineStartEscape, '$1'))
    .join('<br>')
    .replace(pipeCharacter, (pipe, backslashes: string) => (backslashes.length % 2 === 1 ? pipe : `${backslashes}\\|`));
}

/**
 * Returns the cells of each row. A cell with a row span is repeated, and a cell with a column span is followed by empty
 * cells.
 */
function gridLines(rows: readonly Row[]): string[][] {
  const texts = new Map<string, string>();
  let repeated = 0;
  return rows.map(({ cells }) => {
    const line: string[] = [];
    for (const { markdown, column, width, isContinued } of cells) {
      while (line.length < column) line.push('');
      const isOmitted = isContinued && ++repeated > maxRepeated;
      const text = isOmitted ? '' : (texts.get(markdown) ?? cellText(markdown));
      if (isContinued) texts.set(markdown, text);
      line.push(isContinued && text.length > maxRepeatedLength ? '' : text);
      while (line.length < column + width) line.push('');
    }
    return line;
  });
}

function spanOf(count: number): number {
  return Math.min(Math.max(count, 1), maxSpan);
}

/**
 * Returns the lines that are not blank, trimmed. A regular expression for this would be quadratic in runs of white
 * space.
 */
export function splitNonBlankLines(text: string): string[] {
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');
}

function tableLine(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
