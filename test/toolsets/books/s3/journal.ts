import type { FileChangeResult } from '../../../../src/toolsets/books/library/transaction.ts';
import { sha256Of } from '../../../../src/toolsets/books/model/hash.ts';
import { type JournalRecord, parseJournalRecord } from '../../../../src/toolsets/books/model/journal.ts';
import type { StorageBackend } from '../../../../src/toolsets/books/storage/storage-backend.ts';
import { findJournalErrors, journalLines } from '../support/journal.ts';
import type { Store } from './support.ts';

export const book = 'a-book';
export const author = { agent: 'tester', operation: 'write_content' };

export function placeOf(number: number) {
  return { book, path: `content/01-A/01-B/0${number}-c.md`, user: undefined };
}

export async function write(
  backend: StorageBackend,
  text: string | undefined,
  number = 1,
): Promise<FileChangeResult<string | undefined>> {
  const bytes = text === undefined ? undefined : Buffer.from(text);
  return await backend.journal(book).change({ place: placeOf(number), bytes, author, decide: current => current });
}

export async function linesOf(backend: StorageBackend): Promise<string[]> {
  return await journalLines(backend.journal(book));
}

export async function recordsOf(backend: StorageBackend): Promise<JournalRecord[]> {
  return (await linesOf(backend)).flatMap(line => parseJournalRecord(line) ?? []);
}

/**
 * Returns the errors of a journal, which must be complete, agree with the objects, and contain each successful change.
 */
export async function faultsOf({ open, bucket }: Store, acknowledged: readonly string[]): Promise<string[]> {
  const backend = await open();
  const state = await backend.journal(book).append(async () => []);
  const lines = await linesOf(backend);
  const records = lines.flatMap(line => parseJournalRecord(line) ?? []);
  const commits = new Set(records.filter(({ kind }) => kind === 'commit').map(changeText));
  const others = [...state.files.values()].filter(({ place, hash }) => {
    const object = bucket.objects.get(`books/${book}/${place.path}`);
    const isDeleted = object === undefined || object.headers['x-amz-meta-oj-deleted'] !== undefined;
    return (isDeleted ? null : sha256Of(object.bytes)) !== hash;
  });
  return [
    ...findJournalErrors(lines),
    ...[...state.open.values()].map(({ path }) => `${path} is left open`),
    ...acknowledged.filter(change => !commits.has(change)).map(change => `lost: ${change}`),
    ...others.map(({ place }) => `${place.path} is not what the journal says`),
  ];
}

export function changeText({ path, prev, new: next }: Pick<JournalRecord, 'new' | 'path' | 'prev'>): string {
  return `${path} ${prev} ${next}`;
}
