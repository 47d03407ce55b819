import { refusal } from './refusal.ts';

export type WriteMode = 'created' | 'updated';

/** The rule of a write: what is there now, what the caller believes is there. */
export function decideWrite(key: string, current: string | undefined, expected: string | undefined): WriteMode {
  if (current === undefined) {
    if (expected === undefined) return 'created';
    throw refusal('ContentNotFoundError', `${key} does not exist, so it has no hash to expect.`, {
      expected_hash: expected,
      suggestion: 'Leave out expected_hash to create it.',
    });
  }
  if (expected === undefined) {
    throw refusal('HashRequiredError', `${key} exists: writing it needs expected_hash.`, {
      current_hash: current,
      suggestion: 'Read the file, base the change on what it says now, and write with its file_hash_sha256.',
    });
  }
  if (expected !== current) {
    throw refusal('ConflictError', `${key} has changed since it was read.`, {
      current_hash: current,
      expected_hash: expected,
      suggestion: 'Read it again, merge your change into it, and write with the new hash.',
    });
  }
  return 'updated';
}
