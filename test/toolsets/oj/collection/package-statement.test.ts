import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createPackageEntry } from '../../../../src/toolsets/oj/io/collection/package-folder.ts';
import type { ProblemRecord } from '../../../../src/toolsets/oj/model/problem.ts';
import { folderWith } from './support.ts';

/** Reads the problem of a package that consists of these files. */
function read(files: Readonly<Record<string, string>>): ProblemRecord {
  const folder = folderWith(files);
  return createPackageEntry(folder, folder, Object.keys(files)).read();
}

const statements = (...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map(name => [name, `content of ${name}`]));

describe('the statement of a problem package', () => {
  test.each([
    ['English before no language', ['problem.md', 'problem.en.md'], 'problem.en.md', undefined],
    ['no language before another one', ['problem.fr.md', 'problem.md'], 'problem.md', undefined],
    ['another language if there is none', ['problem.fr.md'], 'problem.fr.md', undefined],
    ['no Chinese statement as the English one', ['problem.zh.md'], undefined, 'problem.zh.md'],
    ['zh before cn', ['problem.cn.md', 'problem.zh.md'], undefined, 'problem.zh.md'],
    ['cn', ['problem_cn.md'], undefined, 'problem_cn.md'],
    ['a language with a region', ['problem-zh-CN.md', 'problem.en_US.md'], 'problem.en_US.md', 'problem-zh-CN.md'],
    ['Markdown before HTML', ['problem.html', 'problem.md'], 'problem.md', undefined],
    ['the language before the format', ['problem.en.html', 'problem.md'], 'problem.en.html', undefined],
    ['a language in capitals', ['problem.EN.md', 'problem.fr.md'], 'problem.EN.md', undefined],
    ['no file with another name', ['problems.md', 'problem.txt', 'problem.eng.md'], undefined, undefined],
    ['the folder of the package before the others', ['statement/problem.en.md', 'problem.en.md'], 'problem.en.md'],
    ['the older name of the folder', ['problem_statement/problem.en.md'], 'problem_statement/problem.en.md'],
    [
      'the language of a folder of Polygon',
      ['statements/russian/problem.md', 'statements/english/problem.md', 'statements/chinese/problem.md'],
      'statements/english/problem.md',
      'statements/chinese/problem.md',
    ],
    [
      'Russian if there is nothing else',
      ['statements/russian/problem.md', 'statements/chinese/problem.md'],
      'statements/russian/problem.md',
      'statements/chinese/problem.md',
    ],
    ['no other folder', ['other/problem.en.md', 'statement/english/problem.md'], undefined],
  ])('is %s', (_, names, content, chinese?: string) => {
    const problem = read(statements(...names));
    const shown = (name: string | undefined): string | undefined => name && `content of ${name}`;
    expect([problem.content, problem.content_cn]).toEqual([shown(content), shown(chinese)]);
  });

  test('may have 1 MiB and not more', () => {
    const content = 'x'.repeat(1_048_576);
    expect(read({ 'problem.md': content }).content).toBe(content);
    expect(() => read({ 'problem.md': `${content}x` })).toThrow('is larger than 1048576 bytes');
  });

  test('is missing if a folder has its name', () => {
    const root = folderWith({ 'problem.yaml': 'name: x' });
    mkdirSync(path.join(root, 'problem.md'));
    expect(createPackageEntry(root, root, ['problem.yaml']).read().content).toBeUndefined();
  });

  test.each([
    [['problem.zh.md'], true],
    [['statement'], true],
    [['problem.yaml', 'README.md'], false],
  ])('is expected in a package with %j: %s', (names, expected) => {
    expect(createPackageEntry('/a', '/a/s/p', names)).toMatchObject({ source: 's', id: 'p', hasStatement: expected });
  });
});

describe('the fields of a problem package', () => {
  test.each([
    ['title: A\nname: B', { title: 'A' }],
    ['name: A', { title: 'A', title_cn: undefined }],
    ['name:\n  de: A\n  zh: B', { title: 'A', title_cn: 'B' }],
    ['name:\n  de: A\n  en: B', { title: 'B', title_cn: undefined }],
    ['name: [A]', { title: undefined, title_cn: undefined }],
    ['tag: [a]\ntags: [b]\nkeywords: c', { tags: ['a'] }],
    ['tags: [b]\nkeywords: c', { tags: ['b'] }],
    ['keywords: " a,b  c "', { tags: ['a', 'b', 'c'] }],
    ['name:\n  en: A', { tags: [] }],
    ['source_url: https://a.example\nurl: https://b.example', { link: 'https://a.example' }],
    ['url: https://b.example', { link: 'https://b.example' }],
    ['difficulty: [1]', { difficulty: undefined, link: undefined }],
  ])('are read from %j', (yaml, expected) => {
    expect(read({ 'problem.yaml': yaml })).toMatchObject(expected);
  });

  test('are read from problem.xml only without problem.yaml, with all entities', () => {
    const xml = '<name language="chinese" value="&lt;&gt;&quot;&apos;&amp;lt;"/><name language="russian" value="R"/>';
    const tags = '<tag value="a"/><tag value=""/><tag other="b"/>';
    expect(read({ 'problem.xml': xml + tags })).toMatchObject({ title: `<>"'&lt;`, title_cn: `<>"'&lt;`, tags: ['a'] });
    expect(read({ 'problem.xml': xml, 'problem.yaml': 'name: y' })).toMatchObject({ title: 'y' });
  });
});

describe('the samples of a problem package', () => {
  const polygon = { 'statements/english/example.01': 'in', 'statements/english/example.01.a': 'out' };

  test.each([
    ['without an answer', { 'data/sample/1.in': 'x' }, undefined],
    [
      'in the folder of Polygon if the folder of Kattis has none',
      { ...polygon, 'data/sample/1.in': 'x' },
      [['in', 'out']],
    ],
    [
      'in the folder of Kattis before that of Polygon',
      { ...polygon, 'data/sample/1.in': 'x', 'data/sample/1.ans': 'y' },
      [['x', 'y']],
    ],
    [
      'in the first language that has some',
      { ...polygon, 'statements/russian/example.1': 'x', 'statements/russian/example.1.a': 'y' },
      [['in', 'out']],
    ],
    [
      'in Russian if there are no others',
      { 'statements/russian/example.1': 'x', 'statements/russian/example.1.a': 'y' },
      [['x', 'y']],
    ],
  ])('are files %s', (_, files, expected) => {
    expect(read(files).samples?.map(({ input, output }) => [input, output])).toEqual(expected);
  });

  test('are the first 50 ones, sorted by name', () => {
    const names = Array.from({ length: 51 }, (_, index) => 100 + index);
    const files = Object.fromEntries(
      names.flatMap(name => [
        [`data/sample/${name}.in`, `${name}`],
        [`data/sample/${name}.ans`, 'y'],
      ]),
    );
    expect(read(files).samples?.map(({ input }) => Number(input))).toEqual(names.slice(0, 50));
  });

  test('may have 64 KiB and not more, and the statement names each larger one', () => {
    const large = 'x'.repeat(65_536);
    const files = {
      'problem.md': 'text',
      'data/sample/1.in': large,
      'data/sample/1.ans': large,
      'data/sample/2.in': 'x',
      'data/sample/2.ans': `${large}x`,
    };
    const { samples, content } = read(files);
    expect([samples?.length, samples?.[0]?.output?.length, content]).toEqual([
      1,
      65_536,
      'text\n\n(data/sample/2.in or its answer is larger than 65536 bytes or not in UTF-8.)\n',
    ]);
  });
});
