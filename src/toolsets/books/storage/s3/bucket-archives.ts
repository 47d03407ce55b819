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
 * Stores archives as objects next to the books. An archive is first written to a temporary file, because the ZIP writer
 * writes at several offsets.
 */
export class BucketArchives {
  readonly #client: ObjectStoreClient;

  constructor(client: ObjectStoreClient) {
    this.#client = client;
  }

  async create(partName: string): Promise<NewArchive> {
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
          await this.#upload(`${archivesFolder}/${name}`, descriptor);
        } finally {
          await close();
        }
      },
      discard: close,
    };
  }

  async #upload(key: string, descriptor: number): Promise<void> {
    const { size } = fstatSync(descriptor);
    const headers = { 'content-type': 'application/zip' };
    if (size <= leastPartBytes) {
      const body = Buffer.alloc(size);
      await fill(body, descriptor, 0);
      this.#check(key, (await this.#client.request({ method: 'PUT', key, headers, body })).status);
      return;
    }
    const begun = await this.#client.request({
      method: 'POST',
      key,
      query: { uploads: '' },
      headers,
      body: new Uint8Array(),
    });
    const uploadId = findFirstElementText(begun.bytes.toString('utf8'), 'UploadId');
    if (uploadId === undefined) throw this.#failed(key, begun.status);
    try {
      const tags = await this.#uploadParts(key, uploadId, descriptor, size);
      const parts = tags.map(
        (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`,
      );
      const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
      const type = { 'content-type': 'application/xml' };
      const done = await this.#client.request({ method: 'POST', key, query: { uploadId }, headers: type, body });
      // A response with status 200 may report an error in its body, because a slow store sends the status before it
      // knows the result.
      if (findFirstElementText(done.bytes.toString('utf8'), 'ETag') === undefined)
        this.#check(key, await this.#statusOf(key, size));
    } catch (error) {
      await this.#client.request({ method: 'DELETE', key, query: { uploadId } }).catch(ignoreExpectedError); // a lifecycle rule of the bucket deletes the parts
      throw error;
    }
  }

  async #uploadParts(key: string, uploadId: string, descriptor: number, size: number): Promise<string[]> {
    const partBytes = Math.max(leastPartBytes, Math.ceil(size / mostParts));
    const count = Math.ceil(size / partBytes);
    const tags: string[] = [];
    let next = 0;
    // Each parallel upload reuses one buffer for all its parts.
    const work = async (): Promise<void> => {
      const buffer = Buffer.allocUnsafeSlow(partBytes);
      while (next < count) {
        const index = next++;
        const body = buffer.subarray(0, Math.min(partBytes, size - index * partBytes));
        tags[index] = await this.#uploadPart(key, uploadId, { number: index + 1, body, descriptor, partBytes });
      }
    };
    const workers = Array.from({ length: partsAtOnce }, async () => {
      try {
        await work();
      } finally {
        next = count; // no worker starts another part after a failure
      }
    });
    // All parallel uploads must have ended before the file is closed.
    for (const end of await Promise.allSettled(workers)) if (end.status === 'rejected') throw end.reason;
    return tags;
  }

  async #uploadPart(key: string, uploadId: string, { number, body, descriptor, partBytes }: Part): Promise<string> {
    await fill(body, descriptor, (number - 1) * partBytes);
    const query = { partNumber: String(number), uploadId };
    const { status, headers } = await this.#client.request({ method: 'PUT', key, query, body });
    this.#check(key, status);
    return headers.etag ?? '';
  }

  /**
   * Returns the status 200 if the archive is complete. The object is tested, because the response to the completion
   * request can be lost.
   */
  async #statusOf(key: string, size: number): Promise<number> {
    const { status, headers } = await this.#client.request({ method: 'HEAD', key });
    return status === 200 && Number(headers['content-length']) !== size ? 500 : status;
  }

  #check(key: string, status: number): void {
    if (status !== 200) throw this.#failed(key, status);
  }

  #failed(key: string, status: number): Error {
    return createStorageFailure('UNAVAILABLE', `The archive could not be stored (${status}).`, { path: key });
  }
}

interface Part {
  number: number;
  /** The buffer with the bytes of the part. */
  body: Buffer;
  descriptor: number;
  partBytes: number;
}

async function fill(piece: Buffer, descriptor: number, position: number): Promise<void> {
  for (let done = 0; done < piece.length; ) {
    const { bytesRead } = await readAt(descriptor, piece, done, piece.length - done, position + done);
    if (bytesRead === 0) throw new Error('the archive became shorter while it was read');
    done += bytesRead;
  }
}
