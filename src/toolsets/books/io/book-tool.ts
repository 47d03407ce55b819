import { setTimeout as sleep } from 'node:timers/promises';
import type { Call, StructuredAnswer } from '../../../toolset.ts';
import { unnamedAgent, usableAgent } from '../model/arguments.ts';
import { aboutFile, failureCode } from '../model/refusal.ts';
import type { BooksSettings } from '../settings.ts';
import type { Library } from './library.ts';

/** The way into the library; it is opened by the first who comes. */
export interface Door {
  readonly settings: BooksSettings;
  /** What is being done in the library. */
  readonly work: Set<Promise<unknown>>;
  enter(): Promise<Library>;
  /** The end: waits for work that is being given up, but not long. */
  leave(): Promise<void>;
}

const leaveMs = 500;

export function createDoor(settings: BooksSettings): Door {
  let opening: Promise<Library> | undefined;
  const work = new Set<Promise<unknown>>();
  return {
    settings,
    work,
    leave: async () => {
      await Promise.race([Promise.allSettled(work), sleep(leaveMs)]);
      await (await opening?.catch(() => undefined))?.close();
    },
    enter: async () => {
      opening ??= import('./library.ts').then(async ({ openLibrary }) => await openLibrary(settings));
      try {
        return await opening;
      } catch (error) {
        // The folder may be there the next time.
        opening = undefined;
        throw error;
      }
    },
  };
}

export interface Task {
  operation: string;
  book?: string | undefined;
  /** Where the file is, or would be. */
  path?: string | undefined;
  user?: string | undefined;
  /** What the caller calls the file, when that is something else: errors speak of it. */
  given?: string | undefined;
}

export interface Done<Structured> {
  answer: StructuredAnswer<Structured>;
  /** Where the file turned out to be. */
  path?: string;
  /** Of the version that was read. */
  seen?: string | undefined;
  status?: 'success' | 'skipped' | 'partial';
  /** The change is in the journal already. */
  isJournalled?: boolean;
}

type Work<Structured> = (library: Library, agent: string | undefined) => Promise<Done<Structured>>;

/** Does a task and keeps in the audit trail that it was done, or why not. */
export async function perform<Structured>(
  door: Door,
  call: Call,
  task: Task,
  work: Work<Structured>,
): Promise<StructuredAnswer<Structured>> {
  const answer = performIn(door, call, task, work);
  door.work.add(answer);
  try {
    return await answer;
  } finally {
    door.work.delete(answer);
  }
}

async function performIn<Structured>(
  door: Door,
  call: Call,
  task: Task,
  work: Work<Structured>,
): Promise<StructuredAnswer<Structured>> {
  const started = performance.now();
  const library = await door.enter();
  await library.sweep();
  const agent = usableAgent(call.agent, door.settings.agent);
  const note = async (
    status: string,
    facts: { error?: string; seen?: string | undefined; path?: string | undefined },
  ): Promise<void> => {
    await library.history.note(task.book, {
      agent: agent ?? unnamedAgent,
      operation: task.operation,
      path: facts.path ?? task.path ?? '',
      user: task.user,
      status,
      ms: Math.round((performance.now() - started) * 1000) / 1000,
      ...(facts.error !== undefined && { error: facts.error }),
      ...(facts.seen !== undefined && { seen: facts.seen }),
    });
  };
  let done: Done<Structured>;
  try {
    done = await work(library, agent);
  } catch (error) {
    await note('failed', { error: call.signal.aborted ? 'CANCELLED' : failureCode(error) });
    throw aboutFile(error, task.given ?? task.path);
  }
  if (done.isJournalled !== true) await note(done.status ?? 'success', { seen: done.seen, path: done.path });
  return done.answer;
}
