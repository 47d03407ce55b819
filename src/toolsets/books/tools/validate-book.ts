import * as v from 'valibot';
import { Failure } from '../../../failure.ts';
import { defineTool } from '../../../toolset.ts';
import { type Door, perform } from '../io/book-tool.ts';
import { Breath } from '../io/store/breath.ts';
import type { Storage } from '../io/store/storage.ts';
import { BookId, Switch } from '../model/arguments.ts';
import { bookKey, byCodePoint } from '../model/key.ts';
import { type Finding, findingOf, journalFinding, mismatchFinding, type SeenFile } from '../model/validation.ts';
import { objectAnswer } from '../text.ts';

const Item = v.strictObject({
  path: v.string(),
  severity: v.picklist(['error', 'warning']),
  issue: v.string(),
  message: v.string(),
  suggestion: v.string(),
});

const Verdict = v.strictObject({
  valid: v.boolean(),
  book_id: v.string(),
  summary: v.strictObject({
    total_files: v.number(),
    content_files: v.number(),
    asset_files: v.number(),
    error_count: v.number(),
    warning_count: v.number(),
  }),
  errors: v.array(Item),
  warnings: v.array(Item),
  error: v.optional(v.string()),
  failed_at: v.optional(v.string()),
  suggestion: v.optional(v.string()),
});
type Verdict = v.InferInput<typeof Verdict>;

export const validateBook = defineTool({
  name: 'validate_book',
  title: 'Validate book',
  description:
    'Checks the names and places of all files of a book. Errors: wrong folders or types, unsafe names, symbolic links, what cannot be opened. Warnings: lessons with an odd name, files that are no lessons, users\' own versions, files changed outside of the tools, a damaged audit trail. "valid" means no errors; with strict it says so at the first one ("failed_at").',
  input: v.strictObject({
    book_id: BookId,
    strict: v.optional(v.pipe(Switch, v.description('Stops at the first error')), false),
    include_warnings: v.optional(Switch, true),
  }),
  output: Verdict,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async handler({ book_id: book, strict, include_warnings }, door: Door, call) {
    return await perform(door, call, { operation: 'validate_book', book }, async ({ storage, history }) => {
      const start = bookKey(book).length + 1;
      const entries = await storage.list(bookKey(book));
      if (entries === undefined) return { answer: objectAnswer(missingBook(book)) };
      const files: SeenFile[] = [];
      const breath = new Breath(call.signal);
      for (const { key, kind, closed } of entries) {
        await breath.take();
        const isPlain = kind === 'file' && closed === undefined;
        files.push({ path: key.slice(start), kind, closed: isPlain ? await problemOf(storage, key) : closed });
      }
      const { changed, problems } = await history.check(book, call.signal);
      const findings = [
        ...files.map(findingOf),
        ...changed.map(key => mismatchFinding(key.slice(start))),
        journalFinding(book, problems),
      ].filter(finding => finding !== undefined);
      findings.sort((one, other) => byCodePoint(one.path, other.path));
      const allErrors = findings.filter(({ severity }) => severity === 'error');
      const errors = strict ? allErrors.slice(0, 1) : allErrors;
      const warnings = include_warnings ? findings.filter(({ severity }) => severity === 'warning') : [];
      const [first] = errors;
      return {
        answer: objectAnswer(
          {
            valid: errors.length === 0,
            book_id: book,
            summary: {
              total_files: files.length,
              content_files: files.filter(({ path }) => path.startsWith('content/')).length,
              asset_files: files.filter(({ path }) => path.startsWith('static/')).length,
              error_count: errors.length,
              warning_count: warnings.length,
            },
            errors,
            warnings,
            ...(strict && first !== undefined && strictFields(first)),
          },
          { advice: 'Use include_warnings: false, or strict for one error at a time.' },
        ),
      };
    });
  },
});

/** Why a file cannot be read. */
async function problemOf(storage: Storage, key: string): Promise<string | undefined> {
  try {
    await storage.stat(key);
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

function strictFields({ path, issue, message, suggestion }: Finding): Partial<Verdict> {
  return { error: `${issue}: ${message}`, failed_at: path, suggestion };
}

function missingBook(book: string): Verdict {
  const message = `Book not found: ${book}`;
  const suggestion = 'list_books shows the books there are.';
  return {
    valid: false,
    book_id: book,
    summary: { total_files: 0, content_files: 0, asset_files: 0, error_count: 1, warning_count: 0 },
    errors: [{ path: bookKey(book), severity: 'error', issue: 'Book not found', message, suggestion }],
    warnings: [],
    error: message,
    suggestion,
  };
}
