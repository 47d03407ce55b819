import { getMetadata } from './get-metadata.ts';
import { recentFiles } from './recent-files.ts';
import { search } from './search.ts';
import { searchByKind } from './search-by-kind.ts';

export { check } from '../io/check.ts';
export { openLazily as open } from '../io/lazy-finder.ts';

export const tools = [search, getMetadata, searchByKind, recentFiles];
