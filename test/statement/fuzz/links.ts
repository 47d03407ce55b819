import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import { type DefaultTreeAdapterMap, parse } from 'parse5';
import { statementMarkdown } from '../../../src/statement/index.ts';
import { parseUrl } from '../../../src/text/url.ts';
import { defineTarget } from '../../fuzz/target.ts';

type Node = DefaultTreeAdapterMap['node'];

const base = 'https://judge.example/problems/4/a';
const markdownReader = new MarkdownIt({ linkify: false });
// By default markdown-it rejects some schemes and converts host names. Both would hide errors from this target.
markdownReader.validateLink = () => true;
markdownReader.normalizeLink = address => address;

export const target = defineTarget({
  name: 'links',
  corpus: [
    '<p>See <a href="/tutorial?a=1&amp;b=2">the [tutorial]</a> and <img src="x.png" alt="a](b)">.</p>',
    '<div><a href="https://a.example/(x)">one</a> &lt;https://b.example&gt; [two](https://c.example)</div>',
    '<p><a href="mailto:a@b.example">mail</a><a href="#part">part</a><a href="java\nscript:x">bad</a></p>',
    '<table><tr><td><a href=u>cell</a><td>\\[x](y) ![z](w)</table>',
  ],
  dictionary: [
    ...'<a href="|">|</a>|<img src="|" alt="|[a](b)|](|![|[|]|(|)|<|>|\\|\\[|"|`|\n\n|&lt;|&gt;|&#91;'.split('|'),
    ...'javascript:|data:text/html,|vbscript:|https://x.example/|//y.example|mailto:|#|?|&|%28|<p>|</p>'.split('|'),
    ...'<pre>|<code>|</code>|<b>|<li>|<td>|[a]: b|[a][b]|<https://z.example>|*|_|:|\t'.split('|'),
  ],
  mutations: 500,
  run(bytes) {
    const source = `<p>${bytes.toString('utf8')}`;
    const expected = addressesOf(parse(source));
    for (const [, ...written] of source.matchAll(looseAddress)) {
      for (const address of written) if (address !== undefined) addAddress(expected, address);
    }
    // Text outside of paragraphs may be parsed as Markdown with some tags, in which links are written as
    // `[text](address)`.
    for (const address of linksOf(source)) addAddress(expected, address);
    const markdown = statementMarkdown(source, base);
    if (markdown.startsWith('(Plain text: ')) return;
    const links = linksOf(markdown);
    for (const address of links) {
      assert.match(address, /^(?![a-z][a-z0-9+.-]*:)|^(?:https?|mailto):/i, 'a link has a scheme that is not allowed');
    }
    // The target skips links of Markdown that are interrupted by tags, and addresses with characters that are removed,
    // because it has no simple expectation for them.
    if (/\]\(|<\w+:|[^\n -~]/.test(source)) return;
    for (const address of links) assert.ok(expected.has(comparable(address)), `the source has no link to ${address}`);
  },
});

/** Returns the addresses of all links and images in a text, parsed as CommonMark. */
function linksOf(markdown: string): string[] {
  const tokens = markdownReader.parse(markdown, {}).flatMap(token => [token, ...(token.children ?? [])]);
  const names = new Set(['href', 'src']);
  return tokens.flatMap(({ attrs }) =>
    (attrs ?? []).flatMap(([name, value]) => (names.has(name) ? [String(value)] : [])),
  );
}

/**
 * Matches addresses in damaged tags, which are excluded, because the converter and the HTML standard parse different
 * elements there.
 */
const looseAddress = /(?:href|src)\s*=\s*(?:"([^"]*)|'([^']*))?(?=["']?([^\s"'>]*))/gi;
const addressNames = new Set(['href', 'src', 'data-src', 'xlink:href', 'poster', 'data', 'cite', 'action', 'srcset']);

function addressesOf(node: Node): Set<string> {
  const found = new Set<string>();
  const visit = (at: Node): void => {
    for (const { name, value } of 'attrs' in at ? at.attrs : []) if (addressNames.has(name)) addAddress(found, value);
    if ('content' in at) visit(at.content);
    if ('childNodes' in at) at.childNodes.forEach(visit);
  };
  visit(node);
  return found;
}

/** Adds an address twice: as it is written, and after it is resolved. */
function addAddress(found: Set<string>, written: string): void {
  const address = written.replace(/[\t\n\r]/g, '').trim();
  const resolved = parseUrl(address, base)?.href ?? address;
  found
    .add(comparable(resolved))
    .add(comparable(address))
    .add(comparable(`https:${address}`));
}

/**
 * Decodes percent-encoding before a comparison, because the output also encodes characters that would end a link in
 * Markdown.
 */
function comparable(address: string): string {
  const bytes = Buffer.from(address).toString('latin1');
  return bytes.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
