import { describe, expect, test } from 'vitest';
import {
  parseFrontMatter,
  parseYamlScalars,
  titleOfPage,
} from '../../../../src/toolsets/books/authoring/front-matter.ts';

describe('front matter', () => {
  test.each([
    ['a plain value and its comment', 'title: A page # draft', { title: 'A page' }],
    ['numbers and booleans', 'sidebar_position: 2.5\ndraft: true', { sidebar_position: 2.5, draft: true }],
    ['a value in single quotation marks', "title: 'It''s # one' # two", { title: "It's # one" }],
    ['a value in double quotation marks', 'title: "A \\"b\\"\\n: c" # two', { title: 'A "b"\n: c' }],
    [
      'a folded block',
      'title: >-\n  A long\n  title\n\n  and more\nid: x',
      { title: 'A long title\nand more', id: 'x' },
    ],
    ['a literal block', 'title: |\n    one\n      two\nid: x', { title: 'one\n  two', id: 'x' }],
    ['a plain value of several lines', 'title: A long\n  title\nid: x', { title: 'A long title', id: 'x' }],
    ['a quoted value of several lines', 'title: "A long\n  title"\n', { title: 'A long title' }],
    ['a value on the line after its key', 'title:\n  A title\n', { title: 'A title' }],
    ['lines that end with CR LF', 'title: >\r\n  A\r\n  title\r\nid: x\r\n', { title: 'A title', id: 'x' }],
    ['no lists and maps', 'tags:\n  - a\n  - b\nlink:\n  type: doc\nkeywords:\n- c\nid: x', { id: 'x' }],
    [
      'no keys inside of a block',
      'description: |\n  title: Wrong\ntitle: Right',
      {
        description: 'title: Wrong',
        title: 'Right',
      },
    ],
  ])('has %s', (_, yaml, values) => {
    expect(parseYamlScalars(yaml)).toEqual(values);
    expect(parseFrontMatter(`---\n${yaml}\n---\n# Heading\n`)).toEqual(values);
  });

  test('contains the title of a page, also over several lines; without a title the first heading is used', () => {
    expect(titleOfPage('---\ntitle: >-\n  A long\n  title\n---\n# Heading\n')).toBe('A long title');
    expect(titleOfPage('---\ntags:\n  - a\n---\n\n# Heading\n')).toBe('Heading');
  });

  test('is parsed in linear time if a value never ends', () => {
    const hostile = ["title: '" + "''".repeat(30_000), `title: "${'\\"'.repeat(30_000)}`, `a:${' \n'.repeat(30_000)}`];
    for (const yaml of hostile) expect(Object.keys(parseYamlScalars(yaml)).length).toBeLessThan(2);
  });
});
