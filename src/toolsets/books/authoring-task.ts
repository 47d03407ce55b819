import { realpathSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../../errors/failure.ts';
import { tryOrUndefined } from '../../errors/system-error.ts';
import { badValue, expandHomeFolder } from '../../toolset/flag-value.ts';
import type { Flags, FlagValues } from '../../toolset/toolset.ts';
import { bookIdDescription, bookIdPattern } from './model/key.ts';

export const taskFlags = {
  'books-import': {
    type: 'string',
    valueHint: 'folder',
    isTask: true,
    description: 'Show how a Docusaurus, mdBook or Markdown folder maps to a book; with --yes import it',
  },
  'books-export': {
    type: 'string',
    valueHint: 'folder',
    isTask: true,
    description: 'Show how a book is written to a folder with its links; with --yes write it',
  },
  'books-overwrite': {
    type: 'boolean',
    isTask: true,
    description: 'With an import or export: also replace files that were edited on both sides',
  },
  book: { type: 'string', valueHint: 'id', isTask: true, description: 'The book to import or export' },
} as const satisfies Flags;

/** An import into the library or an export from it. The program runs it instead of the server. */
export interface ImportOrExportTask {
  kind: 'import' | 'export';
  folder: string;
  book: string;
  /** True if a file that was edited both in the library and in the folder is replaced. */
  isOverwriting: boolean;
}

/** Parses the flags of an import or export. `root` is the folder of the library, if it is not in a bucket. */
export function readTask(
  values: FlagValues<typeof taskFlags>,
  root: string | undefined,
): ImportOrExportTask | undefined {
  const { 'books-import': source, 'books-export': target, book } = values;
  const folder = source ?? target;
  const isOverwriting = values['books-overwrite'] === true;
  if (folder === undefined && book === undefined && !isOverwriting) return undefined;
  if (source !== undefined && target !== undefined) {
    throw new Failure('usage', '--books-import and --books-export exclude each other.', { hint: 'See --help.' });
  }
  if (folder === undefined) {
    const flag = isOverwriting ? '--books-overwrite' : '--book';
    throw new Failure('usage', `${flag} requires --books-import or --books-export.`, { hint: 'See --help.' });
  }
  if (book === undefined || !bookIdPattern.test(book)) {
    const hint = `Name the book with --book: ${bookIdDescription}, such as --book my-course.`;
    throw book === undefined
      ? new Failure('usage', 'An import or export needs the id of a book.', { hint })
      : badValue('--book is not the id of a book', undefined, hint);
  }
  return requireOutsideOf(root, {
    kind: source === undefined ? 'export' : 'import',
    folder: path.resolve(expandHomeFolder(source === undefined ? 'books-export' : 'books-import', folder)),
    book,
    isOverwriting,
  });
}

/** Rejects an import or export in the library itself, which would mix the files of the library with those of a course. */
function requireOutsideOf(root: string | undefined, task: ImportOrExportTask): ImportOrExportTask {
  if (root === undefined) return task;
  const [library, folder] = [root, task.folder].map(name => tryOrUndefined(() => realpathSync(name)) ?? name);
  const contains = (outer = root, inner = task.folder): boolean => {
    const way = path.relative(outer, inner);
    return !/^\.\.(?![^\\/])/.test(way) && !path.isAbsolute(way);
  };
  if (task.kind === 'import' && !contains(library, folder) && contains(folder, library)) {
    throw new Failure('setting', `--books-import ${task.folder} contains the library ${root}.`, {
      hint: 'Give a folder without the library.',
    });
  }
  if (!contains(library, folder)) return task;
  throw new Failure('setting', `--books-${task.kind} ${task.folder} is in the library ${root} itself.`, {
    hint: 'Give a folder outside of --books-root.',
  });
}
