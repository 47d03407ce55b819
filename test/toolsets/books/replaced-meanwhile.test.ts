import { expect, test } from 'vitest';
import { BookFiles } from '../../../src/toolsets/books/library/book-files.ts';
import { openDiskBackend } from '../../../src/toolsets/books/library/library.ts';
import { VersionHistory } from '../../../src/toolsets/books/library/version-history.ts';
import { openLibraryRoot } from '../../../src/toolsets/books/storage/disk/root.ts';
import { temporaryLibrary } from './support/library.ts';

const path = 'content/01-Part/01-Chapter/01-lesson.md';
const author = { agent: 'test-author', operation: 'write_content' };

/** Another program replaces the lesson this many times, each time directly before the server changes it. */
test.each([
  [0, ['written', 1, 'new']],
  [3, ['written', 4, 'new']],
  [4, ['written', 5, 'new']],
  [5, ['refused', 5, 'other 5']],
])(
  'a lesson that is replaced %i times while it is saved has the outcome, attempts and content %j',
  async (replacements, expected) => {
    using library = temporaryLibrary();
    library.put(`books/my-book/${path}`, 'first');
    const backend = openDiskBackend(openLibraryRoot(library.root), Date.now);
    let attempts = 0;
    const journal: typeof backend.journal = book =>
      new Proxy(backend.journal(book), {
        get: (log, name) => {
          if (name !== 'change') return Reflect.get(log, name);
          if (++attempts <= replacements) library.put(`books/my-book/${path}`, `other ${attempts}`);
          return log.change.bind(log);
        },
      });
    const retention = { maxAgeMs: 1e9, maxBytes: 1e9 };
    const files = new BookFiles({ ...backend, journal }, new VersionHistory(backend, retention, Date.now));
    const outcome = await files.put({ book: 'my-book', path, user: undefined }, Buffer.from('new'), author).then(
      () => 'written',
      () => 'refused',
    );
    expect([outcome, attempts, library.read(`books/my-book/${path}`)?.toString()]).toEqual(expected);
  },
);
