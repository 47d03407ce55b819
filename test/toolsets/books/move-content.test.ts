import { describe, expect, test } from 'vitest';
import type { OpenedToolset } from '../../../src/toolset/toolset.ts';
import { notesOf } from './support/answer.ts';
import { connect } from './support/client.ts';
import { sha256, type TemporaryLibrary, temporaryLibrary } from './support/library.ts';
import { callBooks, openBooks } from './support/open-books.ts';

const book = 'my-book';
const folder = `books/${book}`;
const from = 'content/01-Part/01-Chapter/01-lesson.md';
const to = 'content/01-Part/02-Chapter/03-renamed.md';
const text = '# Lesson\n';

type Call = (name: string, args?: object) => Promise<Record<string, unknown>>;

async function withLibrary(work: (library: TemporaryLibrary, call: Call) => Promise<void>): Promise<void> {
  using library = temporaryLibrary();
  library.put(`${folder}/content/README.md`, '# Book\n');
  const opened: OpenedToolset = await openBooks(library.root, { 'books-extras': true });
  try {
    await work(library, async (name, args) => await callBooks(opened, name, { book_id: book, ...args }, 'ada'));
    expect(library.audit(book)).toEqual([]);
  } finally {
    await opened.close();
  }
}

const move = { from, to, expected_hash: sha256(text) };
const textAt = (library: TemporaryLibrary, path: string): string | undefined =>
  library.read(`${folder}/${path}`)?.toString('utf8');

describe('move_content', () => {
  test('moves a lesson byte for byte, also if the caller uses the complete keys from results', async () => {
    await withLibrary(async (library, call) => {
      const bytes = '\ufeff# Lesson\r\nlast line without an end';
      await call('write_content', { path: from, content: bytes });
      const args = { from: `${folder}/${from}`, to: `${folder}/${to}`, expected_hash: sha256(bytes).toUpperCase() };
      expect(await call('move_content', args)).toEqual({
        status: 'success',
        from: `${folder}/${from}`,
        path: `${folder}/${to}`,
        file_size: Buffer.byteLength(bytes),
        file_hash: sha256(bytes),
        rewritten: [],
      });
      expect(textAt(library, from)).toBeUndefined();
      expect(textAt(library, to)).toBe(bytes);
      expect(await call('validate_book')).toMatchObject({ valid: true, warnings: [] });
    });
  });

  test('moves a file that another program wrote under a name that is invalid for lessons', async () => {
    await withLibrary(async (library, call) => {
      library.put(`${folder}/content/notes.md`, text);
      const args = { from: 'content/notes.md', to, expected_hash: sha256(text) };
      expect(await call('move_content', args)).toMatchObject({ status: 'success' });
      expect([textAt(library, 'content/notes.md'), textAt(library, to)]).toEqual([undefined, text]);
    });
  });

  test('moves a lesson to the path of a deleted lesson, and back', async () => {
    await withLibrary(async (library, call) => {
      await call('write_content', { path: from, content: text });
      await call('write_content', { path: to, content: 'old' });
      await call('delete_content', { path: to });
      expect(await call('move_content', move)).toMatchObject({ status: 'success' });
      expect(await call('move_content', { ...move, from: to, to: from })).toMatchObject({ status: 'success' });
      expect([textAt(library, from), textAt(library, to)]).toEqual([text, undefined]);
    });
  });

  test('rejects a lesson that was changed since it was read, and changes nothing', async () => {
    await withLibrary(async (library, call) => {
      await call('write_content', { path: from, content: 'new' });
      const error = { code: 'CONFLICT', current_hash: sha256('new'), expected_hash: sha256(text) };
      expect(await call('move_content', move)).toMatchObject(error);
      expect([textAt(library, from), textAt(library, to)]).toEqual(['new', undefined]);
    });
  });

  test('rejects a move to a path at which a file exists', async () => {
    await withLibrary(async (library, call) => {
      await call('write_content', { path: from, content: text });
      library.put(`${folder}/${to}`, 'other');
      expect(await call('move_content', move)).toMatchObject({ code: 'CONFLICT', current_hash: sha256('other') });
      expect([textAt(library, from), textAt(library, to)]).toEqual([text, 'other']);
    });
  });

  test.each([
    ['a missing lesson', {}, 'NOT_FOUND'],
    ['a missing book', { book_id: 'no-book' }, 'NOT_FOUND'],
    ['the same path twice', { from: to }, 'VALIDATION'],
    ['a target that no lesson can have', { to: 'content/lesson.md' }, 'SCHEMA_VIOLATION'],
    ['an .mdx target in a chapter without .mdx files', { to: `${to}x` }, 'SCHEMA_VIOLATION'],
    ['a README', { from: 'content/README.md', expected_hash: sha256('# Book\n') }, 'SCHEMA_VIOLATION'],
    ['an asset', { from: 'static/img/a.png' }, 'SCHEMA_VIOLATION'],
    ["a user's version", { from: `users/lee/${from}` }, 'SCHEMA_VIOLATION'],
    ['a path outside of the book', { from: '../other/content/a.md' }, 'INVALID_PATH'],
  ])('rejects %s', async (_, args, code) => {
    await withLibrary(async (_library, call) => {
      expect(await call('move_content', { ...move, ...args })).toMatchObject({ code });
    });
  });

  test('names the new path in the error if it is invalid for lessons', async () => {
    await withLibrary(async (_library, call) => {
      const path = 'content/lesson.md';
      expect(await call('move_content', { ...move, to: path })).toMatchObject({ code: 'SCHEMA_VIOLATION', path });
      expect(await call('move_content', { ...move, from: 'static/img/a.png' })).toMatchObject({
        path: 'static/img/a.png',
      });
    });
  });

  test('keeps the history of the lesson, so that its former contents can be restored', async () => {
    await withLibrary(async (_, call) => {
      await call('write_content', { path: to, content: 'another lesson' });
      await call('delete_content', { path: to });
      await call('write_content', { path: from, content: 'first' });
      await call('write_content', { path: from, content: text, expected_hash: sha256('first') });
      await call('move_content', move);
      await call('write_content', { path: from, content: 'a new lesson at the former path' });
      const { changes, total } = await call('get_history', { path: to });
      expect(total).toBe(5);
      expect(changes).toMatchObject([
        { operation: 'move_content', hash: sha256(text), restorable: true },
        { operation: 'write_content', hash: sha256(text), path: from, restorable: true },
        { operation: 'write_content', hash: sha256('first'), path: from, restorable: true },
        { operation: 'delete_content', restorable: false },
        { operation: 'write_content', hash: sha256('another lesson'), restorable: true },
      ]);
      const restored = { path: to, hash: sha256('first'), expected_hash: sha256(text) };
      expect(await call('restore_content', restored)).toMatchObject({ status: 'success' });
    });
  });

  test('is reported by delta_build as a deletion and a new file', async () => {
    await withLibrary(async (_, call) => {
      await call('write_content', { path: from, content: text });
      const { server_time: since } = await call('delta_build', { since: '2020-01-01T00:00:00Z' });
      await call('move_content', move);
      const delta = await call('delta_build', { since });
      expect(delta).toMatchObject({ changed_files: [{ path: to }], deleted_files: [{ path: from }] });
    });
  });
});

describe('move_content with rewrite_links', () => {
  const linking = 'content/01-Part/01-Chapter/02-next.md';
  const isRewriting = { rewrite_links: true };

  test('corrects the links of the lesson and the links of other pages to it, and nothing else', async () => {
    await withLibrary(async (library, call) => {
      const lesson =
        '[next](02-next.md#a) ![i](../../../static/img/i.png) [web](https://a.test/02-next.md) [none](x.md)\n';
      library.put(`${folder}/static/img/i.png`, 'png');
      await call('write_content', { path: from, content: lesson });
      await call('write_content', { path: linking, content: '[back](./01-lesson.md?q#top) `[code](01-lesson.md)`\n' });
      library.put(`${folder}/content/README.md`, '[start](01-Part/01-Chapter/01-lesson.md)\n');
      const answer = await call('move_content', { ...move, expected_hash: sha256(lesson), ...isRewriting });
      expect(answer).toMatchObject({ rewritten: [linking, 'content/README.md'] });
      expect(textAt(library, to)).toBe(
        '[next](../01-Chapter/02-next.md#a) ![i](../../../static/img/i.png) [web](https://a.test/02-next.md) [none](x.md)\n',
      );
      expect(textAt(library, linking)).toBe('[back](../02-Chapter/03-renamed.md?q#top) `[code](01-lesson.md)`\n');
      expect(textAt(library, 'content/README.md')).toBe('[start](01-Part/02-Chapter/03-renamed.md)\n');
      expect(answer['file_hash']).toBe(sha256(textAt(library, to) ?? ''));
    });
  });

  test('changes no bytes of a lesson that is renamed in its chapter and has no link to itself', async () => {
    await withLibrary(async (library, call) => {
      const lesson = '[next](./02-next.md)\n';
      await call('write_content', { path: linking, content: text });
      await call('write_content', { path: from, content: lesson });
      const renamed = 'content/01-Part/01-Chapter/05-other.md';
      await call('move_content', { from, to: renamed, expected_hash: sha256(lesson), ...isRewriting });
      expect(textAt(library, renamed)).toBe(lesson);
    });
  });

  test("leaves the users' versions of the lesson at the former path", async () => {
    await withLibrary(async (library, call) => {
      await call('write_content', { path: from, content: text });
      await call('write_content', { path: from, content: 'own', user_id: 'lee' });
      await call('move_content', { ...move, ...isRewriting });
      expect(library.read(`${folder}/users/lee/${from}`)?.toString()).toBe('own');
    });
  });
});

test('exactly one of two simultaneous moves of the same lesson succeeds', async () => {
  await withLibrary(async (library, call) => {
    await call('write_content', { path: from, content: text });
    const targets = Array.from({ length: 8 }, (_, number) => `content/01-Part/02-Chapter/0${number}-target.md`);
    const answers = await Promise.all(targets.map(async target => await call('move_content', { ...move, to: target })));
    expect(answers.filter(({ status }) => status === 'success')).toHaveLength(1);
    expect(targets.filter(target => textAt(library, target) === text)).toHaveLength(1);
    expect(textAt(library, from)).toBeUndefined();
  });
});

test('a move and a write of the same lesson at the same time lose no acknowledged content', async () => {
  await withLibrary(async (library, call) => {
    for (let round = 0; round < 10; round++) {
      const [source, target] = [from.replace('01-l', `1${round}-l`), to.replace('03-', `1${round}-`)];
      await call('write_content', { path: source, content: text });
      const [moved, written] = await Promise.all([
        call('move_content', { ...move, from: source, to: target }),
        call('write_content', { path: source, content: 'edited', expected_hash: sha256(text) }),
      ]);
      const isMoved = moved['status'] === 'success';
      expect([isMoved, written['status'] === 'success'].filter(Boolean)).toHaveLength(1);
      expect([textAt(library, source), textAt(library, target)]).toEqual(
        isMoved ? [undefined, text] : ['edited', undefined],
      );
    }
  });
});

test('move_content states that the number of the lesson or of its new chapter is already taken', async () => {
  using library = temporaryLibrary();
  library.put(`${folder}/${from}`, text);
  library.put(`${folder}/content/01-Part/01-Chapter/03-third.md`, '# Third\n');
  const connection = await connect({ args: ['--toolsets', 'books', '--books-root', library.root, '--books-extras'] });
  const notesFor = async (former: string, target: string): Promise<string[]> => {
    const args = { book_id: book, from: former, to: target, expected_hash: sha256(text) };
    return notesOf(await connection.call('move_content', args));
  };
  const taken = 'content/01-Part/01-Chapter/03-renamed.md';
  expect(await notesFor(from, taken)).toEqual(['03-renamed.md and 03-third.md have the same number.']);
  expect(await notesFor(taken, 'content/01-Part/01-Chapter/03-again.md')).toEqual([
    '03-again.md and 03-third.md have the same number.',
  ]);
  expect(await notesFor('content/01-Part/01-Chapter/03-again.md', to)).toEqual([]);
  expect(await notesFor(to, 'content/01-Part/01-Other/01-a.md')).toEqual([
    '01-Chapter and 01-Other have the same number.',
  ]);
  await connection.close();
});
