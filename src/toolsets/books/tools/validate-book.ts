import * as v from 'valibot';
import { Failure } from '../../../errors/failure.ts';
import { objectAnswer, Page, pageFields, pageNote } from '../answer/page.ts';
import { deadLinks, duplicateNumbers, frontMatterFault } from '../authoring/content-checks.ts';
import { type BookToolContext, type BookToolResult, defineBookTool } from '../library/book-tool.ts';
import type { Entry } from '../medium/medium.ts';
import { After, BookId, Limit, Switch } from '../model/arguments.ts';
import { bookKey, byCodePoint, pathBelow } from '../model/key.ts';
import {
  type Finding,
  FindingGroup,
  findingOf,
  groupFindings,
  journalFinding,
  mismatchFinding,
  type SeenFile,
} from '../model/validation.ts';

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
  errors: v.array(FindingGroup),
  warnings: v.array(FindingGroup),
  error: v.optional(v.string()),
  failed_at: v.optional(v.string()),
  suggestion: v.optional(v.string()),
  ...pageFields,
});
type Verdict = v.InferInput<typeof Verdict>;

export const validateBook = defineBookTool({
  name: 'validate_book',
  title: 'Validate book',
  description:
    'Checks the names and places of all files of a book. Errors: wrong folders or types, unsafe names, symbolic links, what cannot be opened. Warnings: lessons with an odd name, files that are no lessons, users\' own versions, files changed outside of the tools, a damaged audit trail. More than three files of one folder with the same fault are one finding: path is the folder, "count" how many, "files" the first 20. "valid" means no errors; with strict it says so at the first one ("failed_at").',
  input: v.strictObject({
    book_id: BookId,
    strict: v.optional(v.pipe(Switch, v.description('Stops at the first error')), false),
    include_warnings: v.optional(Switch, true),
    limit: v.optional(Limit),
    after: v.optional(After),
  }),
  output: Verdict,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  about: ({ book_id: book }) => ({ book }),
  async run(visit, args): Promise<BookToolResult<typeof Verdict>> {
    const { book_id: book, strict, include_warnings, limit, after } = args;
    const entries = await visit.library.files.list(book, '', visit.signal);
    if (entries === undefined) return { answer: objectAnswer(missingBook(book)) };
    const files = await seenFiles(visit, book, entries);
    const findings = await findingsOf(visit, book, entries, files);
    const allErrors = findings.filter(({ severity }) => severity === 'error');
    const errors = strict ? allErrors.slice(0, 1) : allErrors;
    const warnings = include_warnings ? findings.filter(({ severity }) => severity === 'warning') : [];
    const [first] = errors;
    const groups = [...groupFindings(errors), ...groupFindings(warnings)];
    const { page, next } = pageOf(groups, limit, after);
    const verdict = {
      valid: errors.length === 0,
      book_id: book,
      summary: {
        total_files: files.length,
        content_files: files.filter(({ path }) => path.startsWith('content/')).length,
        asset_files: files.filter(({ path }) => path.startsWith('static/')).length,
        error_count: errors.length,
        warning_count: warnings.length,
      },
      errors: page.items.filter(({ severity }) => severity === 'error'),
      warnings: page.items.filter(({ severity }) => severity === 'warning'),
      ...(strict && first !== undefined && strictFields(first)),
      ...(next !== undefined && { total: groups.length, next_after: next }),
    };
    const rest = { total: groups.length, what: 'findings', next };
    const notes = next === undefined ? [] : [pageNote(page.items.length, rest)];
    return { answer: objectAnswer(verdict, { notes }) };
  },
});

async function seenFiles(
  { library, signal }: BookToolContext,
  book: string,
  entries: readonly Entry[],
): Promise<SeenFile[]> {
  const { storage } = library;
  const reasons = await storage.readErrors(entries, signal);
  return entries.map(({ key, kind }, index) => ({ path: pathBelow(book, key), kind, unreadable: reasons[index] }));
}

async function findingsOf(
  context: BookToolContext,
  book: string,
  entries: readonly Entry[],
  files: readonly SeenFile[],
): Promise<Finding[]> {
  const { library, signal } = context;
  const { history } = library;
  const changed = await history.changedOutside(book, entries, signal);
  const checksContent = library.versions !== undefined;
  return [
    ...files.map(findingOf),
    ...changed.map(key => mismatchFinding(pathBelow(book, key))),
    journalFinding(book, await history.audit(book, signal)),
    ...(checksContent ? await contentFindings(context, book, entries) : []),
  ]
    .filter(finding => finding !== undefined)
    .sort((one, other) => byCodePoint(one.path, other.path));
}

/** Problems of the texts that break the build of a book; only with --books-extras, because each page is read. */
async function contentFindings(
  { library, signal }: BookToolContext,
  book: string,
  entries: readonly Entry[],
): Promise<Finding[]> {
  const files = entries
    .filter(({ kind }) => kind === 'file')
    .map(entry => ({ entry, path: pathBelow(book, entry.key) }));
  const known = new Set(files.map(({ path }) => path));
  const pages = files.filter(({ path }) => /^content\/.*\.mdx?$/.test(path));
  const findings = duplicateNumbers([...known]);
  const items = pages.map(({ entry, path }) => ({ place: { book, path, user: undefined }, size: entry.size, entry }));
  for await (const [{ place }, text] of library.files.texts(items, signal)) {
    if (text === undefined || text instanceof Failure) continue;
    const fault = frontMatterFault(place.path, text.content);
    findings.push(...(fault === undefined ? [] : [fault]), ...deadLinks(place.path, text.content, known));
  }
  return findings;
}

/** The errors, then the warnings, both by path; a page ends anywhere among them. */
function pageOf(
  groups: readonly FindingGroup[],
  limit: number | undefined,
  after: string | undefined,
): { page: Page<FindingGroup>; next: string | undefined } {
  const nameOf = ({ severity, path, issue }: Finding): string => `${severity} ${path} ${issue}`;
  const start = after === undefined ? 0 : groups.findIndex(group => nameOf(group) === after) + 1;
  const page = new Page<FindingGroup>({ limit, depth: 2 });
  const wanted = groups.slice(start);
  const cut = wanted.findIndex(group => !page.add(group));
  const last = cut === -1 ? undefined : wanted[cut - 1];
  return { page, next: last && nameOf(last) };
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
