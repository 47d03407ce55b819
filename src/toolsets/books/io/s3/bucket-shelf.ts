import { closeSync, constants, fstatSync, openSync, read, unlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { passOver } from '../../../../bug.ts';
import { archiveEnd } from '../../model/archive-plan.ts';
import { archivesFolder } from '../../model/key.ts';
import { storageFailure } from '../../model/refusal.ts';
import { inOrder } from '../store/ahead.ts';
import type { NewArchive, Shelf } from '../store/storage.ts';
import type { Client } from './client.ts';
import { listObjects } from './listing.ts';
import { escaped, textOf } from './xml.ts';

/** A listing costs money. */
const sweepMs = 600_000;
const partBytes = 8 << 20;
const partsAtOnce = 4;

const readAt = promisify(read);

/** Archives as objects beside the books. One is made in a temporary file: its writer goes back in it. */
export class BucketShelf implements Shelf {
  readonly #client: Client;
  #sweptMs: number;

  constructor(client: Client) {
    this.#client = client;
    this.#sweptMs = Number.NEGATIVE_INFINITY;
  }

  async sweep(): Promise<void> {
    const nowMs = this.#client.now();
    if (Math.abs(nowMs - this.#sweptMs) < sweepMs) return;
    this.#sweptMs = nowMs;
    for await (const page of listObjects(this.#client, `${archivesFolder}/`)) {
      for (const { key, modified } of page) {
        const endMs = archiveEnd(key.slice(archivesFolder.length + 1), modified.getTime());
        if (endMs !== undefined && endMs <= nowMs) await this.#client.ask({ method: 'DELETE', key });
      }
    }
  }

  async begin(partName: string): Promise<NewArchive> {
    void this.sweep().catch(passOver); // nobody has asked for it
    const folder = await mkdtemp(path.join(tmpdir(), 'oj-mcp-archive-'));
    const file = path.join(folder, partName);
    const descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
    // Gone with the descriptor, also when the process is killed; where an open file cannot be unlinked, with the folder.
    if (process.platform !== 'win32') unlinkSync(file);
    let isClosed = false;
    const close = async (): Promise<void> => {
      if (isClosed) return; // by then the number may be that of another file
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
    if (size <= partBytes) {
      const body = await pieceAt(descriptor, 0, size);
      this.#check(key, (await this.#client.ask({ method: 'PUT', key, headers, body })).status);
      return;
    }
    const begun = await this.#client.ask({
      method: 'POST',
      key,
      query: { uploads: '' },
      headers,
      body: new Uint8Array(),
    });
    const uploadId = textOf(begun.bytes.toString('utf8'), 'UploadId');
    if (uploadId === undefined) throw this.#failed(key, begun.status);
    try {
      const tags = await this.#uploadParts(key, uploadId, descriptor, size);
      const parts = tags.map(
        (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`,
      );
      const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
      const type = { 'content-type': 'application/xml' };
      const done = await this.#client.ask({ method: 'POST', key, query: { uploadId }, headers: type, body });
      // A store that takes long begins its answer with 200, whatever becomes of it.
      if (textOf(done.bytes.toString('utf8'), 'ETag') === undefined) this.#check(key, await this.#statusOf(key, size));
    } catch (error) {
      await this.#client.ask({ method: 'DELETE', key, query: { uploadId } }).catch(passOver); // a rule of the bucket ends it
      throw error;
    }
  }

  async #uploadParts(key: string, uploadId: string, descriptor: number, size: number): Promise<string[]> {
    const parts = Array.from({ length: Math.ceil(size / partBytes) }, (_, index) => {
      const at = index * partBytes;
      return { number: index + 1, at, size: Math.min(partBytes, size - at) };
    });
    const send = async ({ number, at, size: length }: (typeof parts)[number]): Promise<string> => {
      const body = await pieceAt(descriptor, at, length);
      const query = { partNumber: String(number), uploadId };
      const { status, headers } = await this.#client.ask({ method: 'PUT', key, query, body });
      this.#check(key, status);
      return headers.etag ?? '';
    };
    const tags: string[] = [];
    for await (const [, tag] of inOrder(parts, partsAtOnce - 1, send)) tags.push(tag);
    return tags;
  }

  /** 200 when the object is there, whole: the answer to its completion may have got lost. */
  async #statusOf(key: string, size: number): Promise<number> {
    const { status, headers } = await this.#client.ask({ method: 'HEAD', key });
    return status === 200 && Number(headers['content-length']) !== size ? 500 : status;
  }

  #check(key: string, status: number): void {
    if (status !== 200) throw this.#failed(key, status);
  }

  #failed(key: string, status: number): Error {
    return storageFailure('UNAVAILABLE', `The archive could not be stored (${status}).`, { path: key });
  }
}

async function pieceAt(descriptor: number, position: number, length: number): Promise<Buffer> {
  const piece = Buffer.alloc(length);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await readAt(descriptor, piece, done, length - done, position + done);
    if (bytesRead === 0) throw new Error('the archive is shorter than it was');
    done += bytesRead;
  }
  return piece;
}
