import { setTimeout as sleep } from 'node:timers/promises';
import type * as v from 'valibot';
import { memoize } from '../../../async/memoize.ts';
import { ignoreExpectedError } from '../../../log/bug.ts';
import {
  type CallContext,
  type InputSchema,
  type OutputSchema,
  type Tool,
  type ToolResult,
} from '../../../toolset/toolset.ts';
import { requireAgent, unnamedAgent, usableAgent } from '../model/arguments.ts';
import { tookMs } from '../model/record.ts';
import { aboutFile, failureCode } from '../model/refusal.ts';
import type { BooksSettings } from '../settings.ts';
import type { Author } from './book-log.ts';
import type { Library } from './library.ts';

/** The library, opened by the first who comes, and what is being done in it. */
export interface LibraryAccess {
  readonly settings: BooksSettings;
  readonly work: Set<Promise<unknown>>;
  open(): Promise<Library>;
  /** The end: waits for work that is being given up, but not long. */
  close(): Promise<void>;
}

const leaveMs = 500;

export function openAccess(settings: BooksSettings): LibraryAccess {
  let library: Library | undefined;
  const work = new Set<Promise<unknown>>();
  return {
    settings,
    work,
    close: async () => {
      await Promise.race([Promise.allSettled(work), sleep(leaveMs)]);
      await library?.close();
    },
    // The folder may be there the next time.
    open: memoize(async () => {
      const { openLibrary } = await import('./library.ts');
      library = await openLibrary(settings);
      return library;
    }),
  };
}

/** What a call is about, as the audit trail keeps it. */
interface Subject {
  book?: string | undefined;
  /** Where the file is, or would be. */
  path?: string | undefined;
  user?: string | undefined;
  /** What the caller calls the file, when that is something else: errors speak of it. */
  given?: string | undefined;
}

/** What a tool works with. */
export interface BookToolContext {
  library: Library;
  /** Of a change; reads are kept under this name too. */
  author: Author;
  signal: AbortSignal;
  progress: CallContext['progress'];
}

export interface BookToolResult<Output extends OutputSchema> {
  answer: ToolResult<Output>;
  /** Where the file turned out to be. */
  path?: string;
  /** Of the version that was read. */
  seen?: string | undefined;
  status?: 'success' | 'skipped' | 'partial';
  /** The change is in the journal already. */
  isJournalled?: boolean;
}

interface BookTool<Input extends InputSchema, Output extends OutputSchema>
  extends Omit<Tool<Input, Output, LibraryAccess>, 'handler' | 'output'> {
  output: Output;
  about: (args: v.InferOutput<Input>) => Subject;
  run: (visit: BookToolContext, args: v.InferOutput<Input>) => Promise<BookToolResult<NoInfer<Output>>>;
}

/** A tool of the library: what it does is kept in the audit trail, or why it did not, and a change needs an author. */
export function defineBookTool<const Input extends InputSchema, const Output extends OutputSchema>(
  plan: BookTool<Input, Output>,
): Tool<Input, Output, LibraryAccess> {
  const { about, run, ...tool } = plan;
  return {
    ...tool,
    async handler(args, access, call) {
      const subject = about(args);
      const answer = runTool(access, call, tool, subject, async visit => await run(visit, args));
      access.work.add(answer);
      try {
        return await answer;
      } finally {
        access.work.delete(answer);
      }
    },
  };
}

async function runTool<Output extends OutputSchema>(
  access: LibraryAccess,
  call: CallContext,
  { name, annotations }: Pick<Tool, 'name' | 'annotations'>,
  subject: Subject,
  run: (visit: BookToolContext) => Promise<BookToolResult<Output>>,
): Promise<ToolResult<Output>> {
  const started = performance.now();
  const library = await access.open();
  const agent = usableAgent(call.agent, access.settings.agent);
  const note = async (
    status: string,
    facts: { error?: string; seen?: string | undefined; path?: string | undefined },
  ): Promise<void> => {
    await library.history.note(subject.book, {
      agent: agent ?? unnamedAgent,
      operation: name,
      path: facts.path ?? subject.path ?? '',
      user: subject.user,
      status,
      ms: tookMs(started, performance.now()),
      ...(facts.error !== undefined && { error: facts.error }),
      ...(facts.seen !== undefined && { seen: facts.seen }),
    });
  };
  // Nobody has asked for it, so nobody is told when it does not work, as in a library that cannot be written.
  await library.archives.deleteExpired().catch(ignoreExpectedError);
  if (subject.book !== undefined) await library.versions?.deleteExpired(subject.book).catch(ignoreExpectedError);
  let done: BookToolResult<Output>;
  try {
    const author = { agent: annotations.readOnlyHint ? (agent ?? unnamedAgent) : requireAgent(agent), operation: name };
    done = await run({ library, author, signal: call.signal, progress: call.progress });
  } catch (error) {
    await note('failed', { error: call.signal.aborted ? 'CANCELLED' : failureCode(error) });
    throw aboutFile(error, subject.given ?? subject.path);
  }
  if (done.isJournalled !== true) await note(done.status ?? 'success', { seen: done.seen, path: done.path });
  return done.answer;
}
