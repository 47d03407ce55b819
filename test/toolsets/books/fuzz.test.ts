import { readdirSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../../src/failure.ts';
import { type OpenToolset, openToolset } from '../../../src/toolset.ts';
import { books } from '../../../src/toolsets/books/index.ts';
import { sha256, type TemporaryLibrary, temporaryLibrary, times } from './support/library.ts';

const book = 'fuzz-book';
const signal = new AbortController().signal;

/** The room without the wire: a hundred thousand calls would take minutes over it. */
async function openRoom(library: TemporaryLibrary): Promise<OpenToolset> {
  return await openToolset(books, { 'books-root': library.root }, { isDemo: false });
}

async function call(room: OpenToolset, name: string, args: object): Promise<Record<string, unknown>> {
  const tool = room.tools.find(candidate => candidate.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  try {
    const answer = await room.call(tool, { book_id: book, ...args }, { signal, agent: 'fuzzer', progress: () => {} });
    return typeof answer === 'string' ? {} : answer.structured;
  } catch (error) {
    if (!(error instanceof Failure) || error.report === undefined) throw error;
    return { ...error.report };
  }
}

/** The grammar of FR-007, written a second time and without regular expressions. */
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
const mutated = fc
  .tuple(
    validPath,
    fc.nat(),
    fc.nat(3),
    fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 3 })),
  )
  .map(([valid, where, length, insert]) => {
    const at = where % (valid.length + 1);
    return valid.slice(0, at) + insert + valid.slice(at + length);
  });
const built = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 8 })
  .chain(parts => fc.constantFrom('/', '\\', '').map(separator => parts.join(separator)));
const anyPath = fc.oneof(validPath, mutated, built, fc.string({ unit: 'grapheme', maxLength: 40 }));

/** Every file there is, links shown as such. */
function everything(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => !entry.isDirectory())
    .map(entry => path.relative(folder, path.join(entry.parentPath, entry.name)));
}

describe('whatever path is asked for', () => {
  it('is accepted exactly if the grammar says so, and nothing outside is touched (SC-005)', {
    timeout: 1_200_000,
  }, async () => {
    // The library is one folder inside of what is watched, with something beside it that could be hit.
    using outer = temporaryLibrary('memory');
    outer.put('beside/secret.md', 'secret');
    outer.put('library/books/other-book/content/01-A/01-A/01-a.md', 'another book');
    outer.put(`library/books/${book}/users/ada/content/01-A/01-A/01-a.md`, 'another user');
    const room = await openToolset(books, { 'books-root': path.join(outer.root, 'library') }, { isDemo: false });
    const written = new Set<string>();
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(anyPath, fc.boolean(), async (file, isOverlay) => {
        const args = { path: file, ...(isOverlay && { user_id: 'eve' }) };
        const read = await call(room, 'read_content', args);
        const result = await call(room, 'write_content', { ...args, content: 'x' });
        const isAccepted = result['status'] === 'success' || result['code'] === 'HASH_REQUIRED';
        const deleted = isAccepted ? { code: 'not tried' } : await call(room, 'delete_content', args);
        if (isAccepted) {
          accepted++;
          written.add(`library/books/${book}/${isOverlay ? 'users/eve/' : ''}${file}`);
        }
        expect({ file, isAccepted }).toEqual({ file, isAccepted: isLesson(file) });
        expect(JSON.stringify(read)).not.toMatch(/secret|another/);
        expect(['not tried', 'INVALID_PATH', 'SCHEMA_VIOLATION', 'VALIDATION']).toContain(deleted['code']);
      }),
      { numRuns: times(2500, 100_000) },
    );
    expect(accepted).toBeGreaterThan(times(500, 20_000));
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
});

type Step =
  | { kind: 'write'; file: number; user: string | undefined; content: string; hash: 'none' | 'right' | 'wrong' }
  | { kind: 'delete'; file: number; user: string | undefined }
  | { kind: 'read'; file: number; user: string | undefined }
  | { kind: 'edit'; file: number; user: string | undefined; content: string }
  | { kind: 'delta' };

const files = ['content/01-A/01-B/01-c.md', 'content/01-A/01-B/02-d.md', 'content/01-A/02-E/01-f.summary.md'];
const where = { file: fc.nat(files.length - 1), user: fc.constantFrom(undefined, 'ada', 'bob') };
const content = fc.constantFrom('one', 'two', 'three\n', '  four  ');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      ...where,
      content,
      hash: fc.constantFrom('none', 'right', 'wrong'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), ...where }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('read' as const), ...where }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('edit' as const), ...where, content }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'delta' }) },
);

/** What a library has to do, in its simplest form: names and texts. */
class Model {
  readonly stored = new Map<string, string>();
  since = '2020-01-01T00:00:00Z';
  /** What the tools have written since the last survey, be it the same again. */
  written = new Set<string>();
  /** What anybody has changed since then, be it back again. */
  touched = new Set<string>();
  /** How it was at the last survey. */
  surveyed = new Map<string, string>();

  keyOf({ file, user }: { file: number; user: string | undefined }): string {
    return `books/${book}/${user === undefined ? '' : `users/${user}/`}${files[file]}`;
  }

  change(key: string, text: string | undefined): void {
    this.touched.add(key);
    if (text === undefined) this.stored.delete(key);
    else this.stored.set(key, text);
  }
}

function without(items: readonly string[], others: readonly string[]): string[] {
  return items.filter(item => !others.includes(item));
}

/** Takes a step in the library and in the model; what they disagree about comes back. */
async function take(current: Step, model: Model, room: OpenToolset, library: TemporaryLibrary): Promise<string[]> {
  if (current.kind === 'delta') {
    const answer = await call(room, 'delta_build', { since: model.since });
    const shown = (name: string): { path: string; sha256?: string }[] =>
      Array.isArray(answer[name]) ? answer[name] : [];
    const prefix = `books/${book}/`;
    const isBase = (key: string): boolean => !key.startsWith(`${prefix}users/`);
    const stateOf = (key: string): string => `${key.slice(prefix.length)} ${sha256(model.stored.get(key) ?? '')}`;
    const present = [...model.stored.keys()].filter(isBase);
    const isChanged = (key: string): boolean =>
      model.written.has(key) || model.stored.get(key) !== model.surveyed.get(key);
    const changed = shown('changed_files').map(item => `${item.path} ${item.sha256}`);
    const deleted = shown('deleted_files').map(item => prefix + item.path);
    const touched = [...model.touched].filter(isBase);
    const problems = [
      ...without(present.filter(isChanged).map(stateOf), changed).map(entry => `missed ${entry}`),
      ...without(changed, touched.filter(key => model.stored.has(key)).map(stateOf)).map(entry => `made up ${entry}`),
      ...without(
        [...model.surveyed.keys()].filter(key => isBase(key) && !model.stored.has(key)),
        deleted,
      ).map(key => `missed that ${key} is gone`),
      ...without(
        deleted,
        touched.filter(key => !model.stored.has(key)),
      ).map(key => `made up that ${key} is gone`),
    ];
    const manifest = present.map(key => stateOf(key).replace(' ', ':')).toSorted();
    if (answer['manifest_hash'] !== sha256(manifest.join('\n'))) problems.push('hashed another manifest');
    model.since = String(answer['server_time']);
    model.written.clear();
    model.touched.clear();
    model.surveyed = new Map(model.stored);
    return problems.map(problem => `the survey has ${problem}`);
  }
  const key = model.keyOf(current);
  const args = { path: files[current.file], ...(current.user !== undefined && { user_id: current.user }) };
  const stored = model.stored.get(key);
  switch (current.kind) {
    case 'edit':
      library.put(key, current.content);
      model.change(key, current.content);
      return [];
    case 'read': {
      const base = model.stored.get(model.keyOf({ ...current, user: undefined }));
      const answer = await call(room, 'read_content', args);
      const expected = stored ?? base;
      return differing(current, answer['content'] ?? answer['code'], expected ?? 'NOT_FOUND');
    }
    case 'delete': {
      const answer = await call(room, 'delete_content', args);
      if (stored !== undefined) model.change(key, undefined);
      return differing(current, answer['existed'], stored !== undefined);
    }
    case 'write':
      break;
  }
  const hashes = { none: undefined, right: sha256(stored ?? 'nothing'), wrong: sha256('wrong') };
  const expected_hash = hashes[current.hash];
  const answer = await call(room, 'write_content', {
    ...args,
    content: current.content,
    ...(expected_hash !== undefined && { expected_hash }),
  });
  const outcome = answer['mode'] ?? answer['code'];
  const expected =
    stored === undefined
      ? { none: 'created', right: 'NOT_FOUND', wrong: 'NOT_FOUND' }
      : { none: 'HASH_REQUIRED', right: 'updated', wrong: 'CONFLICT' };
  const isWritten = outcome === 'created' || outcome === 'updated';
  if (isWritten) {
    model.change(key, current.content);
    model.written.add(key);
  }
  const told = isWritten || stored === undefined ? undefined : sha256(stored);
  return [...differing(current, outcome, expected[current.hash]), ...differing(current, answer['current_hash'], told)];
}

function differing(current: Step, seen: unknown, expected: unknown): string[] {
  return seen === expected ? [] : [`${JSON.stringify(current)}: ${String(seen)} instead of ${String(expected)}`];
}

describe('whatever is done in whatever order', () => {
  it('the library is what the simplest model says, and the journal knows it (R2)', { timeout: 1_200_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async steps => {
        using library = temporaryLibrary('memory');
        library.put(`books/${book}/.keep`, '');
        const room = await openRoom(library);
        const model = new Model();
        const problems: string[] = [];
        for (const current of steps) problems.push(...(await take(current, model, room, library)));
        expect(problems).toEqual([]);
        for (const user of [undefined, 'ada', 'bob']) {
          for (let file = 0; file < files.length; file++) {
            const key = model.keyOf({ file, user });
            expect(library.read(key)?.toString()).toBe(model.stored.get(key));
          }
        }
        // A last survey brings in what was edited past the tools; then the journal and the bytes are the same.
        await call(room, 'delta_build', { since: model.since });
        const last = new Map<string, string | null>();
        for (const record of library.journal(book)) {
          const owner = record.user === '__base__' ? '' : `users/${record.user}/`;
          if (record.kind === 'commit' || record.kind === 'external')
            last.set(`books/${book}/${owner}${record.path}`, record.new);
        }
        const journalled = [...last].filter(([, hash]) => hash !== null);
        const stored = [...model.stored].map(([key, text]): [string, string] => [key, sha256(text)]);
        expect(new Map(journalled)).toEqual(new Map(stored));
        expect(library.audit(book)).toEqual([]);
      }),
      { numRuns: times(250, 10_000) },
    );
  });
});
