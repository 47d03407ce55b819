import { Failure } from '../../../../failure.ts';
import { mimeTypeOf } from '../../model/asset.ts';
import type { AssetFields } from '../../model/asset-schema.ts';
import { bookKey, byCodePoint } from '../../model/key.ts';
import { type AssetType, assetDirectories, assetHome, assetTypes } from '../../model/path.ts';
import type { BooksSettings } from '../../settings.ts';
import { instant } from '../../text.ts';
import type { Entry, History, Storage } from './storage.ts';

/** Where an asset can be fetched: from the place the library is published at, or from this machine's disk. */
export function assetUrl(key: string, storage: Storage, settings: BooksSettings): string {
  return settings.cdnUrl === undefined ? (storage.url(key) ?? key) : `${settings.cdnUrl}/${key}`;
}

/**
 * The asset of a type and name: of pictures that are in both folders, the one in the first. What is in the way in one
 * folder does not hide the other.
 */
export async function findAsset(
  storage: Storage,
  book: string,
  type: AssetType,
  name: string,
): Promise<Entry | undefined> {
  let obstacle: unknown;
  for (const directory of assetDirectories(type)) {
    try {
      const entry = await storage.stat(`${bookKey(book)}/static/${directory}/${name}`);
      if (entry !== undefined) return entry;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (directory === assetHome(type)) obstacle = error;
    }
  }
  if (obstacle !== undefined) throw obstacle;
  return undefined;
}

/** The assets of a book, or those of one type, one for each name: by type, then by name. */
export async function assetsOf(storage: Storage, book: string, wanted: AssetType | undefined): Promise<Entry[]> {
  const root = `${bookKey(book)}/static`;
  const found = new Map<string, Entry>();
  for (const entry of wanted === undefined
    ? ((await storage.list(root)) ?? [])
    : await entriesOf(storage, root, wanted)) {
    const [directory, ...name] = entry.key.slice(root.length + 1).split('/');
    const type = assetTypes.find(known => known === directory);
    if (entry.kind !== 'file' || type === undefined || name.length === 0) continue;
    const place = [assetHome(type), ...name].join('/');
    if (type === assetHome(type) || !found.has(place)) found.set(place, entry);
  }
  return [...found].sort(([one], [other]) => byCodePoint(one, other)).map(([, entry]) => entry);
}

/** What lies in the folders of a type; of those it is also read from, only where they can be read. */
async function entriesOf(storage: Storage, root: string, type: AssetType): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const directory of assetDirectories(type)) {
    try {
      entries.push(...((await storage.list(`${root}/${directory}`)) ?? []));
    } catch (error) {
      if (!(error instanceof Failure) || directory === assetHome(type)) throw error;
    }
  }
  return entries;
}

export async function describeAsset(
  { storage, history, settings }: { storage: Storage; history: History; settings: BooksSettings },
  book: string,
  entry: Entry,
): Promise<AssetFields> {
  const path = entry.key.slice(bookKey(book).length + 1);
  const [, directory = '', ...rest] = path.split('/');
  const filename = rest.join('/');
  const agent = await history.lastAuthor({ book, path, user: undefined });
  return {
    cdn_url: assetUrl(entry.key, storage, settings),
    file_size: entry.size,
    mime_type: mimeTypeOf(filename),
    upload_timestamp: instant(entry.modified),
    ...(agent !== undefined && { uploaded_by_agent_id: agent }),
    asset_type: directory === 'images' ? assetHome('images') : directory,
    filename,
    path: entry.key,
  };
}
