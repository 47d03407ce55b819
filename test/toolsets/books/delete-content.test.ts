import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { book, lesson, lessonKey, openSample, type Sample } from './sample.ts';
import { errorOf, objectOf } from './support/answer.ts';
import { isFolder } from './support/place.ts';

let sample: Sample;
beforeAll(async () => {
  sample = await openSample();
});
afterAll(async () => await sample[Symbol.asyncDispose]());

const remove = async (args: Record<string, unknown>) => await sample.call('delete_content', { book_id: book, ...args });

describe('delete_content', () => {
  test("deletes only the user's version if a user is given, and the next read returns the version of the book (FR-018)", async () => {
    const key = `books/${book}/users/bob/${lesson}`;
    const args = { path: lesson, user_id: 'bob' };
    expect(objectOf(await remove(args))).toEqual({
      status: 'success',
      path: key,
      existed: true,
      message: `${key} is deleted.`,
      namespace: 'overlay',
    });
    const read = objectOf(await sample.call('read_content', { book_id: book, ...args }));
    expect(read['source']).toBe('base');
    expect(objectOf(await remove(args))).toMatchObject({ status: 'success', existed: false });
  });

  test('keeps the versions of users if it deletes the version of the book, and succeeds again when it is repeated (R3)', async () => {
    expect(objectOf(await remove({ path: lesson }))).toMatchObject({
      path: lessonKey,
      existed: true,
      namespace: 'base',
    });
    expect(objectOf(await remove({ path: lesson }))).toMatchObject({ path: lessonKey, existed: false });
    const read = await sample.call('read_content', { book_id: book, path: lesson, user_id: 'ada' });
    expect(objectOf(read)['content']).toBe('# Intro, for Ada\n');
    expect(errorOf(await sample.call('read_content', { book_id: book, path: lesson }))['code']).toBe('NOT_FOUND');
    const created = await sample.call('write_content', { book_id: book, path: lesson, content: 'again' });
    expect(objectOf(created)['mode']).toBe('created');
  });

  test('succeeds for a missing book without creating it', async () => {
    expect(objectOf(await remove({ book_id: 'never-was', path: lesson }))['existed']).toBe(false);
    expect(sample.library.journal('never-was')).toEqual([]);
  });

  test.runIf(isFolder)('rejects a path at which there is a folder instead of a lesson', async () => {
    sample.library.put(`books/${book}/content/05-A/01-B/01-folder.md/x`, 'x');
    const error = errorOf(await remove({ path: 'content/05-A/01-B/01-folder.md' }));
    expect(error['code']).toBe('INVALID_PATH');
  });
});
