import { memoize } from '../../../async/memoize.ts';
import type { FinderLoader } from '../query/finder.ts';
import type { Settings } from '../settings.ts';
import { getMetadata } from './get-metadata.ts';
import { recentFiles } from './recent-files.ts';
import { search } from './search.ts';
import { searchByKind } from './search-by-kind.ts';

export { checkFolders as checkSetup } from '../access/check.ts';

export const tools = [search, getMetadata, searchByKind, recentFiles];

export function createContext(settings: Settings): FinderLoader {
  return memoize(async () => (await import('../query/finder.ts')).createFinder(settings));
}
