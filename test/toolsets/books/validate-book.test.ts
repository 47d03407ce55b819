import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { book, lesson, lessonKey, openSample, type Sample } from './sample.ts';
import { objectOf } from './support/answer.ts';
import { segmentOf } from './support/library.ts';
import { isFolder } from './support/place.ts';

let sample: Sample;
beforeAll(async () => {
  sample = await openSample();
});
afterAll(async () => await sample[Symbol.asyncDispose]());

const validate = async (args: Record<string, unknown>) => objectOf(await sample.call('validate_book', args));

function findings(answer: Record<string, unknown>, kind: 'errors' | 'warnings'): string[] {
  const items = answer[kind];
  if (!Array.isArray(items)) throw new Error('no findings');
  return items.map((item: { path: string; issue: string }) => `${item.path}: ${item.issue}`);
}

describe('validate_book', () => {
  test('reports for a valid book only warnings about files of users', async () => {
    const answer = await validate({ book_id: book });
    expect(answer).toMatchObject({
      valid: true,
      book_id: book,
      summary: { total_files: 14, content_files: 8, asset_files: 3, error_count: 0, warning_count: 3 },
      errors: [],
    });
    expect(findings(answer, 'warnings').every(text => text.startsWith('users/'))).toBe(true);
  });

  test('does not count the file import.json, which records an import', async () => {
    for (const file of ['import.json', 'content/01-Part/01-Chapter/01-lesson.md', 'static/img/p.png']) {
      sample.library.put(`books/imported-book/${file}`, 'x');
    }
    const { summary } = await validate({ book_id: 'imported-book' });
    expect(summary).toMatchObject({ total_files: 2, content_files: 1, asset_files: 1 });
  });

  const bad: [path: string, kind: 'errors' | 'warnings', issue: string][] = [
    ['content/01-Part/setup.md', 'warnings', "Filename doesn't follow NN-name pattern"],
    ['content/01-Part/01-C/notes.md', 'warnings', "Filename doesn't follow NN-name pattern"],
    ['content/01-Part/01-C/06_quiz.md', 'warnings', "Filename doesn't follow NN-name pattern"],
    ['content/01-Part/01-C/01-a.MD', 'warnings', 'Not a Markdown file'],
    ['content/01-Part/01-C/data.json', 'warnings', 'Not a Markdown file'],
    ['content/Part/01-C/01-a.md', 'errors', "Folder doesn't follow content/NN-Part/NN-Chapter"],
    ['content/01-Part/01-C/deep/01-a.md', 'errors', "Folder doesn't follow content/NN-Part/NN-Chapter"],
    ['content/٠١-Part/01-C/01-a.md', 'errors', 'Unsafe characters'],
    ['content/01-Part/01-C/01-a b.md', 'errors', 'Unsafe characters'],
    ['static/img/a b.png', 'errors', "Asset path doesn't follow static/type/name"],
    ['static/other/a.png', 'errors', "Asset path doesn't follow static/type/name"],
    ['static/img/.hidden', 'errors', "Asset path doesn't follow static/type/name"],
    ['static/img/con.png', 'errors', "Asset path doesn't follow static/type/name"],
    ['users/ada/content/01-Part/01-C/whatever.txt', 'warnings', "User's own version"],
    ['users/__base__/content/01-Part/01-C/01-a.md', 'errors', 'Invalid user name'],
    ['users/a b/content/01-Part/01-C/01-a.md', 'errors', 'Invalid user name'],
    ['book.yaml', 'warnings', 'Outside of content and static'],
  ];

  test('reports exactly the errors of an invalid book (FR-010)', async () => {
    for (const [file] of bad) sample.library.put(`books/bad-book/${file}`, 'x');
    for (const file of ['README.md', '01-Part/README.md', '01-Part/01-C/README.md', '01-Part/01-C/01-ok.md']) {
      sample.library.put(`books/bad-book/content/${file}`, 'x');
    }
    const leak = 'content/01-Part/01-C/09-leak.md';
    if (isFolder) symlinkSync('/etc/hostname', path.join(sample.library.root, 'books/bad-book', leak));
    const answer = await validate({ book_id: 'bad-book' });
    const expected = (kind: string) =>
      bad.filter(([, itsKind]) => itsKind === kind).map(([file, , issue]) => `${file}: ${issue}`);
    const errors = [...expected('errors'), ...(isFolder ? [`${leak}: Symbolic link`] : [])];
    expect(findings(answer, 'errors').toSorted()).toEqual(errors.toSorted());
    expect(findings(answer, 'warnings').toSorted()).toEqual(expected('warnings').toSorted());
    expect(answer).toMatchObject({
      valid: false,
      summary: { error_count: errors.length, warning_count: expected('warnings').length },
    });
  });

  test('stops at the first error if the argument strict is true, and still returns a summary', async () => {
    const answer = await validate({ book_id: 'bad-book', strict: true });
    expect(answer).toMatchObject({ valid: false, failed_at: findings(answer, 'errors')[0]?.split(': ')[0] });
    expect(answer).toMatchObject({
      summary: { error_count: 1 },
      suggestion: expect.any(String),
      error: expect.any(String),
    });
  });

  test('omits warnings if the caller requests this', async () => {
    const answer = await validate({ book_id: 'bad-book', include_warnings: false });
    expect(answer).toMatchObject({ warnings: [], summary: { warning_count: 0 } });
  });

  test('returns an error for a missing book, and no problems for an empty book', async () => {
    expect(await validate({ book_id: 'no-such-book' })).toMatchObject({
      valid: false,
      error: 'Book not found: no-such-book',
      summary: { error_count: 1 },
    });
    sample.library.put('books/keep-book/.keep', '');
    expect(await validate({ book_id: 'keep-book' })).toMatchObject({
      valid: true,
      summary: { total_files: 1 },
      warnings: [],
    });
  });

  test('warns of a file that another program has changed since its last record', async () => {
    const args = { book_id: book, path: lesson };
    const { file_hash_sha256 } = objectOf(await sample.call('read_content', args));
    await sample.call('write_content', { ...args, content: 'by tool', expected_hash: file_hash_sha256 });
    const mismatch = `${lesson}: Changed outside of the tools`;
    expect(findings(await validate({ book_id: book }), 'warnings')).not.toContain(mismatch);
    sample.library.put(lessonKey, 'by editor');
    expect(findings(await validate({ book_id: book }), 'warnings')).toContain(mismatch);
  });

  test('warns of a journal whose lines were changed', async () => {
    const args = { book_id: 'tampered-book', path: 'content/01-P/01-C/01-a.md', content: 'x' };
    await sample.call('write_content', args);
    const file = segmentOf(args.book_id);
    const whole = sample.library.read(file)?.toString() ?? '';
    expect(findings(await validate({ book_id: args.book_id }), 'warnings')).toEqual([]);
    for (const [text, fault] of [
      [`${whole}garbage\n`, 'is not a record'],
      [whole.replace('test-author', 'nobody-here'), 'does not follow the line before'],
      [whole.replace(/"time":"2/, '"time":"+2'), 'is not a record'],
    ] as const) {
      sample.library.put(file, text);
      const answer = await validate({ book_id: args.book_id });
      expect(answer).toMatchObject({
        valid: true,
        warnings: [{ path: path.dirname(file), issue: 'Damaged audit trail' }],
      });
      expect(JSON.stringify(answer['warnings'])).toContain(fault);
    }
  });

  test('warns of a journal whose only line was changed after it was verified', async () => {
    const args = { book_id: 'one-line-book', path: 'content/01-P/01-C/01-a.md', content: 'x' };
    await sample.call('write_content', args);
    const file = segmentOf(args.book_id);
    const [line = ''] = (sample.library.read(file)?.toString() ?? '').split(/(?<=\n)/);
    sample.library.put(file, line);
    expect(JSON.stringify((await validate({ book_id: args.book_id }))['warnings'])).not.toContain('Damaged');
    sample.library.put(file, line.replace(/"time":"2/, '"time":"+2'));
    expect(JSON.stringify((await validate({ book_id: args.book_id }))['warnings'])).toContain('is not a record');
  });
});
