// A statement and an answer, as readings that can be compared.
import { compare } from './compare.mjs';
import { renderMarkdown } from './markdown.mjs';
import { readPage } from './page.mjs';

/** `kind` is 'html' for a page, 'md' for Markdown that may contain HTML. */
export function judge({ kind, source, answer, base }) {
  if (answer === source) return judgeUnchanged(kind, source, base);
  const best = judgeWith({ kind, source, answer, base, singleDollar: true });
  if (isRight(best) || !/\$/.test(source)) return best;
  // Whether `$5 and $6` is a formula, nobody knows: it counts as right if the answer means the same under either rule.
  const other = judgeWith({ kind, source, answer, base, singleDollar: false });
  return other.text.wrong < best.text.wrong ? other : best;
}

/** Markdown that came back byte for byte: right, whatever it says. */
function judgeUnchanged(kind, source, base) {
  const reading = readSource(kind, source, base, true);
  return compare(reading, kind === 'md' ? reading : readAnswer(kind, source, base, true));
}

function judgeWith({ kind, source, answer, base, singleDollar }) {
  return compare(readSource(kind, source, base, singleDollar), readAnswer(kind, answer, base, singleDollar));
}

function readSource(kind, source, base, singleDollar) {
  const html = kind === 'md' ? renderMarkdown(source, { isLoose: true, hasEntities: true, singleDollar }) : source;
  return readPage(html, { base, singleDollar });
}

/** Markdown keeps the addresses it has; those of a page must be whole. */
function readAnswer(kind, answer, base, singleDollar) {
  const isLoose = kind === 'md';
  const html = renderMarkdown(answer, { isLoose, hasEntities: false, singleDollar });
  return readPage(html, { base: isLoose ? base : undefined, singleDollar });
}

export function isRight(result) {
  return Object.values(result).every(category => category.wrong === undefined || category.wrong === 0);
}
