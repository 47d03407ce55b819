import { fileTypeOfName } from '../../../documents/file-type.ts';
import type { FileTable } from './file-table.ts';
import { needsIndexing } from './folder.ts';
import type { FolderWalk } from './folder-walk.ts';

/**
 * Returns the number of files below the searched folder, and the share of its text files that are indexed, from 0 to 1.
 */
export function computeIndexCoverage(
  { types }: FileTable,
  { listed, fileCount }: FolderWalk,
): { fileCount: number; share: number } {
  let [readable, indexed] = [0, 0];
  for (const folder of listed) {
    for (let index = 0; index < folder.names.length; index++) {
      if (fileTypeOfName(types, folder.names[index] ?? '').format === 'none') continue;
      readable++;
      if (!needsIndexing(folder.state(index))) indexed++;
    }
  }
  return { fileCount, share: readable === 0 ? 1 : indexed / readable };
}
