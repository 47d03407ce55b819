import { describe, expect, test } from 'vitest';
import type { OpenedToolset } from '../../../src/toolset/toolset.ts';
import * as fc from '../../support/property.ts';
import { times } from '../../support/repetitions.ts';
import { sha256, type TemporaryLibrary, temporaryLibrary } from './support/library.ts';
import { callBooks, openBooks } from './support/open-books.ts';

const book = 'fuzz-book';

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

/** A simple model of a library: the text of each name. */
class Model {
  readonly stored = new Map<string, string>();
  since = '2020-01-01T00:00:00Z';
  /** The names that tools have written since the last scan, including files whose content stayed the same. */
  written = new Set<string>();
  /** The names that any program has changed since the last scan, including files whose old content was restored. */
  touched = new Set<string>();
  /** The contents of the files at the last scan. */
  scanned = new Map<string, string>();

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

/** Executes one step in the library and in the model, and returns the differences between them. */
async function take(current: Step, model: Model, opened: OpenedToolset, library: TemporaryLibrary): Promise<string[]> {
  if (current.kind === 'delta') {
    const answer = await callBooks(opened, 'delta_build', { book_id: book, since: model.since });
    const shown = (name: string): { path: string; sha256?: string }[] =>
      Array.isArray(answer[name]) ? answer[name] : [];
    const prefix = `books/${book}/`;
    const isBase = (key: string): boolean => !key.startsWith(`${prefix}users/`);
    const stateOf = (key: string): string => `${key.slice(prefix.length)} ${sha256(model.stored.get(key) ?? '')}`;
    const present = [...model.stored.keys()].filter(isBase);
    const isChanged = (key: string): boolean =>
      model.written.has(key) || model.stored.get(key) !== model.scanned.get(key);
    const changed = shown('changed_files').map(item => `${item.path} ${item.sha256}`);
    const deleted = shown('deleted_files').map(item => prefix + item.path);
    const touched = [...model.touched].filter(isBase);
    const problems = [
      ...without(present.filter(isChanged).map(stateOf), changed).map(entry => `missed ${entry}`),
      ...without(changed, touched.filter(key => model.stored.has(key)).map(stateOf)).map(entry => `made up ${entry}`),
      ...without(
        [...model.scanned.keys()].filter(key => isBase(key) && !model.stored.has(key)),
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
    model.scanned = new Map(model.stored);
    return problems.map(problem => `the scan has ${problem}`);
  }
  const key = model.keyOf(current);
  const args = {
    book_id: book,
    path: files[current.file],
    ...(current.user !== undefined && { user_id: current.user }),
  };
  const stored = model.stored.get(key);
  switch (current.kind) {
    case 'edit':
      library.put(key, current.content);
      model.change(key, current.content);
      return [];
    case 'read': {
      const base = model.stored.get(model.keyOf({ ...current, user: undefined }));
      const answer = await callBooks(opened, 'read_content', args);
      const expected = stored ?? base;
      return differing(current, answer['content'] ?? answer['code'], expected ?? 'NOT_FOUND');
    }
    case 'delete': {
      const answer = await callBooks(opened, 'delete_content', args);
      if (stored !== undefined) model.change(key, undefined);
      return differing(current, answer['existed'], stored !== undefined);
    }
    case 'write':
      break;
  }
  const hashes = { none: undefined, right: sha256(stored ?? 'nothing'), wrong: sha256('wrong') };
  const expected_hash = hashes[current.hash];
  const answer = await callBooks(opened, 'write_content', {
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

describe('random sequences of calls', () => {
  test('change the files and the journal of a library as a simple model predicts (R2)', {
    timeout: 1_200_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async steps => {
        using library = temporaryLibrary('memory');
        library.put(`books/${book}/.keep`, '');
        const opened = await openBooks(library.root);
        const model = new Model();
        const problems: string[] = [];
        for (const current of steps) problems.push(...(await take(current, model, opened, library)));
        expect(problems).toEqual([]);
        for (const user of [undefined, 'ada', 'bob']) {
          for (let file = 0; file < files.length; file++) {
            const key = model.keyOf({ file, user });
            expect(library.read(key)?.toString()).toBe(model.stored.get(key));
          }
        }
        // The last scan records the edits by other programs. After it the journal must agree with the files.
        await callBooks(opened, 'delta_build', { book_id: book, since: model.since });
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
