import { withProxyAdvice } from '../../../../http/proxy-warning.ts';
import { decodePercentEncoding } from '../../../../text/percent-encoding.ts';
import { isKeyInsideFolder } from '../../model/key.ts';
import { createStorageFailure } from '../../model/refusal.ts';
import { createUnreadableEntry, type StorageEntry } from '../file-storage.ts';
import type { ObjectStoreClient } from './client.ts';
import { findElementContents, findFirstElementText } from './xml.ts';

export interface BucketListOptions {
  /** The key after which the listing starts. */
  after?: string;
  /** Keys that continue after this delimiter are grouped into one item, whose key ends with the delimiter. */
  delimiter?: string;
  /** Limits the number of items in the list, which is one page. */
  atMost?: number;
  signal?: AbortSignal | undefined;
}

/** An object in a listing, or a folder. Of a folder only the key is known. */
export interface ListedObject {
  key: string;
  size: number;
  version: string;
  modified: Date;
}

/** Lists all objects with a key prefix, page by page, in the byte order of their keys. */
export async function* listObjects(
  client: ObjectStoreClient,
  prefix: string,
  options: BucketListOptions = {},
): AsyncGenerator<ListedObject[]> {
  const { prefix: root } = client.target;
  for (let token: string | undefined, isFirst = true; isFirst || token !== undefined; isFirst = false) {
    const { status, bytes } = await client.request({
      method: 'GET',
      query: {
        'list-type': '2',
        'encoding-type': 'url',
        prefix: root + prefix,
        ...(options.delimiter && { delimiter: options.delimiter }),
        ...(options.atMost && { 'max-keys': String(options.atMost) }),
        ...(options.after && { 'start-after': root + options.after }),
        ...(token !== undefined && { 'continuation-token': token }),
      },
      maxBytes: maxPageBytes,
      signal: options.signal,
    });
    const xml = bytes.toString('utf8');
    if (status !== 200) throw client.refused(status, xml);
    const next = nextToken(xml);
    if (next === undefined || (next !== '' && next === token)) throw unreadable(client);
    yield itemsOf(xml, root);
    token = options.atMost === undefined && next !== '' ? next : undefined;
  }
}

/**
 * The maximum size of a response. It is sufficient for a thousand keys with three bytes per character, and their
 * metadata.
 */
const maxPageBytes = 16 << 20;

/**
 * Returns the token of the next page, or an empty text after the last page. Returns undefined for a truncated response,
 * because otherwise lessons would seem to be deleted.
 */
function nextToken(xml: string): string | undefined {
  if (!/<ListBucketResult[\s>]/.test(xml) || !/<\/ListBucketResult>\s*$/.test(xml)) return undefined;
  const token = findFirstElementText(xml, 'NextContinuationToken') ?? '';
  return token === '' && findFirstElementText(xml, 'IsTruncated') === 'true' ? undefined : token;
}

function unreadable({ target }: ObjectStoreClient): Error {
  const message = `${target.endpoint} sent a listing that cannot be parsed.`;
  const suggestion = 'The user can check that --books-s3-endpoint is the address of an object store.';
  return createStorageFailure('UNAVAILABLE', message, { suggestion: withProxyAdvice(suggestion, target.endpoint) });
}

function itemsOf(xml: string, root: string): ListedObject[] {
  // The response states whether the keys are encoded, because some stores ignore the parameter of the request. A `+` in
  // an encoded key is a space.
  const isEncoded = findFirstElementText(xml, 'EncodingType') === 'url';
  const keyIn = (element: string, name: string): string => {
    const written = findFirstElementText(element, name) ?? '';
    return (isEncoded ? decodePercentEncoding(written.replaceAll('+', ' '), written) : written).slice(root.length);
  };
  const items: ListedObject[] = [];
  for (const element of findElementContents(xml, 'Contents')) {
    items.push({
      key: keyIn(element, 'Key'),
      size: Number(findFirstElementText(element, 'Size')),
      version: findFirstElementText(element, 'ETag') ?? '',
      modified: new Date(findFirstElementText(element, 'LastModified') ?? 0),
    });
  }
  for (const element of findElementContents(xml, 'CommonPrefixes')) {
    items.push({ key: keyIn(element, 'Prefix'), size: 0, version: '', modified: new Date(0) });
  }
  return items;
}

/**
 * Converts an object to an entry of the library. Returns undefined for objects that represent folders, and for files of
 * git.
 */
export function toStorageEntry({ key, size, version, modified }: ListedObject): StorageEntry | undefined {
  if ((key.endsWith('/') && size === 0) || key.split('/').includes('.git')) return undefined;
  if (isKeyInsideFolder(key) && !/[\p{Cc}]/u.test(key)) {
    return { key, kind: 'file', size, version, tag: version, modified, arrived: modified };
  }
  return createUnreadableEntry(key, 'Its name is not a valid file name.', modified);
}
