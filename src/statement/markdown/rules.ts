import TurndownService from 'turndown/lib/turndown.browser.cjs.js';
import { ConversionBudget } from '../budget.ts';
import type { MarkdownRole } from '../elements.ts';
import type { StatementElement } from '../html/node.ts';
import { formatFencedSample } from './code.ts';
import { addMarkdownMarks, inlineElementRules } from './inline.ts';
import { formatMarkdownList } from './list.ts';
import { formatMarkdownTable, splitNonBlankLines } from './table.ts';

const closingHashes = /(?<![^ ])#+$/;

/** A rule of turndown whose text may be longer than the content of its element. */
type BlockRule = (content: string, node: StatementElement, budget: ConversionBudget) => string;

const blockRules: Partial<Record<MarkdownRole, BlockRule>> = {
  SAMPLE: (_, { literal, label, isStruck }) => block(deleted(formatFencedSample(literal, label), isStruck)),
  DISPLAY: (_, { literal, isStruck }) => block(deleted(`$$${literal}$$`, isStruck)),
  HEADING: headingMarkdown,
  TERM: (content, node) => block(addMarkdownMarks(oneLine(content), node)),
  BLOCKQUOTE: content => block(quoted(content.trim())),
  // A list item needs stars for a horizontal rule, because three hyphens would end the item.
  HORIZONTAL: (_, { parentNode }) => block(parentNode.nodeName === 'LI' ? '***' : '---'),
  UL: listContent,
  OL: listContent,
  LI: storeMarkdown,
  TABLE: (content, node, budget) => block(`${content.trim()}\n\n${formatMarkdownTable(node, budget)}`.trim()),
  CELL: storeMarkdown,
  HEADCELL: storeMarkdown,
};

/** Encloses a block in HTML tags if it is struck through, because the Markdown mark `~~` cannot span a block. */
function deleted(markdown: string, isStruck: boolean): string {
  return isStruck ? `<del>\n\n${markdown}\n\n</del>` : markdown;
}

/** Matches the start of a list, a sample or a table. A heading that begins with one has no title. */
const startsWithBlock = /^\n\n(?:[-*+>|] |\d+[.)] |`{3})/;

/**
 * Returns the Markdown of a heading. If its end tag is missing, the heading contains the following blocks, such as the
 * list after `<h3>Subtasks`, which are moved after it. An element with the class of a heading becomes an ordinary block
 * if it contains a real heading.
 */
function headingMarkdown(content: string, { number = 2 }: StatementElement): string {
  const text = content.trim();
  if (/\n\n#{1,6} /.test(content) || startsWithBlock.test(content)) return block(text);
  const end = text.indexOf('\n\n');
  const title = end === -1 ? text : text.slice(0, end);
  return block(`${'#'.repeat(number)} ${escapeClosingHashes(oneLine(title))}${text.slice(title.length)}`);
}

/** Escapes the hashes at the end of a title, which Markdown would remove. */
function escapeClosingHashes(title: string): string {
  return title.endsWith('#') ? title.replace(closingHashes, '\\$&') : title;
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
  return content.includes('\n') ? splitNonBlankLines(content).join(' ') : content.trim();
}

/** Stores the Markdown of a list item or a cell, which the rule of the list or table reads later. */
function storeMarkdown(content: string, node: StatementElement): string {
  node.markdown = content.trim();
  return '';
}

function listContent(content: string, node: StatementElement): string {
  const list = `${content.trim()}\n${formatMarkdownList(node)}`.trim();
  if (node.parentNode.nodeName !== 'LI') return block(list);
  // An empty line after the list prevents that the next text becomes part of the last item. Only bullet lists and lists
  // that start at 1 may follow a text without an empty line.
  return /^(?:[-*] |1\. )\S/.test(list) ? `\n${list}\n\n` : block(list);
}

/** Maps each kind of element to its rule. A kind without a rule is a block. */
const rules: Partial<Record<MarkdownRole, BlockRule>> = { ...inlineElementRules, ...blockRules };

export function hasMarkdownRule(kind: MarkdownRole): boolean {
  return kind in rules;
}

/** Returns the Markdown of an element. `content` is the Markdown of its children. */
export function formatMarkdownElement(content: string, node: StatementElement, budget: ConversionBudget): string {
  budget.copied.spend(content.length);
  return (rules[node.nodeName] ?? block)(content, node, budget);
}

/**
 * Calls turndown with one rule for each kind of element. One service converts all pages, because creating it costs more
 * time than a small page.
 */
class TurndownWalk {
  #service: TurndownService<StatementElement> | undefined;
  #budget = new ConversionBudget();
  #markdown = '';

  /** Returns the Markdown of all children of the <body> element, which is the only child of `page`. */
  markdown(page: StatementElement, budget: ConversionBudget): string {
    this.#service ??= this.#openService();
    this.#budget = budget;
    this.#service.turndown(page);
    return this.#markdown;
  }

  #openService(): TurndownService<StatementElement> {
    const replacement = (content: string, node: StatementElement): string =>
      formatMarkdownElement(content, node, this.#budget);
    const service = new TurndownService<StatementElement>({ defaultReplacement: replacement });
    // The text of the nodes is already escaped, so that turndown must not escape it again.
    service.escape = text => text;
    for (const kind of Object.keys(rules)) service.addRule(kind, { filter: kind.toLowerCase(), replacement });
    service.addRule('BODY', {
      filter: 'body',
      replacement: content => {
        // turndown trims its result with a regular expression that is quadratic in runs of white space. The result is
        // therefore stored before that step.
        this.#markdown = content;
        return '';
      },
    });
    return service;
  }
}

export const turndownConverter = new TurndownWalk();
