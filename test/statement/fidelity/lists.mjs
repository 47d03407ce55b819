// This module reads the depth, the number and the own text of list items.
import { oneLine } from './flow.mjs';
import { mark } from './marks.mjs';
import { attribute, hasAttribute, isHidden } from './sight.mjs';

/** A nested list belongs to the previous item. Without a previous item, it has the depth of the outer list. */
export function readList(node, context) {
  const { lists } = context;
  const outer = lists.at(-1);
  const depth = outer === undefined ? 1 : outer.depth + (outer.hasItem ? 1 : 0);
  const list = {
    depth,
    hasItem: false,
    isInItem: false,
    next: firstNumber(node),
    step: hasAttribute(node, 'reversed') ? -1 : 1,
    node,
  };
  const inner = { ...context, lists: [...lists, list] };
  for (const child of withLooseContent(node.childNodes)) {
    if (child.tagName === 'li') readItem(child, list, inner);
    else context.walk(child, inner);
  }
}

/** Markdown has no description lists: each description becomes an item below its term. */
export function readDefinitions(node, context) {
  const outer = context.lists.at(-1);
  const depth = outer === undefined ? 1 : outer.depth + (outer.hasItem ? 1 : 0);
  const list = { depth, hasItem: false, isInItem: false, next: undefined, step: 1, node: { tagName: 'ul', attrs: [] } };
  for (const child of node.childNodes) {
    if (child.tagName === 'dd') readItem(child, list, { ...context, lists: [...context.lists, list] });
    else context.walk(child, context);
  }
}

/** Content between two items becomes a paragraph of the first item, because Markdown has no other place for it. */
function withLooseContent(children) {
  const nodes = [];
  let paragraph;
  for (const child of children) {
    const item = nodes.at(-1);
    const isBlank = child.tagName === undefined && (child.value ?? '').trim() === '';
    if (isLoose(child) && item?.tagName === 'li') {
      if (paragraph === undefined) {
        if (isBlank) continue;
        paragraph = { nodeName: 'div', tagName: 'div', attrs: [], childNodes: [] };
        nodes[nodes.length - 1] = { ...item, childNodes: [...item.childNodes, paragraph] };
      }
      paragraph.childNodes.push(child);
    } else if (!isBlank) {
      paragraph = undefined;
      nodes.push(child);
    }
  }
  return nodes;
}

function isLoose(child) {
  if (child.tagName === undefined || isList(child)) return true;
  return child.tagName !== 'li' && !hasItemOfList(child);
}

function isList({ tagName }) {
  return /^(?:ul|ol|menu|dir)$/.test(tagName);
}

/** An element such as <b> may stand between a list and its items. */
function hasItemOfList(node) {
  return node.childNodes.some(
    child => child.tagName === 'li' || (child.tagName !== undefined && !isList(child) && hasItemOfList(child)),
  );
}

function firstNumber(list) {
  if (list.tagName !== 'ol') return undefined;
  const start = Number.parseInt(attribute(list, 'start'), 10);
  if (!Number.isNaN(start)) return start;
  return hasAttribute(list, 'reversed') ? list.childNodes.filter(child => child.tagName === 'li').length : 1;
}

/** Reads an item outside of a list, because browsers show it with a bullet. */
export function readLooseItem(node, context) {
  const around = context.lists.at(-1);
  if (around?.isInItem === false) {
    readItem(node, around, context);
    return;
  }
  const list = {
    depth: context.lists.length + 1,
    hasItem: false,
    isInItem: false,
    next: undefined,
    step: 1,
    node: { tagName: 'ul', attrs: [] },
  };
  readItem(node, list, { ...context, lists: [...context.lists, list] });
}

function readItem(node, list, context) {
  if (isHidden(node)) return;
  const { flow, reading } = context;
  // A sample cannot contain list items, so that their text is read as lines.
  if (context.isPre) {
    flow.edge();
    context.walkChildren(node, context);
    flow.edge();
    return;
  }
  flow.breakLine();
  list.hasItem = true;
  // Items of a Markdown list keep the number in the source, because the renderer would hide a wrong number.
  const written = attribute(node, 'data-number') || (list.next === undefined ? '' : attribute(node, 'value'));
  const own = Number.parseInt(written, 10);
  const number = Number.isNaN(own) ? list.next : own;
  if (number !== undefined) list.next = number + list.step;
  const numeral = numeralOf(list.node, number);
  const item = {
    depth: list.depth,
    marker: number === undefined || numeral !== undefined ? '-' : `${number}.`,
    text: '',
  };
  const at = reading.items.push(item);
  const start = flow.begin();
  if (numeral !== undefined) flow.add(`${numeral} `);
  list.isInItem = true;
  context.walkChildren(node, context);
  list.isInItem = false;
  const nested = reading.items.slice(at);
  const text = flow.sinceWithout(
    start,
    nested.map(each => each.range),
  );
  item.text = oneLine(text.replaceAll(mark.cell, ' '));
  item.range = [start, flow.length];
  if (item.text === '' && nested.length === 0 && !/\S/.test(flow.since(start))) reading.items.splice(at - 1, 1);
  flow.breakLine();
}

/** Returns the letter or Roman numeral of an item, which Markdown must contain as text. */
function numeralOf(list, number) {
  if (number === undefined || number < 1) return undefined;
  const style = /list-style(?:-type)?:\s*([\w-]+)/.exec(attribute(list, 'style'))?.[1];
  const kind =
    {
      'lower-alpha': 'a',
      'lower-latin': 'a',
      'upper-alpha': 'A',
      'upper-latin': 'A',
      'lower-roman': 'i',
      'upper-roman': 'I',
    }[style] ?? attribute(list, 'type');
  if (/^[aA]$/.test(kind)) return `${letters(number, kind)}.`;
  if (/^[iI]$/.test(kind)) return `${kind === 'i' ? roman(number) : roman(number).toUpperCase()}.`;
  return undefined;
}

function letters(number, first) {
  let text = '';
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    text = String.fromCharCode(first.charCodeAt(0) + ((rest - 1) % 26)) + text;
  }
  return text;
}

function roman(number) {
  const signs = [
    ['m', 1000],
    ['cm', 900],
    ['d', 500],
    ['cd', 400],
    ['c', 100],
    ['xc', 90],
    ['l', 50],
    ['xl', 40],
    ['x', 10],
    ['ix', 9],
    ['v', 5],
    ['iv', 4],
    ['i', 1],
  ];
  let text = '';
  let rest = number;
  for (const [sign, value] of signs) {
    for (; rest >= value; rest -= value) text += sign;
  }
  return text;
}
