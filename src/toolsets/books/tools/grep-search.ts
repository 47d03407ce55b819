import * as v from 'valibot';
import { inOrder } from '../../../async/concurrency.ts';
import { Failure } from '../../../errors/failure.ts';
import { withoutInvisible } from '../../../text/invisible.ts';
import { loose } from '../../../toolset/argument.ts';
import { listAnswer, longAnswerCharacters, Page } from '../answer/page.ts';
import { maxTextBytes } from '../library/book-files.ts';
import { type BookToolContext, type BookToolResult, defineBookTool } from '../library/book-tool.ts';
import type { Library } from '../library/library.ts';
import type { Entry, Storage } from '../medium/medium.ts';
import { After, BookId, Switch } from '../model/arguments.ts';
import { bookKey, byCodePoint } from '../model/key.ts';
import { refusal } from '../model/refusal.ts';
import { type LineFinder, openLineFinder } from '../search/line-finder.ts';
import type { LineHit } from '../search/line-thread.ts';

const Hit = v.strictObject({
  file_path: v.optional(v.string()),
  line_number: v.optional(v.number()),
  matched_line: v.optional(v.string()),
  warning: v.optional(v.string()),
  message: v.optional(v.string()),
});
type Hit = v.InferInput<typeof Hit>;

const output = v.strictObject({ result: v.array(Hit), next_after: v.optional(v.string()) });

const standardResults = 100;

export const grepSearch = defineBookTool({
  name: 'grep_search',
  title: 'Search text',
  description:
    'Returns the lines of Markdown files that match a regular expression (RE2 syntax, case-sensitive; (?i) ignores case): file_path, line_number from 1, matched_line. One hit per line; a line beyond 1,000 characters is cut around its match, with …. A last item with "warning" says when there is more, or what could not be read. Users\' own versions are not searched.',
  input: v.strictObject({
    book_id: BookId,
    pattern: v.pipe(
      v.string(),
      v.minLength(1, 'must not be empty'),
      v.maxLength(500, 'must have 500 characters at most'),
    ),
    all_books: v.optional(v.pipe(Switch, v.description('Searches every book; book_id is then not used')), false),
    max_results: v.optional(
      v.pipe(
        v.number(),
        loose(),
        v.integer('must be a whole number'),
        v.minValue(1, 'must be 1 or more'),
        v.maxValue(1000, 'must be 1000 or less'),
        v.description('Left out: 100, or 50,000 characters'),
      ),
    ),
    after: v.optional(After),
  }),
  output,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  longAnswers: longAnswerCharacters,
  about: ({ book_id, all_books }) => ({ book: all_books ? undefined : book_id }),
  async run(visit, args): Promise<BookToolResult<typeof output>> {
    return await visit.library.searchSlots.run(visit.signal, async () => {
      const finder = await openLineFinder(args.pattern, visit.signal);
      try {
        return await new Search(visit, finder, args).run(args.all_books ? undefined : args.book_id);
      } finally {
        await finder.close();
      }
    });
  },
});

interface Limits {
  max_results?: number | undefined;
  after?: string | undefined;
}

/** One search: the hits so far, and what ends it. */
class Search {
  readonly #library: Library;
  readonly #signal: AbortSignal;
  readonly #finder: LineFinder;
  readonly #limit: number;
  readonly #page: Page<Hit>;
  readonly #start: { key: string; line: number };
  readonly #skipped: string[] = [];
  #last: string | undefined;
  /** Invisible characters that the matched lines have in their files. */
  #removed = 0;

  constructor({ library, signal }: BookToolContext, finder: LineFinder, { max_results, after = '' }: Limits) {
    this.#library = library;
    this.#signal = signal;
    this.#finder = finder;
    this.#limit = max_results ?? standardResults;
    this.#page = new Page({ limit: max_results });
    const [, key = after, line = '0'] = /^(.*):(\d{1,9})$/s.exec(after) ?? [];
    this.#start = { key, line: Number(line) };
    this.#last = after === '' ? undefined : after;
  }

  async run(book: string | undefined): Promise<BookToolResult<typeof output>> {
    const { files } = this.#library;
    for await (const { name, entries } of files.baseFilesOf(book, this.#signal)) {
      if (entries === undefined) this.#skipped.push(bookKey(name));
      const isWanted = ({ key, unreadable }: Entry): boolean =>
        (key.endsWith('.md') || unreadable !== undefined) && byCodePoint(key, this.#start.key) >= 0;
      const end = await this.#searchFiles((entries ?? []).filter(isWanted));
      if (end !== undefined) return end;
    }
    if (this.#skipped.length === 0) {
      return { answer: listAnswer(this.#page, { what: 'hits', notes: this.#removedNote() }) };
    }
    const count = this.#skipped.length;
    return this.#ended(
      'skipped',
      `${count} files or folders could not be read as text, the first is ${withoutInvisible(this.#skipped[0] ?? '')}.`,
    );
  }

  /** One more hit than is wanted is looked for, to know whether there is more. */
  async #searchFiles(entries: readonly Entry[]): Promise<BookToolResult<typeof output> | undefined> {
    for await (const { key, hits } of hitsIn(this.#library.storage, entries, this.#signal, this.#find)) {
      this.#signal.throwIfAborted();
      if (hits === 'stopped') {
        if (!this.#finder.isLinear && this.#page.items.length === 0) throw tooSlow(key);
        return this.#ended('timeout', `The search took too long and was stopped in ${key}.`);
      }
      if (hits === 'noText') this.#skipped.push(key);
      for (const { number, shown, removed } of hits === 'noText' ? [] : hits) {
        const isFull = this.#page.items.length === this.#limit;
        const hit = { file_path: key, line_number: number, matched_line: shown };
        if (isFull || !this.#page.add(hit)) {
          const count = isFull ? `more than ${this.#limit} matches` : 'more matches than fit into an answer';
          const more = 'Use a narrower pattern, go on with "after", or raise max_results.';
          return this.#ended('truncated', `There are ${count}. ${more}`, this.#last);
        }
        this.#last = `${key}:${number}`;
        this.#removed += removed;
      }
    }
    return undefined;
  }

  readonly #find = async (key: string, bytes: Buffer): Promise<FileHits['hits']> =>
    await this.#finder.find(bytes, this.#limit + 1, key === this.#start.key ? this.#start.line : 0);

  #removedNote(): string[] {
    if (this.#removed === 0) return [];
    const characters = this.#removed === 1 ? 'character was' : 'characters were';
    return [
      `${this.#removed} invisible ${characters} removed from the matched lines; read_content returns the exact text.`,
    ];
  }

  #ended(warning: string, message: string, next?: string): BookToolResult<typeof output> {
    this.#page.addLast({ warning, message });
    const removed = this.#removedNote();
    const rest =
      next === undefined
        ? { what: 'hits', notes: [message, ...removed] }
        : { what: 'hits', next, moreBy: 'max_results', notes: removed };
    return { answer: listAnswer(this.#page, rest), status: 'partial' };
  }
}

interface FileHits {
  key: string;
  hits: LineHit[] | 'noText' | 'stopped';
}

/** Reads on while the thread is still at the file before. */
async function* hitsIn(
  storage: Storage,
  entries: readonly Entry[],
  signal: AbortSignal,
  find: (key: string, bytes: Buffer) => Promise<FileHits['hits']>,
): AsyncGenerator<FileHits> {
  let before: { key: string; hits: Promise<FileHits['hits']> } | undefined;
  const read = async (entry: Entry): Promise<Buffer | 'noText' | undefined> => await bytesOf(storage, entry, signal);
  for await (const [{ key }, bytes] of inOrder(entries, storage.prefetch - 1, read, signal)) {
    if (before !== undefined) yield { key: before.key, hits: await before.hits };
    // It has gone since it was listed.
    if (bytes === undefined) before = undefined;
    else before = { key, hits: bytes === 'noText' ? Promise.resolve(bytes) : find(key, bytes) };
  }
  if (before !== undefined) yield { key: before.key, hits: await before.hits };
}

async function bytesOf(storage: Storage, entry: Entry, signal: AbortSignal): Promise<Buffer | 'noText' | undefined> {
  if (entry.kind !== 'file') return 'noText';
  try {
    return (await storage.read(entry, maxTextBytes, signal))?.bytes;
  } catch (error) {
    if (error instanceof Failure) return 'noText';
    throw error;
  }
}

function tooSlow(key: string): Failure {
  return refusal('ValidationError', `The pattern is too slow: it was stopped in ${key} before it had found anything.`, {
    suggestion: 'Leave out lookaround and backreferences: then every pattern takes linear time.',
  });
}
