import { describe, expect, test } from 'vitest';
import { findLinks, rewriteLinks } from '../../../../src/toolsets/books/authoring/markdown-links.ts';

const targetsOf = (markdown: string): string[] => Array.from(findLinks(markdown), ({ target }) => target);

describe('findLinks', () => {
  test.each([
    ['an inline link', 'See [the page](a.md).', ['a.md']],
    ['a link with a title', '[a](b.md "Title (2)")', ['b.md']],
    ['an image inside a link', '[![alt](pic.png)](page.md)', ['pic.png', 'page.md']],
    ['a target in angle brackets', '[a](<two words.md>)', ['two words.md']],
    ['balanced parentheses in a target', '[a](f(x).md)', ['f(x).md']],
    ['a reference definition', '[ref]: ../c.md "Title"', ['../c.md']],
    ['a definition after text lines', 'text\n[ref]: c.md', ['c.md']],
    ['an import of MDX', "import Img, {\n  other,\n} from '../img/a.png';", ['../img/a.png']],
    [
      'an import for its effects and an export',
      'import "./a.css"\nexport { b } from "@site/b.js";',
      ['./a.css', '@site/b.js'],
    ],
    ['an import through a loader of webpack', "import Code from '!!raw-loader!./a.py';", ['./a.py']],
    [
      'calls in JSX',
      `<img src={require('./a.png').default} alt={useBaseUrl("/img/b.png")}/>`,
      ['./a.png', '/img/b.png'],
    ],
    ['attributes of HTML', `<a href='d.md'><img alt="x" src="e.png"></a>`, ['d.md', 'e.png']],
  ])('returns the targets of %s', (_, markdown, expected) => {
    expect(targetsOf(markdown)).toEqual(expected);
  });
});

describe('findLinks', () => {
  test.each([
    ['in a code span', '`[a](b.md)`'],
    ['in a code span of two backticks', '``[a](b.md) ` ``'],
    ['in a fenced block', '```md\n[a](b.md)\n```'],
    ['in a fenced block inside a list', '- ```\n  [a](b.md)\n  ```'],
    ['in an unclosed fenced block', 'text\n\n~~~\n[a](b.md)'],
    ['after an escaped bracket', String.raw`\[a\](b.md)`],
    ['for an import of a package', "import Tabs from '@theme/Tabs';\nimport React from 'react';"],
    ['for a method with the name of a call', "a.require('./b.png') myrequire('./b.png')"],
    ['for an import in a line of text', "Write import a from './b.png'"],
    ['for an empty target', '[a]()'],
    ['for an unclosed target', '[a](b.md'],
    ['in an attribute with another name', '<img data-src="a.png">'],
  ])('returns no target %s', (_, markdown) => {
    expect(targetsOf(markdown)).toEqual([]);
  });
});

test('findLinks finds a link after a single backtick that starts no code span', () => {
  expect(targetsOf('a ` b [c](d.md)')).toEqual(['d.md']);
});

test('findLinks states for each target whether it belongs to an image or a link', () => {
  expect(Array.from(findLinks('![a](b.png) [c](d.png) [![e](f.png)](g.md)'), ({ isImage }) => isImage)).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

test('rewriteLinks changes no bytes outside of the replaced link targets', () => {
  const markdown = '\ufeff# T\r\n[a](b.md#x) `[a](b.md)` ![i](<b c.png>)\r\n';
  expect(rewriteLinks(markdown, ({ target }) => `new/${target}`)).toBe(
    '\ufeff# T\r\n[a](new/b.md#x) `[a](b.md)` ![i](<new/b c.png>)\r\n',
  );
  expect(rewriteLinks(markdown, () => undefined)).toBe(markdown);
});

test('rewriteLinks replaces links inside of a tag and its attributes', () => {
  const markdown = `<A b={require('./c.png')} href="d.md">[e](f.md)</A>`;
  expect(rewriteLinks(markdown, ({ target }) => `x${target}`)).toBe(
    `<A b={require('x./c.png')} href="xd.md">[e](xf.md)</A>`,
  );
});

/** A scan that takes quadratic time would need minutes for these inputs. */
test.each(['[', '](', '`', '](<', '<a ', '[x]: ', '](((', '``` ', '\\', 'import a\n', 'require('])(
  'findLinks ends for 50,000 repetitions of %j',
  piece => {
    expect(targetsOf(piece.repeat(50_000)).length).toBeLessThanOrEqual(50_000);
  },
);
