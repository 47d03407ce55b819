import { getMetadata } from './get-metadata.ts';
import { recentFiles } from './recent-files.ts';
import { search } from './search.ts';
import { searchByKind } from './search-by-kind.ts';

/** In the order in which clients list them. */
export const tools = [search, getMetadata, searchByKind, recentFiles];
