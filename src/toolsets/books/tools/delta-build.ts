import * as v from 'valibot';
import { Failure } from '../../../failure.ts';
import { defineTool } from '../../../toolset.ts';
import { type Door, perform } from '../io/book-tool.ts';
import type { Library } from '../io/library.ts';
import type { SurveyedFile } from '../io/store/storage.ts';
import { readText } from '../io/store/text-file.ts';
import { BookId, Switch, UserId } from '../model/arguments.ts';
import { byCodePoint, keyOf, namespaceOf } from '../model/key.ts';
import { manifestDelta } from '../model/manifest.ts';
import { readInstant } from '../model/since.ts';
import { instant, maxAnswerBytes, objectAnswer, wireBytes } from '../text.ts';

const Change = v.strictObject({
  path: v.string(),
  sha256: v.string(),
  last_modified: v.string(),
  namespace: v.picklist(['base', 'overlay']),
  user_id: v.optional(v.string()),
  content: v.optional(v.string()),
  error: v.optional(v.string()),
});

type Change = v.InferInput<typeof Change>;

const Deletion = v.strictObject({
  path: v.string(),
  deleted_at: v.string(),
  namespace: v.picklist(['base', 'overlay']),
  user_id: v.optional(v.string()),
});

type Deletion = v.InferInput<typeof Deletion>;

export const deltaBuild = defineTool({
  name: 'delta_build',
  title: 'Changes since',
  description:
    'Returns the files of a book (below content and static) changed after an instant, newest first, and those deleted, whoever did it: these tools, an editor or git. Keep server_time and give it as "since" next time. With target_manifest_hash (a manifest_hash from an earlier answer) it also says what differs from the book as it was then.',
  input: v.strictObject({
    book_id: BookId,
    since: v.pipe(
      v.string(),
      v.maxLength(50, 'must have 50 characters at most'),
      v.description('Instant with a zone, such as 2025-01-01T00:00:00Z'),
    ),
    include_content: v.optional(Switch, false),
    user_id: v.optional(v.pipe(UserId, v.description("Also returns changes to this user's own versions"))),
    target_manifest_hash: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits'))),
  }),
  output: v.strictObject({
    changed_count: v.number(),
    since: v.string(),
    book_id: v.string(),
    changed_files: v.array(Change),
    deleted_files: v.array(Deletion),
    server_time: v.string(),
    manifest_hash: v.string(),
    user_id: v.optional(v.string()),
    base_changes: v.optional(v.number()),
    overlay_changes: v.optional(v.number()),
    manifest_delta: v.optional(
      v.strictObject({
        status: v.picklist(['unchanged', 'changed', 'unknown']),
        changed_files: v.array(v.strictObject({ path: v.string(), sha256: v.string() })),
        deleted_files: v.array(v.string()),
      }),
    ),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async handler({ book_id: book, since, include_content, user_id, target_manifest_hash }, door: Door, call) {
    return await perform(door, call, { operation: 'delta_build', book, user: user_id }, async library => {
      const sinceMs = readInstant(since);
      const { files, timeMs, manifestHash } = await library.history.survey(book, call.signal);
      const recent = files.filter(({ changedMs }) => changedMs > sinceMs).sort(newestFirst);
      const layers = [
        recent.filter(({ place }) => place.user === undefined),
        user_id === undefined ? [] : recent.filter(({ place }) => place.user === user_id),
      ];
      const changed = layers.flatMap(layer => layer.flatMap(changeOf));
      const count = (namespace: string): number => changed.filter(item => item.namespace === namespace).length;
      const answer = {
        changed_count: changed.length,
        since,
        book_id: book,
        changed_files: include_content ? await withContent(library, book, changed, call.signal) : changed,
        deleted_files: layers.flatMap(layer => layer.flatMap(deletionOf)),
        server_time: instant(timeMs),
        manifest_hash: manifestHash,
        ...(user_id !== undefined && { user_id, base_changes: count('base'), overlay_changes: count('overlay') }),
        ...(target_manifest_hash !== undefined && {
          manifest_delta: manifestDelta(
            await library.history.manifestFiles(book, target_manifest_hash.toLowerCase()),
            currentBase(files),
          ),
        }),
      };
      const advice =
        'Note the time, fetch the whole book with get_book_archive, and ask for what has changed since then.';
      return { answer: objectAnswer(answer, { advice }) };
    });
  },
});

/** Half of the answer, at least, is for the list itself. */
const roomBytes = maxAnswerBytes / 2;

function changeOf({ place: { path, user }, hash, changedMs }: SurveyedFile): Change[] {
  if (hash === null) return [];
  const owner = user === undefined ? {} : { user_id: user };
  return [{ path, sha256: hash, last_modified: instant(changedMs), namespace: namespaceOf(user), ...owner }];
}

function deletionOf({ place: { path, user }, hash, changedMs }: SurveyedFile): Deletion[] {
  if (hash !== null) return [];
  const owner = user === undefined ? {} : { user_id: user };
  return [{ path, deleted_at: instant(changedMs), namespace: namespaceOf(user), ...owner }];
}

function newestFirst(one: SurveyedFile, other: SurveyedFile): number {
  return other.changedMs - one.changedMs || byCodePoint(one.place.path, other.place.path);
}

function currentBase(files: readonly SurveyedFile[]): Map<string, string> {
  const base = new Map<string, string>();
  for (const { place, hash } of files) if (place.user === undefined && hash !== null) base.set(place.path, hash);
  return base;
}

async function withContent(
  { storage }: Library,
  book: string,
  changes: readonly Change[],
  signal: AbortSignal,
): Promise<Change[]> {
  const items: Change[] = [];
  let bytes = 0;
  for (const change of changes) {
    signal.throwIfAborted();
    try {
      const file = await readText(storage, keyOf({ book, path: change.path, user: change.user_id }));
      const shown =
        file === undefined
          ? { ...change, error: 'The file has gone in the meantime.' }
          : { ...change, sha256: file.hash, content: file.content };
      const isFull = bytes + wireBytes(shown) > roomBytes;
      items.push(isFull ? { ...change, error: 'Left out: the answer is full. Read it with read_content.' } : shown);
      bytes += wireBytes(items.at(-1));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      items.push({ ...change, error: `Could not read content: ${error.message}` });
    }
  }
  return items;
}
