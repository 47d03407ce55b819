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
import { chooseAuthorName, requireAuthorName, unnamedClientAuthorName } from '../model/author.ts';
import { type AuditNote, computeElapsedMs } from '../model/record.ts';
import { errorCodeOfAuditRecord, replacePathInErrorReport } from '../model/refusal.ts';
import type { BooksSettings } from '../settings.ts';
import type { Library } from './library.ts';
import type { ChangeAuthor } from './transaction.ts';

/** Gives the tools access to the library, which is opened at the first call, and tracks the calls in progress. */
export interface LibraryAccess {
  readonly settings: BooksSettings;
  readonly work: Set<Promise<unknown>>;
  open(): Promise<Library>;
  /** Closes the library. Aborted calls get a short time to end before. */
  close(): Promise<void>;
}

const leaveMs = 500;

export function createLibraryAccess(settings: BooksSettings): LibraryAccess {
  let library: Library | undefined;
  const work = new Set<Promise<unknown>>();
  return {
    settings,
    work,
    close: async () => {
      await Promise.race([Promise.allSettled(work), sleep(leaveMs)]);
      await library?.close();
    },
    // A failure to open the library is not cached, because its folder may exist at the next call.
    open: memoize(async () => {
      const { openLibrary } = await import('./library.ts');
      library = await openLibrary(settings);
      return library;
    }),
  };
}

/** The book and file of a tool call, which are recorded in the audit trail. */
interface Subject {
  book?: string | undefined;
  /** The path of the file inside the book. */
  path?: string | undefined;
  user?: string | undefined;
  /** The path as the caller wrote it, for error messages. */
  given?: string | undefined;
}

/** The library that a tool call uses, and the author of the call. */
export interface BookToolContext {
  library: Library;
  /** The author of the change. A read operation records it in the audit trail only. */
  author: ChangeAuthor;
  signal: AbortSignal;
  progress: CallContext['progress'];
}

export interface BookToolResult<Output extends OutputSchema> {
  answer: ToolResult<Output>;
  /** The path of the file after it was resolved. */
  path?: string;
  /** The hash of the content that the tool has read. */
  seen?: string | undefined;
  status?: 'success' | 'skipped' | 'partial';
  /** True if the tool has already recorded its change in the journal, so that no audit note is needed. */
  isJournalled?: boolean;
}

interface BookTool<Input extends InputSchema, Output extends OutputSchema>
  extends Omit<Tool<Input, Output, LibraryAccess>, 'handler' | 'output'> {
  output: Output;
  about: (args: v.InferOutput<Input>) => Subject;
  run: (visit: BookToolContext, args: v.InferOutput<Input>) => Promise<BookToolResult<NoInfer<Output>>>;
}

/**
 * Defines a tool of the books toolset. Each call is recorded in the audit trail with its result, and a change needs the
 * name of an author.
 */
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
  const agent = chooseAuthorName(call.agent, access.settings.agent);
  const note = async (
    status: string,
    { error, seen, path = subject.path ?? '' }: Partial<Pick<AuditNote, 'error' | 'path' | 'seen'>>,
  ): Promise<void> => {
    await library.history.note(subject.book, {
      agent: agent ?? unnamedClientAuthorName,
      operation: name,
      path,
      user: subject.user,
      status,
      ms: computeElapsedMs(started, performance.now()),
      error,
      seen,
    });
  };
  // An error of the cleanup must not fail the tool call. The cleanup fails in a read-only library, for example.
  await library.deleteExpiredArchives().catch(ignoreExpectedError);
  if (subject.book !== undefined) await library.versions?.deleteExpired(subject.book).catch(ignoreExpectedError);
  let done: BookToolResult<Output>;
  try {
    const author = {
      agent: annotations.readOnlyHint ? (agent ?? unnamedClientAuthorName) : requireAuthorName(agent),
      operation: name,
    };
    done = await run({ library, author, signal: call.signal, progress: call.progress });
  } catch (error) {
    await note('failed', { error: call.signal.aborted ? 'CANCELLED' : errorCodeOfAuditRecord(error) });
    throw replacePathInErrorReport(error, subject.given ?? subject.path);
  }
  if (done.isJournalled !== true) await note(done.status ?? 'success', done);
  return done.answer;
}
