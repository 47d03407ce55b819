import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { inParallel } from './support/crash.ts';
import { attemptsIn, connectWithDisk, type Plan } from './support/disk.ts';
import { libraryAt, sha256, type TemporaryLibrary, temporaryLibrary, times } from './support/library.ts';

const book = 'crash-book';
const lesson = 'content/01-Part/01-Chapter/01-lesson.md';
const key = `books/${book}/${lesson}`;
const old = '# Old\n'.repeat(2000);
const fresh = '# New\n'.repeat(2000);

interface Scenario {
  name: string;
  before: string | undefined;
  after: string | undefined;
  tool: string;
  args: Record<string, unknown>;
}

const scenarios: Scenario[] = [
  { name: 'create', before: undefined, after: fresh, tool: 'write_content', args: { content: fresh } },
  {
    name: 'update',
    before: old,
    after: fresh,
    tool: 'write_content',
    args: { content: fresh, expected_hash: sha256(old) },
  },
  { name: 'delete', before: old, after: undefined, tool: 'delete_content', args: {} },
];

/** This number of attempts to acquire the lock takes one second. */
const mostAttempts = 80;

/** Runs one change on a disk with injected faults. Returns whether the client received a result. */
async function run(library: TemporaryLibrary, { tool, args }: Scenario, plan: Plan): Promise<boolean> {
  const connection = await connectWithDisk(library.root, plan);
  try {
    const result = await connection.call(tool, { book_id: book, path: lesson, ...args });
    return result.isError !== true;
  } catch {
    return false;
  } finally {
    await connection.close();
  }
}

function prepare(library: TemporaryLibrary, { before }: Scenario): void {
  library.put(`books/${book}/content/README.md`, '# Book\n');
  if (before !== undefined) library.put(key, before);
}

async function steps(scenario: Scenario): Promise<string[]> {
  using library = temporaryLibrary();
  prepare(library, scenario);
  const log = path.join(library.root, 'steps.log');
  expect(await run(library, scenario, { log })).toBe(true);
  return readFileSync(log, 'utf8').trimEnd().split('\n');
}

/** Returns the violated invariants after a restart. */
async function violations(library: TemporaryLibrary, scenario: Scenario, isAcknowledged: boolean): Promise<string[]> {
  const found: string[] = [];
  const bytes = library.read(key)?.toString('utf8');
  if (bytes !== scenario.before && bytes !== scenario.after) found.push(`half a file: ${bytes?.length} bytes`);
  if (isAcknowledged && bytes !== scenario.after) found.push('an acknowledged change is lost');
  const known = library.journal(book).map(record => record.new);
  if (bytes !== scenario.before && !known.includes(bytes === undefined ? null : sha256(bytes))) {
    found.push('a stored version has no record');
  }

  const log = path.join(library.root, 'steps.log');
  const connection = await connectWithDisk(library.root, { log });
  try {
    const args = { book_id: book, path: lesson, content: '# After\n' };
    const hash = bytes === undefined ? {} : { expected_hash: sha256(bytes) };
    const next = await connection.call('write_content', { ...args, ...hash });
    if (next.isError === true) found.push(`the next writer fails: ${JSON.stringify(next.content)}`);
    if (attemptsIn(log) > mostAttempts) found.push('the next writer waits more than a second');
  } finally {
    await connection.close();
  }
  if (library.read(key)?.toString('utf8') !== '# After\n') found.push('the next write has not arrived');
  found.push(...library.audit(book));
  // The last record of the journal must have the hash of the file on the disk.
  const hash = (text: string | undefined): string | null => (text === undefined ? null : sha256(text));
  const began = library.journal(book).find(({ kind }) => kind === 'intent');
  const ended = library.journal(book).find(({ kind }) => kind === 'commit' || kind === 'abort');
  const isFirst = began !== undefined && began.new === hash(scenario.after);
  if (isFirst && ended?.kind !== (bytes === scenario.after ? 'commit' : 'abort'))
    found.push('the journal says otherwise');
  const last = library.journal(book).findLast(record => record.kind === 'commit');
  if (last?.new !== sha256('# After\n')) found.push('the journal does not end with the bytes on the disk');
  const metadata = path.join(library.root, '.oj-books', book);
  if (readdirSync(path.join(metadata, 'tmp')).length > 0) found.push('an unfinished file is left');
  if (readdirSync(metadata).includes('lock')) found.push('the lock is left');
  return found;
}

describe.each(scenarios)('the operation $name', scenario => {
  test('leaves a consistent library if the process is killed at any disk operation', { timeout: 600_000 }, async () => {
    const all = await steps(scenario);
    expect(all.length).toBeGreaterThan(8);
    const kills = all.flatMap((name, index) => Array.from({ length: times(1, 10) }, () => ({ name, step: index + 1 })));
    const found = await inParallel(kills, async ({ name, step }) => {
      using library = temporaryLibrary();
      prepare(library, scenario);
      const isAcknowledged = await run(library, scenario, { killAt: step });
      const problems = await violations(library, scenario, isAcknowledged);
      return problems.map(problem => `killed before ${name}: ${problem}`);
    });
    expect(found).toEqual([]);
  });
});

/** Simulates a power failure at each disk operation of a change. With `lie`, syncs of one kind do nothing. */
async function cutEverywhere(scenario: Scenario, plan: Plan): Promise<string[]> {
  const all = await steps(scenario);
  // The last simulated power failure is at the first disk operation after the response.
  return await inParallel([...all, 'the end'], async (name, index) => {
    using library = temporaryLibrary();
    prepare(library, scenario);
    const survived = mkdtempSync(path.join(tmpdir(), 'oj-mcp-test-survived-'));
    using after = libraryAt(survived);
    const connection = await connectWithDisk(library.root, { ...plan, cutAt: index + 1, survived });
    let isAcknowledged = false;
    try {
      const result = await connection.call(scenario.tool, { book_id: book, path: lesson, ...scenario.args });
      isAcknowledged = result.isError !== true;
      // The power fails at the next disk operation.
      await connection.call('read_content', { book_id: book, path: lesson });
    } catch {
      // The error is ignored, because the connection ends with the power failure.
    } finally {
      await connection.close();
    }
    const problems = await violations(after, scenario, isAcknowledged);
    return problems.map(problem => `cut before ${name}: ${problem}`);
  });
}

const update = scenarios[1];
if (update === undefined) throw new Error('the table is empty');

describe('a power failure', () => {
  test.each([
    { disk: 'that loses all unsynced data', plan: {} },
    { disk: 'that keeps file names at once and contents only after a sync', plan: { eager: true } },
  ])('loses no acknowledged change on a disk $disk', { timeout: 600_000 }, async ({ plan }) => {
    const chosen = times(0, 1) === 0 ? [update] : scenarios;
    for (const scenario of chosen) expect(await cutEverywhere(scenario, plan)).toEqual([]);
  });

  test.each([
    { left: 'the file is not synced', plan: { eager: true, lie: ['file'] }, problem: 'half a file' },
    { left: 'the folder is not synced', plan: { lie: ['folder'] }, problem: 'an acknowledged change is lost' },
    { left: 'the journal is not synced', plan: { eager: true, lie: ['journal'] }, problem: 'no record' },
  ])(
    'loses data if $left, so that these tests detect a missing sync',
    { timeout: 600_000 },
    async ({ plan, problem }) => {
      expect((await cutEverywhere(update, plan)).join('\n')).toContain(problem);
    },
  );

  test('keeps a change that the next writer has already read', async () => {
    const folder = 'books/crash-book/content/01-Part/01-Chapter';
    const synced = (await steps(update)).findIndex(step => step.startsWith('fsync') && step.endsWith(folder));
    using library = temporaryLibrary();
    prepare(library, update);
    expect(await run(library, update, { killAt: synced + 1 })).toBe(false);
    expect(library.read(key)?.toString('utf8')).toBe(fresh);
    const log = path.join(library.root, 'steps.log');
    const connection = await connectWithDisk(library.root, { log });
    const elsewhere = { book_id: book, path: 'content/02-Part/01-Chapter/01-lesson.md', content: fresh };
    expect((await connection.call('write_content', elsewhere)).isError).toBe(false);
    await connection.close();
    const found = readFileSync(log, 'utf8').trimEnd().split('\n');
    const kept = found.indexOf(`fsync ${folder}`);
    expect(kept).toBeGreaterThan(-1);
    expect(found.findIndex(step => /^writeSync .*journal/.test(step))).toBeGreaterThan(kept);
  });

  test('loses no file in a folder that was deleted and created again', { timeout: 600_000 }, async () => {
    const again = ['01-Chapter', '02-Chapter', '01-Chapter'].map(name => `content/01-Part/${name}/01-lesson.md`);
    const go = async (library: TemporaryLibrary, plan: Plan): Promise<void> => {
      const connection = await connectWithDisk(library.root, plan);
      for (const [index, lessonPath] of again.entries()) {
        if (index === 1)
          rmSync(path.join(library.root, `books/${book}/content/01-Part/01-Chapter`), { recursive: true });
        const args = { book_id: book, path: lessonPath, content: fresh };
        expect((await connection.call('write_content', args)).isError).toBe(false);
      }
      // The power fails at the next disk operation.
      await connection.call('read_content', { book_id: book, path: lesson }).catch(() => {});
      await connection.close();
    };
    using rehearsal = temporaryLibrary();
    const log = path.join(rehearsal.root, 'steps.log');
    await go(rehearsal, { log });
    const all = readFileSync(log, 'utf8').trimEnd().split('\n');
    const afterLast = all.findLastIndex(name => name.startsWith('renameSync'));
    const end = afterLast + 1 + all.slice(afterLast).findIndex(name => /^unlinkSync .*lock$/.test(name)) + 1;
    using library = temporaryLibrary();
    const survived = mkdtempSync(path.join(tmpdir(), 'oj-mcp-test-survived-'));
    using after = libraryAt(survived);
    await go(library, { cutAt: end, survived });
    expect(after.read(key)?.toString('utf8')).toBe(fresh);
  });
});
