import { assetName, mimeTypeOf } from '../model/asset.ts';
import { bookKey } from '../model/key.ts';
import { type AssetType, assetDirectories, assetHome, isAssetPath } from '../model/path.ts';
import type { BooksSettings } from '../settings.ts';
import { instant } from '../text.ts';
import type { Entry, History, Storage } from './storage.ts';

/** Where an asset can be fetched: from the place the library is published at, or from this machine's disk. */
export function assetUrl(key: string, storage: Storage, settings: BooksSettings): string {
  return settings.cdnUrl === undefined ? (storage.url(key) ?? key) : `${settings.cdnUrl}/${key}`;
}

/** The paths an asset may be found at, best first: by its very name, by the name it would be stored under. */
export function assetCandidates(type: AssetType, filename: string): string[] {
  const names = [filename];
  const tidy = assetName(filename);
  if (tidy !== filename) names.push(tidy);
  return names
    .flatMap(name => assetDirectories(type).map(directory => `static/${directory}/${name}`))
    .filter(isAssetPath);
}

export async function describeAsset(
  { storage, history, settings }: { storage: Storage; history: History; settings: BooksSettings },
  book: string,
  entry: Entry,
): Promise<Record<string, unknown>> {
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
