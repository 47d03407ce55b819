import * as v from 'valibot';
import { treatEmptyStringAsAbsent } from '../../../toolset/argument.ts';
import { createObjectResult, formatIsoTime } from '../answer/page.ts';
import { type BookToolResult, defineBookTool } from '../library/book-tool.ts';
import { archiveScopes } from '../model/archive-plan.ts';
import { BookId, CountField } from '../model/arguments.ts';

const maxListedFailures = 100;

const output = v.strictObject({
  status: v.picklist(['success', 'partial']),
  archive_url: v.string(),
  expires_at: v.string(),
  file_count: CountField,
  total_size_bytes: CountField,
  files_failed: CountField,
  archive_size_bytes: CountField,
  peak_memory_bytes: CountField,
  format: v.literal('zip'),
  scope: v.picklist(archiveScopes),
  valid_for_seconds: CountField,
  elapsed_seconds: v.number(),
  timeout: v.optional(v.strictObject({ limit_seconds: v.number(), message: v.string() })),
  error_manifest: v.optional(v.array(v.strictObject({ path: v.string(), error: v.string() }))),
  error_manifest_truncated: v.optional(v.boolean()),
  total_errors: v.optional(CountField),
});

export const getBookArchive = defineBookTool({
  name: 'get_book_archive',
  title: 'Get book archive',
  description:
    'Makes a ZIP file of a book and returns where it is and until when. Scope "content" has the lessons, "assets" the static files, "all" everything of the book; users\' own versions are never in it. With status "partial" error_manifest names the files that are missing: unreadable ones, or those for which the time was too short.',
  input: v.strictObject({
    book_id: BookId,
    scope: v.optional(v.pipe(v.picklist(archiveScopes), treatEmptyStringAsAbsent()), 'content'),
  }),
  output,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  about: ({ book_id: book }) => ({ book }),
  async run({ library, signal, progress }, { book_id: book, scope }): Promise<BookToolResult<typeof output>> {
    const { settings } = library;
    const made = await library.archive({ book, scope, signal, progress });
    const name = made.key.slice(made.key.lastIndexOf('/') + 1);
    const seconds = settings.archiveTtlMs / 1000;
    const { url, expiresMs = made.expiresMs } = await library.address(made.key, { seconds, name });
    const endMs = Math.min(expiresMs, made.expiresMs);
    const limitSeconds = settings.archiveLimitMs / 1000;
    const status = made.isTimedOut || made.failures.length > 0 ? 'partial' : 'success';
    const facts = {
      status,
      archive_url: url,
      expires_at: formatIsoTime(endMs),
      file_count: made.fileCount,
      total_size_bytes: made.contentBytes,
      files_failed: made.failures.length,
      archive_size_bytes: made.archiveBytes,
      peak_memory_bytes: Math.max(0, made.peakMemoryBytes),
      format: 'zip',
      scope,
      valid_for_seconds: Math.min(seconds, Math.max(0, Math.round((endMs - made.expiresMs) / 1000) + seconds)),
      elapsed_seconds: Math.round(made.elapsedMs) / 1000,
      ...(made.isTimedOut && {
        timeout: {
          limit_seconds: limitSeconds,
          message: `Stopped after ${limitSeconds} s; the archive is valid but incomplete.`,
        },
      }),
      ...(made.failures.length > 0 && {
        error_manifest: made.failures.slice(0, maxListedFailures),
        error_manifest_truncated: made.failures.length > maxListedFailures,
        total_errors: made.failures.length,
      }),
    } as const;
    return { status, answer: createObjectResult(facts, { links: [{ uri: url, name, mimeType: 'application/zip' }] }) };
  },
});
