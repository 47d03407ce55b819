// This module renders Markdown as a page: CommonMark with tables, HTML and TeX formulas.
import MarkdownIt from 'markdown-it';
import { mark } from './marks.mjs';
import { formulaAt } from './tex.mjs';

/** The HTML elements that a statement can contain. Other tags, such as `vector<int>` and `<n>`, are text. */
const knownNames = new Set(
  'a abbr acronym address applet area article aside audio b base basefont bdi bdo big blink blockquote body br button canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map mark marquee math menu meta meter nav nobr noframes noscript object ol optgroup option output p param picture pre progress q rb rp rt rtc ruby s samp script search section select small source span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr xmp'.split(
    ' ',
  ),
);

/** Browsers parse `<a <a href="…">` as one tag. */
const doubledTagStart = /<([a-zA-Z]+)\s+(?=<\1\s)/g;

/** Browsers parse `<br/ >` as a tag, but CommonMark does not. */
const spacedTagEnd = /(?<=<[bh]r\s{0,9})\/\s+>/gi;

const blockAtLineStart = /(?<=\n)(?=<(?:p|pre|blockquote|div|table|ul|ol)[\s>])/gi;

const renderers = new Map();

/**
 * `isLoose`: `#include <list>` is text, which the output must escape. `hasEntities`: formulas contain `&lt;`, which the
 * output must decode. `hasMarkdownInBlocks`: blocks of HTML contain Markdown. `hasLiteralCode`: the text of `<code>` is
 * literal, and a block at the start of a line ends a list. `singleDollar`: `$x$` is a formula.
 */
export function renderMarkdown(source, options) {
  const text = options.isLoose ? source.replace(doubledTagStart, '').replace(spacedTagEnd, '/>') : source;
  const key = JSON.stringify(options);
  if (!renderers.has(key)) renderers.set(key, createRenderer(options));
  const renderer = renderers.get(key);
  return options.hasMarkdownInBlocks ? renderAroundSamples(renderer, text, options) : renderer.render(text);
}

/**
 * `<pre>` elements and comments contain no Markdown, so that the renderer gets an empty element in place of each one.
 */
function renderAroundSamples(renderer, source, { isLoose, hasLiteralCode }) {
  const samples = [];
  const text = hasLiteralCode ? source.replace(blockAtLineStart, '\n') : source;
  const literal = hasLiteralCode
    ? /<(pre|code)\b[^>]*>[^]*?<\/\1\s*>|<!--[^]*?-->/gi
    : /<pre\b[^>]*>[^]*?<\/pre\s*>|^<!--[^]*?-->/gim;
  // A line that contains only <br> counts as an empty line.
  const rest = text.replace(/^[ \t]*<br\s*\/?>[ \t\r]*$/gim, '').replace(literal, sample => {
    samples.push(sample);
    return `<x-sample n="${samples.length - 1}">`;
  });
  return renderer
    .render(rest)
    .replace(/<x-sample n="(\d+)">/g, (_, n) => (isLoose ? withKnownTags(samples[n]) : samples[n]))
    .replace(/&lt;x-sample n=&quot;(\d+)&quot;&gt;/g, (_, n) => renderer.utils.escapeHtml(samples[n]));
}

function createRenderer({ isLoose, hasEntities = false, hasMarkdownInBlocks = false, singleDollar }) {
  const renderer = new MarkdownIt({ html: true, maxNesting: 1000 });
  // The HTML of statements has any indentation and contains empty lines, which CommonMark would parse as code or as the
  // end of a block.
  if (hasMarkdownInBlocks) renderer.disable(['html_block', 'code']);
  renderer.validateLink = () => true;
  renderer.inline.ruler.before('escape', 'formula', (state, silent) => inlineFormula(state, silent, singleDollar));
  renderer.block.ruler.before('fence', 'formula', blockFormula, { alt: ['paragraph', 'blockquote', 'list'] });
  const { rules } = renderer.renderer;
  if (isLoose) renderer.inline.ruler.before('html_inline', 'slashed_end_tag', slashedEndTag);
  rules.formula = (tokens, index) => formulaHtml(tokens[index].content, hasEntities);
  rules.formula_block = (tokens, index) => `<p>${formulaHtml(tokens[index].content, hasEntities)}</p>\n`;
  rules.list_item_open = (tokens, index) =>
    tokens[index].info === '' ? '<li>' : `<li data-number="${tokens[index].info}">`;
  // The renderer's function for the alternative text of images is replaced, because it omits escaped characters.
  rules.image = (tokens, index) => {
    const alt = tokens[index].children.map(altText).join('');
    return `<img src="${escapeAttribute(tokens[index].attrGet('src'))}" alt="${escapeAttribute(alt)}">`;
  };
  if (isLoose) {
    renderer.core.ruler.push('rejected_autolink', removeRejectedAutolinks);
    rules.html_inline = (tokens, index) => withKnownTags(tokens[index].content);
    rules.html_block = (tokens, index) => withKnownTags(tokens[index].content);
    keepUnknownBlocksText(renderer);
  }
  return renderer;
}

/** Some authors write `</br/>`. Browsers parse it as an end tag, but CommonMark does not. */
function slashedEndTag(state, silent) {
  const [tag, name] = /^<\/([a-zA-Z][a-zA-Z0-9]*)\s*\/\s*>/.exec(state.src.slice(state.pos, state.pos + 30)) ?? [];
  if (tag === undefined || !isKnown(name)) return false;
  if (!silent) state.push('html_inline', '', 0).content = `</${name}>`;
  state.pos += tag.length;
  return true;
}

/** An autolink with an unknown scheme, such as `<aura:component>`, is not shown, and its text is lost. */
function removeRejectedAutolinks({ tokens }) {
  for (const { children } of tokens) {
    for (let at = (children ?? []).length - 3; at >= 0; at--) {
      const { type, markup } = children[at];
      const isRejected =
        type === 'link_open' && markup === 'autolink' && !/^(?:https?|mailto):/i.test(children[at].attrGet('href'));
      if (isRejected) children.splice(at, 3);
    }
  }
}

function withKnownTags(html) {
  return html.replace(/<(?=\/?([a-zA-Z][^\s/>]*))/g, (sign, name) => (isKnown(name) ? sign : '&lt;'));
}

function isKnown(name) {
  return knownNames.has(name.toLowerCase()) || /^(mjx-|x-(tex|sample)$)/.test(name);
}

function keepUnknownBlocksText(renderer) {
  const rule = renderer.block.ruler.__rules__.find(each => each.name === 'html_block');
  const original = rule.fn;
  renderer.block.ruler.at(
    'html_block',
    (state, line, ...rest) => {
      const start = state.bMarks[line] + state.tShift[line];
      const name = /^<\/?([a-zA-Z][^\s/>]*)/.exec(state.src.slice(start, start + 40))?.[1];
      return name !== undefined && !isKnown(name) ? false : original(state, line, ...rest);
    },
    { alt: rule.alt },
  );
}

function inlineFormula(state, silent, singleDollar) {
  const { src, pos } = state;
  if (src[pos] === '\\' && src[pos + 1] === '$') {
    if (!silent) state.pending += mark.dollar;
    state.pos += 2;
    return true;
  }
  const open =
    src[pos] === '$'
      ? /^\$+/.exec(src.slice(pos, pos + 8))[0]
      : src[pos] === '\\' && /[([]/.test(src[pos + 1])
        ? src.slice(pos, pos + 2)
        : '';
  if (open === '') return false;
  const formula = formulaAt(src, pos, open, singleDollar);
  if (formula === undefined) {
    if (open[0] !== '$') return false;
    if (!silent) state.pending += open.replaceAll('$', mark.dollar);
    state.pos += open.length;
    return true;
  }
  if (!silent) Object.assign(state.push('formula', '', 0), { content: formula.tex, markup: open });
  state.pos = formula.end;
  return true;
}

/** Parses a formula that starts with `$$` or `\[` at the start of a line. It may contain blank lines. */
function blockFormula(state, startLine, endLine, silent) {
  const start = state.bMarks[startLine] + state.tShift[startLine];
  const open = state.src.slice(start, start + 3);
  if (!/^(?:\$\$(?!\$)|\\\[)/.test(open)) return false;
  const close = open[0] === '$' ? '$$' : '\\]';
  let text = state.src.slice(start + 2, state.eMarks[startLine]);
  for (let line = startLine; ; ) {
    const at = text.indexOf(close);
    if (at !== -1) {
      if (text.slice(at + 2).trim() !== '' || text.slice(0, at).trim() === '') return false;
      if (silent) return true;
      state.line = line + 1;
      state.push('formula_block', '', 0).content = text.slice(0, at);
      return true;
    }
    line++;
    if (line >= endLine || (state.sCount[line] < state.blkIndent && !state.isEmpty(line))) return false;
    text += `\n${state.src.slice(state.bMarks[line] + state.tShift[line], state.eMarks[line])}`;
  }
}

function formulaHtml(tex, hasEntities) {
  const text = hasEntities ? tex : tex.replaceAll('&', '&amp;');
  return `<x-tex>${text.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</x-tex>`;
}

/** In an alternative text `\\[1\\]` is an escaped bracket, because the text cannot contain a formula. */
function altText({ type, content, markup }) {
  if (type !== 'formula') return content;
  return markup === '\\[' ? `[${content}]` : `(${content})`;
}

function escapeAttribute(text) {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}
