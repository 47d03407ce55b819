// This module compares the reading of a page with that of its converted output, category by category.
import { compareTables } from './cells.mjs';
import { formulasOf, scriptsOf } from './marked.mjs';
import { mark, optionalPart, plain } from './marks.mjs';
import { compareRows, ofLines, ofSamples, sureOrNot } from './rows.mjs';
import { compareText, wordsOf } from './words.mjs';

/** The categories in the order of the report. */
export const categories = [
  'text',
  'scripts',
  'formulas',
  'samples',
  'code',
  'tables',
  'lists',
  'images',
  'links',
  'headings',
  'lines',
  'marks',
];

/**
 * Returns `{ text: { total, wrong, misses: [sentence] }, …, stars }`. `stars` is the number of asterisks of emphasis
 * that a renderer shows literally.
 */
export function compare(page, answer) {
  const [before, after] = [page, answer].map(comparable);
  const names = new Set([...page.names].flatMap(name => name.split('\n')).map(plain));
  const nameFormulas = new Set(formulasOf([...page.names]));
  const { stars, ...text } = compareText(wordsOf(page.lines, names), wordsOf(answer.lines, names), names);
  return {
    text,
    // Superscripts and subscripts that the author wrote as TeX may stay text, but the output must not contain others.
    scripts: compareRows(before.scripts, after.scripts, sureOrNot),
    formulas: compareRows(before.formulas, after.formulas, { mayRepeat: formula => nameFormulas.has(formula) }),
    samples: compareRows(page.samples, answer.samples, ofSamples),
    // Text in a monospace font without a code element may be code in the output.
    code: compareRows(before.codes, after.codes, sureOrNot),
    tables: compareTables(page.tables, answer.tables),
    lists: compareRows(before.items, after.items, ofLines),
    images: compareRows(page.images, answer.images),
    links: compareRows(before.links, after.links, { ...ofLines, mayRepeat: link => link.startsWith('iframe → ') }),
    headings: compareRows(before.headings, after.headings, ofLines),
    lines: compareRows(before.lines, after.lines, {
      ...ofLines,
      mayRepeat: line => names.has(line.replaceAll('*', '')),
    }),
    marks: compareHiddenMarks(page.lines, answer.lines),
    stars,
  };
}

/**
 * Returns the notes `(possibly hidden: …)` that only the output contains. They are errors, because real statements hide
 * no text.
 */
function compareHiddenMarks(page, answer) {
  const count = lines => lines.join('\n').split('(possibly hidden: ').length - 1;
  const wrong = Math.max(0, count(answer) - count(page));
  return { total: count(answer), wrong, misses: wrong === 0 ? [] : [`${wrong} unfounded marks of hidden text`] };
}

/**
 * Returns the content of a page in a form that can be compared, with the same notation for all superscripts and
 * subscripts.
 */
function comparable({ lines, codes, items, links, headings }) {
  return {
    scripts: scriptsOf(lines),
    formulas: formulasOf(lines),
    codes: codes.map(code => ({ ...code, text: plain(code.text) })),
    items: items.map(({ depth, marker, text }) => `${'› '.repeat(depth - 1)}${marker} ${plain(text)}`),
    links: links.map(plain),
    headings: headings.map(plain),
    // Table rows are compared separately, as tables.
    lines: lines.filter(line => !line.includes(mark.cell) && plain(line.replace(optionalPart, '')) !== '').map(plain),
  };
}
