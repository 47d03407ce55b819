import { describe, expect, test } from 'vitest';
import {
  findBrokenLinks,
  findDuplicateNumbers,
  findFrontMatterError,
} from '../../../../src/toolsets/books/authoring/content-checks.ts';

const path = 'content/01-Part/01-Chapter/01-lesson.md';

describe('findBrokenLinks', () => {
  const known = new Set([path, 'content/01-Part/02-Other/01-a b.md', 'static/img/p.png']);
  test.each([
    ['a link to another chapter (no finding)', '[a](../02-Other/01-a%20b.md#top)', []],
    ['an image (no finding)', '![p](../../../static/img/p.png)', []],
    [
      'addresses of other sites, anchors and site paths (no finding)',
      '[a](https://x.example/y) [b](#z) [c](/z) [d](@site/z)',
      [],
    ],
    ['a link in code (no finding)', '`[a](missing.md)`', []],
    ['a missing page', '[a](missing.md)', ['Dead link']],
    ['a missing image', '![p](missing.png)', ['Dead image']],
    ['an include of mdBook', '{{#include ch2/deltas.md}} and \\{{#include text}}', ['Include of mdBook']],
    ['a file of the book that MDX loads (no finding)', "import p from '../../../static/img/p.png';", []],
    [
      'files outside of the book that MDX loads',
      "import p from './p.png';\nimport x from '@site/src/x';\n\n<a b={require('../q.png')}/>",
      ['Import of MDX', 'Import of MDX', 'Import of MDX'],
    ],
    ['a path outside of the book', '[a](../../../../x.md)', ['Dead link']],
  ])('reports only links and images without a target: %s', (_, markdown, issues) => {
    expect(findBrokenLinks(path, markdown, known).map(({ issue }) => issue)).toEqual(issues);
  });
});

describe('findFrontMatterError', () => {
  test.each([
    ['text without front matter (no finding)', '# Title\n', undefined],
    [
      'valid front matter (no finding)',
      '---\ntitle: "A: b"\ntags: [a, b]\nurl: https://x.example\n# c: d: e\n---\n',
      undefined,
    ],
    ['a block without a closing line', '---\ntitle: A\n', 'has no closing line "---"'],
    ['an unquoted value with a colon', '---\ntitle: A: b\n---\n', 'has a value with ": " without quotation marks'],
    ['a value that starts with a reserved character', '---\ntitle: @a\n---\n', 'starts with a reserved character'],
    ['a tab', '---\na:\n\tb: c\n---\n', 'is indented with a tab'],
  ])('reports only invalid front matter: %s', (_, markdown, message) => {
    const fault = findFrontMatterError(path, markdown)?.message;
    expect(message === undefined ? fault : fault?.includes(message)).toBe(message === undefined ? undefined : true);
  });
});

test('findDuplicateNumbers reports parts, chapters and lessons that have the same number', () => {
  const paths = [
    path,
    'content/01-Part/01-Chapter/01-other.md',
    'content/01-Part/01-Chapter/01-lesson.summary.md',
    'content/01-Part/01-Twin/01-x.md',
    'content/02-Part/01-Chapter/01-x.md',
  ];
  expect(findDuplicateNumbers(paths).map(({ path: folder, message }) => `${folder}: ${message}`)).toEqual([
    'content/01-Part/01-Chapter: 01-lesson.md and 01-other.md have the same number.',
    'content/01-Part: 01-Chapter and 01-Twin have the same number.',
  ]);
});
