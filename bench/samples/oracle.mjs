// Finds samples in a second way, by the markup of each platform: parse5 for pages, markdown-it for Markdown. It shares
// no code with src/.
import MarkdownIt from 'markdown-it';
import { parseFragment } from 'parse5';

const markdown = new MarkdownIt({ html: true });

/** Returns the samples of a statement as pairs [input, output]. */
export function expectedSamples(content) {
  const tokens = markdown.parse(content, {});
  const fences = tokens.filter(({ type }) => type === 'fence');
  const byInfo = byNumber(
    fences,
    ({ info }) => /^(input|output)(\d+)$/.exec(info.trim())?.slice(1),
    ({ content: text }) => text,
  );
  if (byInfo.length > 0) return byInfo;
  const byTitle = luogu(tokens);
  if (byTitle.length > 0) return byTitle;
  const root = parseFragment(content);
  return [codeforces, boj, atcoder, leetcode].map(read => read(root)).find(pairs => pairs.length > 0) ?? [];
}

/** Pairs the inputs and outputs that have the same number in their names. */
function byNumber(items, nameOf, valueOf) {
  const sides = new Map();
  for (const item of items) {
    const [side, number] = nameOf(item) ?? [];
    // A second fenced block with the same name contains another correct output. It is ignored.
    if (side !== undefined) sides.set(number, { [side]: valueOf(item), ...sides.get(number) });
  }
  return [...sides.values()].flatMap(({ input, output }) =>
    input === undefined || output === undefined ? [] : [[input, output]],
  );
}

function luogu(tokens) {
  const sides = [];
  let title;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open')
      title = /^样例(输入|输出) #?(\d+)$/.exec(tokens[index + 1].content.trim())?.slice(1);
    if (token.type === 'fence' && title !== undefined) {
      sides.push({ name: [title[0] === '输入' ? 'input' : 'output', title[1]], text: token.content });
      title = undefined;
    }
  }
  return byNumber(
    sides,
    ({ name }) => name,
    ({ text }) => text,
  );
}

function codeforces(root) {
  return all(root, node => hasClass(node, 'sample-test')).flatMap(test => {
    const texts = name =>
      all(test, node => hasClass(node, name))
        .flatMap(side => all(side, isNamed('pre')))
        .map(preText);
    const outputs = texts('output');
    return texts('input').flatMap((input, index) => (outputs[index] === undefined ? [] : [[input, outputs[index]]]));
  });
}

function boj(root) {
  const pres = all(root, node => node.nodeName === 'pre' && hasClass(node, 'sampledata'));
  return byNumber(pres, node => /^sample-(input|output)-(\d+)$/.exec(attribute(node, 'id'))?.slice(1), preText);
}

function atcoder(root) {
  const englishParts = all(root, node => hasClass(node, 'lang-en'));
  const scope = englishParts.flatMap(node => all(node, isNamed('pre'))).length > 0 ? englishParts : [root];
  const titles = scope.flatMap(part => all(part, isNamed('h3')));
  const sides = titles.flatMap(title => {
    const [, english, japanese, number] =
      /^(?:Sample (Input|Output)|(入力例|出力例)) ?(\d*)$/.exec(textOf(title).replace(/\s+/g, ' ').trim()) ?? [];
    const pre = (english ?? japanese) ? following(title, 'pre') : undefined;
    return pre === undefined
      ? []
      : [{ name: [/Input|入力例/.test(english ?? japanese) ? 'input' : 'output', number], pre }];
  });
  return byNumber(
    sides,
    ({ name }) => name,
    ({ pre }) => preText(pre),
  );
}

function leetcode(root) {
  const pairs = [];
  for (const pre of all(root, isNamed('pre'))) pairs.push(...byStrong(pre.childNodes));
  for (const block of all(root, node => hasClass(node, 'example-block'))) {
    const parts = byStrong(block.childNodes.flatMap(node => (node.nodeName === 'p' ? node.childNodes : [node])));
    // The paragraphs of a value are joined by one line end.
    pairs.push(...parts.map(pair => pair.map(value => value.replace(/\s*\n\s*/g, '\n'))));
  }
  return pairs;
}

const labelAtLineStart = /(?<=^|\n)[ \t]*(Input|Output|Exp+l[ai]+nation|输入|输出|解释|说明|提示)[ \t]*[:：]/gi;

const boldLabel =
  /^\s*(Input|Output|Exp+l[ai]+nation|Output details|Note|输入|输出|解释|说明|提示)\s*(?:[:：]\s*(\S[^]*)?|$)/i;

/** Matches an explanation below a value, after a label with a colon or on a line of its own. Some labels have typing errors. */
const explanationBelow =
  /\n\s*(?:(?:Exp+l[ai]+nation|Output details|解释|解釋|说明)\s*(?:[:：]|\n)|Exp+l[ai]+nation\s*$)[^]*$/i;

/** Returns the texts after labels that are bold or at the start of a line. Each text ends at the next label. */
function byStrong(nodes) {
  const sections = [];
  for (const node of nodes.flatMap(withoutPlainLabels)) {
    const [, label, bare] = (isNamed('strong', 'b')(node) && boldLabel.exec(textOf(node))) || [];
    // Some values are bold together with their label.
    if (label !== undefined) sections.push({ label, text: bare ?? '' });
    else if (sections.length > 0) sections.at(-1).text += (node.nodeName === 'sup' ? '^' : '') + textOf(node);
  }
  const pairs = [];
  for (const [index, { label, text: value }] of sections.entries()) {
    const next = sections[index + 1];
    if (!/^(?:input|输入)$/i.test(label) || next === undefined || !/^(?:output|输出)$/i.test(next.label)) continue;
    // The labels of some explanations are not bold.
    const clean = part =>
      part
        .replace(/^\s*[:：]/, '')
        .replace(explanationBelow, '')
        .trim();
    pairs.push([clean(value), clean(next.text)]);
  }
  return pairs;
}

/** Splits a text at labels that are not bold. */
function withoutPlainLabels(node) {
  // A value can be in the same element as its label.
  if (node.nodeName === 'span') return node.childNodes.flatMap(withoutPlainLabels);
  if (node.nodeName !== '#text') return [node];
  const parts = [];
  let done = 0;
  for (const { 0: label, 1: name, index } of node.value.matchAll(labelAtLineStart)) {
    parts.push(textNode(node.value.slice(done, index)), { nodeName: 'strong', childNodes: [textNode(name)] });
    done = index + label.length;
  }
  return [...parts, textNode(node.value.slice(done))];
}

function textNode(value) {
  return { nodeName: '#text', value };
}

function all(node, accepts) {
  return (node.childNodes ?? []).flatMap(child => [...(accepts(child) ? [child] : []), ...all(child, accepts)]);
}

function following(node, name) {
  const siblings = node.parentNode.childNodes;
  const after = siblings.slice(siblings.indexOf(node) + 1);
  const end = after.findIndex(isNamed('h3'));
  return after
    .slice(0, end === -1 ? undefined : end)
    .flatMap(one => (one.nodeName === name ? [one] : all(one, isNamed(name))))[0];
}

function isNamed(...names) {
  return node => names.includes(node.nodeName);
}

function hasClass(node, name) {
  return attribute(node, 'class').split(/\s+/).includes(name);
}

function attribute(node, name) {
  return node.attrs?.find(attr => attr.name === name)?.value ?? '';
}

function textOf(node) {
  if (node.nodeName === 'br') return '\n';
  return node.nodeName === '#text' ? node.value : (node.childNodes ?? []).map(textOf).join('');
}

/** Returns the text of a <pre> element, with <br> and the line elements of Codeforces as line ends. */
function preText(node) {
  const inner = child => {
    if (child.nodeName === '#text') return child.value;
    if (child.nodeName === 'br') return '\n';
    const content = child.childNodes.map(inner).join('');
    return child.nodeName === 'div' && !content.endsWith('\n') ? `${content}\n` : content;
  };
  return node.childNodes.map(inner).join('');
}
