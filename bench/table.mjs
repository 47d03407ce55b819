// A Markdown table that is also readable in a terminal.

/** Returns the table. The first column is text, the others are numbers. */
export function table(header, rows) {
  const cells = [header, ...rows].map(row => row.map(cell => String(cell ?? '').replaceAll('|', '\\|')));
  const widths = header.map((_, column) => Math.max(3, ...cells.map(row => [...row[column]].length)));
  const line = row => `| ${row.map((cell, column) => pad(cell, widths[column], column)).join(' | ')} |`;
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [line(cells[0]), `| ${rule.join(' | ')} |`, ...cells.slice(1).map(line)].join('\n');
}

function pad(text, width, column) {
  const blanks = ' '.repeat(width - [...text].length);
  return column === 0 ? text + blanks : blanks + text;
}

/** Formats a number with two or three significant digits. Returns an empty string without a value. */
export function figure(value) {
  if (value === undefined) return '';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
