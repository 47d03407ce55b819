import * as v from 'valibot';
import { Failure } from '../../../errors/failure.ts';
import {
  createNextPageNote,
  createObjectResult,
  fillListPage,
  listPageFields,
  ResultListPage,
} from '../answer/page.ts';
import { findBrokenLinks, findDuplicateNumbers, findFrontMatterError } from '../authoring/content-checks.ts';
import { type BookToolContext, type BookToolResult, defineBookTool } from '../library/book-tool.ts';
import { PagedListCache } from '../library/list-cache.ts';
import { BookId, BooleanArgument, CountField, CursorArgument, LimitArgument } from '../model/arguments.ts';
import { compareCodePoints, importManifestPath, removeBookPrefixOfKey, storageKeyOfBook } from '../model/key.ts';
import { createNextLessonNumber } from '../model/path.ts';
import {
  createJournalFinding,
  createMismatchFinding,
  findPathError,
  groupEqualFindings,
  type ValidatedFile,
  type ValidationFinding,
  ValidationFindingGroup,
} from '../model/validation.ts';
import type { StorageEntry } from '../storage/file-storage.ts';

const Verdict = v.strictObject({
  valid: v.boolean(),
  book_id: v.string(),
  summary: v.strictObject({
    total_files: CountField,
    content_files: CountField,
    asset_files: CountField,
    error_count: CountField,
    warning_count: CountField,
  }),
  errors: v.array(ValidationFindingGroup),
  warnings: v.array(ValidationFindingGroup),
  error: v.optional(v.string()),
  failed_at: v.optional(v.string()),
  suggestion: v.optional(v.string()),
  ...listPageFields,
});
type Verdict = v.InferInput<typeof Verdict>;

export const validateBook = defineBookTool({
  name: 'validate_book',
  title: 'Validate book',
  description:
    'Checks the names and places of all files of a book. Errors: wrong folders or types, unsafe names, symbolic links, what cannot be opened. Warnings: lessons with an odd name, files that are no lessons, users\' own versions, files changed outside of the tools, a damaged audit trail. More than three files of one folder with the same fault are one finding: path is the folder, "count" how many, "files" the first 20. "valid" means no errors; with strict it says so at the first one ("failed_at").',
  input: v.strictObject({
    book_id: BookId,
    strict: v.optional(v.pipe(BooleanArgument, v.description('Stops at the first error')), false),
    include_warnings: v.optional(BooleanArgument, true),
    limit: v.optional(LimitArgument),
    after: v.optional(CursorArgument),
  }),
  output: Verdict,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  about: ({ book_id: book }) => ({ book }),
  async run(visit, args): Promise<BookToolResult<typeof Verdict>> {
    const { book_id: book, strict, include_warnings, limit, after } = args;
    const checked = await lists.get(visit.library, args, async () => await checkBook(visit, book));
    if (checked === undefined) return { answer: createObjectResult(missingBook(book)) };
    const { files, findings } = checked;
    const allErrors = findings.filter(({ severity }) => severity === 'error');
    const errors = strict ? allErrors.slice(0, 1) : allErrors;
    const warnings = include_warnings ? findings.filter(({ severity }) => severity === 'warning') : [];
    const [first] = errors;
    const groups = [...groupEqualFindings(errors), ...groupEqualFindings(warnings)];
    const start = after === undefined ? 0 : groups.findIndex(group => cursorOf(group) === after) + 1;
    const page = new ResultListPage<ValidationFindingGroup>({ limit });
    const next = await fillListPage(page, groups.slice(start), cursorOf, after);
    const verdict = {
      valid: errors.length === 0,
      book_id: book,
      summary: {
        // The manifest of imports and exports is not a file of the book's authors.
        total_files: files.filter(({ path }) => path !== importManifestPath).length,
        content_files: files.filter(({ path }) => path.startsWith('content/')).length,
        asset_files: files.filter(({ path }) => path.startsWith('static/')).length,
        error_count: errors.length,
        warning_count: warnings.length,
      },
      errors: page.items.filter(({ severity }) => severity === 'error'),
      warnings: page.items.filter(({ severity }) => severity === 'warning'),
      ...(strict &&
        first !== undefined && {
          error: `${first.issue}: ${first.message}`,
          failed_at: first.path,
          suggestion: first.suggestion,
        }),
      ...(next !== undefined && { total: groups.length, next_after: next }),
    };
    const rest = { total: groups.length, what: 'findings', next };
    const notes = next === undefined ? [] : [createNextPageNote(page.items.length, rest)];
    return { answer: createObjectResult(verdict, { notes }) };
  },
});

interface CheckedBook {
  files: ValidatedFile[];
  /** The problems in the book, sorted by path. */
  findings: ValidationFinding[];
}

const lists = new PagedListCache<CheckedBook | undefined>(checked => checked?.files.length ?? 0);

/** Checks one book. Returns undefined if the book does not exist. */
async function checkBook(context: BookToolContext, book: string): Promise<CheckedBook | undefined> {
  const entries = await context.library.files.list(book, '', context.signal);
  if (entries === undefined) return undefined;
  const { library, signal } = context;
  const reasons = await library.storage.readErrors(entries, signal);
  const files = entries.map(({ key, kind }, index) => ({
    path: removeBookPrefixOfKey(book, key),
    kind,
    unreadable: reasons[index],
  }));
  return { files, findings: await findingsOf(context, book, entries, files) };
}

/** Returns the cursor of a problem in the sorted list: errors come before warnings, and both are sorted by path. */
function cursorOf({ severity, path, issue }: ValidationFinding): string {
  return `${severity} ${path} ${issue}`;
}

async function findingsOf(
  context: BookToolContext,
  book: string,
  entries: readonly StorageEntry[],
  files: readonly ValidatedFile[],
): Promise<ValidationFinding[]> {
  const { library, signal } = context;
  const { history } = library;
  const changed = await history.changedOutside(book, entries, signal);
  const nextNumber = createNextLessonNumber(files.map(({ path }) => path));
  const checksContent = library.versions !== undefined;
  return [
    ...files.map(file => findPathError(file, nextNumber)),
    ...changed.map(key => createMismatchFinding(removeBookPrefixOfKey(book, key))),
    createJournalFinding(book, await history.audit(book, signal)),
    ...(checksContent ? await contentFindings(context, book, entries) : []),
  ]
    .filter(finding => finding !== undefined)
    .sort((one, other) => compareCodePoints(one.path, other.path));
}

/**
 * Finds problems in texts that would break the build of the book. This requires reading each page and is therefore done
 * only with --books-extras.
 */
async function contentFindings(
  { library, signal }: BookToolContext,
  book: string,
  entries: readonly StorageEntry[],
): Promise<ValidationFinding[]> {
  const files = entries.filter(({ kind }) => kind === 'file');
  const known = new Set(files.map(({ key }) => removeBookPrefixOfKey(book, key)));
  const pages = files.filter(({ key }) => /^content\/.*\.mdx?$/.test(removeBookPrefixOfKey(book, key)));
  const findings = findDuplicateNumbers([...known]);
  for await (const [{ place }, text] of library.files.textsOf(book, pages, signal)) {
    if (text === undefined || text instanceof Failure) continue;
    const fault = findFrontMatterError(place.path, text.content);
    findings.push(...(fault === undefined ? [] : [fault]), ...findBrokenLinks(place.path, text.content, known));
  }
  return findings;
}

function missingBook(book: string): Verdict {
  const message = `Book not found: ${book}`;
  const suggestion = 'list_books lists the existing books.';
  return {
    valid: false,
    book_id: book,
    summary: { total_files: 0, content_files: 0, asset_files: 0, error_count: 1, warning_count: 0 },
    errors: [{ path: storageKeyOfBook(book), severity: 'error', issue: 'Book not found', message, suggestion }],
    warnings: [],
    error: message,
    suggestion,
  };
}
