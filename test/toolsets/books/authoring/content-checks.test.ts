import { describe, expect, test } from 'vitest';
import {
  deadLinks,
  duplicateNumbers,
  frontMatterFault,
} from '../../../../src/toolsets/books/authoring/content-checks.ts';

const path = 'content/01-Part/01-Chapter/01-lesson.md';

describe('deadLinks', () => {
  const known = new Set([path, 'content/01-Part/02-Other/01-a b.md', 'static/img/p.png']);
  test.each([
    ['a link to another chapter', '[a](../02-Other/01-a%20b.md#top)', []],
    ['an image', '![p](../../../static/img/p.png)', []],
    ['addresses of other sites, anchors and site paths', '[a](https://x.example/y) [b](#z) [c](/z) [d](@site/z)', []],
    ['a link in code', '`[a](missing.md)`', []],
    ['a missing page', '[a](missing.md)', ['Dead link']],
    ['a missing image', '![p](missing.png)', ['Dead image']],
    ['a path out of the book', '[a](../../../../x.md)', ['Dead link']],
  ])('checks %s', (_, markdown, issues) => {
    expect(deadLinks(path, markdown, known).map(({ issue }) => issue)).toEqual(issues);
  });
});

describe('frontMatterFault', () => {
  test.each([
    ['text without front matter', '# Title\n', undefined],
    ['valid front matter', '---\ntitle: "A: b"\ntags: [a, b]\nurl: https://x.example\n# c: d: e\n---\n', undefined],
    ['a block without an end', '---\ntitle: A\n', 'has no closing line "---"'],
    ['a value with a colon', '---\ntitle: A: b\n---\n', 'has a value with ": " without quotation marks'],
    ['a reserved character', '---\ntitle: @a\n---\n', 'starts with a reserved character'],
    ['a tab', '---\na:\n\tb: c\n---\n', 'is indented with a tab'],
  ])('judges %s', (_, markdown, message) => {
    const fault = frontMatterFault(path, markdown)?.message;
    expect(message === undefined ? fault : fault?.includes(message)).toBe(message === undefined ? undefined : true);
  });
});

test('duplicateNumbers names parts, chapters and lessons with one number', () => {
  const paths = [
    path,
    'content/01-Part/01-Chapter/01-other.md',
    'content/01-Part/01-Chapter/01-lesson.summary.md',
    'content/01-Part/01-Twin/01-x.md',
    'content/02-Part/01-Chapter/01-x.md',
  ];
  expect(duplicateNumbers(paths).map(({ path: folder, message }) => `${folder}: ${message}`)).toEqual([
    'content/01-Part/01-Chapter: 01-lesson.md and 01-other.md have the same number.',
    'content/01-Part: 01-Chapter and 01-Twin have the same number.',
  ]);
});
