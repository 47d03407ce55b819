import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { emptyFolder, runProgram } from '../../support/program.ts';
import { times } from '../../support/repetitions.ts';
import { connect } from './support/client.ts';
import { type CrashState, callNext, crashStates, inParallel, sampleOf, violationsByState } from './support/crash.ts';
import { disk, type Plan } from './support/disk.ts';
import { libraryAt, sha256, type TemporaryLibrary, temporaryLibrary } from './support/library.ts';

const book = 'crash-book';
const chapter = 'content/01-Part/01-Chapter';
const first = `${chapter}/01-first.md`;
const second = `${chapter}/02-second.md`;
const third = `${chapter}/03-third.md`;

const old = '# Old\n'.repeat(500);
const link = '[first](01-first.md)\n';

/** The contents of the lessons of a book at one moment, by path. */
type Lessons = Readonly<Record<string, string>>;

interface Scenario {
  name: string;
  tool: string;
  args: Record<string, unknown>;
  /** The changes before the crash, each as a tool and its arguments. */
  before: readonly (readonly [tool: string, args: Record<string, unknown>])[];
  /**
   * The states of the library during the change. A crash leaves one of them, and a result is sent only in the last one.
   */
  states: readonly Lessons[];
}

const written = ['write_content', { path: first, content: old }] as const;

const scenarios: readonly Scenario[] = [
  {
    name: 'a move',
    before: [written],
    tool: 'move_content',
    args: { from: first, to: third, expected_hash: sha256(old) },
    states: [{ [first]: old }, { [third]: old }],
  },
  {
    name: 'a move with links',
    before: [written, ['write_content', { path: second, content: link }]],
    tool: 'move_content',
    args: { from: first, to: third, expected_hash: sha256(old), rewrite_links: true },
    states: [
      { [first]: old, [second]: link },
      { [third]: old, [second]: link },
      { [third]: old, [second]: '[first](03-third.md)\n' },
    ],
  },
  {
    name: 'a restored version',
    before: [written, ['write_content', { path: first, content: 'new', expected_hash: sha256(old) }]],
    tool: 'restore_content',
    args: { path: first, hash: sha256(old), expected_hash: sha256('new') },
    states: [{ [first]: 'new' }, { [first]: old }],
  },
  {
    name: 'a merged text',
    before: [
      ['write_content', { path: first, content: 'a\nb\nc\n' }],
      ['write_content', { path: first, content: 'A\nb\nc\n', expected_hash: sha256('a\nb\nc\n') }],
    ],
    tool: 'write_content',
    args: { path: first, content: 'A\nb\nC\n', expected_hash: sha256('A\nb\nc\n') },
    states: [{ [first]: 'A\nb\nc\n' }, { [first]: 'A\nb\nC\n' }],
  },
];

/** Runs a change on a disk with injected faults. Returns whether the client received a result. */
async function run(root: string, { tool, args }: Scenario, plan: Plan): Promise<boolean> {
  const connection = await connect({
    args: ['--toolsets', 'books', '--books-root', root, '--books-extras'],
    preload: [disk],
    env: { DISK_PLAN: JSON.stringify({ root, pace: 0.02, ...plan }) },
    stderr: 'ignore',
  });
  try {
    const result = await connection.call(tool, { book_id: book, ...args });
    return result.isError !== true;
  } catch {
    // The error is ignored, because the connection ends with the process.
    return false;
  } finally {
    await connection.close();
  }
}

async function prepared({ before }: Scenario): Promise<TemporaryLibrary> {
  const library = temporaryLibrary('memory');
  library.put(`books/${book}/content/README.md`, '# Book\n');
  await callNext(
    library.root,
    before.map(([tool, args]) => [tool, { book_id: book, ...args }]),
  );
  return library;
}

async function stepsOf(scenario: Scenario): Promise<string[]> {
  using library = await prepared(scenario);
  const log = path.join(library.root, 'steps.log');
  expect(await run(library.root, scenario, { log })).toBe(true);
  return readFileSync(log, 'utf8').trimEnd().split('\n');
}

/** Returns the library at each disk operation of a change, as a crash leaves it. */
async function statesOf(
  kind: 'killStates' | 'cutStates',
  scenario: Scenario,
  faults: Plan = {},
): Promise<CrashState[]> {
  using library = await prepared(scenario);
  return await crashStates(kind, async plan => {
    expect(await run(library.root, scenario, { ...faults, ...plan })).toBe(true);
  });
}

/** Makes the next change, which recovers the journal. Returns its error. */
async function changeNext({ root }: TemporaryLibrary): Promise<string[]> {
  const args = { book_id: book, path: `${chapter}/09-after.md`, content: 'after' };
  const [next] = await callNext(root, [['write_content', args]]);
  return next?.['status'] === 'success' ? [] : [`the next writer fails: ${JSON.stringify(next)}`];
}

/** Returns the rules that are violated after a crash, after the next writer has recovered the journal. */
async function violations(library: TemporaryLibrary, scenario: Scenario, isAcknowledged: boolean): Promise<string[]> {
  const found = await changeNext(library);
  const state = Object.fromEntries(
    [first, second, third].flatMap(lesson => {
      const text = library.read(`books/${book}/${lesson}`)?.toString('utf8');
      return text === undefined ? [] : [[lesson, text]];
    }),
  );
  const reached = scenario.states.findIndex(known => isSame(known, state));
  if (reached === -1) found.push(`the lessons are ${JSON.stringify(state).slice(0, 200)}`);
  if (isAcknowledged && reached !== scenario.states.length - 1) found.push('an acknowledged change is lost');
  return [...found, ...journalProblems(library, [first, second, third])];
}

async function violationsIn(states: readonly CrashState[], scenario: Scenario): Promise<string[]> {
  return await violationsByState(states, async ({ library, isAcknowledged }) =>
    violations(library, scenario, isAcknowledged),
  );
}

function isSame(one: Lessons, other: Lessons): boolean {
  const paths = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...paths].every(lesson => one[lesson] === other[lesson]);
}

/** Compares the journal with the files. The code is independent of the recovery. */
function journalProblems(library: TemporaryLibrary, lessons: readonly string[]): string[] {
  const records = library.journal(book);
  const ended = new Set(records.map(({ intent }) => intent));
  const open = records.filter(({ kind, seq }) => kind === 'intent' && !ended.has(seq));
  const differing = lessons.filter(lesson => {
    const last = records.findLast(({ kind, path: at }) => at === lesson && (kind === 'commit' || kind === 'external'));
    const bytes = library.read(`books/${book}/${lesson}`);
    return (last?.new ?? null) !== (bytes === undefined ? null : sha256(bytes));
  });
  const metadata = path.join(library.root, '.oj-books', book);
  return [
    ...library.audit(book),
    ...open.map(({ path: at }) => `an intent is left open: ${at}`),
    ...differing.map(lesson => `the journal says otherwise about ${lesson}`),
    ...readdirSync(path.join(metadata, 'tmp')).map(name => `an unfinished file is left: ${name}`),
    ...(existsSync(path.join(metadata, 'lock')) ? ['the lock is left'] : []),
  ];
}

describe.each(scenarios)('the operation $name', scenario => {
  test('is complete or undone after the process was killed at any disk operation', async () => {
    expect(await violationsIn(await statesOf('killStates', scenario), scenario)).toEqual([]);
  });

  test('is complete or undone after SIGKILL ended the process at some disk operations', {
    timeout: 600_000,
  }, async () => {
    const all = await stepsOf(scenario);
    const found = await inParallel(sampleOf([...all.entries()], 3), async ([index, name]) => {
      using library = await prepared(scenario);
      const isAcknowledged = await run(library.root, scenario, { killAt: index + 1 });
      const problems = await violations(library, scenario, isAcknowledged);
      return problems.map(problem => `killed before ${name}: ${problem}`);
    });
    expect(found).toEqual([]);
  });

  test.each([
    { disk: 'that loses all unsynced data', faults: {} },
    { disk: 'that keeps file names at once and contents only after a sync', faults: { eager: true } },
  ])('is complete or undone after a power failure at any disk operation, on a disk $disk', async ({ faults }) => {
    const states = await statesOf('cutStates', scenario, faults);
    expect(states.at(-1)?.isAcknowledged).toBe(true);
    expect(await violationsIn(states, scenario)).toEqual([]);
  });
});

describe('an import', () => {
  const pages: Lessons = { 'one.md': '# One\n[two](two.md)\n', 'two.md': '# Two\n' };

  /**
   * Imports the pages on a disk with injected faults. Returns the exit code, or null after a simulated power failure.
   */
  async function importPages(root: string, source: string, plan: Plan = {}): Promise<number | null> {
    const args = ['--books-root', root, '--books-import', source, '--book', book, '--yes'];
    const env = { DISK_PLAN: JSON.stringify({ root, pace: 0.02, ...plan }) };
    return (await runProgram(args, { env, nodeArgs: ['--require', disk] })).code;
  }

  test('can be repeated after a power failure at any disk operation', { timeout: 600_000 }, async () => {
    const source = emptyFolder();
    for (const [name, text] of Object.entries(pages)) libraryAt(source).put(name, text);
    using complete = temporaryLibrary('memory');
    const states = await crashStates('cutStates', async plan => {
      expect(await importPages(complete.root, source, plan)).toBe(0);
    });
    const lessons = complete.journal(book).flatMap(({ kind, path: at }) => (kind === 'commit' ? [at] : []));
    expect(lessons).toHaveLength(3);
    const isVital = ({ step }: CrashState): boolean =>
      /^(?:renameSync|unlinkSync|f(?:data)?sync|writeSync|the exit)(?!.*lock)/.test(step);
    const chosen = times(0, 1) === 1 ? states : states.filter(isVital);
    const found = await inParallel(chosen, async ({ step, library }) => {
      if ((await importPages(library.root, source)) !== 0) return [`cut before ${step}: it cannot be repeated`];
      // The repeated import may have no file to write. The next writer then completes the last unfinished change.
      const failed = await changeNext(library);
      const differing = lessons.filter(
        at => !complete.read(`books/${book}/${at}`)?.equals(library.read(`books/${book}/${at}`) ?? Buffer.alloc(0)),
      );
      const problems = [...failed, ...differing.map(at => `${at} differs`), ...journalProblems(library, lessons)];
      return problems.map(problem => `cut before ${step}: ${problem}`);
    });
    expect(found).toEqual([]);
  });
});
