import TurndownService from 'turndown/lib/turndown.browser.cjs.js';
import type { Kind } from '../elements.ts';
import { statementTree } from '../html/builder.ts';
import { scriptMarkdown } from '../html/literal.ts';
import { StatementElement, type StatementNode, StatementText } from '../html/node.ts';
import { itemMarkdown, listMarkdown } from './list.ts';
import { linesOf, tableMarkdown } from './table.ts';

// Quotes and lists add to every line at every level; what is nested to multiply itself is not a statement.
const MULTIPLYING: ReadonlySet<Kind> = new Set(['LI', 'BLOCKQUOTE', 'TABLE', 'CELL', 'HEADCELL']);
const MAX_WORK = 8 * 1024 * 1024;
const COPY_LABEL = /^(?:copy|\u30b3\u30d4\u30fc|\u590d\u5236|\u8907\u88fd|\u62f7\u8d1d)$/i;

/** Converts HTML, and no more of a long page than gives that many bytes; throws when it is nested beyond reason. */
export function htmlMarkdown(
  html: string,
  link: string | undefined,
  enoughBytes: number,
): { markdown: string; isWhole: boolean } {
  let markdown = '';
  let work = 0;
  const service = new TurndownService<StatementElement>();
  // The text in the tree is escaped already.
  service.escape = text => text;
  // One rule for all: turndown would ask every rule about every node.
  service.addRule('statement', {
    filter: () => true,
    replacement: (content, node) => {
      if (MULTIPLYING.has(node.nodeName)) work += content.length;
      if (work > MAX_WORK) throw new RangeError('the statement multiplies itself');
      if (node.nodeName !== 'BODY') return ruleFor(node)(content, node);
      // turndown ends with a trim that is quadratic in runs of blanks: take the text before that.
      markdown = content;
      return '';
    },
  });
  const page = new StatementElement(undefined, 'PAGE', true);
  const { root, isWhole } = statementTree(html, link, enoughBytes);
  mergeInline(root);
  page.childNodes.push(root);
  service.turndown(page);
  return { markdown: markdown.trim(), isWhole };
}

/** Makes one text of every run of text and inline elements: turndown spends more on a node than on what is in it. */
function mergeInline(element: StatementElement): void {
  const { childNodes } = element;
  let merged = 0;
  let run: StatementText | undefined;
  plainAtIndices(childNodes);
  for (const node of childNodes) {
    if (node.nodeType === 1 && (node.isBlockElement || node.holdsBlock)) {
      mergeInline(node);
      childNodes[merged++] = node;
      run = undefined;
    } else if (run === undefined) {
      run = node.nodeType === 3 ? node : new StatementText(element, inlineMarkdown(node));
      childNodes[merged++] = run;
    } else run.nodeValue += inlineMarkdown(node);
  }
  childNodes.length = merged;
}

/** Emphasis that touches a digit, a power or an index is a name in a formula: stars there would read as products. */
function plainAtIndices(nodes: readonly StatementNode[]): void {
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index];
    if (node?.nodeType !== 1 || (node.nodeName !== 'EM' && node.nodeName !== 'STRONG')) continue;
    const before = nodes[index - 1];
    const after = nodes[index + 1];
    if (before?.nodeType === 1 && isIndex(before)) {
      node.isPlain = true;
      before.needsBraces = true;
    } else if (before?.nodeType === 3) node.isPlain = isDigit(before.nodeValue.at(-1));
    if (after?.nodeType === 1 ? isIndex(after) : isDigit(after?.nodeValue[0])) node.isPlain = true;
  }
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}

function isIndex({ nodeName }: StatementNode): boolean {
  return nodeName === 'SUP' || nodeName === 'SUB';
}

function inlineMarkdown(node: StatementNode): string {
  if (node.nodeType === 3) return node.nodeValue;
  let content = '';
  plainAtIndices(node.childNodes);
  for (const child of node.childNodes) content += inlineMarkdown(child);
  return ruleFor(node)(content, node);
}

type Rule = (content: string, node: StatementElement) => string;

const RULES: Partial<Record<Kind, Rule>> = {
  SAMPLE: (_, { literal, label }) => fence(literal, label),
  CODE: (_, { literal }) => codeSpan(literal),
  FORMULA: (_, { literal }) => (isTex(literal) ? literal : `$${literal}$`),
  DISPLAY: (_, { literal }) => block(`$$${literal}$$`),
  SUP: (_, { literal, needsBraces }) => scriptMarkdown('^', literal, needsBraces),
  SUB: (_, { literal, needsBraces }) => scriptMarkdown('_', literal, needsBraces),
  PICTURE: (_, { literal }) => literal,
  LINK: linkMarkdown,
  STRONG: (content, node) => marked(content, node, '**'),
  EM: (content, node) => marked(content, node, '*'),
  DEL: (content, node) => marked(content, node, '~~'),
  QUOTE: (content, node) => marked(content, node, '"'),
  ANNOTATION: content => `(${content})`,
  BUTTON: content => (COPY_LABEL.test(content) ? '' : content),
  HEADING: (content, { number = 2 }) => block(`${'#'.repeat(number)} ${oneLine(content)}`),
  TERM: (content, node) => block(marked(oneLine(content), node, '**')),
  BLOCKQUOTE: content => block(quoted(content.trim())),
  HORIZONTAL: () => block('---'),
  UL: listContent,
  OL: listContent,
  LI: itemContent,
  TABLE: (content, node) => block(`${content.trim()}\n\n${tableMarkdown(node)}`.trim()),
  CELL: cellContent,
  HEADCELL: cellContent,
};

function ruleFor({ nodeName }: StatementElement): Rule {
  return RULES[nodeName] ?? block;
}

function block(content: string): string {
  return `\n\n${content}\n\n`;
}

function quoted(content: string): string {
  return content
    .split('\n')
    .map(line => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

function oneLine(content: string): string {
  return linesOf(content).join(' ');
}

/** Marks cannot reach over blocks: those stay without. */
function marked(content: string, { holdsBlock, isPlain }: StatementElement, mark: string): string {
  if (holdsBlock) return block(content);
  if (isPlain) return content;
  return content === '' || content === mark ? content : mark + content + mark;
}

function linkMarkdown(content: string, { literal, holdsBlock }: StatementElement): string {
  if (holdsBlock) return block(`${content}\n\n<${literal}>`);
  return content === literal ? `<${literal}>` : `[${content}](${literal})`;
}

function cellContent(content: string, node: StatementElement): string {
  node.markdown = content.trim();
  return '';
}

function itemContent(content: string, node: StatementElement): string {
  const { nodeName } = node.parentNode;
  if (nodeName !== 'UL' && nodeName !== 'OL') return `\n${itemMarkdown('-', content.trim())}\n`;
  node.markdown = content.trim();
  return '';
}

function listContent(content: string, node: StatementElement): string {
  const list = `${content.trim()}\n${listMarkdown(node)}`.trim();
  return node.parentNode.nodeName === 'LI' ? `\n${list}\n` : block(list);
}

function isTex(text: string): boolean {
  return /^(?:\$.*\$|\\\(.*\\\)|\\\[.*\\\])$/s.test(text);
}

function codeSpan(code: string): string {
  const delimiter = '`'.repeat(longestRun(code) === 0 ? 1 : longestRun(code) + 1);
  const pad = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return delimiter + pad + code + pad + delimiter;
}

function fence(sample: string, language: string): string {
  const marks = '`'.repeat(Math.max(3, longestRun(sample) + 1));
  return block(`${marks}${language}\n${sample}\n${marks}`);
}

function longestRun(text: string): number {
  let longest = 0;
  for (const run of text.match(/`+/g) ?? []) longest = Math.max(longest, run.length);
  return longest;
}
