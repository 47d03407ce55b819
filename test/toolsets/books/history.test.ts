import { describe, expect, test } from 'vitest';
import type { OpenedToolset } from '../../../src/toolset/toolset.ts';
import { findExpiredVersions } from '../../../src/toolsets/books/model/retention.ts';
import { times } from '../../support/repetitions.ts';
import { sha256, type TemporaryLibrary, temporaryLibrary } from './support/library.ts';
import { callBooks, openBooks } from './support/open-books.ts';
import { isFolder } from './support/place.ts';

const book = 'my-book';
const path = 'content/01-Part/01-Chapter/01-lesson.md';
const extras = { 'books-extras': true } as const;

interface Author {
  write: (content: string, expected?: string) => Promise<Record<string, unknown>>;
  history: (more?: object) => Promise<Record<string, unknown>>;
  restore: (content: string, more?: object) => Promise<Record<string, unknown>>;
  call: (name: string, args: object) => Promise<Record<string, unknown>>;
}

function authorOf(opened: OpenedToolset, agent: string): Author {
  const call = async (name: string, args: object) =>
    await callBooks(
      opened,
      name,
      { book_id: book, ...(!['validate_book', 'move_content', 'upload_asset'].includes(name) && { path }), ...args },
      agent,
    );
  return {
    write: async (content, expected) =>
      await call('write_content', { content, ...(expected !== undefined && { expected_hash: sha256(expected) }) }),
    history: async (more = {}) => await call('get_history', more),
    restore: async (content, more = {}) => await call('restore_content', { hash: sha256(content), ...more }),
    call,
  };
}

async function withLibrary(
  work: (library: TemporaryLibrary, ada: Author, kim: Author) => Promise<void>,
  values: Readonly<Record<string, string | true>> = extras,
): Promise<void> {
  using library = temporaryLibrary();
  library.put(`books/${book}/content/README.md`, '# Book\n');
  const opened = await openBooks(library.root, values);
  try {
    await work(library, authorOf(opened, 'ada'), authorOf(opened, 'kim'));
  } finally {
    await opened.close();
  }
}

const restorable = (history: Record<string, unknown>): unknown[] =>
  Array.isArray(history['changes']) ? history['changes'] : [];

describe('get_history', () => {
  test('lists the author, tool and hash of each change, the newest first, and states whether its content can be restored', async () => {
    await withLibrary(async (_, ada, kim) => {
      await ada.write('one');
      await kim.write('two', 'one');
      await ada.call('delete_content', { expected_hash: sha256('two') });
      expect(await ada.history()).toMatchObject({
        path,
        total: 3,
        changes: [
          { author: 'ada', operation: 'delete_content', restorable: false },
          { author: 'kim', operation: 'write_content', hash: sha256('two'), restorable: true },
          { author: 'ada', operation: 'write_content', hash: sha256('one'), restorable: true },
        ],
      });
    });
  });

  test('returns the text of former content, also of a deleted lesson and for a hash in capitals', async () => {
    await withLibrary(async (library, ada) => {
      await ada.write('\ufeffone\r\n');
      await ada.call('delete_content', { expected_hash: sha256('\ufeffone\r\n') });
      const hash = sha256('\ufeffone\r\n').toUpperCase();
      expect(await ada.history({ hash })).toMatchObject({ path, total: 2, content: '\ufeffone\r\n' });
      expect(await ada.history()).not.toHaveProperty('content');
      expect(library.audit(book)).toEqual([]);
    });
  });

  test('rejects the content of another file, unknown content and a picture, and names the next step', async () => {
    await withLibrary(async (_, ada) => {
      await ada.write('base');
      await ada.call('write_content', { content: 'own', user_id: 'lee' });
      for (const content of ['own', 'unknown']) {
        expect(await ada.history({ hash: sha256(content) })).toMatchObject({
          error: 'ContentNotFoundError',
          message: `The content ${sha256(content)} was never stored or is already deleted.`,
          suggestion: 'get_history lists the contents that can be restored with "restorable": true.',
        });
      }
      const picture = Buffer.from('89504e470d0a1a0aff', 'hex');
      const upload = { asset_type: 'img', filename: 'p.png', binary_data: picture.toString('base64') };
      expect(await ada.call('upload_asset', upload)).not.toHaveProperty('error');
      expect(await ada.history({ path: 'static/img/p.png', hash: sha256(picture) })).toMatchObject({
        code: 'NOT_TEXT',
        path: 'static/img/p.png',
        suggestion: 'restore_content writes it back as it is.',
      });
    });
  });

  test('rejects former content that is larger than a response', async () => {
    await withLibrary(async (library, ada) => {
      const content = '\u0001'.repeat(1_000_000);
      library.put(`books/${book}/${path}`, content);
      await ada.write('one', content);
      expect(await ada.history({ hash: sha256(content) })).toMatchObject({
        code: 'TOO_LARGE',
        suggestion: 'restore_content writes it back as it is.',
      });
    });
  });

  test("lists the changes of a user's version separately from those of the book", async () => {
    await withLibrary(async (_, ada) => {
      await ada.write('base');
      await ada.call('write_content', { content: 'own', user_id: 'lee' });
      expect(await ada.history()).toMatchObject({ total: 1 });
      expect(await ada.history({ user_id: 'lee' })).toMatchObject({ changes: [{ hash: sha256('own') }] });
    });
  });

  test('rejects a book that does not exist', async () => {
    await withLibrary(async (_, ada) => {
      expect(await ada.call('get_history', { book_id: 'no-book' })).toMatchObject({ code: 'NOT_FOUND' });
    });
  });
});

describe('restore_content', () => {
  test('restores the former content of a lesson byte for byte', async () => {
    await withLibrary(async (library, ada) => {
      const first = '\ufeffone\r\nlast line without an end';
      await ada.write(first);
      await ada.write('two', first);
      expect(await ada.restore(first, { expected_hash: sha256('two') })).toMatchObject({
        status: 'success',
        file_hash: sha256(first),
        mode: 'updated',
      });
      expect(library.read(`books/${book}/${path}`)?.toString()).toBe(first);
      expect(library.audit(book)).toEqual([]);
    });
  });

  test("restores a deleted lesson and a user's deleted version of a lesson", async () => {
    await withLibrary(async (_, ada) => {
      await ada.write('one');
      await ada.call('delete_content', { expected_hash: sha256('one') });
      expect(await ada.restore('one')).toMatchObject({ mode: 'created' });
      await ada.call('write_content', { content: 'own', user_id: 'lee' });
      await ada.call('delete_content', { user_id: 'lee' });
      expect(await ada.restore('own', { user_id: 'lee' })).toMatchObject({ mode: 'created' });
    });
  });

  test('restores the former content of a README, but not the content of another file', async () => {
    await withLibrary(async (library, ada) => {
      const readme = 'content/01-Part/01-Chapter/README.md';
      const former = '[lesson](01-lesson.md)\n';
      await ada.write('one');
      library.put(`books/${book}/${readme}`, former);
      const to = 'content/01-Part/01-Chapter/02-other.md';
      const move = { from: path, to, expected_hash: sha256('one'), rewrite_links: true };
      expect(await ada.call('move_content', move)).toMatchObject({ rewritten: [readme] });
      const expected_hash = sha256('[lesson](02-other.md)\n');
      const others = await ada.restore('one', { path: readme, expected_hash });
      expect(others).toMatchObject({ code: 'NOT_FOUND' });
      expect(await ada.restore(former, { path: readme, expected_hash })).toMatchObject({ mode: 'updated' });
      expect(library.read(`books/${book}/${readme}`)?.toString()).toBe(former);
      expect(library.audit(book)).toEqual([]);
    });
  });

  test('restores content that another program wrote and a tool replaced', async () => {
    await withLibrary(async (library, ada) => {
      library.put(`books/${book}/${path}`, 'by hand');
      await ada.write('by tool', 'by hand');
      expect(await ada.restore('by hand', { expected_hash: sha256('by tool') })).toMatchObject({ status: 'success' });
    });
  });

  test('requires the hash of the current content, as each write does', async () => {
    await withLibrary(async (_, ada) => {
      await ada.write('one');
      await ada.write('two', 'one');
      expect(await ada.restore('one')).toMatchObject({ code: 'HASH_REQUIRED' });
      expect(await ada.restore('one', { expected_hash: sha256('x') })).toMatchObject({ code: 'CONFLICT' });
      expect(await ada.restore('unknown', { expected_hash: sha256('two') })).toMatchObject({ code: 'NOT_FOUND' });
    });
  });
});

describe('a retention time for former contents', () => {
  test('of 0 days keeps no former content and deletes those that are stored', async () => {
    using library = temporaryLibrary();
    const keeping = await openBooks(library.root, extras);
    await authorOf(keeping, 'ada').write('one');
    await keeping.close();
    const opened = await openBooks(library.root, { ...extras, 'books-keep-days': '0' });
    const ada = authorOf(opened, 'ada');
    expect(restorable(await ada.history())).toMatchObject([{ restorable: false }]);
    await ada.write('two', 'one');
    expect(restorable(await ada.history())).toMatchObject([{ restorable: false }, { restorable: false }]);
    await opened.close();
  });

  test('is disabled without --books-extras, and get_history is not available', async () => {
    await withLibrary(async (_, ada) => {
      await ada.write('one');
      await expect(ada.history()).rejects.toThrow('no tool get_history');
    }, {});
  });

  test.runIf(isFolder)('stores former contents without read permission for other users', async () => {
    await withLibrary(async (library, ada) => {
      await ada.write('one');
      const { statSync } = await import('node:fs');
      const mode = statSync(`${library.root}/.oj-books/${book}/versions/${sha256('one')}`).mode & 0o007;
      expect(mode).toBe(0);
    });
  });

  test.each([
    ['no version within the limits of age and size', { maxAgeMs: 100, maxBytes: 100 }, []],
    ['versions above the age limit', { maxAgeMs: 20, maxBytes: 100 }, ['b', 'c']],
    ['the oldest versions above the size limit', { maxAgeMs: 100, maxBytes: 20 }, ['c']],
    ['all versions for a size limit of 0', { maxAgeMs: 100, maxBytes: 0 }, ['a', 'b', 'c']],
  ])('deletes %s', (_, retention, expected) => {
    const versions = [
      { hash: 'c', size: 10, savedMs: 10 },
      { hash: 'a', size: 10, savedMs: 90 },
      { hash: 'b', size: 10, savedMs: 80 },
    ];
    expect(findExpiredVersions(versions, retention, 100).map(({ hash }) => hash)).toEqual(expected);
  });
});

describe('validate_book', () => {
  test('warns of links to missing files only with --books-extras', async () => {
    const issues = async (_: TemporaryLibrary, ada: Author): Promise<unknown[]> => {
      await ada.write('[a](missing.md)');
      const { warnings } = await ada.call('validate_book', {});
      return Array.isArray(warnings) ? warnings.map(warning => Object(warning).issue) : [];
    };
    await withLibrary(async (...given) => expect(await issues(given[0], given[1])).toContain('Dead link'));
    await withLibrary(async (...given) => expect(await issues(given[0], given[1])).not.toContain('Dead link'), {});
  });
});

describe('a conflict of write_content', () => {
  const base = 'a\nb\nc\nd\ne\n';

  test('contains the merged text of both changes, which can be written next', async () => {
    await withLibrary(async (_, ada, kim) => {
      await ada.write(base);
      await kim.write('a\nb\nc\nd\nE\n', base);
      const conflict = await ada.write('A\nb\nc\nd\ne\n', base);
      const merged = 'A\nb\nc\nd\nE\n';
      expect(conflict).toMatchObject({ code: 'CONFLICT', merge: { content: merged, conflicts: 0 } });
      expect(conflict['current_hash']).toBe(sha256('a\nb\nc\nd\nE\n'));
      expect(await ada.write(merged, 'a\nb\nc\nd\nE\n')).toMatchObject({ status: 'success' });
    });
  });

  test('contains conflict markers around lines that both changes edited', async () => {
    await withLibrary(async (_, ada, kim) => {
      await ada.write(base);
      await kim.write('a\nb\nkim\nd\ne\n', base);
      expect(await ada.write('a\nb\nada\nd\ne\n', base)).toMatchObject({
        merge: { content: 'a\nb\n<<<<<<< yours\nada\n=======\nkim\n>>>>>>> library\nd\ne\n', conflicts: 1 },
      });
    });
  });

  test('contains no merged text if the content from which the caller started is not stored', async () => {
    await withLibrary(async (_, ada) => {
      await ada.write('one');
      expect(await ada.write('mine', 'never seen')).not.toHaveProperty('merge');
    });
  });
});

describe('four agents that edit one lesson', () => {
  test('leave a history from which each content can be restored byte for byte', async () => {
    using library = temporaryLibrary();
    const edits = times(40, 300);
    const servers = await Promise.all([1, 2, 3, 4].map(async () => await openBooks(library.root, extras)));
    const agents = servers.map((opened, index) => authorOf(opened, `agent-${index}`));
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index}\n`).join('');
    await agents[0]?.write(lines);
    let made = 0;
    await Promise.all(
      agents.map(async (agent, index) => {
        for (let random = index + 1; made < edits; random = (random * 48_271) % 2_147_483_647) {
          const { content, file_hash_sha256: expected_hash } = await agent.call('read_content', {});
          const edited = String(content).replace(`line ${random % 40}`, `line ${random % 40}, agent ${index}`);
          const result = await agent.call('write_content', { content: edited, expected_hash });
          const merge = result['merge'];
          const isMerged = typeof merge === 'object' && merge !== null && 'conflicts' in merge && merge.conflicts === 0;
          if (isMerged) {
            const text = 'content' in merge ? merge.content : '';
            await agent.call('write_content', { content: text, expected_hash: result['current_hash'] });
          }
          made++;
        }
      }),
    );
    const [first] = agents;
    const hashes = restorable((await first?.history()) ?? {}).map(change => Object(change).hash);
    expect(hashes.length).toBeGreaterThan(10);
    for (const hash of new Set(hashes)) {
      const { file_hash_sha256: expected_hash } = (await first?.call('read_content', {})) ?? {};
      expect(await first?.call('restore_content', { hash, expected_hash })).toMatchObject({ file_hash: hash });
      expect(sha256(library.read(`books/${book}/${path}`) ?? '')).toBe(hash);
    }
    expect(library.audit(book)).toEqual([]);
    await Promise.all(servers.map(async server => await server.close()));
  });
});
