import * as v from 'valibot';
import { Failure } from '../../../errors/failure.ts';
import {
  createNextPageNote,
  createObjectResult,
  exceedsResponseLimit,
  fillListPage,
  formatIsoTime,
  listPageFields,
  maxResultSizeMetadata,
  ResultListPage,
} from '../answer/page.ts';
import type { LibraryTextFile } from '../library/book-files.ts';
import { type BookToolContext, type BookToolResult, defineBookTool } from '../library/book-tool.ts';
import { PagedListCache } from '../library/list-cache.ts';
import { BookId, BooleanArgument, CountField, CursorArgument, LimitArgument, UserId } from '../model/arguments.ts';
import {
  ChangedFile,
  DeletedFile,
  type DeltaItem,
  formatDeltaCursor,
  parseDeltaCursor,
  parseIsoInstant,
  selectDeltaItemsAfterCursor,
  sortDeltaItems,
} from '../model/delta.ts';
import {
  compareWithManifest,
  DifferingFile,
  type ManifestDifference,
  manifestComparisonStatuses,
  selectHashesOfBaseFiles,
} from '../model/manifest.ts';

const Delta = v.strictObject({
  changed_count: CountField,
  since: v.string(),
  book_id: v.string(),
  changed_files: v.array(ChangedFile),
  deleted_files: v.array(DeletedFile),
  server_time: v.optional(v.string()),
  manifest_hash: v.optional(v.string()),
  user_id: v.optional(v.string()),
  base_changes: v.optional(CountField),
  overlay_changes: v.optional(CountField),
  manifest_delta: v.optional(
    v.strictObject({
      status: v.picklist(manifestComparisonStatuses),
      target_manifest_hash: v.string(),
      changed_files: v.array(DifferingFile),
      deleted_files: v.array(v.string()),
    }),
  ),
  ...listPageFields,
});
type Delta = v.InferInput<typeof Delta>;

const lists = new PagedListCache<Changes>(({ items }) => items.length);

export const deltaBuild = defineBookTool({
  name: 'delta_build',
  title: 'Changes since',
  description:
    'Returns the files of a book (below content and static) changed after an instant, newest first, and those deleted, by these tools, an editor or git. Give server_time as "since" next time; of a long answer the last page has it (go on with "after" and the same arguments). With target_manifest_hash (a manifest_hash from an earlier answer) it also says what differs from the book as it was then.',
  input: v.strictObject({
    book_id: BookId,
    since: v.pipe(
      v.string(),
      v.maxLength(50, 'must have 50 characters at most'),
      v.description('Instant with a zone, such as 2025-01-01T00:00:00Z'),
    ),
    include_content: v.optional(BooleanArgument, false),
    user_id: v.optional(v.pipe(UserId, v.description("Also returns changes to this user's own versions"))),
    target_manifest_hash: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits'))),
    limit: v.optional(LimitArgument),
    after: v.optional(CursorArgument),
  }),
  output: Delta,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  meta: maxResultSizeMetadata,
  about: ({ book_id: book, user_id: user }) => ({ book, user }),
  async run(visit, args): Promise<BookToolResult<typeof Delta>> {
    const { book_id: book, since, include_content, user_id, limit, after } = args;
    const cursor = after === undefined ? undefined : parseDeltaCursor(after);
    const target = args.target_manifest_hash?.toLowerCase();
    const list = await lists.get(visit.library, args, async () => await changesOf(visit, args, target));
    const { items, differing } = list;
    // All pages describe the state at the time of the first page. The next delta reports later changes.
    const { timeMs, manifestHash } = cursor ?? list;
    const wanted = cursor === undefined ? items : selectDeltaItemsAfterCursor(items, cursor);

    const page = new ResultListPage<DeltaItem>({ limit, isWhole: include_content });
    const next = await fillListPage(page, include_content ? withContents(visit, book, wanted) : wanted, item =>
      formatDeltaCursor(timeMs, manifestHash, item),
    );
    const changes = items.filter(item => item.kind === 'changed');
    const count = (namespace: string): number => changes.filter(({ file }) => file.namespace === namespace).length;
    const delta: Delta = {
      changed_count: changes.length,
      since,
      book_id: book,
      changed_files: page.items.flatMap(item => (item.kind === 'changed' ? item.file : [])),
      deleted_files: page.items.flatMap(item => (item.kind === 'deleted' ? item.file : [])),
      ...(next === undefined && { server_time: formatIsoTime(timeMs), manifest_hash: manifestHash }),
      ...(user_id !== undefined && { user_id, base_changes: count('base'), overlay_changes: count('overlay') }),
      ...(target !== undefined &&
        differing !== undefined && { manifest_delta: sinceManifest(target, differing.status, page.items) }),
      ...(next !== undefined && { total: items.length, next_after: next }),
    };
    const notes = list.journalError === undefined ? [] : [unrecordedNote + list.journalError];
    if (next !== undefined) {
      const note = createNextPageNote(page.items.length, { total: items.length, what: 'changes', next });
      notes.push(`${note} server_time is part of the last page.`);
    }
    return { answer: createObjectResult(delta, { notes }) };
  },
});

const unrecordedNote =
  'The journal was not updated, so deletions can be missing here, and unfinished changes stay unrecorded until a later delta_build: ';

interface Changes {
  timeMs: number;
  manifestHash: string;
  items: DeltaItem[];
  differing: ManifestDifference | undefined;
  journalError: string | undefined;
}

async function changesOf(
  { library: { history }, signal }: BookToolContext,
  { book_id: book, since, user_id }: { book_id: string; since: string; user_id?: string | undefined },
  target: string | undefined,
): Promise<Changes> {
  const sinceMs = parseIsoInstant(since);
  const { timeMs, manifestHash, files, journalError } = await history.scanFiles(book, signal);
  const before = target === undefined ? undefined : await history.manifestFiles(book, target);
  const differing = target === undefined ? undefined : compareWithManifest(before, selectHashesOfBaseFiles(files));
  const items = sortDeltaItems(files, sinceMs, user_id, differing);
  return { timeMs, manifestHash, items, differing, journalError };
}

function sinceManifest(
  target: string,
  status: ManifestDifference['status'],
  items: readonly DeltaItem[],
): Delta['manifest_delta'] {
  return {
    status,
    target_manifest_hash: target,
    changed_files: items.flatMap(item => (item.kind === 'differing' ? item.file : [])),
    deleted_files: items.flatMap(item => (item.kind === 'missing' ? item.file.path : [])),
  };
}

/** Adds the contents of changed files to the entries of a delta, which is a list of changes. */
async function* withContents(
  { library, signal }: BookToolContext,
  book: string,
  items: readonly DeltaItem[],
): AsyncGenerator<DeltaItem> {
  const changes = items.flatMap(item => (item.kind === 'changed' ? item.file : []));
  const wanted = changes.map(file => ({ file, place: { book, path: file.path, user: file.user_id }, size: 0 }));
  for await (const [{ file }, text] of library.files.texts(wanted, signal)) {
    yield { kind: 'changed', file: withText(file, text) };
  }
  yield* items.filter(({ kind }) => kind !== 'changed');
}

function withText(file: ChangedFile, text: LibraryTextFile | Failure | undefined): ChangedFile {
  if (text === undefined) return { ...file, error: 'The file was deleted in the meantime.' };
  if (text instanceof Failure) return { ...file, error: `Could not read content: ${text.message}` };
  const shown = { ...file, sha256: text.hash, content: text.content };
  return exceedsResponseLimit(shown, text.size)
    ? { ...file, error: 'Too long for a result: read it with read_content.' }
    : shown;
}
