import { type FileLocation, storageKeyOf } from './key.ts';
import { checkLessonPath, isLessonPath } from './path.ts';
import { refusal } from './refusal.ts';

export type WriteOutcome = 'created' | 'updated';

/**
 * Decides whether a write creates or replaces a file. Throws an error if the file does not have the hash that the
 * caller expects.
 */
export function decideFileWrite(key: string, current: string | undefined, expected: string | undefined): WriteOutcome {
  if (current === undefined) {
    if (expected === undefined) return 'created';
    throw refusal('ContentNotFoundError', `${key} does not exist, but expected_hash was given.`, {
      expected_hash: expected,
      suggestion: 'Omit expected_hash to create the file.',
    });
  }
  if (expected === undefined) {
    throw refusal('HashRequiredError', `${key} already exists: replacing it requires expected_hash.`, {
      current_hash: current,
      suggestion: 'Read the file, and call again with its file_hash_sha256 as expected_hash.',
    });
  }
  if (expected !== current) throw conflict(key, current, expected);
  return 'updated';
}

/**
 * Throws an error if a file must not be deleted. A missing file is not an error. A file whose name is not that of a
 * lesson was not created by a tool, so that its deletion requires the expected hash.
 */
export function decideFileDeletion(
  place: FileLocation,
  current: string | undefined,
  expected: string | undefined,
): void {
  const key = storageKeyOf(place);
  if (current === undefined) {
    checkLessonPath(place.path);
    return;
  }
  if (expected === undefined) {
    if (isLessonPath(place.path)) return;
    throw refusal('HashRequiredError', `${key} is not named like a lesson: deleting it requires expected_hash.`, {
      current_hash: current,
      suggestion: 'Read the file, and delete it with its file_hash_sha256.',
    });
  }
  if (expected !== current) throw conflict(key, current, expected);
}

/** Throws an error unless the file to move has the expected hash and no file exists at its new path. */
export function decideFileMove(
  from: string,
  to: string,
  { current, moved, expected }: { current: string | undefined; moved: string | undefined; expected: string },
): void {
  if (moved !== expected) throw createMoveFailure(from, moved, expected);
  if (current === undefined) return;
  throw refusal('ConflictError', `${to} exists already, and a move never replaces a file.`, {
    current_hash: current,
    suggestion: 'Choose another name, or delete that file first.',
  });
}

/** Creates the error for a file that cannot be moved, because it is missing or does not have the expected hash. */
export function createMoveFailure(from: string, moved: string | undefined, expected: string): Error {
  if (moved !== undefined) return conflict(from, moved, expected);
  const suggestion = 'glob_search lists the existing files.';
  return refusal('ContentNotFoundError', `${from} does not exist, so it cannot be moved.`, { suggestion });
}

function conflict(key: string, current: string, expected: string): Error {
  return refusal('ConflictError', `${key} has changed since it was read.`, {
    current_hash: current,
    expected_hash: expected,
    suggestion: 'Read it again, merge your change into it, and write with the new hash.',
  });
}
