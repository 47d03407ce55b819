import type { MarkdownRole } from '../elements.ts';
import { formatSuperOrSubscript } from '../html/literal.ts';
import { type StatementElement, type StatementNode, StatementText } from '../html/node.ts';
import { formatCodeSpan } from './code.ts';
import { escapeMarkdown, MarkdownMarkPairs } from './escape.ts';

/** A rule of turndown receives the Markdown of an element's content and returns the Markdown of the element. */
export type TurndownRule = (content: string, node: StatementElement) => string;

/** Maps the types of inline elements to the Markdown marks that enclose them. */
export const enclosingMarkdownMarks: Partial<Record<MarkdownRole, string>> = {
  STRONG: '**',
  EM: '*',
  DEL: '~~',
  QUOTE: '"',
};

export const inlineElementRules: Partial<Record<MarkdownRole, TurndownRule>> = {
  CODE: (_, { literal }) => formatCodeSpan(literal),
  FORMULA: (_, { literal }) => (isTex(literal) ? literal : `$${literal}$`),
  SUP: (content, { needsBraces, isPlain }) => (isPlain ? content : formatSuperOrSubscript('^', content, needsBraces)),
  SUB: (content, { needsBraces, isPlain }) => (isPlain ? content : formatSuperOrSubscript('_', content, needsBraces)),
  PICTURE: (_, { literal }) => literal,
  LINK: linkMarkdown,
  STRONG: addMarkdownMarks,
  EM: addMarkdownMarks,
  DEL: addMarkdownMarks,
  QUOTE: addMarkdownMarks,
  ANNOTATION: content => `(${content})`,
  BUTTON: content => (copyLabel.test(content) ? '' : content),
};

/** The Markdown marks that the converter adds for an element. They may form pairs with marks in the text. */
const ownMarks: Partial<Record<MarkdownRole, string>> = { STRONG: '*', EM: '*', DEL: '~', CODE: '`', FORMULA: '$' };

const copyLabel = /^(?:copy|\u30b3\u30d4\u30fc|\u590d\u5236|\u8907\u88fd|\u62f7\u8d1d)$/i;
const brackets = /\\?[[\]]/g;
const digit = /^\d$/;
const word = /^[\p{L}\p{N}]$/u;
const punctuation = /^[\p{P}\p{S}]$/u;
/** Punctuation that is also Markdown syntax is not moved out of its element. */
const markup = /^[$\\*_`~<>&#|[\]{}]$/;

/**
 * Merges each run of text and inline elements into one text node, because turndown spends more time on a node than on
 * its text. The children of a block are merged when that block is processed, because a separate pass over a large tree
 * would miss the processor cache.
 */
export function mergeInlineNodes(element: StatementElement, isMarkdown: boolean): void {
  const { childNodes, isMerged } = element;
  if (isMerged) return;
  element.isMerged = true;
  adjustMarks(childNodes);
  let merged = 0;
  let start = 0;
  for (let index = 0; index <= childNodes.length; index++) {
    const node = childNodes[index];
    if (node !== undefined && (node.nodeType === 3 || !(node.isBlockElement || node.holdsBlock))) continue;
    if (index > start) childNodes[merged++] = mergedText(element, runOf(childNodes, start, index), isMarkdown);
    start = index + 1;
    if (node === undefined) break;
    childNodes[merged++] = node;
  }
  if (childNodes.length > merged) childNodes.length = merged;
}

function runOf(nodes: readonly StatementNode[], start: number, end: number): readonly StatementNode[] {
  return start === 0 && end === nodes.length ? nodes : nodes.slice(start, end);
}

/**
 * Merges inline nodes into one text node. A mark is escaped only if another mark of the paragraph forms a pair with it,
 * so that the function parses all pieces before it writes the first one.
 */
function mergedText(parent: StatementElement, nodes: readonly StatementNode[], isMarkdown: boolean): StatementText {
  const pairs = new MarkdownMarkPairs(isMarkdown);
  const isStruck = parent.isStruck || parent.nodeName === 'DEL';
  if (isStruck) pairs.readElement('~');
  for (const node of nodes) readMarks(node, pairs);
  const text = joinInline('', nodes, pairs);
  const markdown = isStruck ? struckThrough(text) : text;
  const [first] = nodes;
  if (first?.nodeType !== 3) return new StatementText(parent, markdown);
  first.nodeValue = markdown;
  return first;
}

/** Adds strike-through marks to each paragraph of a text, because a mark cannot span paragraphs. */
function struckThrough(text: string): string {
  return text
    .split('\n\n')
    .map(paragraph =>
      paragraph.replace(/^(\s*)(.*?)(\s*)$/s, (all, start: string, body: string, end: string) =>
        body === '' ? all : `${start}~~${body}~~${end}`,
      ),
    )
    .join('\n\n');
}

function readMarks(node: StatementNode, pairs: MarkdownMarkPairs): void {
  if (node.nodeType === 3) {
    pairs.read(node.nodeValue);
    return;
  }
  if (node.nodeName === 'SUB')
    node.isAfterWord = node.isPlain || pairs.readSubscript(node.needsBraces ? '' : node.literal);
  if (isIndex(node)) {
    pairs.read(node.literal);
    if (!node.needsBraces) return;
  }
  adjustMarks(node.childNodes);
  for (const child of node.childNodes) readMarks(child, pairs);
  if (!(node.nodeName in enclosingMarkdownMarks && node.isPlain)) pairs.readElement(ownMarks[node.nodeName]);
}

/**
 * Joins inline nodes. An exclamation mark before a link is escaped, because it would turn the link into an image. Only
 * the last piece is changed, because changing the joined text would copy it for each link.
 */
function joinInline(before: string, nodes: readonly StatementNode[], pairs: MarkdownMarkPairs): string {
  let text = '';
  let last = before;
  for (const node of nodes) {
    const markdown = inlineMarkdown(node, pairs);
    if (node.nodeName === 'LINK' && last.endsWith('!')) last = `${last.slice(0, -1)}\\!`;
    if (markdown === '') continue;
    text += last;
    last = markdown;
  }
  return text + last;
}

function inlineMarkdown(node: StatementNode, pairs: MarkdownMarkPairs): string {
  if (node.nodeType === 3) return escapeMarkdown(node.nodeValue, node.startsLine, pairs);
  const literal = isIndex(node) ? escapeMarkdown(node.literal, false, pairs) : '';
  const content = joinInline(literal, node.childNodes, pairs);
  const markdown = inlineElementRules[node.nodeName]?.(content, node) ?? content;
  return node.nodeName === 'SUB' && !node.isAfterWord && pairs.has('_') ? `\\${markdown}` : markdown;
}

/**
 * Adds the Markdown marks of an element. An element that contains blocks gets no marks, because marks cannot span
 * blocks.
 */
export function addMarkdownMarks(content: string, { nodeName, holdsBlock, isPlain }: StatementElement): string {
  if (holdsBlock) return `\n\n${content}\n\n`;
  const mark = isPlain ? '' : (enclosingMarkdownMarks[nodeName] ?? '**');
  return mark + content + mark;
}

function linkMarkdown(content: string, { literal, holdsBlock }: StatementElement): string {
  if (holdsBlock) return `\n\n${content}\n\n<${literal}>\n\n`;
  return content === literal ? `<${literal}>` : `[${linkText(content)}](${literal})`;
}

/** Escapes unbalanced brackets, which would end the link early. */
function linkText(content: string): string {
  let depth = 0;
  for (const [mark] of content.matchAll(brackets)) if (depth >= 0 && mark.length === 1) depth += mark === '[' ? 1 : -1;
  return depth === 0 ? content : content.replace(brackets, mark => (mark.length === 1 ? `\\${mark}` : mark));
}

function isTex(text: string): boolean {
  if (text.startsWith('$')) return text.length > 1 && text.endsWith('$');
  return (text.startsWith('\\(') && text.endsWith('\\)')) || (text.startsWith('\\[') && text.endsWith('\\]'));
}

const adjusted: ReadonlySet<MarkdownRole> = new Set(['EM', 'STRONG', 'DEL']);

const fractionPart = /^[\p{L}\p{N}]{1,20}$/u;
const mayPrecedeFraction = /[\s\d([=<>+,-]$/;

/** Writes `<sup>1</sup>/<sub>2</sub>` as `1/2`, and separates a preceding whole number by a space. */
function writeFraction([before, above, slash, below]: readonly (StatementNode | undefined)[]): void {
  if (above?.nodeType !== 1 || slash?.nodeType !== 3 || below?.nodeType !== 1 || below.nodeName !== 'SUB') return;
  const hasParts = /^[/⁄]$/.test(slash.nodeValue) && [above, below].every(({ literal }) => fractionPart.test(literal));
  const isAfterText = before?.nodeType === 3 && mayPrecedeFraction.test(before.nodeValue.slice(-1));
  if (!hasParts || (before !== undefined && !isAfterText)) return;
  if (before?.nodeType === 3 && digit.test(before.nodeValue.slice(-1))) before.nodeValue += ' ';
  above.isPlain = true;
  below.isPlain = true;
}

/** Changes the text next to Markdown marks so that the marks are parsed. */
function adjustMarks(nodes: readonly StatementNode[]): void {
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index];
    if (node?.nodeName === 'SUP') writeFraction([nodes[index - 1], ...nodes.slice(index, index + 3)]);
    if (node?.nodeType !== 1 || !adjusted.has(node.nodeName)) continue;
    const before = nodes[index - 1];
    const after = nodes[index + 1];
    if (node.nodeName !== 'DEL') node.isPlain = isInFormula(before, after);
    if (node.isPlain || node.holdsBlock) continue;
    if (after?.nodeType === 3 && word.test(firstCharacter(after.nodeValue))) {
      after.nodeValue = movePunctuation(node, 'end') + after.nodeValue;
    }
    if (before?.nodeType === 3 && word.test(lastCharacter(before.nodeValue))) {
      before.nodeValue += movePunctuation(node, 'start');
    }
  }
}

/**
 * Returns whether emphasized text is a variable of a formula, because it is next to a digit, superscript or subscript.
 * The `*` of Markdown emphasis would look like a multiplication sign there.
 */
function isInFormula(before: StatementNode | undefined, after: StatementNode | undefined): boolean {
  if (before?.nodeType === 1 && isIndex(before)) {
    before.needsBraces = true;
    return true;
  }
  if (before?.nodeType === 3 && digit.test(before.nodeValue.slice(-1))) return true;
  return after?.nodeType === 1 ? isIndex(after) : digit.test(after?.nodeValue.charAt(0) ?? '');
}

function isIndex({ nodeName }: StatementElement): boolean {
  return nodeName === 'SUP' || nodeName === 'SUB';
}

/**
 * Moves punctuation out of marked text next to a word, because CommonMark does not parse a mark between punctuation and
 * a word: `**注意：**本题` would show its stars. If the punctuation cannot be moved, the mark is removed, except for deleted
 * text, which would look valid without it.
 */
function movePunctuation(node: StatementElement, side: 'start' | 'end'): string {
  const noteBlock = node.childNodes.at(side === 'end' ? -1 : 0);
  if (noteBlock === undefined) return '';
  if (noteBlock.nodeType === 1) {
    if (noteBlock.nodeName in enclosingMarkdownMarks) return movePunctuation(noteBlock, side);
    node.isPlain = node.nodeName !== 'DEL';
    noteBlock.needsBraces = true;
    return '';
  }
  const text = noteBlock.nodeValue;
  const isEnd = side === 'end';
  let cut = isEnd ? text.length : 0;
  while (isLoose(text.charAt(isEnd ? cut - 1 : cut))) cut += isEnd ? -1 : 1;
  const [before, after] = [text.slice(0, cut), text.slice(cut)];
  const [left, taken] = isEnd ? [before, after] : [after, before];
  // The punctuation is not moved if the remaining text would begin or end with white space or Markdown syntax.
  const edgeOfLeft = isEnd ? lastCharacter(left) : firstCharacter(left);
  if (left.trim() === '' || edgeOfLeft.trim() === '' || markup.test(edgeOfLeft)) {
    node.isPlain = node.nodeName !== 'DEL';
    return '';
  }
  noteBlock.nodeValue = left;
  return taken;
}

function isLoose(character: string): boolean {
  return punctuation.test(character) && !markup.test(character);
}

function firstCharacter(text: string): string {
  const [first = ''] = text;
  return first;
}

function lastCharacter(text: string): string {
  const last = text.slice(-1);
  return last >= '\udc00' && last <= '\udfff' ? text.slice(-2) : last;
}
