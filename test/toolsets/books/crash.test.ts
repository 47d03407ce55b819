import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { times } from '../../support/repetitions.ts';
import { type CrashState, callNext, crashStates, inParallel, sampleOf, violationsByState } from './support/crash.ts';
import { attemptsIn, connectWithDisk, type Plan } from './support/disk.ts';
import { libraryAt, sha256, type TemporaryLibrary, temporaryLibrary } from './support/library.ts';

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

/** Returns the invariants that a library violates after a crash, before and after the next change. */
async function violations(
  library: TemporaryLibrary,
  scenario: Scenario,
  isAcknowledged: boolean,
  changeNext: (args: Record<string, unknown>) => Promise<string[]> = async args => await changeInProcess(library, args),
): Promise<string[]> {
  const found: string[] = [];
  const bytes = library.read(key)?.toString('utf8');
  if (bytes !== scenario.before && bytes !== scenario.after) found.push(`half a file: ${bytes?.length} bytes`);
  if (isAcknowledged && bytes !== scenario.after) found.push('an acknowledged change is lost');
  const known = library.journal(book).map(record => record.new);
  if (bytes !== scenario.before && !known.includes(bytes === undefined ? null : sha256(bytes))) {
    found.push('a stored version has no record');
  }
  const hash = bytes === undefined ? {} : { expected_hash: sha256(bytes) };
  found.push(...(await changeNext({ book_id: book, path: lesson, content: '# After\n', ...hash })));
  return [...found, ...errorsAfterChange(library, scenario, bytes)];
}

/** Writes the lesson in this process, as the next server after a crash. */
async function changeInProcess({ root }: TemporaryLibrary, args: Record<string, unknown>): Promise<string[]> {
  const [next] = await callNext(root, [['write_content', args]]);
  return next?.['status'] === 'success' ? [] : [`the next writer fails: ${JSON.stringify(next)}`];
}

/** Writes the lesson with the built server, and measures how long it waits for the lock. */
async function changeWithServer({ root }: TemporaryLibrary, args: Record<string, unknown>): Promise<string[]> {
  const log = path.join(root, 'steps.log');
  const connection = await connectWithDisk(root, { log });
  try {
    const next = await connection.call('write_content', args);
    return [
      ...(next.isError === true ? [`the next writer fails: ${JSON.stringify(next.content)}`] : []),
      ...(attemptsIn(log) > mostAttempts ? ['the next writer waits more than a second'] : []),
    ];
  } finally {
    await connection.close();
  }
}

/** Returns the errors of a library after the next change. `bytes` is the lesson before this change. */
function errorsAfterChange(library: TemporaryLibrary, scenario: Scenario, bytes: string | undefined): string[] {
  const found: string[] = [];
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
  if (existsSync(path.join(metadata, 'lock'))) found.push('the lock is left');
  return found;
}

/** Returns the library at each disk operation of a change, as a crash leaves it. */
async function statesOf(
  kind: 'killStates' | 'cutStates',
  scenario: Scenario,
  faults: Plan = {},
): Promise<CrashState[]> {
  using library = temporaryLibrary('memory');
  prepare(library, scenario);
  return await crashStates(kind, async plan => {
    expect(await run(library, scenario, { ...faults, ...plan })).toBe(true);
  });
}

async function violationsIn(states: readonly CrashState[], scenario: Scenario): Promise<string[]> {
  return await violationsByState(states, async ({ library, isAcknowledged }) =>
    violations(library, scenario, isAcknowledged),
  );
}

describe.each(scenarios)('the operation $name', scenario => {
  test('leaves a consistent library if the process is killed at any disk operation', async () => {
    const states = await statesOf('killStates', scenario);
    expect(states.length).toBeGreaterThan(9);
    // The result is sent after the last disk operation that the change needs.
    expect(states.findIndex(({ isAcknowledged }) => isAcknowledged)).toBeGreaterThan(9);
    expect(await violationsIn(states, scenario)).toEqual([]);
  });

  test('leaves a consistent library if SIGKILL ends the process at some disk operations', {
    timeout: 600_000,
  }, async () => {
    const all = await steps(scenario);
    const kills = sampleOf([...all.entries()], 4).flatMap(kill => Array.from({ length: times(1, 10) }, () => kill));
    const found = await inParallel(kills, async ([index, name]) => {
      using library = temporaryLibrary();
      prepare(library, scenario);
      const isAcknowledged = await run(library, scenario, { killAt: index + 1 });
      const change = async (args: Record<string, unknown>): Promise<string[]> => await changeWithServer(library, args);
      const problems = await violations(library, scenario, isAcknowledged, change);
      return problems.map(problem => `killed before ${name}: ${problem}`);
    });
    expect(found).toEqual([]);
  });
});

const update = scenarios[1];
if (update === undefined) throw new Error('the table is empty');

describe('a power failure', () => {
  test.each([
    { disk: 'that loses all unsynced data', faults: {} },
    { disk: 'that keeps file names at once and contents only after a sync', faults: { eager: true } },
  ])('loses no acknowledged change on a disk $disk', async ({ faults }) => {
    for (const scenario of scenarios) {
      const states = await statesOf('cutStates', scenario, faults);
      expect(states.at(-1)?.isAcknowledged).toBe(true);
      expect(await violationsIn(states, scenario)).toEqual([]);
    }
  });

  test.each([
    { left: 'the file is not synced', faults: { eager: true, lie: ['file'] }, problem: 'half a file' },
    { left: 'the folder is not synced', faults: { lie: ['folder'] }, problem: 'an acknowledged change is lost' },
    { left: 'the journal is not synced', faults: { eager: true, lie: ['journal'] }, problem: 'no record' },
  ])('loses data if $left, so that these tests detect a missing sync', async ({ faults, problem }) => {
    const states = await statesOf('cutStates', update, faults);
    expect((await violationsIn(states, update)).join('\n')).toContain(problem);
  });

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
