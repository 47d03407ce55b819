import { describe, expect, test } from 'vitest';
import type { SourceTree } from '../../../../src/toolsets/books/authoring/outline.ts';
import { type ImportPlan, planImport } from '../../../../src/toolsets/books/authoring/plan.ts';

function treeOf(files: Readonly<Record<string, string>>): SourceTree {
  const known = new Map(Object.entries(files));
  return { paths: [...known.keys()].sort(), has: path => known.has(path), text: path => known.get(path) };
}

const plan = (files: Readonly<Record<string, string>>): ImportPlan => planImport(treeOf(files), 'My Book');
const placesIn = ({ files }: ImportPlan): Record<string, string> =>
  Object.fromEntries(files.map(({ from, to }) => [from, to]));
const contentOf = ({ files }: ImportPlan, from: string): string | undefined =>
  files.find(file => file.from === from)?.content;

describe('the import plan of an mdBook', () => {
  const book = {
    'book.toml': '[book]\ntitle = "T"\n',
    'src/SUMMARY.md': `# Summary

[Preface](preface.md)

# Basics

- [Types](types.md)
  - [Numbers](types/numbers.md)
    - [Big numbers](types/big.md)
  - [Text](types/text.md)
- [Draft]()
- [Missing](missing.md)
`,
    'src/preface.md': '# Preface',
    'src/types.md': 'See [numbers](types/numbers.md#big) and ![a](img/a.png).',
    'src/types/numbers.md': '[back](../types.md) [web](https://x.example/) [dead](../none.md)',
    'src/types/big.md': '# Big',
    'src/types/text.md': '[numbers](./numbers.html)',
    'src/unlisted.md': '# Unlisted',
    'src/img/a.png': '',
  };

  test('contains parts, chapters and lessons in the order of SUMMARY.md', () => {
    expect(placesIn(plan(book))).toEqual({
      'src/img/a.png': 'static/img/a.png',
      'src/preface.md': 'content/01-Preface/01-Preface/01-Preface.md',
      'src/types.md': 'content/02-Basics/01-Types/README.md',
      'src/types/numbers.md': 'content/02-Basics/01-Types/01-Numbers.md',
      'src/types/big.md': 'content/02-Basics/01-Types/02-Big-numbers.md',
      'src/types/text.md': 'content/02-Basics/01-Types/03-Text.md',
    });
  });

  test('rewrites links and images to the new paths and keeps fragments', () => {
    expect(contentOf(plan(book), 'src/types.md')).toBe(
      'See [numbers](01-Numbers.md#big) and ![a](../../../static/img/a.png).',
    );
    expect(contentOf(plan(book), 'src/types/text.md')).toBe('[numbers](01-Numbers.md)');
  });

  test('reports links whose target is not imported, and leaves them unchanged', () => {
    const page = plan(book).files.find(({ from }) => from === 'src/types/numbers.md');
    expect(page?.deadLinks).toEqual(['../none.md']);
    expect(page?.content).toBe('[back](README.md) [web](https://x.example/) [dead](../none.md)');
  });

  test('leaves out pages that SUMMARY.md does not list, and notes listed files that do not exist', () => {
    const { rejected, notes } = plan(book);
    expect(rejected).toEqual([{ from: 'src/unlisted.md', reason: 'SUMMARY.md does not list it' }]);
    expect(notes).toEqual([
      'The draft chapter "Draft" has no page and is not imported.',
      'src/SUMMARY.md names missing.md, which does not exist.',
      '1 page with children (src/types.md): each becomes the README.md of its part or chapter, which the tools only read: edit it in this folder and import it again.',
    ]);
  });
});

describe('the import plan of a Docusaurus site', () => {
  const docs = {
    'a/_category_.json': '{"label": "Last", "position": 2}',
    'a/one.md': '---\nsidebar_position: 2\ntitle: "One: first"\n---\n',
    'a/two.md':
      '---\nsidebar_position: 1\n---\n# Two {#two}\n[one](./one) [root](/b/deep/page) ![p](@site/static/img/p.png)',
    'b/_category_.yml': 'label: Début\nposition: 1\n',
    'b/index.md': '# About b',
    'b/deep/page.md': '# Page',
    'b/_partial.md': 'text',
    'static/img/p.png': '',
  };

  test('orders folders and pages by their declared positions', () => {
    expect(placesIn(plan(docs))).toEqual({
      'b/index.md': 'content/01-Debut/README.md',
      'b/deep/page.md': 'content/01-Debut/01-deep/01-Page.md',
      'a/two.md': 'content/02-Last/01-Two-two/01-Two-two.md',
      'a/one.md': 'content/02-Last/01-Two-two/02-One-first.md',
      'static/img/p.png': 'static/img/p.png',
    });
  });

  test('resolves links without an extension, links from the root of the folder, and links with the address of the site', () => {
    expect(contentOf(plan(docs), 'a/two.md')).toContain(
      '[one](02-One-first.md) [root](../../01-Debut/01-deep/01-Page.md) ![p](../../../static/img/p.png)',
    );
  });

  test('takes the order of pages from a sidebar file that contains a literal', () => {
    const sidebars = `module.exports = { docs: [{ type: 'category', label: 'C', items: ['guide/b', 'guide/a'] }] };`;
    const files = { 'sidebars.js': sidebars, 'guide/a.md': '# A', 'guide/b.md': '# B', 'other.md': '# Other' };
    const { notes, ...planned } = plan(files);
    expect(placesIn({ notes, ...planned })).toEqual({
      'guide/b.md': 'content/01-My-Book/01-C/01-B.md',
      'guide/a.md': 'content/01-My-Book/01-C/02-A.md',
      'other.md': 'content/01-My-Book/02-Other-pages/01-Other.md',
    });
    expect(notes).toEqual(['sidebars.js does not list 1 page: it becomes the part "Other pages".']);
  });

  test('contains all pages whose names differ only in a number prefix, which the sidebar ignores', () => {
    const files = { 'sidebars.js': "module.exports = { a: ['b'] };", '1-a.md': '# A', '2-a.md': '# B', 'b.md': '# C' };
    expect(Object.keys(placesIn(plan(files))).sort()).toEqual(['1-a.md', '2-a.md', 'b.md']);
  });

  test('ignores a sidebar file that contains code without executing it, and notes this', () => {
    const { notes, files } = plan({ 'sidebars.js': 'module.exports = require("./make")();', 'a.md': '# A' });
    expect(notes).toEqual(['sidebars.js is not a literal, and code is not executed: the order is that of the files.']);
    expect(files).toHaveLength(1);
  });
});

describe('the import plan of a folder of Markdown files', () => {
  test('has a single part when the folder has at most two levels', () => {
    expect(
      placesIn(plan({ 'README.md': '# Home', '2-b/x.md': '# X', '10-a/日本.md': '# 日本', 'notes.txt': '' })),
    ).toEqual({
      'README.md': 'content/01-My-Book/01-Home/01-Home.md',
      '2-b/x.md': 'content/01-My-Book/02-b/01-X.md',
      '10-a/日本.md': 'content/01-My-Book/03-a/01-unit.md',
    });
  });

  test('is rejected when a level has more than 99 units', () => {
    const files = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`c/p${index}.md`, `# P ${index}`]));
    expect(plan(files).obstacle?.sentence).toBe('"c" has 100 units on one level, and a level has at most 99.');
  });

  test('is rejected when the folder has no pages', () => {
    expect(plan({ 'a.png': '' }).obstacle).toEqual({
      sentence: 'The folder has no pages in Markdown that can be read.',
      hint: expect.stringContaining('.md or .mdx'),
    });
  });

  test('renames assets that would have the same name', () => {
    expect(placesIn(plan({ 'p.md': '#', 'a/x.png': '', 'b/x.png': '', 'c/X.png': '' }))).toMatchObject({
      'a/x.png': 'static/img/x.png',
      'b/x.png': 'static/img/b-x.png',
      'c/X.png': 'static/img/c-X.png',
    });
  });

  test('writes Latin letters in the names of assets and lessons as ASCII letters, and numbers names without any such letter', () => {
    const pictures = ['Übung.png', 'Straße.png', 'схема.png', '図.png', '図1.png', '表1.png'];
    const files = plan({
      'p.md': ['# Größe', ...pictures.map(name => `![x](${encodeURI(name)})`)].join('\n'),
      ...Object.fromEntries(pictures.map(name => [name, ''])),
    });
    expect(placesIn(files)).toMatchObject({
      'p.md': 'content/01-My-Book/01-Grosse/01-Grosse.md',
      'Übung.png': 'static/img/Ubung.png',
      'Straße.png': 'static/img/Strasse.png',
      'схема.png': 'static/img/2.png',
      '図.png': 'static/img/3.png',
      '図1.png': 'static/img/1.png',
      '表1.png': 'static/img/1-2.png',
    });
    expect(files.files.flatMap(({ deadLinks }) => deadLinks)).toEqual([]);
  });

  test('leaves links unchanged that lead outside of the folder', () => {
    const { files } = plan({ 'a.md': '[x](../../etc/passwd)' });
    expect(files[0]?.deadLinks).toEqual(['../../etc/passwd']);
  });
});

test('the import plan of a Docusaurus folder has no part for a sidebar without pages', () => {
  const files = {
    'docusaurus.config.js': 'module.exports = {}',
    'docs/a.md': '# A',
    'docs/b.md': '# B',
  };
  const items = "{ type: 'category', label: 'One', items: ['a', 'b'] }";
  const one = placesIn(plan({ ...files, 'sidebars.js': `module.exports = { main: [${items}] }` }));
  expect(Object.keys(one)).toEqual(['docs/a.md', 'docs/b.md']);
  expect(placesIn(plan({ ...files, 'sidebars.js': `module.exports = { empty: [], main: [${items}] }` }))).toEqual(one);
});

describe('the import plan of a folder that was imported before', () => {
  const former = {
    'book.toml': '[book]\n',
    'src/SUMMARY.md': '# Summary\n\n# Basics\n\n- [Types](types.md)\n  - [Text](text.md)\n- [Rest](rest.md)\n',
    'src/types.md': '# Types',
    'src/text.md': '# Text',
    'src/rest.md': '# Rest',
  };

  function planAgain(files: Readonly<Record<string, string>>): ImportPlan {
    const first = plan(former);
    const entries = first.files.map(({ from, to }) => [to, { from, synced: [] }]);
    const manifest = {
      kind: first.kind,
      orders: [first.order.map(pages => [...pages])],
      files: Object.fromEntries(entries),
    };
    return planImport(treeOf(files), 'My Book', { manifest, paths: first.files.map(({ to }) => to) });
  }

  test('keeps the library paths of pages whose titles were changed', () => {
    const summary = former['src/SUMMARY.md'].replace('[Text]', '[Strings]');
    const { isSameOrder, ...again } = planAgain({ ...former, 'src/SUMMARY.md': summary });
    expect(isSameOrder).toBe(true);
    expect(again.files.map(({ to }) => to)).toEqual(plan(former).files.map(({ to }) => to));
  });

  test('assigns new library paths to all pages if another page has become the README.md of a chapter', () => {
    const summary =
      '# Summary\n\n# Basics\n\n- [Types](kinds.md)\n  - [Types](types.md)\n  - [Text](text.md)\n- [Rest](rest.md)\n';
    const files = { ...former, 'src/SUMMARY.md': summary, 'src/kinds.md': '# Kinds' };
    const { isSameOrder, ...again } = planAgain(files);
    expect(isSameOrder).toBe(true);
    expect(placesIn({ isSameOrder, ...again })).toEqual(placesIn(plan(files)));
  });
});
