// This module reads a statement and its output so that they can be compared.
import { compare } from './compare.mjs';
import { renderMarkdown } from './markdown.mjs';
import { formulasOf, withJoins } from './marked.mjs';
import { mark } from './marks.mjs';
import { readPage } from './page.mjs';

/**
 * `kind` is 'html' for a page, 'md' for Markdown that may contain HTML; `base` is the address of the page. If the
 * source can be interpreted in several ways, the output may follow any of them, but only one.
 *
 * @returns {ReturnType<typeof compare>}
 */
export function judge({ kind, source, answer, base }) {
  // Markdown that is returned unchanged is always correct.
  const isKept = kind === 'md' && withoutInvisible(answer) === withoutInvisible(source);
  let best;
  for (const { page, ...rules } of meanings(kind, source, base)) {
    const result = compare(page, isKept ? page : readAnswer(rules.kind ?? kind, answer, base, rules));
    if (best === undefined || missesOf(result) < missesOf(best)) best = result;
    if (missesOf(best) === 0) break;
  }
  return best;
}

function withoutInvisible(text) {
  return text.replace(/\p{Cf}/gu, '');
}

/** Yields the most likely interpretation first. The others are used only if this one has misses. */
function* meanings(kind, source, base) {
  const page = readSource(kind, source, base, {});
  yield* withEitherJoin({ page, singleDollar: true });
  if (kind === 'md') {
    const rules = { hasMarkdownInBlocks: true };
    for (const each of [rules, { ...rules, hasLiteralCode: true }])
      yield* withEitherJoin({ page: readSource(kind, source, base, each), singleDollar: true, ...each });
    // Some Markdown files contain a whole HTML page.
    if (/^\s*<[a-z]/i.test(source))
      for (const meaning of meanings('html', source, base)) yield { ...meaning, kind: 'html' };
  } else if (source.includes('$')) {
    const without = readSource(kind, source, base, { singleDollar: false });
    const formulas = formulasOf(page.lines);
    // If the page has no formula between single dollars, single dollars in the output are text.
    if (formulas.some(mayBePrices) || formulasOf(without.lines).length === formulas.length)
      yield* withEitherJoin({ page: without, singleDollar: false });
  }
}

function* withEitherJoin({ page, ...rest }) {
  yield { page: withJoins(page, 'joined'), joins: 'joined', ...rest };
  const rows = [...page.lines, ...page.codes.map(code => code.text)];
  if (!rows.some(row => row.includes(mark.join))) return;
  yield { page: withJoins(page, 'apart'), joins: 'joined', ...rest };
  yield { page: withJoins(page, 'merged'), joins: 'merged', ...rest };
}

/** Returns whether `$5 and $6` may be two prices: there are words between them and no character that only TeX uses. */
function mayBePrices(tex) {
  return /\s*[\d.,]+[^\d\s.,]*\p{L}{2}/u.test(tex) && !/[\\^_{}<>=]/.test(tex);
}

function readSource(kind, source, base, { singleDollar = true, hasMarkdownInBlocks = false, hasLiteralCode = false }) {
  const options = { isLoose: true, hasEntities: true, hasMarkdownInBlocks, hasLiteralCode, singleDollar };
  return readPage(kind === 'md' ? renderMarkdown(source, options) : source, { base, pageAddress: base, singleDollar });
}

/** Addresses in Markdown stay unchanged, but relative addresses of a page must become absolute. */
function readAnswer(kind, answer, base, { singleDollar, hasMarkdownInBlocks, joins }) {
  const isLoose = kind === 'md';
  const html = renderMarkdown(answer, { isLoose, hasMarkdownInBlocks, singleDollar });
  const addresses = { base: isLoose ? base : undefined, pageAddress: base };
  return withJoins(readPage(html, { ...addresses, singleDollar }), joins);
}

function missesOf(result) {
  return Object.values(result).reduce((sum, { wrong = 0 }) => sum + wrong, 0);
}

export function isRight(result) {
  return missesOf(result) === 0;
}
