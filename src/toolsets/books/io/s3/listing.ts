import { isInside } from '../../model/key.ts';
import type { Entry } from '../store/storage.ts';
import type { Client } from './client.ts';
import { elementsOf, textOf } from './xml.ts';

export interface ListOptions {
  /** Only what comes behind this key. */
  after?: string;
  /** Folders come as one item, with the sign at their end. */
  delimiter?: string;
  /** No more than that, in one page. */
  atMost?: number;
  signal?: AbortSignal | undefined;
}

/** An object as a listing shows it; or a folder, which has nothing but its name. */
export interface Item {
  key: string;
  size: number;
  version: string;
  modified: Date;
}

/** Everything whose key begins like this, page by page, in the order of the bytes of the keys. */
export async function* listObjects(client: Client, prefix: string, options: ListOptions = {}): AsyncGenerator<Item[]> {
  const { prefix: root } = client.target;
  for (let token: string | undefined, isFirst = true; isFirst || token !== undefined; isFirst = false) {
    const { status, bytes } = await client.ask({
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
      signal: options.signal,
    });
    const xml = bytes.toString('utf8');
    if (status !== 200) throw client.refused(status, xml);
    yield itemsOf(xml, root);
    token = options.atMost === undefined ? textOf(xml, 'NextContinuationToken') : undefined;
  }
}

function itemsOf(xml: string, root: string): Item[] {
  const items: Item[] = [];
  for (const element of elementsOf(xml, 'Contents')) {
    items.push({
      key: keyOf(textOf(element, 'Key'), root),
      size: Number(textOf(element, 'Size')),
      version: textOf(element, 'ETag') ?? '',
      modified: new Date(textOf(element, 'LastModified') ?? 0),
    });
  }
  for (const element of elementsOf(xml, 'CommonPrefixes')) {
    items.push({ key: keyOf(textOf(element, 'Prefix'), root), size: 0, version: '', modified: new Date(0) });
  }
  return items;
}

/** Listings write a blank as a plus. */
function keyOf(written: string | undefined, root: string): string {
  return decodeURIComponent((written ?? '').replaceAll('+', ' ')).slice(root.length);
}

/** An object as a file of the library; undefined for the mark of a folder and for what git keeps. */
export function entryOf({ key, size, version, modified }: Item): Entry | undefined {
  if ((key.endsWith('/') && size === 0) || key.split('/').includes('.git')) return undefined;
  if (isInside(key) && !hasControl(key)) {
    return { key, kind: 'file', size, version, modified, arrived: modified };
  }
  return {
    key,
    kind: 'other',
    closed: 'Its name is none a file can have.',
    size: 0,
    version: '',
    modified,
    arrived: modified,
  };
}

function hasControl(key: string): boolean {
  return /[\p{Cc}]/u.test(key);
}
