import { booksFolder, storageKeyOfBook } from './key.ts';
import { refusal } from './refusal.ts';

/**
 * Limits the number of alternatives in a pattern, because each pair of braces, as in {a,b}{a,b}, doubles their number.
 */
const maxAlternatives = 1000;

/**
 * Creates a function that tests whether a storage key matches a pattern. The pattern is for paths inside a book or for
 * complete keys. `*` matches within a path segment, `**` across segments. `?`, `[…]` and `{a,b}` are supported, and
 * names that start with a dot match.
 */
export async function createGlobMatcher(pattern: string, book: string | undefined): Promise<(key: string) => boolean> {
  const tidy = pattern.replace(/^(?:\.\/)+/, '');
  if (tidy.startsWith('/') || tidy.split('/').includes('..') || tidy.includes('\0')) {
    throw refusal('InvalidPathError', `The pattern ${JSON.stringify(pattern)} leads outside of the book.`, {
      path: pattern,
      suggestion: 'Use a pattern for paths inside the book, such as content/**/*.md.',
    });
  }
  const isForKeys = tidy.startsWith(`${booksFolder}/`);
  if (isForKeys && book !== undefined) refuseOtherBook(tidy, book);
  const { braceExpand, Minimatch } = await import('packed:minimatch');
  const braceExpandMax = maxAlternatives + 1;
  if (braceExpand(tidy, { braceExpandMax }).length > maxAlternatives) {
    throw refusal('ValidationError', `The braces of the pattern expand to more than ${maxAlternatives} alternatives.`, {
      suggestion: 'Use fewer braces: * and [0-9] match many names.',
    });
  }
  const matcher = new Minimatch(tidy, {
    dot: true,
    nonegate: true,
    nocomment: true,
    noext: true,
    braceExpandMax,
    platform: 'linux',
  });
  return key => matcher.match(isForKeys ? key : insideOf(key));
}

/** Returns the path inside the book from a key of the form `books/<book>/<path>`. */
function insideOf(key: string): string {
  return key.replace(/^[^/]*\/[^/]*\//, '');
}

function refuseOtherBook(pattern: string, book: string): void {
  const [, named = ''] = pattern.split('/');
  if (/[*?[{]/.test(named) || named === book) return;
  throw refusal(
    'ValidationError',
    `The pattern ${JSON.stringify(pattern)} names another book than ${storageKeyOfBook(book)}.`,
    {
      suggestion: 'Set book_id to that book, or search with all_books.',
    },
  );
}
