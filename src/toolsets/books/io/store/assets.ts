import { Failure } from '../../../../failure.ts';
import { bookKey, byCodePoint } from '../../model/key.ts';
import { type AssetType, assetDirectories, assetHome, assetTypes } from '../../model/path.ts';
import type { BookFiles } from './book-files.ts';
import type { Entry } from './storage.ts';

/**
 * The asset of a type and name: of pictures that are in both folders, the one in the first. What is in the way in one
 * folder does not hide the other.
 */
export async function findAsset(
  files: BookFiles,
  book: string,
  type: AssetType,
  name: string,
): Promise<Entry | undefined> {
  let obstacle: unknown;
  for (const directory of assetDirectories(type)) {
    try {
      const entry = await files.stat({ book, path: `static/${directory}/${name}`, user: undefined });
      if (entry !== undefined) return entry;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (directory === assetHome(type)) obstacle = error;
    }
  }
  if (obstacle !== undefined) throw obstacle;
  return undefined;
}

export interface ListedAsset {
  /** Its type and name, by which assets are sorted. */
  place: string;
  entry: Entry;
}

/** The assets of a book, or those of one type, one for each name: by type, then by name. */
export async function assetsOf(
  files: BookFiles,
  book: string,
  wanted: AssetType | undefined,
  signal: AbortSignal,
): Promise<ListedAsset[]> {
  const start = `${bookKey(book)}/static/`.length;
  const found = new Map<string, Entry>();
  for (const entry of wanted === undefined
    ? ((await files.list(book, 'static', signal)) ?? [])
    : await entriesOf(files, book, wanted, signal)) {
    const [directory, ...name] = entry.key.slice(start).split('/');
    const type = assetTypes.find(known => known === directory);
    if (entry.kind !== 'file' || type === undefined || name.length === 0) continue;
    const place = [assetHome(type), ...name].join('/');
    if (type === assetHome(type) || !found.has(place)) found.set(place, entry);
  }
  return [...found].sort(([one], [other]) => byCodePoint(one, other)).map(([place, entry]) => ({ place, entry }));
}

/** What lies in the folders of a type; of those it is also read from, only where they can be read. */
async function entriesOf(files: BookFiles, book: string, type: AssetType, signal: AbortSignal): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const directory of assetDirectories(type)) {
    try {
      entries.push(...((await files.list(book, `static/${directory}`, signal)) ?? []));
    } catch (error) {
      if (!(error instanceof Failure) || directory === assetHome(type)) throw error;
    }
  }
  return entries;
}
