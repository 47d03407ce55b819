// This module compares rows of any kind in their order.
import { diff } from './diff.mjs';
import { legible, mark, optionalPart } from './marks.mjs';

/** `isSure` marks rows that the output must contain. `mayRepeat` marks rows that may occur once more. */
export function compareRows(
  page,
  answer,
  { isSame = isEqual, describe = became, isSure = () => true, mayRepeat = () => false } = {},
) {
  const misses = [];
  for (const hunk of diff(page, answer, isSame)) {
    const lost = hunk.lost.filter(row => isSure(row) && !mayRepeat(row));
    const added = hunk.added.filter(row => !mayRepeat(row));
    const count = Math.max(lost.length, added.length);
    for (let index = 0; index < count; index++) misses.push(describe(lost[index], added[index]));
  }
  return { total: page.filter(isSure).length, wrong: misses.length, misses };
}

function isEqual(a, b) {
  return a === b;
}

/** Compares rows `{ text, isSure }`. */
export const sureOrNot = {
  isSame: (a, b) => a.text === b.text,
  describe: (lost, added) => became(lost?.text, added?.text),
  isSure: row => row.isSure,
};

/** Compares lines of text without literal asterisks and without spaces next to formulas. */
export const ofLines = { isSame: isSameLine };

/** Matches a space next to a formula, which some renderers require. */
const formulaEdge = new RegExp(` ?([${mark.formulaOpen}${mark.formulaClose}]) ?`, 'gu');

/** Optional words may be present or absent. */
export function isSameLine(page, answer) {
  if (page === answer) return true;
  const lines = [page.replace(optionalPart, ' '), page.replace(optionalEdge, ' '), page.replace(optionalEdge, '')];
  return lines.some(line => isSameText(line, answer));
}

/**
 * CommonMark does not parse emphasis next to a letter or a full-width character, so that literal asterisks are accepted
 * there.
 */
function isSameText(page, answer) {
  const [line, other] = [page, answer].map(each => each.replace(formulaEdge, '$1').replace(/ {2,}/g, ' ').trim());
  if (line === other) return true;
  return other.replaceAll('*', '') === line.replaceAll('*', '') && other.split('*').length > line.split('*').length;
}

const optionalEdge = new RegExp(`[${mark.optionalOpen}${mark.optionalClose}]`, 'g');

export const ofSamples = { isSame: isSameSample, describe: firstDifference };

/** Optional words may be present or absent. */
function isSameSample(page, answer) {
  return isSameSampleText(page, answer) || isSameSampleText(page.replace(optionalPart, '').trimEnd(), answer);
}

function isSameSampleText(page, answer) {
  if (!page.includes(mark.edge)) return page === answer;
  return withoutEmptyLines(page.replaceAll(mark.edge, '')) === withoutEmptyLines(answer);
}

function withoutEmptyLines(text) {
  return text
    .replace(/\n\s*(?=\n)/g, '')
    .replace(/^\s*\n/, '')
    .trimEnd();
}

function firstDifference(lost, added) {
  if (lost === undefined || added === undefined) return became(lost, added);
  let at = 0;
  while (at < lost.length && lost[at] === added[at]) at++;
  const from = Math.max(0, at - 20);
  return `at ${at}: ${became(lost.slice(from, at + 40), added.slice(from, at + 40))}`;
}

export function became(lost, added) {
  return `${quote(lost)} became ${quote(added)}`;
}

export function quote(text) {
  return text === undefined ? 'nothing' : JSON.stringify(legible(text));
}
