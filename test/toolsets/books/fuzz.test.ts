import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import * as fc from '../../support/property.ts';
import { times } from '../../support/repetitions.ts';
import { temporaryLibrary } from './support/library.ts';
import { callBooks, openBooks } from './support/open-books.ts';

const book = 'fuzz-book';

/** Tests whether a path is a valid lesson path (FR-007), independent of the server and without regular expressions. */
function isLesson(text: string): boolean {
  const isDigit = (letter: string | undefined): boolean => letter !== undefined && '0123456789'.includes(letter);
  const isLetter = (letter: string): boolean =>
    'abcdefghijklmnopqrstuvwxyz'.includes(letter.toLowerCase()) && letter.length === 1;
  const isUnit = (unit: string): boolean => {
    const letters = unit.split('');
    const [one, two, hyphen, first] = letters;
    if (!isDigit(one) || !isDigit(two) || hyphen !== '-' || first === undefined) return false;
    if (!isDigit(first) && !isLetter(first)) return false;
    return letters.slice(4).every(letter => letter === '-' || isDigit(letter) || isLetter(letter));
  };
  const parts = text.split('/');
  const [top, part = '', chapter = '', file = ''] = parts;
  if (parts.length !== 4 || top !== 'content' || text.length > 255 || !file.endsWith('.md')) return false;
  const stem = file.slice(0, -'.md'.length);
  const name = stem.endsWith('.summary') ? stem.slice(0, -'.summary'.length) : stem;
  return isUnit(part) && isUnit(chapter) && isUnit(name);
}

const unit = fc.stringMatching(/^[0-9]{2}-[A-Za-z0-9][A-Za-z0-9-]{0,6}$/);
const validPath = fc
  .tuple(unit, unit, unit, fc.constantFrom('.md', '.summary.md'))
  .map(([part, chapter, name, end]) => `content/${part}/${chapter}/${name}${end}`);
const pieces = [
  '..',
  '.',
  '',
  '/',
  '//',
  '\\',
  '%2e%2e',
  '%2F',
  '~',
  'C:',
  '\0',
  '\n',
  '\r',
  '\t',
  ' ',
  '\u2028',
  '\u202e',
  '\u0301',
  'content',
  'Content',
  'users',
  'ada',
  'static',
  'img',
  'books',
  'archives',
  '.oj-books',
  '.git',
  'journal.jsonl',
  '01-A',
  '01-a.md',
  '1-a',
  '٠١-a',
  '01-é',
  '01_a',
  'README.md',
  'con',
  'nul.md',
  '*',
  '?',
  ':',
  '$(x)',
  '__base__',
];
/** Generates a valid path and replaces one part of it. */
function mutated(valid: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const insertion = fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 3 }));
  return fc.tuple(valid, fc.nat(), fc.nat(3), insertion).map(([text, where, length, insert]) => {
    const at = where % (text.length + 1);
    return text.slice(0, at) + insert + text.slice(at + length);
  });
}
const built = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 8 })
  .chain(parts => fc.constantFrom('/', '\\', '').map(separator => parts.join(separator)));
const anyPath = fc.oneof(validPath, mutated(validPath), built, fc.string({ unit: 'grapheme', maxLength: 40 }));

/**
 * Tests whether a path is a valid asset path below static/ (FR-008), independent of the server and without regular
 * expressions.
 */
function isAsset(text: string): boolean {
  const [type = '', ...names] = text.split('/');
  const allowed = 'abcdefghijklmnopqrstuvwxyz0123456789._-';
  const devices = new Set([
    'con',
    'prn',
    'aux',
    'nul',
    ...Array.from('0123456789', digit => [`com${digit}`, `lpt${digit}`]).flat(),
  ]);
  const isName = (name: string): boolean =>
    name !== '' &&
    !name.startsWith('.') &&
    !name.endsWith('.') &&
    Array.from(name).every(letter => letter.length === 1 && allowed.includes(letter.toLowerCase())) &&
    !devices.has(name.split('.')[0]?.toLowerCase() ?? '');
  const isPath =
    ['img', 'images', 'slides', 'videos', 'audio'].includes(type) && names.length > 0 && names.every(isName);
  return isPath && `static/${text}`.length <= 255;
}

const assetName = fc.stringMatching(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,8}[A-Za-z0-9]$/);
const validAsset = fc
  .tuple(
    fc.constantFrom('img', 'images', 'slides', 'videos', 'audio'),
    fc.array(assetName, { minLength: 1, maxLength: 3 }),
  )
  .map(([type, names]) => [type, ...names].join('/'));
const anyAsset = fc.oneof(validAsset, mutated(validAsset), built);

/** Returns the contents of all files below a folder, and marks symbolic links. */
function everything(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => !entry.isDirectory())
    .map(entry => path.relative(folder, path.join(entry.parentPath, entry.name)));
}

describe('a random path', () => {
  test('is accepted as a lesson exactly if it matches the grammar of lesson paths, and changes no file outside of the library (SC-005)', {
    timeout: 1_200_000,
  }, async () => {
    // The library is a subfolder of the folder that the test watches, so that changes outside of the library are
    // detected.
    using outer = temporaryLibrary('memory');
    outer.put('beside/secret.md', 'secret');
    outer.put('library/books/other-book/content/01-A/01-A/01-a.md', 'leaked from a book');
    outer.put(`library/books/${book}/users/ada/content/01-A/01-A/01-a.md`, 'leaked from a user');
    const opened = await openBooks(path.join(outer.root, 'library'));
    const written = new Set<string>();
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(anyPath, fc.boolean(), async (file, isOverlay) => {
        const args = { path: file, ...(isOverlay && { user_id: 'eve' }) };
        const read = await callBooks(opened, 'read_content', { book_id: book, ...args });
        const result = await callBooks(opened, 'write_content', { book_id: book, ...args, content: 'x' });
        const isAccepted = result['status'] === 'success' || result['code'] === 'HASH_REQUIRED';
        const deleted = isAccepted
          ? { code: 'not tried' }
          : await callBooks(opened, 'delete_content', { book_id: book, ...args });
        if (isAccepted) {
          accepted++;
          written.add(`library/books/${book}/${isOverlay ? 'users/eve/' : ''}${file}`);
        }
        expect({ file, isAccepted }).toEqual({ file, isAccepted: isLesson(file) });
        expect(JSON.stringify(read)).not.toMatch(/secret|leaked/);
        expect(['not tried', 'INVALID_PATH', 'SCHEMA_VIOLATION', 'VALIDATION']).toContain(deleted['code']);
      }),
      { numRuns: times(1000, 100_000) },
    );
    expect(accepted).toBeGreaterThan(times(200, 20_000));
    const found = everything(outer.root).filter(file => !file.startsWith('library/.oj-books/'));
    const expected = [
      'beside/secret.md',
      'library/books/other-book/content/01-A/01-A/01-a.md',
      `library/books/${book}/users/ada/content/01-A/01-A/01-a.md`,
      ...written,
    ];
    expect(new Set(found)).toEqual(new Set(expected));
    expect(outer.read('beside/secret.md')?.toString()).toBe('secret');
  });

  test('is accepted as an asset exactly if it matches the grammar of asset paths (FR-008)', {
    timeout: 600_000,
  }, async () => {
    using library = temporaryLibrary('memory');
    library.put(`books/${book}/.keep`, '');
    const opened = await openBooks(library.root);
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(anyAsset, async file => {
        const answer = await callBooks(opened, 'read_content', { book_id: book, path: `static/${file}` });
        const isAccepted = answer['exists'] === false;
        if (isAccepted) accepted++;
        expect({ file, isAccepted }).toEqual({ file, isAccepted: isAsset(file) });
      }),
      { numRuns: times(2500, 100_000) },
    );
    expect(accepted).toBeGreaterThan(times(500, 20_000));
    expect(everything(library.root).filter(file => !file.startsWith('.oj-books/'))).toEqual([`books/${book}/.keep`]);
  });
});
