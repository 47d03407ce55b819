import { closeSync, constants, fstatSync, openSync, read, unlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { ignoreExpectedError } from '../../../../log/bug.ts';
import { createTempFolder } from '../../../../toolset/temp-folder.ts';
import { archivesFolder } from '../../model/key.ts';
import { createStorageFailure } from '../../model/refusal.ts';
import type { NewArchive } from '../storage-backend.ts';
import type { ObjectStoreClient } from './client.ts';
import { escapeXml, findFirstElementText } from './xml.ts';

/** The minimum size of each part of a multipart upload, except the last one. Object stores require this size. */
const leastPartBytes = 5 << 20;
const mostParts = 10_000;
const partsAtOnce = 2;

const readAt = promisify(read);

/**
 * Creates the temporary file of an archive, which becomes an object next to the books. The ZIP writer needs a file,
 * because it writes at several offsets.
 */
export function createBucketArchive(client: ObjectStoreClient, partName: string): NewArchive {
  const folder = createTempFolder('archive');
  const file = path.join(folder, partName);
  const descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
  // On POSIX systems the name of the temporary file is removed now, so that the file disappears when its descriptor
  // is closed, even if the process is killed. On Windows the file is deleted with its folder.
  if (process.platform !== 'win32') unlinkSync(file);
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (isClosed) return; // the descriptor number can belong to another file by now
    isClosed = true;
    closeSync(descriptor);
    await rm(folder, { recursive: true, force: true });
  };
  return {
    descriptor,
    finish: async name => {
      try {
        await upload(client, `${archivesFolder}/${name}`, descriptor);
      } finally {
        await close();
      }
    },
    discard: close,
  };
}

async function upload(client: ObjectStoreClient, key: string, descriptor: number): Promise<void> {
  const { size } = fstatSync(descriptor);
  const headers = { 'content-type': 'application/zip' };
  if (size <= leastPartBytes) {
    const body = Buffer.alloc(size);
    await fill(body, descriptor, 0);
    return checkStored(key, (await client.request({ method: 'PUT', key, headers, body })).status);
  }
  const begun = await client.request({ method: 'POST', key, query: { uploads: '' }, headers, body: new Uint8Array() });
  const uploadId = findFirstElementText(begun.bytes.toString('utf8'), 'UploadId');
  if (uploadId === undefined) throw createUploadFailure(key, begun.status);
  try {
    const tags = await uploadParts({ client, key, uploadId, descriptor, size });
    const parts = tags.map(
      (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`,
    );
    const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
    const type = { 'content-type': 'application/xml' };
    const done = await client.request({ method: 'POST', key, query: { uploadId }, headers: type, body });
    if (findFirstElementText(done.bytes.toString('utf8'), 'ETag') !== undefined) return;
    // The object is tested, because the response to the completion can be lost, and one with status 200 can report an
    // error in its body: a slow store sends the status before it knows the result.
    const stored = await client.request({ method: 'HEAD', key });
    const isComplete = Number(stored.headers['content-length']) === size;
    checkStored(key, stored.status === 200 && !isComplete ? 500 : stored.status);
  } catch (error) {
    await client.request({ method: 'DELETE', key, query: { uploadId } }).catch(ignoreExpectedError); // a lifecycle rule of the bucket deletes the parts
    throw error;
  }
}

interface Upload {
  client: ObjectStoreClient;
  key: string;
  uploadId: string;
  descriptor: number;
  size: number;
}

/** Uploads the parts of an archive, several in parallel, and returns their ETags. */
async function uploadParts({ client, key, uploadId, descriptor, size }: Upload): Promise<string[]> {
  const partBytes = Math.max(leastPartBytes, Math.ceil(size / mostParts));
  const count = Math.ceil(size / partBytes);
  const tags: string[] = [];
  let next = 0;
  const workers = Array.from({ length: partsAtOnce }, async () => {
    // Each parallel upload reuses one buffer for all its parts.
    const buffer = Buffer.allocUnsafeSlow(partBytes);
    try {
      while (next < count) {
        const index = next++;
        const body = buffer.subarray(0, Math.min(partBytes, size - index * partBytes));
        await fill(body, descriptor, index * partBytes);
        const query = { partNumber: String(index + 1), uploadId };
        const { status, headers } = await client.request({ method: 'PUT', key, query, body });
        checkStored(key, status);
        tags[index] = headers.etag ?? '';
      }
    } finally {
      next = count; // no worker starts another part after a failure
    }
  });
  // All parallel uploads must have ended before the file is closed.
  for (const end of await Promise.allSettled(workers)) if (end.status === 'rejected') throw end.reason;
  return tags;
}

function checkStored(key: string, status: number): void {
  if (status !== 200) throw createUploadFailure(key, status);
}

function createUploadFailure(key: string, status: number): Error {
  return createStorageFailure('UNAVAILABLE', `The archive could not be stored (${status}).`, { path: key });
}

async function fill(piece: Buffer, descriptor: number, position: number): Promise<void> {
  for (let done = 0; done < piece.length; ) {
    const { bytesRead } = await readAt(descriptor, piece, done, piece.length - done, position + done);
    if (bytesRead === 0) throw new Error('the archive became shorter while it was read');
    done += bytesRead;
  }
}
