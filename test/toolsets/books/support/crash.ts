import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { readJson } from '../../../../src/text/json.ts';
import { times } from '../../../support/repetitions.ts';
import type { Plan } from './disk.ts';
import { libraryAt, type TemporaryLibrary } from './library.ts';
import { callBooks, openBooks } from './open-books.ts';

/** A library as a crash leaves it. */
export interface CrashState {
  /** The disk operation before which the crash occurs. */
  step: string;
  library: TemporaryLibrary;
  /** True if the client has already received the result of the change. */
  isAcknowledged: boolean;
}

/**
 * Runs a change once without faults, and returns the library as each of its disk operations finds it: as SIGKILL would
 * leave it (`killStates`), or as a power failure would (`cutStates`). The last state is that at the exit of the process.
 */
export async function crashStates(
  kind: 'killStates' | 'cutStates',
  change: (plan: Plan) => Promise<unknown>,
): Promise<CrashState[]> {
  const folder = mkdtempSync(path.join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'oj-mcp-test-states-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [log, responses] = [path.join(folder, 'steps.log'), path.join(folder, 'responses')];
  await change({ [kind]: folder, log });
  const steps = readFileSync(log, 'utf8').trimEnd().split('\n');
  const stepsBeforeResponse = existsSync(responses)
    ? Number(readFileSync(responses, 'utf8').split('\n')[0])
    : undefined;
  return [...steps, 'the exit'].map((step, index) => {
    const root = path.join(folder, String(index + 1));
    if (!existsSync(root)) throw new Error(`the state before ${step} is missing`);
    if (kind === 'killStates') adoptLocks(root);
    const isAcknowledged = stepsBeforeResponse !== undefined && index >= stepsBeforeResponse;
    return { step, library: libraryAt(root), isAcknowledged };
  });
}

/** Returns what a function finds in each state, with the disk operation before which the crash occurred. */
export async function violationsByState(
  states: readonly CrashState[],
  find: (state: CrashState) => Promise<string[]>,
): Promise<string[]> {
  const found: string[] = [];
  for (const state of states) {
    found.push(...(await find(state)).map(problem => `crash before ${state.step}: ${problem}`));
  }
  return found;
}

/** Writes the identity of the copied folder into the locks of its books. Otherwise the copies had no valid holder. */
function adoptLocks(root: string): void {
  const metadata = path.join(root, '.oj-books');
  if (!existsSync(metadata)) return;
  for (const book of readdirSync(metadata)) {
    const folder = path.join(metadata, book);
    const { dev, ino } = statSync(folder, { bigint: true });
    for (const name of readdirSync(folder).filter(file => file.startsWith('lock'))) {
      const holder = readJson(readFileSync(path.join(folder, name), 'utf8'));
      // The content of a lock can be incomplete.
      if (typeof holder !== 'object') continue;
      writeFileSync(path.join(folder, name), JSON.stringify({ ...holder, folder: `${dev} ${ino}` }));
    }
  }
}

/** Runs calls in this process, as the next server after a crash. Returns their results. */
export async function callNext(
  root: string,
  calls: readonly (readonly [tool: string, args: Record<string, unknown>])[],
): Promise<Record<string, unknown>[]> {
  const opened = await openBooks(root, { 'books-extras': true });
  try {
    const results = [];
    for (const [tool, args] of calls) results.push(await callBooks(opened, tool, args, 'test-author'));
    return results;
  } finally {
    await opened.close();
  }
}

/** Returns some of the items: each one in a full run, otherwise a few with equal distances. */
export function sampleOf<T>(items: readonly T[], count: number): T[] {
  const distance = times(Math.ceil(items.length / count), 1);
  return items.filter((_, index) => index % distance === distance >> 1 || distance === 1);
}

/** Runs tasks in parallel, because they wait for processes and disks most of the time. */
export async function inParallel<T>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<string[]>,
): Promise<string[]> {
  const waiting = [...items.entries()];
  const found: string[] = [];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      found.push(...(await work(next[1], next[0])));
    }
  };
  await Promise.all(Array.from({ length: 6 }, worker));
  return found;
}
