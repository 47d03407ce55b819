import { createHash } from 'node:crypto';

/**
 * The SHA-256 of an empty file. In a folder that was copied from a bucket, an empty file may represent a deleted file.
 */
export const emptyFileHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export function sha256Of(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
