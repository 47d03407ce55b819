import { expect, test } from 'vitest';
import {
  findBrokenLinks,
  findDuplicateNumbers,
  findFrontMatterError,
} from '../../../../src/toolsets/books/authoring/content-checks.ts';
import { readDocusaurusOutline } from '../../../../src/toolsets/books/authoring/docusaurus.ts';
import { createFolderOutline } from '../../../../src/toolsets/books/authoring/folder-outline.ts';
import {
  firstHeadingOf,
  parseFrontMatter,
  titleOfPage,
} from '../../../../src/toolsets/books/authoring/front-matter.ts';
import { applyMovesToManifest, keepLibraryPaths } from '../../../../src/toolsets/books/authoring/known-paths.ts';
import { mapToLibraryStructure } from '../../../../src/toolsets/books/authoring/levels.ts';
import { adaptRelativeLinks, rewritePageLinks } from '../../../../src/toolsets/books/authoring/links.ts';
import { parseExportedLiteral, parseJavaScriptLiteral } from '../../../../src/toolsets/books/authoring/literal.ts';
import { findLinks } from '../../../../src/toolsets/books/authoring/markdown-links.ts';
import { readListedChapters, readMdBookOutline } from '../../../../src/toolsets/books/authoring/mdbook.ts';
import { orderOfPages, replacePageOrder } from '../../../../src/toolsets/books/authoring/page-order.ts';
import { listGenerated } from '../../../support/generator.ts';
import {
  docusaurusFolder,
  earlierImport,
  javaScript,
  mdBookFolder,
  outline,
  pageWithFrontMatter,
  pageWithLinks,
  summary,
  treeOf,
} from './approved/generators.ts';

const places = new Map([
  ['b.md', 'content/01-a/01-b/01-b.md'],
  ['c.png', 'static/img/c.png'],
  ['docs/a.md', 'content/01-a/01-b/02-a.md'],
  ['docs/e.js', 'static/e.js'],
  ['static/d', 'static/d'],
  ['f.js', 'static/f.js'],
]);

function rewriteLinksOf(page: string): unknown {
  const files = { 'docs/a.md': page };
  const rewritten = rewritePageLinks(treeOf({ files, skipped: {} }), places, 'docs/a.md', 'content/01-a/01-b/02-a.md');
  const adapted = adaptRelativeLinks(page, 'docs/a.md', places, { isSite: page.length % 2 === 0 });
  return [rewritten, adapted === page ? '' : adapted];
}

test.each([
  ['links', () => listGenerated(pageWithLinks, page => [...findLinks(page)], { blocks: 30 })],
  ['rewritten-links', () => listGenerated(pageWithLinks, rewriteLinksOf)],
  [
    'broken-links',
    () => listGenerated(pageWithLinks, page => findBrokenLinks('content/a.md', page, new Set(['content/b.md']))),
  ],
  [
    'literals',
    () => listGenerated(javaScript, text => [parseJavaScriptLiteral(text), parseExportedLiteral(text)], { blocks: 30 }),
  ],
  [
    'front-matter',
    () =>
      listGenerated(pageWithFrontMatter, page => [
        parseFrontMatter(page),
        titleOfPage(page),
        firstHeadingOf(page),
        findFrontMatterError('a.md', page)?.message,
      ]),
  ],
  ['summaries', () => listGenerated(summary, text => readListedChapters(text, 'src'))],
  ['mdbook-outlines', () => listGenerated(mdBookFolder, folder => readMdBookOutline(treeOf(folder)), { shown: 20 })],
  [
    'docusaurus-outlines',
    () => listGenerated(docusaurusFolder, folder => readDocusaurusOutline(treeOf(folder)), { shown: 20 }),
  ],
  [
    'folder-outlines',
    () => listGenerated(docusaurusFolder, folder => createFolderOutline(treeOf(folder), ''), { shown: 20 }),
  ],
  ['levels', () => listGenerated(outline, nodes => mapToLibraryStructure('A book', nodes), { shown: 30 })],
  [
    'known-paths',
    () =>
      listGenerated(earlierImport, ({ pages, manifest, paths, moves }) => {
        const moved = applyMovesToManifest(manifest, moves, path => paths.includes(path));
        return [
          keepLibraryPaths(pages, moved, paths),
          moved.files,
          replacePageOrder(manifest.orders, manifest.orders[0] ?? [], orderOfPages(pages)),
          findDuplicateNumbers(paths).map(({ path, message }) => [path, message]),
        ];
      }),
  ],
])('the approved file lists the %s of generated inputs', async (name, list) => {
  await expect(list()).toMatchFileSnapshot(`approved/generated-${name}.txt`);
});
