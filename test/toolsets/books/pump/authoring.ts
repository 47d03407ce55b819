import { parseImportManifest } from '../../../../src/toolsets/books/authoring/manifest.ts';
import { readListedChapters } from '../../../../src/toolsets/books/authoring/mdbook.ts';
import type { SourceTree } from '../../../../src/toolsets/books/authoring/outline.ts';
import { planImport } from '../../../../src/toolsets/books/authoring/plan.ts';
import { defineReader, nest, type PumpCase, repeat } from '../../../fuzz/pump/reader.ts';

/** Plans an import from a folder. One file of the folder is the input. */
function importReader(file: string, others: Readonly<Record<string, string>>, cases: readonly PumpCase[]) {
  return defineReader({
    name: `import ${file}`,
    cases,
    read(input) {
      const files = new Map(Object.entries({ ...others, [file]: input.toString('utf8') }));
      const tree: SourceTree = {
        paths: [...files.keys()].toSorted(),
        has: path => files.has(path),
        text: path => files.get(path),
      };
      const { files: planned } = planImport(tree, 'Book');
      return planned.map(plan => ('content' in plan ? plan.content : plan));
    },
  });
}

const blanks = [' ', '\t', '\n', '\r\n', ' \n'];
const literals = ['{', '[', '"a",', "'a',", '`', '/*', '//\n', '/**/', ' ', '\n', 'a:', '1', '\\', '"', '{a:1},', ','];

const markdown = [
  ...blanks,
  ...'[|]|](|[a](b) |![a](|[a]: b\n|[a]:|`|``|```\n|~~~\n|<|<a href="|<img src=|# a\n|#|# a #|---\n|> '.split('|'),
  ...'- |1. |\\|<!--|%|../|{#a}|import a\n|<A '.split('|'),
];

const summaries = [
  ...repeat(
    ['- [a](a.md)\n', '  - [a](a.md)\n', '# a\n', '<!--', '<!-- -->', '[', '\\', '](', '- [a](', ' ', '\t'],
    '# Summary\n',
  ),
  ...repeat([' ', '>', '<', 'a'], '- [a](', ')'),
  ...repeat(['a ', ' ', '#'], '# a'),
];

export const readers = [
  importReader('SUMMARY.md', { 'a.md': '# A\n' }, summaries),
  defineReader({
    name: 'export to a SUMMARY.md',
    cases: summaries,
    read: input => readListedChapters(input.toString('utf8'), 'src'),
  }),
  importReader(
    'book.toml',
    { 'src/SUMMARY.md': '- [a](a.md)\n', 'src/a.md': '# A\n' },
    repeat(['src', 'src=', '\n', ' ', '"', 'src = "', '\n ']),
  ),
  importReader('sidebars.js', { 'docs/a.md': '# A\n', 'docusaurus.config.js': '' }, [
    ...repeat(literals, 'module.exports = '),
    ...repeat([...blanks, 'export default ', 'const a ', 'a', '/* */', 'const a = 1;\n'], 'export default a;\n'),
    ...nest(
      [
        ['{a:', '}'],
        ['[', ']'],
      ],
      'module.exports = ',
    ),
  ]),
  importReader('docs/_category_.json', { 'docs/a.md': '# A\n' }, repeat(literals)),
  importReader(
    'docs/_category_.yml',
    { 'docs/a.md': '# A\n' },
    repeat(['a: b\n', 'label:', '#', ' #', "'", '"', '\\', ' ', '\n'], 'label: '),
  ),
  importReader('a.md', {}, [...repeat(markdown), ...repeat(markdown, '---\ntitle: a'), ...repeat(markdown, '# a')]),
  defineReader({
    name: 'import manifest',
    cases: repeat(['"a":{"from":"a","sha256":"b"},', '"a":1,', '"'], '{"kind":"folder","files":{'),
    read: input => parseImportManifest(input.toString('utf8')),
  }),
];
