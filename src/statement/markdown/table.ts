import type { Budget } from '../budget.ts';
import { childrenOf, type StatementElement } from '../html/node.ts';

const maxRows = 2000;
const maxSpan = 100;
/**
 * Column spans are ignored in a wider row, because the product of many spans could exceed the memory of the process.
 */
const maxColumns = 1000;
// These escapes are removed. They are needed only at the start of a line, and a cell never stands there.
const lineStartEscape = /^(\d{0,9})\\(?=[#>+.)=-]|\*$)/;
/** These characters need an escape in a cell. */
const touched = /[\n\\|]/;
const pipeCharacter = /(\\*)\|/g;
const maxRepeated = 2000;
const maxRepeatedLength = 200;

interface Row {
  readonly cells: readonly StatementElement[];
  readonly isHead: boolean;
}

/** Returns a GFM table. A single cell becomes its content, and cells with code blocks or tables become sections. */
export function tableMarkdown(table: StatementElement, budget: Budget): string {
  const every = tableRows(table);
  const rows = every.filter(({ cells }) => cells.some(cell => cell.markdown !== ''));
  const all = rows.flatMap(({ cells }) => cells);
  if (all.length <= 1) return all[0]?.markdown ?? '';
  if (all.some(cell => holdsBlocks(cell.markdown))) return sections(rows);
  // An empty row with several cells belongs to a board or a matrix. An empty row with one cell is only spacing.
  return grid(
    every.filter(({ cells }) => cells.length > 1 || cells.some(cell => cell.markdown !== '')),
    budget,
  );
}

function tableRows(table: StatementElement): Row[] {
  return childrenOf(table, 'ROW', 'ROWS', 'HEAD').flatMap(part =>
    part.nodeName === 'ROW' ? rowOf(part) : childrenOf(part, 'ROW').map(rowOf),
  );
}

function rowOf(row: StatementElement): Row {
  const cells = childrenOf(row, 'CELL', 'HEADCELL');
  return { cells, isHead: row.parentNode.nodeName === 'HEAD' || isHeading(cells) };
}

function isHeading(cells: readonly StatementElement[]): boolean {
  return cells.every(({ nodeName, markdown }) => nodeName === 'HEADCELL' || /^\*\*[^*]+\*\*$/.test(markdown));
}

function holdsBlocks(markdown: string): boolean {
  return /^(?:`{3,}|\| |#{1,6} )/m.test(markdown);
}

/** Old judges arrange samples in tables: each cell becomes a section with the name of its column as title. */
function sections(rows: readonly Row[]): string {
  const names = rows[0]?.isHead === true && rows.length > 1 ? rows[0].cells.map(({ markdown }) => markdown) : [];
  const parts: string[] = [];
  for (const { cells } of names.length === 0 ? rows : rows.slice(1)) {
    cells.forEach(({ markdown }, column) => {
      const name = names[column]?.replace(/^\*\*(.+)\*\*$/s, '$1') ?? '';
      if (name !== '') parts.push(`**${name}**`);
      if (markdown !== '') parts.push(markdown);
    });
  }
  return parts.join('\n\n');
}

function grid(rows: readonly Row[], budget: Budget): string {
  const lines = gridLines(rows.slice(0, maxRows), budget);
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
  // A horizontal rule in a cell draws a line of the table. It is omitted, because its hyphens would be parsed as text.
  if (markdown === '---') return '';
  if (!touched.test(markdown)) return markdown;
  return nonBlankLines(markdown)
    .filter(line => line !== '---')
    .map(line => line.replace(lineStartEscape, '$1'))
    .join('<br>')
    .replace(pipeCharacter, (pipe, backslashes: string) => (backslashes.length % 2 === 1 ? pipe : `${backslashes}\\|`));
}

/**
 * Returns the cells of each row. A cell with a row span is repeated, and a cell with a column span is followed by empty
 * cells.
 */
function gridLines(rows: readonly Row[], budget: Budget): string[][] {
  const running = new Map<number, { text: string; left: number }>();
  let repeated = 0;
  return rows.map(({ cells }) => {
    const line: string[] = [];
    const fillRunning = (): void => {
      for (let above = running.get(line.length); above !== undefined; above = running.get(line.length)) {
        above.left -= 1;
        if (above.left <= 0 || ++repeated > maxRepeated) running.delete(line.length);
        line.push(above.text.length <= maxRepeatedLength ? above.text : '');
      }
    };
    for (const cell of cells) {
      fillRunning();
      const text = cellText(cell.markdown);
      const isWide = line.length >= maxColumns;
      const width = isWide ? 1 : span(cell.number);
      const left = isWide ? 0 : span(cell.rowSpan) - 1;
      // The delimiter row has six characters, `| --- `, for each column.
      budget.written.spend(6 * width);
      for (let column = 0; column < width; column++) {
        if (left > 0 && repeated < maxRepeated) running.set(line.length, { text: column === 0 ? text : '', left });
        line.push(column === 0 ? text : '');
      }
    }
    fillRunning();
    budget.written.spend(line.length);
    return line;
  });
}

function span(count: number | undefined): number {
  return Math.min(Math.max(count ?? 1, 1), maxSpan);
}

/**
 * Returns the lines that are not blank, trimmed. A regular expression for this would be quadratic in runs of white
 * space.
 */
export function nonBlankLines(text: string): string[] {
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');
}

function tableLine(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
