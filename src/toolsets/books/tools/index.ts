import { Failure } from '../../../errors/failure.ts';
import type { TaskOptions } from '../../../toolset/toolset.ts';
import { exportBook } from '../authoring/export-book.ts';
import { importBook } from '../authoring/import-book.ts';
import type { LibraryAccess } from '../library/book-tool.ts';
import type { BooksSettings } from '../settings.ts';
import { deleteContent } from './delete-content.ts';
import { deltaBuild } from './delta-build.ts';
import { getAsset } from './get-asset.ts';
import { getBookArchive } from './get-book-archive.ts';
import { getHistory } from './get-history.ts';
import { globSearch } from './glob-search.ts';
import { grepSearch } from './grep-search.ts';
import { listAssets } from './list-assets.ts';
import { listBooks } from './list-books.ts';
import { moveContent } from './move-content.ts';
import { readContent } from './read-content.ts';
import { restoreContent } from './restore-content.ts';
import { uploadAsset } from './upload-asset.ts';
import { validateBook } from './validate-book.ts';
import { writeContent } from './write-content.ts';

export { createLibraryAccess as createContext } from '../library/book-tool.ts';
export { checkLibrary as checkSetup } from '../library/check.ts';

export async function closeContext(access: LibraryAccess): Promise<void> {
  await access.close();
}

export async function runTask(
  { task, agent, retention, root, bucket }: BooksSettings,
  access: LibraryAccess,
  { isConfirmed, write, signal }: TaskOptions,
): Promise<boolean> {
  if (task === undefined) return true;
  const { folder, book, isOverwriting } = task;
  if (task.kind === 'import' && isConfirmed && root === undefined && bucket === undefined) {
    throw new Failure('usage', 'The library of --demo is deleted when the program ends, so that an import is lost.', {
      hint: 'Replace --demo by --books-root with the folder of a library, for example --books-root ~/library.',
    });
  }
  const options = { folder, book, isConfirmed, isOverwriting, agent: agent ?? 'command-line', signal, write };
  if (task.kind === 'import' && retention === undefined) {
    write('Without --books-extras, contents that the import replaces or deletes are not kept and cannot be restored.');
  }
  const library = await access.open();
  return await (task.kind === 'import' ? importBook(library, options) : exportBook(library, options));
}

export const tools = [
  readContent,
  writeContent,
  deleteContent,
  uploadAsset,
  getAsset,
  listAssets,
  globSearch,
  grepSearch,
  listBooks,
  getBookArchive,
  validateBook,
  deltaBuild,
  getHistory,
  restoreContent,
  moveContent,
];
