import type { Kind } from '../elements.ts';
import { scriptMarkdown } from '../html/literal.ts';
import { type StatementElement, type StatementNode, StatementText } from '../html/node.ts';
import { codeSpan, escapeMarkdown, MarkPairs } from './escape.ts';

export type Rule = (content: string, node: StatementElement) => string;

/** What stands on both sides of a marked text. */
export const marks: Partial<Record<Kind, string>> = { STRONG: '**', EM: '*', DEL: '~~', QUOTE: '"' };

export const inlineRules: Partial<Record<Kind, Rule>> = {
  CODE: (_, { literal }) => codeSpan(literal),
  FORMULA: (_, { literal }) => (isTex(literal) ? literal : `$${literal}$`),
  SUP: (content, { needsBraces }) => scriptMarkdown('^', content, needsBraces),
  SUB: (content, { needsBraces }) => scriptMarkdown('_', content, needsBraces),
  PICTURE: (_, { literal }) => literal,
  LINK: linkMarkdown,
  STRONG: marked,
  EM: marked,
  DEL: marked,
  QUOTE: marked,
  ANNOTATION: content => `(${content})`,
  BUTTON: content => (copyLabel.test(content) ? '' : content),
};

/** The marks that stand in the Markdown of an element, and pair with those of a text. */
const ownMarks: Partial<Record<Kind, string>> = { STRONG: '*', EM: '*', DEL: '~', CODE: '`', FORMULA: '$' };

const copyLabel = /^(?:copy|\u30b3\u30d4\u30fc|\u590d\u5236|\u8907\u88fd|\u62f7\u8d1d)$/i;
const brackets = /\\?[[\]]/g;
const digit = /^\d$/;
const word = /^[\p{L}\p{N}]$/u;
const punctuation = /^[\p{P}\p{S}]$/u;
/** Punctuation that has a meaning in Markdown stays with what it belongs to. */
const markup = /^[$\\*_`~<>&#|[\]{}]$/;

/** Makes one text of every run of text and inline elements: turndown spends more on a node than on what is in it. */
export function mergeInline(element: StatementElement): void {
  const { childNodes } = element;
  settleMarks(childNodes);
  let merged = 0;
  let start = 0;
  for (let index = 0; index <= childNodes.length; index++) {
    const node = childNodes[index];
    if (node !== undefined && (node.nodeType === 3 || !(node.isBlockElement || node.holdsBlock))) continue;
    if (index > start) childNodes[merged++] = mergedText(element, childNodes, start, index);
    start = index + 1;
    if (node === undefined) break;
    mergeInline(node);
    childNodes[merged++] = node;
  }
  childNodes.length = merged;
}

/** A mark is a mark only if another pairs with it, anywhere in the paragraph: they are all read before one is written. */
function mergedText(
  parent: StatementElement,
  nodes: readonly StatementNode[],
  start: number,
  end: number,
): StatementText {
  const pairs = new MarkPairs();
  for (let index = start; index < end; index++) readMarks(nodes[index], pairs);
  const markdown = joined('', nodes.slice(start, end), pairs);
  const first = nodes[start];
  if (first?.nodeType !== 3) return new StatementText(parent, markdown);
  first.nodeValue = markdown;
  return first;
}

function readMarks(node: StatementNode | undefined, pairs: MarkPairs): void {
  if (node === undefined) return;
  if (node.nodeType === 3) {
    pairs.read(node.nodeValue);
    return;
  }
  if (node.nodeName === 'SUB') node.isAfterWord = pairs.readIndex();
  if (isIndex(node)) {
    pairs.read(node.literal);
    if (!node.needsBraces) return;
  }
  settleMarks(node.childNodes);
  for (const child of node.childNodes) readMarks(child, pairs);
  if (!(node.nodeName in marks && node.isPlain)) pairs.readOwn(ownMarks[node.nodeName]);
}

/**
 * An exclamation mark before a link would make a picture of it. Only the last piece is looked at: to look at all that is
 * joined so far would copy it for each link.
 */
function joined(before: string, nodes: readonly StatementNode[], pairs: MarkPairs): string {
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

function inlineMarkdown(node: StatementNode, pairs: MarkPairs): string {
  if (node.nodeType === 3) return escapeMarkdown(node.nodeValue, node.startsLine, pairs);
  const literal = isIndex(node) ? escapeMarkdown(node.literal, false, pairs) : '';
  const content = joined(literal, node.childNodes, pairs);
  const markdown = inlineRules[node.nodeName]?.(content, node) ?? content;
  return node.nodeName === 'SUB' && !node.isAfterWord && pairs.has('_') ? `\\${markdown}` : markdown;
}

/** Marks cannot reach over blocks: those stay without. */
export function marked(content: string, { nodeName, holdsBlock, isPlain }: StatementElement): string {
  if (holdsBlock) return `\n\n${content}\n\n`;
  const mark = isPlain ? '' : (marks[nodeName] ?? '**');
  return content === '' || content === mark ? content : mark + content + mark;
}

function linkMarkdown(content: string, { literal, holdsBlock }: StatementElement): string {
  if (holdsBlock) return `\n\n${content}\n\n<${literal}>\n\n`;
  return content === literal ? `<${literal}>` : `[${linkText(content)}](${literal})`;
}

/** Brackets that do not pair would end the link or hide it. */
function linkText(content: string): string {
  let depth = 0;
  for (const [mark] of content.matchAll(brackets)) if (depth >= 0 && mark.length === 1) depth += mark === '[' ? 1 : -1;
  return depth === 0 ? content : content.replace(brackets, mark => (mark.length === 1 ? `\\${mark}` : mark));
}

function isTex(text: string): boolean {
  if (text.startsWith('$')) return text.length > 1 && text.endsWith('$');
  return (text.startsWith('\\(') && text.endsWith('\\)')) || (text.startsWith('\\[') && text.endsWith('\\]'));
}

/** Sees to it that marks are read as marks where they stand. */
function settleMarks(nodes: readonly StatementNode[]): void {
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index];
    if (node?.nodeType !== 1 || (node.nodeName !== 'EM' && node.nodeName !== 'STRONG' && node.nodeName !== 'DEL'))
      continue;
    const before = nodes[index - 1];
    const after = nodes[index + 1];
    if (node.nodeName !== 'DEL') node.isPlain = isInFormula(before, after);
    if (node.isPlain || node.holdsBlock) continue;
    if (after?.nodeType === 3 && word.test(firstCharacter(after.nodeValue))) {
      after.nodeValue = takePunctuation(node, 'end') + after.nodeValue;
    }
    if (before?.nodeType === 3 && word.test(lastCharacter(before.nodeValue))) {
      before.nodeValue += takePunctuation(node, 'start');
    }
  }
}

/** Emphasis that touches a digit, a power or an index is a name in a formula: stars there would read as products. */
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
 * Takes the punctuation off an edge of a marked text that a word follows: CommonMark would not see the mark between
 * the two, and `**注意：**本题` would show its stars. Where it cannot be taken off, the mark goes.
 */
function takePunctuation(node: StatementElement, side: 'start' | 'end'): string {
  const edge = node.childNodes.at(side === 'end' ? -1 : 0);
  if (edge === undefined) return '';
  if (edge.nodeType === 1) {
    if (edge.nodeName in marks) return takePunctuation(edge, side);
    node.isPlain = true;
    edge.needsBraces = true;
    return '';
  }
  const text = edge.nodeValue;
  const isEnd = side === 'end';
  let cut = isEnd ? text.length : 0;
  while (isLoose(text.charAt(isEnd ? cut - 1 : cut))) cut += isEnd ? -1 : 1;
  const [before, after] = [text.slice(0, cut), text.slice(cut)];
  const [left, taken] = isEnd ? [before, after] : [after, before];
  // Blanks and signs of Markdown must not come to stand at the edge.
  const edgeOfLeft = isEnd ? lastCharacter(left) : firstCharacter(left);
  if (left.trim() === '' || edgeOfLeft.trim() === '' || markup.test(edgeOfLeft)) {
    node.isPlain = true;
    return '';
  }
  edge.nodeValue = left;
  return taken;
}

function isLoose(character: string): boolean {
  return punctuation.test(character) && !markup.test(character);
}

function firstCharacter(text: string): string {
  return String.fromCodePoint(text.codePointAt(0) ?? 0);
}

function lastCharacter(text: string): string {
  const last = text.slice(-1);
  return last >= '\udc00' && last <= '\udfff' ? text.slice(-2) : last;
}
