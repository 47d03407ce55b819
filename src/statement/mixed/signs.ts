import { emptyLinePattern, hasLessThanSign, type TagScanner } from './scan.ts';
import type { ScannedTag } from './tag.ts';

const structureTags: ReadonlySet<string> = new Set(
  'p pre ul ol dl li table h1 h2 h3 h4 h5 h6 blockquote section article script style'.split(' '),
);
const containerTags: ReadonlySet<string> = new Set('div center main header footer form'.split(' '));

const lineSign = /\n[ \t]{0,3}(?:#{1,6}[ \t]+\S|`{3}|~~~|\|?[ \t]*:?-{3,}:?[ \t]*\|)/;
const linkSign = /\]\([^\s)]/;
const weakLine = /\n[ \t]{0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\S|$)/;
const boldSign = /\*\*\S/;
/** Matches inline code in Markdown, also before a plural s, but not a pair of quotes in TeX: `a' and `b'. */
const codeSign = /(?<![\w`])`[^`\s](?:[^`\n]{0,200}[^`\s])?`(?!(?!s\b)[\w`])/;
/** Matches a line of bold text between empty lines, which is a title in Markdown. */
const boldTitle = /\n[ \t\r]*\n\*\*[^*\n]{1,80}\*\*[ \t\r]*\n[ \t\r]*\n/;
const itemMark = /(?:^|\n)[ \t]{0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+$/;
const lineAfterGap = /\n[ \t\r]*\n[ \t]{0,3}(?:#{1,6}[ \t]+\S|`{3}|~~~|!?\[[^\]\n]{0,200}\]\(|[-*+][ \t]+\S|\|)/;
/** Matches a heading, a fence or a list item after an empty line. */
const blockAfterGap = /\n[ \t\r]*\n[ \t]{0,3}(?:#{1,6}[ \t]+\S|`{3}|~~~|(?:[-*+]|\d{1,9}[.)])[ \t]+\S)/;

/**
 * Matches an empty line between paragraphs. A line with more indentation would be code in Markdown, but is text on a
 * page.
 */
const paragraphGap = /\n[ \t\r]*\n {0,3}(?:\S|$)/;

const pageStart = /^\s*<(?:p|div|section|article|h[1-6]|ul|ol|table|pre)(?=[\s>])/i;
const atcoderStart = /^\s*<span class="lang">\s*<span class="lang-(?:ja|en)">/;
const looseParagraph = /\n[ \t\r]*\n[ \t]*[^<\s]/;
/**
 * Matches a line that could be Markdown. One regular expression covers all cases, because each expression scans the
 * whole page.
 */
const lineOfMarkdown = new RegExp([lineSign, weakLine, looseParagraph].map(({ source }) => source).join('|'));

/**
 * Returns whether a text is obviously an HTML page: it begins with a block element, and no line could be Markdown. Most
 * pages then need no further analysis.
 */
export function isObviousHtmlPage(text: string): boolean {
  if (!pageStart.test(text) && !atcoderStart.test(text)) return false;
  if (text.includes('`') || (text.includes('$') && mayHoldBareFormula(text))) return false;
  if ((text.includes('](') && linkSign.test(text)) || (text.includes('**') && boldSign.test(text))) return false;
  return !lineOfMarkdown.test(text);
}

/**
 * Returns whether two dollars may enclose a formula with an unescaped `<`. Between two formulas of an HTML page there
 * is usually a tag.
 */
function mayHoldBareFormula(text: string): boolean {
  if (emptyLinePattern.test(text)) return true;
  let start = text.indexOf('$');
  for (let end = text.indexOf('$', start + 1); end !== -1; end = text.indexOf('$', start + 1)) {
    if (end - start > 1 && hasLessThanSign(text.slice(start, end))) return true;
    start = end;
  }
  return false;
}

/** Returns whether a text with tags is an HTML page, and not Markdown that contains HTML. */
export function isHtmlPage(text: string, { tags: found, hasBareFormula }: TagScanner): boolean {
  if (hasBareFormula) return false;
  if (atcoderStart.test(text)) return true;
  const tags = found.filter(({ kind }) => kind !== 'entity');
  return tags.some(({ kind }) => kind !== 'comment') && isPageByTags(text, tags);
}

function isPageByTags(text: string, tags: readonly ScannedTag[]): boolean {
  const loose = new UnwrappedText();
  let structures = 0;
  let containers = 0;
  let samples = 0;
  let done = 0;
  // An HTML page needs <p> or <br> to separate paragraphs of text. Markdown needs none.
  let hasLineTags = false;
  // A paragraph without an end tag ends at the next start or end of a block.
  let isInParagraph = false;
  const readTo = (end: number): void => {
    if (structures > 0 || isInParagraph) loose.readInside(text.slice(done, end), samples > 0);
    else loose.read(done === 0 ? `\n${text.slice(0, end)}` : text.slice(done, end), containers > 0);
  };
  for (const tag of tags) {
    readTo(tag.start);
    if (loose.isMarkdown || (structures + containers === 0 && isInItem(text, tag))) return false;
    hasLineTags ||= structures === 0 && separatesLines(tag.name, text.slice(done, tag.start), containers > 0);
    done = tag.end;
    const step = depthStep(tag);
    if (tag.name === 'pre') samples = Math.max(0, samples + step);
    if (structureTags.has(tag.name)) structures = Math.max(0, structures + step);
    else if (containerTags.has(tag.name)) containers = Math.max(0, containers + step);
    if (tag.element?.isBlock === true) isInParagraph = tag.kind === 'open' && tag.name === 'p' && step === 0;
  }
  readTo(text.length);
  if (loose.isMarkdown || loose.looksLikeMarkdown) return false;
  return !loose.hasParagraphs || hasLineTags;
}

/** Returns whether a tag ends a line of text. A <br> in a container separates only the lines of the container. */
function separatesLines(name: string, textBefore: string, isInContainer: boolean): boolean {
  return name === 'p' || (name === 'br' && !isInContainer && textBefore.trim() !== '');
}

/** Returns whether a block element is inside a Markdown list item. */
function isInItem(text: string, { element, start }: ScannedTag): boolean {
  return element?.isBlock === true && itemMark.test(text.slice(Math.max(0, start - 20), start));
}

function depthStep({ kind, name, element, partner }: ScannedTag): number {
  if (kind === 'comment' || element?.isVoid === true) return 0;
  if (partner === undefined) return kind === 'open' && name !== 'p' && element?.ends === undefined ? 1 : 0;
  return kind === 'open' ? 1 : -1;
}

/**
 * Collects the text outside of paragraphs, lists and tables. An HTML page has almost no such text, but it is most of
 * the text in Markdown.
 */
class UnwrappedText {
  /** True if a heading, a fence, a table or a link in Markdown was found. */
  isMarkdown = false;
  /** True if an empty line separates two pieces of text. */
  hasParagraphs = false;
  #length = 0;
  #otherLength = 0;
  #hasText = false;
  #hasWeakSign = false;
  #isAfterEmptyLine = false;

  get looksLikeMarkdown(): boolean {
    return this.#hasWeakSign && this.#length >= this.#otherLength;
  }

  read(text: string, isInContainer: boolean): void {
    if (isInContainer) {
      if (lineAfterGap.test(text)) this.isMarkdown = true;
      this.skip(text.length);
      return;
    }
    const trimmed = text.trim();
    if (lineSign.test(text) || linkSign.test(text) || codeSign.test(text) || boldTitle.test(text))
      this.isMarkdown = true;
    this.#length += trimmed.length;
    if (weakLine.test(text) || boldSign.test(text)) this.#hasWeakSign = true;
    if (this.#hasText && paragraphGap.test(text)) this.#isAfterEmptyLine = true;
    if (trimmed === '') return;
    if (this.#isAfterEmptyLine || paragraphGap.test(trimmed)) this.#hasWeakSign = this.hasParagraphs = true;
    this.#hasText = true;
  }

  /**
   * Processes text inside a paragraph, a list or a table. An empty line in it would end an HTML block of CommonMark.
   */
  readInside(text: string, isSample: boolean): void {
    if (!isSample && blockAfterGap.test(text)) this.isMarkdown = true;
    this.skip(text.length);
  }

  skip(length: number): void {
    this.#otherLength += length;
  }
}
