import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openToolset } from '../../../../src/toolset/toolset.ts';
import { oj } from '../../../../src/toolsets/oj/index.ts';
import { supportsUrls } from '../../../../src/toolsets/oj/io/collection/sqlite-file.ts';
import { connectToProblems, fileWith, folderWith, rejectionOf } from './support.ts';

test.each([
  ['22.14.0', false],
  ['22.15.0', true],
  ['23.9.0', false],
  ['23.10.0', true],
  ['24.0.0', true],
])('Node %s supports URLs of databases: %s', (version, expected) => {
  expect(supportsUrls(version)).toBe(expected);
});

const sqlite = process.getBuiltinModule?.('node:sqlite');

/** Creates a database with the table of oj-api-rs. */
function database(sql = ''): string {
  const file = path.join(folderWith({}), 'data.db');
  if (sqlite === undefined) throw new Error('this Node has no node:sqlite');
  const open = new sqlite.DatabaseSync(file, { readOnly: false });
  const columns =
    "id TEXT NOT NULL, source TEXT NOT NULL DEFAULT 'leetcode', slug TEXT NOT NULL, title TEXT, title_cn TEXT, difficulty TEXT, ac_rate REAL, rating REAL, tags TEXT, link TEXT, paid_only INTEGER, content TEXT, content_cn TEXT";
  for (const statement of [
    'PRAGMA journal_mode = WAL',
    `CREATE TABLE problems (${columns}, PRIMARY KEY (source, id))`,
    `INSERT INTO problems (id, source, slug, title, ac_rate, tags, content) VALUES
      ('1', 'leetcode', 'two-sum', 'Two Sum', 57.25, '["Array"]', '<p>Add <b>two</b>.</p>'),
      ('2', 'leetcode', 'x', NULL, NULL, 'broken', NULL)`,
    sql,
  ]) {
    if (statement !== '') open.prepare(statement).all();
  }
  open.close();
  return file;
}

/** The Node versions before 22.15 cannot open a database as immutable. */
const isImmutable = sqlite !== undefined && !/^22\.1[34]\./.test(process.versions.node);

describe.runIf(isImmutable)('the database of oj-api-rs without a backend', () => {
  test('is served without creating files in its folder', async () => {
    const file = database();
    const { call } = await connectToProblems(file);
    await call('get_problem', { source: 'leetcode', id: '1' });
    expect(readdirSync(path.dirname(file))).toEqual(['data.db']);
  });

  test('causes a tool error after its file was changed in place', async () => {
    const file = database();
    const { call } = await connectToProblems(file);
    appendFileSync(file, Buffer.alloc(4096));
    expect((await call('get_problem', { source: 'leetcode', id: '1' })).text).toBe(
      `${file} has changed since the server was started.`,
    );
  });
});

describe.runIf(sqlite !== undefined)('the database of oj-api-rs', () => {
  test('is served with titles, tags and statements', async () => {
    const file = database();
    const { call } = await connectToProblems(file);
    expect((await call('get_platform_status')).text).toContain('| leetcode | 2 | 1 | 0 |');
    expect((await call('resolve_problem', { query: 'two-sum' })).text).toMatch(
      /^# Two Sum\n[^]*- Tags: Array\n[^]*57\.2%[^]*Add \*\*two\*\*\.$/,
    );
    expect((await call('get_problem', { source: 'leetcode', id: '2' })).text).toMatch(
      /Tags: N\/A[^]*No description available\.$/,
    );
  });

  test('is served with the daily challenges of its table', async () => {
    const { call } = await connectToProblems(
      database(`CREATE TABLE daily_challenge AS SELECT '2026-01-02' AS date, 'com' AS domain, 1 AS id, slug, title, ac_rate,
        tags, content FROM problems WHERE id = '1'`),
    );
    expect((await call('get_daily_challenge', { date: '2026-01-02' })).text).toMatch(
      /^# Two Sum\n[^]*Source: leetcode \| ID: 1 [^]*- Tags: Array\n/,
    );
    expect((await call('get_daily_challenge', { date: '2026-01-02', domain: 'cn' })).text).toContain('[404]');
    expect((await call('get_daily_challenge', { date: '2026-01-03' })).text).toContain('[404]');
  });

  test('is rejected if it has no table of problems', async () => {
    expect(await rejectionOf(database('DROP TABLE problems'))).toMatch(
      /data\.db: cannot be read as a database of oj-api-rs: no such table: problems\.$/,
    );
  });

  test('is rejected with a hint about its write-ahead log if SQLite cannot read this log, as on a read-only disk', async () => {
    const file = database();
    mkdirSync(`${file}-wal`);
    writeFileSync(path.join(`${file}-wal`, 'x'), '');
    await expect(openToolset(oj, { problems: [file] }, { isDemo: false })).rejects.toMatchObject({
      message: `${file}: cannot be read as a database of oj-api-rs: unable to open database file.`,
      hint: expect.stringContaining(`${file}-wal contains changes that are not in the database yet`),
    });
  });

  test('is rejected if it is damaged', async () => {
    expect(await rejectionOf(fileWith('SQLite format 3\0damaged'))).toMatch(
      /: cannot be read as a database of oj-api-rs: /,
    );
  });
});

test.runIf(sqlite === undefined)(
  'a problem database is rejected on a Node without node:sqlite, and the error states the required version',
  async () => {
    expect(await rejectionOf(fileWith('SQLite format 3\0'))).toMatch(
      / is an SQLite database, which requires Node 22\.13 or newer; this is Node \d/,
    );
  },
);
