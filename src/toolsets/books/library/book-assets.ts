import { Failure } from '../../../errors/failure.ts';
import { compareCodePoints, storageKeyOfBook } from '../model/key.ts';
import { type AssetType, assetFoldersOf, assetTypes, primaryAssetFolderOf } from '../model/path.ts';
import type { StorageEntry } from '../storage/file-storage.ts';
import type { BookFiles } from './book-files.ts';

/**
 * Finds an asset by its type and name. An image can be in two folders, of which the first one takes precedence. If one
 * of the folders cannot be read, the other one is still searched.
 */
export async function findAsset(
  files: BookFiles,
  book: string,
  type: AssetType,
  name: string,
): Promise<StorageEntry | undefined> {
  let refused: unknown;
  for (const directory of assetFoldersOf(type)) {
    try {
      const entry = await files.stat({ book, path: `static/${directory}/${name}`, user: undefined });
      if (entry !== undefined) return entry;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (directory === primaryAssetFolderOf(type)) refused = error;
    }
  }
  if (refused !== undefined) throw refused;
  return undefined;
}

export interface ListedAsset {
  /** The type and name of the asset. They determine its position in a list. */
  place: string;
  entry: StorageEntry;
}

/** Lists the assets of a book or of one type, sorted by type and name. Each name occurs once. */
export async function listAssetsOf(
  files: BookFiles,
  book: string,
  wanted: AssetType | undefined,
  signal: AbortSignal,
): Promise<ListedAsset[]> {
  const start = `${storageKeyOfBook(book)}/static/`.length;
  const found = new Map<string, StorageEntry>();
  for (const entry of wanted === undefined
    ? ((await files.list(book, 'static', signal)) ?? [])
    : await entriesOf(files, book, wanted, signal)) {
    const [directory, ...name] = entry.key.slice(start).split('/');
    const type = assetTypes.find(known => known === directory);
    if (entry.kind !== 'file' || type === undefined || name.length === 0) continue;
    const place = [primaryAssetFolderOf(type), ...name].join('/');
    if (type === primaryAssetFolderOf(type) || !found.has(place)) found.set(place, entry);
  }
  return [...found].sort(([one], [other]) => compareCodePoints(one, other)).map(([place, entry]) => ({ place, entry }));
}

/** Lists the files in all folders of an asset type. Only the primary folder must be readable. */
async function entriesOf(
  files: BookFiles,
  book: string,
  type: AssetType,
  signal: AbortSignal,
): Promise<StorageEntry[]> {
  const entries: StorageEntry[] = [];
  for (const directory of assetFoldersOf(type)) {
    try {
      entries.push(...((await files.list(book, `static/${directory}`, signal)) ?? []));
    } catch (error) {
      if (!(error instanceof Failure) || directory === primaryAssetFolderOf(type)) throw error;
    }
  }
  return entries;
}
