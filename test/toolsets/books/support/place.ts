import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deletionMarkerHeader } from '../../../../src/toolsets/books/storage/s3/bucket-storage.ts';
import { RemoteBucket } from '../../../support/bucket/remote.ts';
import { type Bucket, startBucket } from '../../../support/bucket/server.ts';

/** The location of a library. Tests use it to read or change the library without a tool. */
export interface Place {
  /** The value for `--books-root`. */
  root: string;
  put(key: string, bytes: Uint8Array, modifiedMs?: number): void;
  read(key: string): Buffer | undefined;
  /** Returns the sorted names in a folder. */
  names(folder: string): string[];
  /** Removes a file, or a folder with its contents. */
  remove(key: string): void;
  clear(): void;
  /** Returns a pattern that the download address of a file matches. */
  address(key: string): RegExp;
}

const kind = process.env['BOOKS_STORE'] ?? 'folder';

/** The name of the storage backend in results of the tools. */
export const backendName = kind === 'folder' ? 'fs' : 's3';
/**
 * True if the tests use libraries in folders. Otherwise they use a small object store in this process, or an external
 * one.
 */
export const isFolder = kind === 'folder';

const own: Bucket | undefined = kind === 'bucket' ? await startBucket() : undefined;
own?.unref();

/** The environment variables with which a server finds the object store. */
export const storeVariables: Record<string, string> =
  own === undefined
    ? Object.fromEntries(
        Object.entries(process.env).flatMap(([name, value]) =>
          name.startsWith('AWS_') && value !== undefined && !isFolder ? [[name, value]] : [],
        ),
      )
    : variablesOf(own);
// The variables are also set in this process, because some servers run in it.
Object.assign(process.env, storeVariables);

/** Returns the environment variables with which a server finds a bucket. */
export function variablesOf({ endpoint, customer }: Bucket): Record<string, string> {
  return {
    AWS_ENDPOINT_URL_S3: endpoint,
    AWS_REGION: customer.region,
    AWS_ACCESS_KEY_ID: customer.accessKeyId,
    AWS_SECRET_ACCESS_KEY: customer.secretAccessKey,
  };
}

/**
 * Creates a location for a library. With `memory` it is in a file system in memory, if there is one, for tests that do
 * not depend on the disk.
 */
export function newPlace(where: 'disk' | 'memory'): Place {
  if (own !== undefined) return bucketPlace(own);
  if (!isFolder) return new RemoteBucket(storeVariables, newPrefix());
  const parent = where === 'memory' && existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  return folderPlace(realpathSync(mkdtempSync(path.join(parent, 'oj-mcp-test-'))));
}

export function folderPlace(root: string): Place {
  return {
    root,
    put(key, bytes, modifiedMs) {
      const file = path.join(root, key);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, bytes);
      if (modifiedMs !== undefined) utimesSync(file, modifiedMs / 1000, modifiedMs / 1000);
    },
    read(key) {
      const file = path.join(root, key);
      return existsSync(file) ? readFileSync(file) : undefined;
    },
    names(folder) {
      return existsSync(path.join(root, folder)) ? readdirSync(path.join(root, folder)).toSorted() : [];
    },
    remove: key => rmSync(path.join(root, key), { recursive: true }),
    address: key => new RegExp(`^file:.*/${key}$`),
    clear() {
      rmSync(root, { recursive: true, force: true, maxRetries: 10 }); // a server may still be running
    },
  };
}

/** Returns a pattern that a presigned URL matches. */
function presigned(key: string): RegExp {
  return new RegExp(`^http://[^/]*/library/${key}[?].*X-Amz-Signature=`);
}

let count = 0;

function newPrefix(): string {
  return `${process.pid}-${Date.now().toString(36)}-${count++}`;
}

export function bucketPlace(bucket: Bucket): Place {
  const prefix = newPrefix();
  return {
    root: `s3://${bucket.name}/${prefix}`,
    put: (key, bytes, modifiedMs) => bucket.put(`${prefix}/${key}`, Buffer.from(bytes), modifiedMs),
    read(key) {
      const object = bucket.objects.get(`${prefix}/${key}`);
      return object?.headers[deletionMarkerHeader] === undefined ? object?.bytes : undefined;
    },
    names(folder) {
      const start = `${prefix}/${folder}/`;
      const names = [...bucket.objects.keys()]
        .filter(key => key.startsWith(start))
        .map(key => key.slice(start.length).split('/', 1)[0] ?? '');
      return [...new Set(names)].toSorted();
    },
    remove(key) {
      for (const name of bucket.objects.keys()) {
        if (name === `${prefix}/${key}` || name.startsWith(`${prefix}/${key}/`)) bucket.objects.delete(name);
      }
    },
    address: key => presigned(`${prefix}/${key}`),
    clear() {
      for (const key of bucket.objects.keys()) if (key.startsWith(`${prefix}/`)) bucket.objects.delete(key);
    },
  };
}
