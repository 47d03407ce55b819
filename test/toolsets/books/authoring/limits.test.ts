import { describe, expect, test } from 'vitest';
import { assignAssetPaths } from '../../../../src/toolsets/books/authoring/assets.ts';
import { findFrontMatterError } from '../../../../src/toolsets/books/authoring/content-checks.ts';
import { readDocusaurusOutline } from '../../../../src/toolsets/books/authoring/docusaurus.ts';
import { parseFrontMatter } from '../../../../src/toolsets/books/authoring/front-matter.ts';
import { mapToLibraryStructure } from '../../../../src/toolsets/books/authoring/levels.ts';
import {
  adaptRelativeLinks,
  findLinkAddresses,
  rewritePageLinks,
} from '../../../../src/toolsets/books/authoring/links.ts';
import { parseExportedLiteral, parseJavaScriptLiteral } from '../../../../src/toolsets/books/authoring/literal.ts';
import { findLinks, rewriteLinks } from '../../../../src/toolsets/books/authoring/markdown-links.ts';
import type { OutlineNode } from '../../../../src/toolsets/books/authoring/outline.ts';
import { replacePageOrder } from '../../../../src/toolsets/books/authoring/page-order.ts';
import { bookTitleOf } from '../../../../src/toolsets/books/authoring/plan.ts';
import { treeOf } from './approved/generators.ts';

const pagesOf = (count: number): OutlineNode[] =>
  Array.from({ length: count }, (_, index) => ({ title: `Page ${index}`, file: `${index}.md`, children: [] }));

describe('mapToLibraryStructure', () => {
  const chapters = (count: number): OutlineNode[] =>
    Array.from({ length: count }, (_, index) => ({ title: `Chapter ${index}`, children: pagesOf(1) }));
  const parts = (count: number): OutlineNode[] =>
    Array.from({ length: count }, (_, index) => ({ title: `Part ${index}`, children: chapters(1) }));

  test.each<[name: string, nodes: OutlineNode[], full: object[]]>([
    ['99 lessons', pagesOf(99), []],
    ['100 lessons', pagesOf(100), [{ title: 'Page 0', count: 100 }]],
    ['99 chapters', chapters(99), []],
    ['100 chapters', chapters(100), [{ title: 'Book', count: 100 }]],
    [
      '100 chapters of a part',
      [{ title: 'Part', children: chapters(100) }, ...parts(1)],
      [{ title: 'Part', count: 100 }],
    ],
    ['99 parts', parts(99), []],
    ['100 parts', parts(100), [{ title: 'Book', count: 100 }]],
  ])('reports levels with more than 99 entries: %s', (_, nodes, full) => {
    expect(mapToLibraryStructure('Book', nodes).full).toEqual(full);
  });

  test.each([
    ['x'.repeat(48), 'x'.repeat(48)],
    ['x'.repeat(49), 'x'.repeat(48)],
    [`${'x'.repeat(47)} yy`, 'x'.repeat(47)],
    [`${'x'.repeat(48)} yy`, 'x'.repeat(48)],
    [`${'x'.repeat(20)} ${'y'.repeat(27)}`, `${'x'.repeat(20)}-${'y'.repeat(27)}`],
    [`${'x'.repeat(20)} ${'y'.repeat(28)}`, 'x'.repeat(20)],
  ])('shortens the title %j to whole words of 48 characters', (title, name) => {
    const { pages } = mapToLibraryStructure('Book', [{ title, file: 'a.md', children: [] }]);
    expect(pages[0]?.to).toBe(`content/01-Book/01-${name}/01-${name}.md`);
  });
});

describe('the literal of a configuration', () => {
  const nested = (depth: number, open: string, close: string): string => open.repeat(depth) + close.repeat(depth);

  test.each([
    ['arrays', (depth: number) => nested(depth, '[', ']')],
    ['objects', (depth: number) => `${'{a:'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`],
  ])('can have 65 nested %s and no more', (_, literal) => {
    for (const parse of [parseJavaScriptLiteral, (text: string) => parseExportedLiteral(`export default ${text}`)])
      expect([parse(literal(65)) === undefined, parse(literal(66)) === undefined]).toEqual([false, true]);
  });

  test.each([
    [String.raw`"\u1234\u00e9"`, '\u1234é'],
    [String.raw`'\n\t\r\b\f\0\q'`, '\n\t\r\b\f\0q'],
    ['{ /* a */ b : 1 , /* c */ "d" : 2 /* e */ , }', { b: 1, d: 2 }],
  ])('%s is read with its escapes, comments and blanks', (source, value) => {
    expect(parseJavaScriptLiteral(source)).toEqual(value);
  });
});

test.each([
  [`a: x: ${'y'.repeat(994)}`, true],
  [`a: x: ${'y'.repeat(995)}`, false],
  ['\t# comment', false],
  [' \t ', false],
  [' \tb: c', true],
  ['no key', false],
])('the line %j of a front matter is an error: %s', (line, isError) => {
  expect(findFrontMatterError('a.md', `---\n${line}\n---\n`) !== undefined).toBe(isError);
});

test('a front matter ends within 64 Ki characters', () => {
  const page = (length: number): string => `---\na: 1\n#${'x'.repeat(length - 15)}\n---\n`;
  expect([parseFrontMatter(page(65_536)), parseFrontMatter(page(65_538))]).toEqual([{ a: 1 }, {}]);
});

describe('findLinks', () => {
  test.each([
    [998, true],
    [999, false],
  ])('treats a link with a label of %i characters as an image: %s', (length, isImage) => {
    const [link] = findLinks(`![${'x'.repeat(length)}](a.png)`);
    expect([link?.target, link?.isImage]).toEqual(['a.png', isImage]);
  });

  test.each([
    [1023, true],
    [1024, false],
  ])('finds a target of %i characters: %s', (length, isFound) => {
    const target = 'x'.repeat(length);
    expect(Array.from(findLinks(`[a](${target})`), link => link.target)).toEqual(isFound ? [target] : []);
  });

  test.each([
    [1024, true],
    [1025, false],
  ])('finds the attributes of a tag of %i characters: %s', (length, isFound) => {
    const tag = `<a ${'x'.repeat(length - 16)} href="b.md">`;
    expect(tag).toHaveLength(length);
    expect([...findLinks(tag)].length).toBe(isFound ? 1 : 0);
  });

  test.each([
    ['   [a]: b.md', 1],
    ['    [a]: b.md', 1],
    ['     [a]: b.md', 0],
    ['x [a]: b.md', 0],
    ['x\n[a]: b.md', 1],
  ])('finds the definition in %j %i times', (text, count) => {
    expect([...findLinks(text)]).toHaveLength(count);
  });
});

test('a link inside the target of a replaced link is not replaced', () => {
  const text = '<a href="[x](y.md)">[z](y.md)';
  expect(rewriteLinks(text, ({ target }) => `${target.length}`)).toBe('<a href="9">[z](4)');
  expect(rewriteLinks(text, ({ target }) => (target === 'y.md' ? 'new' : undefined))).toBe(
    '<a href="[x](new)">[z](new)',
  );
});

describe('the links of a page', () => {
  const placement = new Map([
    ['a.md', 'content/01-a/01-a/01-a.md'],
    ['a b.js', 'static/a b.js'],
    ['x.md/index.md', 'content/01-a/01-a/02-x.md'],
    ['docs.md', 'content/01-a/01-a/03-docs.md'],
    ['docs/index.md', 'content/01-a/01-a/README.md'],
    ['docs/b.md', 'content/01-a/01-a/04-b.md'],
    ['docs/self.js', 'content/01-a/01-a/self.js'],
  ]);
  const rewrite = (from: string, page: string) =>
    rewritePageLinks(treeOf({ files: { [from]: page }, skipped: {} }), placement, from, placement.get(from) ?? '');

  test.each([
    ['a.md', "import './a%20b.js'", [], ['./a%20b.js']],
    ['a.md', "import './a b.js'", ["import '../../../static/a b.js'"], []],
    ['a.md', '[x](x.md)', [], ['x.md']],
    ['a.md', '[x](x.md/)', [], ['x.md/']],
    ['docs/b.md', '[top](#top) [none](?a)', [], []],
    ['docs/b.md', '[folder](.)', ['[folder](03-docs.md)'], []],
    ['docs/b.md', "import './self.js'", [], []],
    ['docs/b.md', '[web](HTTPS://x.example/b.md) [other](//x.example/b.md) [mail](mailto:a)', [], []],
  ])('of %s, %j, lead to imported files or stay unchanged', (from, page, changed, dead) => {
    const { content, dead: found } = rewrite(from, page);
    expect([content, found]).toEqual([changed[0] ?? page, dead]);
  });

  test('keep their addresses in an export, and an anchor is no link to the page of its folder', () => {
    const page = '[top](#top) [b](./b.md?x) [a](../a.md)';
    const addresses = findLinkAddresses(treeOf({ files: { 'docs/b.md': page }, skipped: {} }), placement, 'docs/b.md');
    expect([...addresses]).toEqual([
      ['content/01-a/01-a/04-b.md', './b.md'],
      ['content/01-a/01-a/01-a.md', '../a.md'],
    ]);
    const exported = new Map([...placement].map(([from, to]) => [to, from]));
    const stored = '[top](#top) [b](04-b.md?x) [a](01-a.md) [folder](README.md) [none](../none.md)';
    expect(adaptRelativeLinks(stored, 'content/01-a/01-a/04-b.md', exported, { addresses })).toBe(
      '[top](#top) [b](./b.md?x) [a](../a.md) [folder](index.md) [none](../none.md)',
    );
  });
});

test('assets with too many equal names are rejected, and one with an unusable name gets another name', () => {
  const long = `${'x'.repeat(260)}.png`;
  const { placed, rejected } = assignAssetPaths([
    long,
    `a/${long}`,
    ...Array.from({ length: 102 }, (_, n) => `${n}/é.mp3`),
  ]);
  expect([placed.get(long), placed.get(`a/${long}`)]).toEqual(['static/img/file-1.png', 'static/img/file-2.png']);
  expect(placed.get('0/é.mp3')).toBe('static/audio/e.mp3');
  const taken = Array.from({ length: 102 }, (_, n) => `static/img/${n === 0 ? 'a' : `a-${n + 1}`}.png`);
  expect([rejected, assignAssetPaths(['a.png'], taken).rejected]).toEqual([[], ['a.png']]);
  expect([...assignAssetPaths(['a.png'], taken.slice(0, -2)).placed.values()]).toEqual(['static/img/a-101.png']);
});

test.each([
  ['[null, 3, "a"]', ['docs/a.md']],
  ['[["a"]]', []],
  ['{"Group": ["a"], "None": 3}', ['docs/a.md']],
])('the sidebar %s lists the pages %j', (sidebar, listed) => {
  const files = { 'docusaurus.config.js': '', 'sidebars.json': `{"main": ${sidebar}}`, 'docs/a.md': '# A' };
  const outline = readDocusaurusOutline(treeOf({ files, skipped: {} }));
  const filesOf = (nodes: readonly OutlineNode[]): string[] =>
    nodes.flatMap(({ title, file, children }) =>
      title === 'Other pages' ? [] : [...(file === undefined ? [] : [file]), ...filesOf(children)],
    );
  expect(filesOf(outline?.nodes ?? [])).toEqual(listed);
});

describe('replacePageOrder', () => {
  const [ab, ba, cd] = [[['a', 'b']], [['b', 'a']], [['c', 'd']]];

  test.each([
    ['of a new folder is added to the orders with which it disagrees', [ba, cd], [], ab, [ab, ba]],
    ['replaces the recorded order that agrees with the former one', [cd, ba], ba, ab, [ab]],
    ['is not recorded if no recorded order agrees with the former one', [ba], ab, ab, [ba]],
    ['is recorded if there is none yet', [], ab, ba, [ba]],
  ])('the order of pages %s', (_, orders, former, order, expected) => {
    expect(replacePageOrder(orders, former, order)).toEqual(expected);
  });

  test('keeps four orders', () => {
    const orders = ['1', '2', '3', '4'].map(name => [[name, 'a', 'b']]);
    expect(replacePageOrder(orders, [], [['b', 'a']])).toEqual([[['b', 'a']], ...orders.slice(0, 3)]);
  });
});

test.each([
  [{}, 'fallback'],
  [{ 'readme.md': '# Read me' }, 'Read me'],
  [{ 'README.md': 'no title', 'docs/index.mdx': '# Index' }, 'Index'],
  [{ 'docs/README.md': '# Docs', 'index.md': '# Top' }, 'Top'],
  [{ 'README.md': '# Read me', 'docusaurus.config.js': '{ title: "Site" }' }, 'Site'],
  [{ 'README.md': '# Read me', 'docusaurus.config.js': '{ subtitle: "Site" }' }, 'Read me'],
  [{ 'docusaurus.config.js': '{ title: "Site" }', 'book.toml': '[book]\ntitle = "Book"\n' }, 'Book'],
  [{ 'other/readme.md': '# Other' }, 'fallback'],
])('the book in a folder with %j has the title %s', (files, title) => {
  expect(bookTitleOf(treeOf({ files, skipped: {} }), 'fallback')).toBe(title);
});
