import { symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkLines, connectToProblems, folderWith, jsonLines, rejectionOf } from './support.ts';

const kattis = {
  'spring/lamps/problem.yaml':
    'name:\n  en: Lamp Row\n  zh: "灯"\nkeywords: greedy  sorting\n# comment\nlimits:\n  time: 1\n',
  'spring/lamps/statement/problem.en.md': 'Switch every lamp.\n',
  'spring/lamps/statement/problem.zh.md': '打开每盏灯。\n',
  'spring/lamps/data/sample/1.in': '2\n1 2\n',
  'spring/lamps/data/sample/1.ans': '3\n',
  'spring/lamps/data/sample/2.in': '``` no newline',
  'spring/lamps/data/sample/2.ans': '0\n',
  'spring/lamps/data/secret/9.in': 'secret',
};

const samples = `

## Sample 1

Input:

\`\`\`
2
1 2
\`\`\`

Output:

\`\`\`
3
\`\`\`

## Sample 2

Input:

\`\`\`\`
\`\`\` no newline
\`\`\`\`

Output:

\`\`\`
0
\`\`\``;

const problemOf = async (folder: string, id = 'lamps', source = 'spring') => {
  const { call } = await connectToProblems(folder);
  return (await call('get_problem', { source, id })).text;
};

describe('a problem package', () => {
  test('is shown with its Markdown statement and its sample files if it has the format of Kattis', async () => {
    expect(await problemOf(folderWith(kattis))).toBe(
      `# Lamp Row

- Source: spring | ID: lamps | Difficulty: N/A
- Tags: greedy, sorting
- Link: N/A
- AC Rate: N/A

---

Switch every lamp.
${samples}`,
    );
  });

  test('is shown in Chinese with --oj-language cn', async () => {
    const { call } = await connectToProblems(folderWith(kattis), { 'oj-language': 'cn' });
    const { text } = await call('get_problem', { source: 'spring', id: 'lamps' });
    expect(text).toMatch(/^# 灯\n[^]*\n---\n\n打开每盏灯。\n\n\n## Sample 1\n/);
  });

  test('is shown with its LaTeX source and a note if its statement is in LaTeX', async () => {
    const folder = folderWith({
      'spring/lamps/problem.yaml': "name: 'It''s'",
      'spring/lamps/problem_statement/problem.tex': '\\problemname{x} $1 < n < 5$ <b>\n',
    });
    const text = await problemOf(folder);
    expect(text).toMatch(/^# It's\n/);
    expect(text).toContain('(This statement is LaTeX source.)\n\n```latex\n\\problemname{x} $1 < n < 5$ <b>\n```');
  });

  test('is shown with title, tags and statement if it has the format of Hydro', async () => {
    const yaml = "pid: P1\ntitle: 'A Coin Game'\ntag:\n  - brute force\n  - '*2400'\ndifficulty: 9\n";
    const folder = folderWith({ 'spring/lamps/problem.yaml': yaml, 'spring/lamps/problem_zh.md': '## 题目描述' });
    const text = await problemOf(folder);
    expect(text).toMatch(
      /^# A Coin Game\n\n- Source: spring \| ID: lamps \| Difficulty: 9\n- Tags: brute force, \*2400\n/,
    );
    expect(text).toMatch(/## 题目描述$/);
  });

  test('is shown with names, tags, statement and examples if it has the format of Polygon', async () => {
    const folder = folderWith({
      'spring/lamps/problem.xml':
        '<problem><names><name language="russian" value="Лампы"/><name language="english" value="Lamps &amp; Co"/></names><tags><tag value="dp"/></tags></problem>',
      'spring/lamps/statements/english/problem.tex': '\\begin{problem}',
      'spring/lamps/statements/english/example.01': '1\n',
      'spring/lamps/statements/english/example.01.a': '2\n',
    });
    const text = await problemOf(folder);
    expect(text).toMatch(/^# Lamps & Co\n[^]*- Tags: dp\n[^]*\\begin\{problem\}[^]*Output:\n\n```\n2\n```$/);
  });

  test('is served if it is itself the path of --problems', async () => {
    expect(await problemOf(path.join(folderWith(kattis), 'spring/lamps'))).toContain('# Lamp Row');
  });

  test.skipIf(process.platform === 'win32')(
    'cannot include a file outside of the collection through a symbolic link',
    async () => {
      const outside = path.join(folderWith({ secret: 'hunter2' }), 'secret');
      const folder = folderWith({ 'spring/lamps/problem.yaml': 'name: x' });
      symlinkSync(outside, path.join(folder, 'spring/lamps/problem.md'));
      expect(await problemOf(folder)).toMatch(/No description available\.$/);
    },
  );

  test('causes a tool error with the name of the file if a sample file is too large', async () => {
    const folder = folderWith(kattis);
    truncateSync(path.join(folder, 'spring/lamps/data/sample/1.in'), 70_000);
    expect(await problemOf(folder)).toContain(
      '(data/sample/1.in or its answer is larger than 65536 bytes or not in UTF-8.)',
    );
  });
});

describe('a folder given with --problems', () => {
  test('is searched for packages, JSON Lines and arrays of records', async () => {
    const folder = folderWith({
      ...kattis,
      'more/list.jsonl': jsonLines([{ source: 'a', id: '1' }]),
      'more/list.json': JSON.stringify([{ source: 'b', id: '1' }]),
      'more/package.json': '{"source":"no","id":"1"}',
      'more/numbers.json': '[1]',
      'more/notes.txt': 'text',
      '.git/x.jsonl': 'not JSON',
    });
    expect(await checkLines(folder)).toEqual([
      '✓ 3 problems from files: 1 in "a", 1 in "b", 1 in "spring"',
      '✓ every record is valid',
      expect.stringMatching(/^✓ 2 records without a statement, the first in .*\/list\.json, line 1, record 1$/),
      expect.stringMatching(
        /^✓ ignored files, which contain no array of records: .*notes\.txt, .*numbers\.json, .*package\.json$/,
      ),
    ]);
  });

  test('is rejected with file and line if it contains an invalid JSON Lines file', async () => {
    const folder = folderWith({ 'list.jsonl': '{"source":"a","id":"1"}\n{}' });
    expect(await rejectionOf(folder)).toBe(`${path.join(folder, 'list.jsonl')}, line 2: "source" is missing.`);
  });

  test('is rejected if it contains no problems', async () => {
    const folder = folderWith({ 'notes.txt': 'x' });
    expect(await rejectionOf(folder)).toBe(`${folder}: the collection has no problems.`);
  });

  test('causes a tool error with the name of the file if a statement is not in UTF-8', async () => {
    const folder = folderWith(kattis);
    const file = path.join(folder, 'spring/lamps/statement/problem.en.md');
    writeFileSync(file, Buffer.from('caf\u00e9', 'latin1'));
    const { call } = await connectToProblems(folder);
    expect(await call('get_problem', { source: 'spring', id: 'lamps' })).toMatchObject({
      isError: true,
      texts: [`${file} is not in UTF-8.`, 'Save the file in UTF-8.'],
    });
  });

  test('causes a tool error if it becomes unreadable', async () => {
    const folder = folderWith(kattis);
    const { call } = await connectToProblems(folder);
    writeFileSync(path.join(folder, 'spring/lamps/statement/problem.en.md'), Buffer.alloc(2_000_000));
    expect(await call('get_problem', { source: 'spring', id: 'lamps' })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/problem\.en\.md is larger than 1048576 bytes\.$/),
    });
  });
});
