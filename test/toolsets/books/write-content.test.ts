import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { book, chapter, introText, lesson, lessonKey, openSample, type Sample, sampleLibrary } from './sample.ts';
import { errorOf, notesOf, objectOf } from './support/answer.ts';
import { connect } from './support/client.ts';
import { sha256, temporaryLibrary } from './support/library.ts';

let sample: Sample;
beforeAll(async () => {
  sample = await openSample();
});
afterAll(async () => await sample[Symbol.asyncDispose]());

const write = async (args: Record<string, unknown>) => await sample.call('write_content', { book_id: book, ...args });

const namespaces = [
  { name: 'base', user: {}, prefix: `books/${book}/` },
  { name: 'overlay', user: { user_id: 'kim' }, prefix: `books/${book}/users/kim/` },
];

describe.each(namespaces)('write_content to the $name version', ({ name, user, prefix }) => {
  const path = `content/05-Writes/01-${name}/01-lesson.md`;
  const key = prefix + path;

  test('creates, updates or rejects a lesson depending on its current hash and the expected one', async () => {
    const stored = () => sample.library.read(key)?.toString();
    const args = { path, ...user };
    // First case: the lesson does not exist, and a hash is expected.
    const missing = errorOf(await write({ ...args, content: 'a', expected_hash: sha256('a') }));
    expect(missing).toMatchObject({ error: 'ContentNotFoundError', code: 'NOT_FOUND' });
    expect(stored()).toBeUndefined();
    // Second case: the lesson does not exist, and no hash is expected.
    expect(objectOf(await write({ ...args, content: 'one\n' }))).toEqual({
      status: 'success',
      path: key,
      file_size: 4,
      file_hash: sha256('one\n'),
      mode: 'created',
      namespace: name,
    });
    // Third case: the lesson exists, and no hash is expected.
    expect(errorOf(await write({ ...args, content: 'two' }))).toMatchObject({
      error: 'HashRequiredError',
      code: 'HASH_REQUIRED',
      current_hash: sha256('one\n'),
    });
    // Fourth case: the lesson exists, and another hash is expected.
    expect(errorOf(await write({ ...args, content: 'two', expected_hash: sha256('x') }))).toMatchObject({
      error: 'ConflictError',
      code: 'CONFLICT',
      current_hash: sha256('one\n'),
      expected_hash: sha256('x'),
    });
    expect(stored()).toBe('one\n');
    // Fifth case: the lesson exists with the expected hash, which may be in upper case, and the content may be
    // unchanged.
    const capitals = sha256('one\n').toUpperCase();
    expect(objectOf(await write({ ...args, content: 'two', expected_hash: capitals }))['mode']).toBe('updated');
    expect(objectOf(await write({ ...args, content: 'two', expected_hash: sha256('two') }))['mode']).toBe('updated');
    expect(stored()).toBe('two');
  });
});

describe('write_content', () => {
  test('changes neither the version of the book nor those of other users if a user is given (FR-017)', async () => {
    await write({ path: lesson, content: 'for Kim', user_id: 'kim' });
    expect(sample.library.read(lessonKey)?.toString()).toBe(introText);
    await write({ path: lesson, content: 'new base', expected_hash: sha256(introText) });
    expect(sample.library.read(`books/${book}/users/kim/${lesson}`)?.toString()).toBe('for Kim');
    expect(sample.library.read(`books/${book}/users/ada/${lesson}`)?.toString()).toBe('# Intro, for Ada\n');
  });

  test.each(['  # A\n\nx  \n', 'x', '\n\nx', '\ufeffx', 'é😀\r\n', 'a\0b'])(
    'stores the content %j byte for byte',
    async content => {
      const path = `content/05-Writes/02-Exact/01-${sha256(content).slice(0, 8)}.md`;
      const answer = objectOf(await write({ path, content }));
      const bytes = sample.library.read(`books/${book}/${path}`);
      expect(bytes?.equals(Buffer.from(content))).toBe(true);
      expect(answer).toMatchObject({ file_hash: sha256(content), file_size: Buffer.byteLength(content) });
    },
  );

  test.each([
    ['is empty', ''],
    ['contains only white space', ' \n\t\r\n\u00a0 '],
    ['contains a lone surrogate', 'a\ud800b'],
    ['has more than 500,000 characters', 'x'.repeat(500_001)],
    ['has more than 500,000 characters of four bytes each', '😀'.repeat(500_001)],
  ])('rejects content that %s', async (_, content) => {
    const path = 'content/05-Writes/03-Refused/01-a.md';
    expect(errorOf(await write({ path, content }))).toMatchObject({ error: 'ValidationError', code: 'VALIDATION' });
    expect(sample.library.read(`books/${book}/${path}`)).toBeUndefined();
  });

  test.each([
    ['of one byte', 'x'.repeat(500_000)],
    ['of four bytes', '😀😁'.repeat(250_000)],
  ])('accepts 500,000 characters %s', async (_, content) => {
    const path = `content/05-Writes/04-Long/01-${Buffer.byteLength(content)}.md`;
    expect(objectOf(await write({ path, content }))['file_size']).toBe(Buffer.byteLength(content));
  });

  test.each(['abc', 'g'.repeat(64), 'a'.repeat(63), 'a'.repeat(65), ''])(
    'rejects the expected hash %j',
    async expected_hash => {
      const error = errorOf(await write({ path: lesson, content: 'x', expected_hash }));
      expect(error).toMatchObject({ code: 'VALIDATION', message: expect.stringContaining('"expected_hash"') });
    },
  );

  test.each([
    [{ path: 7, content: 'x' }, '"path"'],
    [{ path: lesson, content: ['x'] }, '"content"'],
    [{ path: lesson }, '"content" is required'],
    [{ content: 'x' }, '"path" is required'],
    [{ path: lesson, content: 'x', hash: 'y' }, 'unknown argument "hash"'],
    [{ params: { path: lesson, content: 'x' } }, 'unknown argument "params"'],
    [{ path: lesson, content: 'x', pth: null }, 'unknown argument "pth", did you mean "path"?'],
  ])('rejects the arguments %j and names the invalid one', async (args, what) => {
    expect(errorOf(await write(args))).toMatchObject({
      error: 'ValidationError',
      message: expect.stringContaining(what),
    });
  });

  test('compares the expected hash with the content on disk, not with a cached hash', async () => {
    const path = `${chapter}/02-more.md`;
    const key = `books/${book}/${path}`;
    const { file_hash } = objectOf(
      await write({ path, content: 'by tool', expected_hash: sha256('# More\n\nTODO: tell more\n') }),
    );
    sample.library.put(key, 'by editor');
    const conflict = errorOf(await write({ path, content: 'again', expected_hash: file_hash }));
    expect(conflict).toMatchObject({ code: 'CONFLICT', current_hash: sha256('by editor') });
    expect((await write({ path, content: 'merged', expected_hash: sha256('by editor') })).isError).toBe(false);
    const changes = (): string[] => {
      const records = sample.library.journal(book).filter(record => record.path === path && record.prev !== record.new);
      return records.map(({ kind, operation }) => `${kind} ${operation}`);
    };
    await expect.poll(changes).toEqual([
      'external external', // the file as it was before the first write
      'intent write_content',
      'commit write_content',
      'external external',
      'intent write_content',
      'commit write_content',
    ]);
    expect(sample.library.audit(book)).toEqual([]);
  });

  test('creates the book with its first lesson in an empty library', async () => {
    using library = temporaryLibrary();
    const connection = await connect({ args: ['--toolsets', 'books', '--books-root', library.root] });
    const args = { book_id: 'brand-new', path: lesson, content: 'x' };
    const answer = objectOf(await connection.call('write_content', args));
    await connection.close();
    expect(answer).toMatchObject({ mode: 'created', path: `books/brand-new/${lesson}` });
    expect(library.audit('brand-new')).toEqual([]);
  });

  test.each(['write_content', 'upload_asset'])('%s states that it created a book, with a similar id', async tool => {
    const library = sampleLibrary();
    const connection = await connect({ args: ['--toolsets', 'books', '--books-root', library.root] });
    const file = { content: 'x', asset_type: 'img', filename: 'a.png', binary_data: 'AAAA' };
    const noteFor = async (id: string, path = lesson) => {
      const { content, ...asset } = file;
      return notesOf(
        await connection.call(tool, { book_id: id, ...(tool === 'write_content' ? { path, content } : asset) }),
      );
    };
    const notes = ['This created the book sampel-book. A book with a similar id: sample-book.'];
    expect(await noteFor('sampel-book')).toEqual(notes);
    expect(await noteFor('another')).toEqual(['This created the book another.']);
    expect(await noteFor(book, 'content/05-Writes/01-Note/01-a.md')).toEqual([]);
    await connection.close();
  });
});
