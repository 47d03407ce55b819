// This module reads tables as rows of cells and repeats cells that span several rows or columns.
import { severalLines } from './flow.mjs';
import { mark } from './marks.mjs';
import { attribute, isHidden } from './sight.mjs';

export function readTable(node, context) {
  const { flow, reading } = context;
  const table = [];
  const at = reading.tables.push(table);
  const samples = reading.samples.length;
  const items = reading.items.length;
  const spans = [];
  const start = flow.begin();
  for (const child of node.childNodes) {
    if (child.tagName === 'caption') context.walk(child, context);
  }
  for (const row of rowsOf(node)) readRow(row, table, spans, context);
  const hasBlocks = reading.samples.length > samples || reading.items.length > items || reading.tables.length > at;
  const isEmpty = table.every(row => row.every(cell => cell.text === ''));
  // The table is only used for layout, because a Markdown cell cannot contain a sample, a list or another table.
  if (hasBlocks || isEmpty || table.every(row => row.length <= 1)) {
    reading.tables.splice(at - 1, 1);
    flow.breakCells(start);
    // The output may show the samples of a layout table one after the other, each below the names of its row and
    // column.
    for (const row of table) for (const cell of row) if (hasBlocks) reading.names.add(cell.text);
  } else {
    flow.joinLines(start);
  }
  flow.breakLine();
}

function rowsOf(node) {
  return node.childNodes.flatMap(child =>
    child.tagName === 'tr'
      ? isHidden(child)
        ? []
        : [child]
      : /^t(head|body|foot)$/.test(child.tagName)
        ? rowsOf(child)
        : [],
  );
}

function readRow(node, table, spans, context) {
  const { flow } = context;
  const row = [];
  flow.breakLine();
  const fill = () => {
    for (; spans[row.length]?.rows > 0; ) {
      const { text } = spans[row.length];
      spans[row.length].rows--;
      flow.optional(text);
      flow.add(mark.cell);
      row.push({ text, isRepeated: true });
    }
  };
  for (const cell of node.childNodes) {
    if (cell.tagName !== 'td' && cell.tagName !== 'th') continue;
    fill();
    const start = flow.begin();
    context.walkChildren(cell, { ...context, isCell: true });
    const text = severalLines(flow.since(start));
    const rows = Math.min(Number.parseInt(attribute(cell, 'rowspan'), 10) || 1, 1000) - 1;
    const columns = Math.min(Math.max(Number.parseInt(attribute(cell, 'colspan'), 10) || 1, 1), 100);
    for (let column = 0; column < columns; column++) {
      spans[row.length] = { rows, text: column === 0 ? text : '' };
      row.push({ text: column === 0 ? text : '', isRepeated: column > 0 });
    }
    flow.add(mark.cell);
  }
  fill();
  if (row.length > 0) table.push(row);
}
