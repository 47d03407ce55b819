import { describe, expect, test } from 'vitest';
import { openSample } from './sample.ts';
import { errorOf, listOf, notesOf, objectOf } from './support/answer.ts';

const book = 'docusaurus-book';
const chapter = 'content/01-Guides/01-Start';

async function openBook() {
  const sample = await openSample();
  const put = (path: string, text: string): void => sample.library.put(`books/${book}/${path}`, text);
  put(`${chapter}/01-intro.mdx`, '# Intro\n\n<Tabs />\n');
  put(`${chapter}/02-plain.md`, '# Plain\n');
  put(`${chapter}/diagram.png`, 'picture');
  put('content/01-Guides/02-Plain/01-a.md', '# A\n');
  return sample;
}

describe('a book with .mdx files', () => {
  test('returns its .mdx lessons in all scopes of read_content, with a note that counts the other files', async () => {
    await using sample = await openBook();
    for (const args of [
      { scope: 'book' },
      { scope: 'part', path: 'content/01-Guides' },
      { scope: 'chapter', path: chapter },
    ]) {
      const result = await sample.call('read_content', { book_id: book, ...args });
      expect(listOf(result).map(({ path }) => path)).toContain(`${chapter}/01-intro.mdx`);
      expect(notesOf(result)).toEqual([expect.stringMatching(/^1 file beside the lessons is not Markdown/)]);
    }
    const lesson = await sample.call('read_content', { book_id: book, path: `${chapter}/01-intro.mdx` });
    expect(objectOf(lesson)['content']).toBe('# Intro\n\n<Tabs />\n');
  });

  test('is valid, and its .mdx lessons can be updated and deleted', async () => {
    await using sample = await openBook();
    const verdict = objectOf(await sample.call('validate_book', { book_id: book }));
    expect(verdict).toMatchObject({ valid: true, warnings: [{ path: `${chapter}/diagram.png` }] });
    const place = { book_id: book, path: `${chapter}/01-intro.mdx` };
    const hash = objectOf(await sample.call('read_content', place))['file_hash_sha256'];
    const update = await sample.call('write_content', { ...place, content: '# New\n', expected_hash: hash });
    expect(objectOf(update)['mode']).toBe('updated');
    const removed = await sample.call('delete_content', place);
    expect(objectOf(removed)['existed']).toBe(true);
  });

  test('accepts new .mdx lessons only in a chapter that already has one', async () => {
    await using sample = await openBook();
    const write = async (path: string) => await sample.call('write_content', { book_id: book, path, content: 'x' });
    expect(objectOf(await write(`${chapter}/03-new.mdx`))['mode']).toBe('created');
    const refused = errorOf(await write('content/01-Guides/02-Plain/02-new.mdx'));
    expect(refused).toMatchObject({
      code: 'SCHEMA_VIOLATION',
      suggestion: 'Use the path content/01-Guides/02-Plain/02-new.md.',
    });
  });
});

describe('write_content with an invalid path', () => {
  test.each([
    ['content/01-Guides/setup.md', 'content/01-Guides/NN-Chapter/NN-setup.md'],
    ['content/setup.md', 'content/NN-Part/NN-Chapter/NN-setup.md'],
    [`${chapter}/setup.md`, `${chapter}/03-setup.md`],
    [`${chapter}/7 My Näme.md`, `${chapter}/07-My-Name.md`],
    ['content/01-Guides/Advanced Use/01-a.md', 'content/01-Guides/03-Advanced-Use/01-a.md'],
    ['content/01-Guides/01-Start/deeper/01-a.md', `${chapter}/01-a.md`],
  ])('rejects %s and suggests %s', async (path, proposed) => {
    await using sample = await openBook();
    const error = errorOf(await sample.call('write_content', { book_id: book, path, content: 'x' }));
    expect(error).toMatchObject({
      code: 'SCHEMA_VIOLATION',
      suggestion: expect.stringContaining(`: use ${proposed}.`),
    });
  });

  test('suggests the same valid path as validate_book', async () => {
    await using sample = await openBook();
    sample.library.put(`books/${book}/${chapter}/setup.md`, 'x');
    sample.library.put(`books/${book}/content/01-Guides/other.md`, 'x');
    const { warnings } = objectOf(await sample.call('validate_book', { book_id: book }));
    expect(warnings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ path: `${chapter}/setup.md`, suggestion: 'Rename it to 03-setup.md.' }),
        expect.objectContaining({
          path: 'content/01-Guides/other.md',
          suggestion: 'Move it to content/01-Guides/NN-Chapter/NN-other.md.',
        }),
      ]),
    );
  });
});
