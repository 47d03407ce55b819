// This module compares tables row by row and cell by cell.
import { plain } from './marks.mjs';
import { compareRows, isSameLine, quote } from './rows.mjs';

export function compareTables(page, answer) {
  const [tables, answered] = [page, answer].map(each => each.map(withoutEmptyRows));
  return compareRows(tables, answered, { isSame: isSameTable, describe: tableDifference });
}

/** A table without a header row gets an empty one in Markdown. */
function withoutEmptyRows(table) {
  return table.filter(row => row.some(cell => cell.text !== ''));
}

function isSameTable(page, answer) {
  return page.length === answer.length && page.every((row, index) => differentColumn(row, answer[index]) === -1);
}

function differentColumn(row, answered) {
  for (let column = 0; column < Math.max(row.length, answered.length); column++) {
    const cell = row[column] ?? { text: '', isRepeated: false };
    const text = plain(answered[column]?.text ?? '');
    if (!isSameLine(plain(cell.text), text) && !(cell.isRepeated && text === '')) return column;
  }
  return -1;
}

function tableDifference(page, answer) {
  if (page === undefined) return `${quote(rowText(answer[0]))} became a table`;
  if (answer === undefined) return `the table ${quote(rowText(page[0]))} is none`;
  for (let row = 0; row < Math.max(page.length, answer.length); row++) {
    if (page[row] === undefined || answer[row] === undefined) return `${page.length} rows became ${answer.length}`;
    const column = differentColumn(page[row], answer[row]);
    if (column !== -1)
      return `row ${row + 1}, cell ${column + 1}: ${quote(page[row][column]?.text)} became ${quote(answer[row][column]?.text)}`;
  }
  return 'the same';
}

function rowText(row) {
  return row?.map(cell => cell.text).join(' | ');
}
