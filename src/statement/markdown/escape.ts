import { isScriptWithoutBraces } from '../html/literal.ts';

const special = /[\\`*_<&\]~$]/;
const markCharacter = /[*_`~$]/;
const markRun = /\*+|_+|`+|~~+|\$+/g;
// Matches text that looks like markup: a backslash that Markdown or a formula renderer would remove, or the start of a
// tag, an autolink or an entity. `0<N<=100` does not match.
const looksLikeMarkup =
  /\\(?=[!-#%-/:-@[-`{-~]|$|\n)|<(?=[/!?]|[a-zA-Z][a-zA-Z0-9-]*(?:[\s/>]|$)|[a-zA-Z][a-zA-Z0-9+.-]{1,31}:|[\w.+-]{1,60}@)|&(?=#?\w{1,40};)|\](?=\()/g;
const lineStart =
  /^(?:#{1,6}(?=\s|$)|>|[-+](?=\s|$)|-{2,}\s*$|=+\s*$|~{3,}|\d{1,9}(?=[.)](?:\s|$))|\[(?=[^[\]]{1,999}\]:)|\|?(?=[\s:|]*-[\s:|-]*$))/;
/**
 * Matches a line that may match `lineStart` or `loneMarker`. The pattern tests only the first character after the
 * spaces.
 */
const mayStartBlock = /^ *(?:[-#>+=~\d[|:*_`]|[^\S ])/;
/** Matches a code span, or text that a renderer would parse as a tag or an entity. */
const tagInMarkdown = /(`+)[^`]*\1|<(?=[a-zA-Z/!?])|&(?=#?\w{1,32};)/g;
/** Matches a single marker of a list or a rule, which needs no closing marker. */
const loneMarker = /^\*(?:\s|$)|^(?:\*\s*){3,}$|^(?:_\s*){3,}$|^`{3}/;
const word = /[a-zA-Z0-9]/;
const punctuation = /[\p{P}\p{S}\s]/u;

/**
 * Finds the mark characters of a paragraph that Markdown would parse as pairs, such as two stars. The text of a
 * paragraph can consist of several pieces.
 */
export class MarkdownMarkPairs {
  /** True if the text is already Markdown. Only tags and entities are escaped in it. */
  readonly isMarkdown: boolean;
  /** True if the paragraph contains a formula between dollars. The dollar of a price must not start that formula. */
  hasDollarFormula = false;
  /** True if a text of the paragraph contains a character that may need an escape. */
  hasSpecial = false;
  #open = 0;
  #paired = 0;
  #seen = 0;
  #own = 0;
  #last = '';

  constructor(isMarkdown: boolean) {
    this.isMarkdown = isMarkdown;
  }

  has(mark: string): boolean {
    return ((this.#paired | (this.#seen & this.#own)) & bitOf(mark)) !== 0;
  }

  /**
   * Records a subscript, because its `_` could be a mark of Markdown. Returns true if the subscript follows a letter or
   * digit. A `_` ends emphasis only before white space or punctuation, such as the brace of `_{ij}`.
   */
  readSubscript(index: string): boolean {
    if (this.#last.trim() !== '' && !isScriptWithoutBraces(index)) this.#paired |= this.#open & bitOf('_');
    if (isWord(this.#last)) return true;
    this.#open |= bitOf('_');
    return false;
  }

  /** Records that an element with its own Markdown marks follows. */
  readElement(mark: string | undefined): void {
    this.#last = '*';
    if (mark !== undefined) this.#own |= bitOf(mark);
  }

  /** Parses the next piece of text in the paragraph. */
  read(text: string): void {
    this.#last = text.slice(-1);
    if (!special.test(text)) return;
    this.hasSpecial = true;
    if (!markCharacter.test(text)) return;
    for (const { text: piece, isMath } of piecesOf(text)) {
      if (isMath) {
        this.hasDollarFormula ||= /^(?:\$|\\b)/.test(piece);
        continue;
      }
      for (const { 0: run, index } of piece.matchAll(markRun)) this.#readRun(piece, run, index);
    }
  }

  #readRun(text: string, run: string, at: number): void {
    const mark = run.charAt(0);
    const { opens, closes, isEdgeStar } = flanks(text, at, run.length);
    const isByElement = isEdgeStar && (opens || closes);
    if (isByElement || (mark !== '$' && closes && (this.#open & bitOf(mark)) !== 0) || run.startsWith('``'))
      this.#paired |= bitOf(mark);
    if (opens) this.#open |= bitOf(mark);
    if (opens || closes || isEdgeStar) this.#seen |= bitOf(mark);
  }
}

function bitOf(mark: string): number {
  return 1 << '*_`~$'.indexOf(mark);
}

/**
 * Escapes only the characters that Markdown would parse as markup, because `a\_i` is harder to read for a model. TeX
 * between dollars or in `\(…\)` is unchanged.
 */
export function escapeMarkdown(text: string, isAtLineStart: boolean, pairs: MarkdownMarkPairs): string {
  if (pairs.isMarkdown) return text.replace(tagInMarkdown, mark => (mark.startsWith('`') ? mark : `\\${mark}`));
  const escaped = pairs.hasSpecial && special.test(text) ? escapeOutsideMath(text, pairs) : text;
  if (!text.includes('\n')) return isAtLineStart ? escapeLineStart(escaped) : escaped;
  return escaped
    .split('\n')
    .map((line, index) => (index > 0 || isAtLineStart ? escapeLineStart(line) : line))
    .join('\n')
    .replaceAll(lineOfMath, '\n');
}

function escapeLineStart(line: string): string {
  if (!mayStartBlock.test(line)) return line;
  const start = line.search(/[^ ]|$/);
  const content = line.slice(start);
  const marker = lineStart.exec(content)?.[0] ?? (loneMarker.test(content.slice(0, 100)) ? '' : undefined);
  if (marker === undefined) return line;
  const at = start + marker.search(/\D|$/);
  return `${line.slice(0, at)}\\${line.slice(at)}`;
}

function escapeOutsideMath(text: string, pairs: MarkdownMarkPairs): string {
  return piecesOf(text)
    .map(({ text: piece, isMath }) =>
      isMath ? asDollarMath(piece.replace(emptyLines, '\n')).replaceAll('\n', lineOfMath) : escapePiece(piece, pairs),
    )
    .join('');
}

/**
 * Encloses a TeX environment without delimiters in dollars. Otherwise Markdown would remove the backslashes at the ends
 * of its lines.
 */
function asDollarMath(formula: string): string {
  return formula.startsWith('\\begin') ? `$$${formula}$$` : formula;
}

export function hasFormula(text: string): boolean {
  return piecesOf(text).some(({ isMath }) => isMath);
}

function piecesOf(text: string): { text: string; isMath: boolean }[] {
  if (!text.includes('$') && !text.includes('\\')) return [{ text, isMath: false }];
  const pieces: { text: string; isMath: boolean }[] = [];
  for (const paragraph of text.includes('\n') ? paragraphsOf(text) : [text]) {
    let done = 0;
    for (const { start, end } of mathSpans(paragraph)) {
      pieces.push({ text: paragraph.slice(done, start), isMath: false });
      pieces.push({ text: paragraph.slice(start, end), isMath: true });
      done = end;
    }
    pieces.push({ text: paragraph.slice(done), isMath: false });
  }
  return pieces;
}

/**
 * Splits a text at empty lines, because an empty line ends a formula unless it is inside a TeX environment. MathJax
 * parses formulas across line breaks.
 */
function paragraphsOf(text: string): string[] {
  const lastEnd = text.lastIndexOf('\\end{');
  const paragraphs: string[] = [];
  let at = 0;
  let open = 0;
  for (const piece of text.split(emptyLine)) {
    if (open > 0 && at <= lastEnd) paragraphs.push((paragraphs.pop() ?? '') + piece);
    else paragraphs.push(piece);
    at += piece.length;
    for (const [mark] of piece.matchAll(environment)) open += mark === '\\begin{' ? 1 : -1;
  }
  return paragraphs;
}

const emptyLine = /(\n\s*\n)/;
const emptyLines = /\n\s*\n/g;
const environment = /\\(?:begin|end)\{/g;
/**
 * A NUL character replaces the line breaks of formulas until line starts are escaped. The text contains no other NUL.
 */
const lineOfMath = '\0';
// MathJax also renders an environment without dollars. Only known names match, because an opening delimiter without a
// closing one causes a search to the end of the text.
const mathOpener = /\${1,3}|\\[([]|\\begin\{(?:align|eqnarray|equation|gather|multline|array|cases|[bpv]?matrix)\*?\}/g;
const mathCloser: Readonly<Record<string, string>> = { '\\(': '\\)', '\\[': '\\]' };

/** Returns the formulas of a text: `$…$`, `$$…$$`, `$$$…$$$` of Codeforces, `\(…\)`, `\[…\]`, `\begin{align}…`. */
function mathSpans(text: string): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = [];
  const missing: string[] = [];
  mathOpener.lastIndex = 0;
  for (let match = mathOpener.exec(text); match !== null; match = mathOpener.exec(text)) {
    const opener = match[0];
    if (text[match.index - 1] === '\\' || missing.includes(opener)) continue;
    const closer = mathCloser[opener] ?? opener.replace('begin', 'end');
    const bodyStart = match.index + opener.length;
    const close = closeOf(text, closer, bodyStart);
    // A failed search is cached. Otherwise a text with many opening delimiters would be searched to its end for each
    // one.
    if (close === -1) missing.push(opener);
    if (close === -1 || (opener === '$' && !isDollarMath(text, bodyStart, close))) continue;
    const end = close + closer.length;
    spans.push({ start: match.index, end });
    mathOpener.lastIndex = end;
  }
  return spans;
}

/** Returns the offset of the closing delimiter. An escaped dollar is a character of the formula. */
function closeOf(text: string, closer: string, from: number): number {
  let close = text.indexOf(closer, from);
  if (closer !== '$') return close;
  while (close > 0 && text[close - 1] === '\\' && text[close - 2] !== '\\') close = text.indexOf(closer, close + 1);
  return close;
}

/**
 * Returns whether two dollars enclose a formula. Prices such as "$5-$6" are excluded: no digit may follow a formula
 * that starts with a digit. White space at the edges is allowed only around TeX syntax and numbers.
 */
function isDollarMath(text: string, start: number, close: number): boolean {
  if (close - start > 2000) return false;
  const body = text.slice(start, close);
  if (/^\d/.test(body) && /\d/.test(text[close + 1] ?? '')) return false;
  return body.trim() === body || /[\\_^{]|^\s*[\d.]+\s*$/.test(body);
}

function escapePiece(text: string, pairs: MarkdownMarkPairs): string {
  if (!special.test(text)) return text;
  const escaped = text.replace(looksLikeMarkup, found => (found === ']' ? ']\\' : `\\${found}`));
  if (!markCharacter.test(text)) return escaped;
  return escaped.replace(markRun, (run, at: number) => {
    const mark = run.charAt(0);
    if (!pairs.has(mark)) return run === '$' && pairs.hasDollarFormula && isPrice(escaped, at) ? '\\$' : run;
    const { opens, closes, isEdgeStar } = flanks(escaped, at, run.length);
    return opens || closes || isEdgeStar ? run.replace(/./g, '\\$&') : run;
  });
}

/**
 * Returns whether a run of marks may open or close emphasis in CommonMark. It may open before a character other than
 * white space, and close after one. A `_` inside a word does neither.
 */
function flanks(text: string, at: number, length: number): { opens: boolean; closes: boolean; isEdgeStar: boolean } {
  const before = text[at - 1];
  const after = text[at + length];
  const isWordMark = text[at] === '_';
  // A piece of text that consists only of marks stands between two elements, so that it can open and also close a pair.
  const isEither = text[at] === '`' || text[at] === '$' || text.length === length;
  return {
    opens: isEither || (after !== undefined && after.trim() !== '' && !(isWordMark && isWord(before))),
    closes: isEither || (before !== undefined && before.trim() !== '' && !(isWordMark && isWord(after))),
    // A star at the start or end of a piece of text is next to an element, which may itself be written with stars.
    isEdgeStar: text[at] === '*' && (before === undefined || after === undefined),
  };
}

function isPrice(text: string, at: number): boolean {
  return /\d/.test(text[at + 1] ?? '');
}

function isWord(character = ''): boolean {
  return character !== '' && (character > '\x7f' ? !punctuation.test(character) : word.test(character));
}
