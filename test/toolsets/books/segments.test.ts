import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createCheckpoints } from '../../../src/toolsets/books/library/checkpoints.ts';
import { openDiskBackend } from '../../../src/toolsets/books/library/library.ts';
import { firstChainHash, type JournalRecordDraft, JournalState } from '../../../src/toolsets/books/model/journal.ts';
import { formatChainedRecord } from '../../../src/toolsets/books/model/record-chain.ts';
import { findCheckpointNumbers, findSegmentNumbers } from '../../../src/toolsets/books/model/segment.ts';
import { openLibraryRoot } from '../../../src/toolsets/books/storage/disk/root.ts';
import { book, chapter, introText, lesson, lessonKey, openSample, type Sample, sampleLibrary } from './sample.ts';
import { errorOf, listOf, objectOf } from './support/answer.ts';
import { connect } from './support/client.ts';
import { segmentOf, sha256, type TemporaryLibrary } from './support/library.ts';
import { callBooks, openBooks } from './support/open-books.ts';

const fresh = `${chapter}/40-fresh.md`;

const base = { agent: 'early', operation: 'read_content', user: '__base__', status: 'success' };
const note: JournalRecordDraft = { kind: 'note', ...base, path: '', prev: null, new: null, ms: 1 };
const found = (file: string, text: string): JournalRecordDraft => ({
  kind: 'external',
  ...base,
  agent: 'external',
  path: file,
  prev: null,
  new: sha256(text),
});

/** Returns the lines of a journal with these records. */
function journalOf(drafts: readonly JournalRecordDraft[]): string {
  let chain = firstChainHash;
  const lines = drafts.map((draft, index) => {
    const place = { seq: index + 1, ms: Date.UTC(2025, 0) + index, book, backend: 'fs', chain };
    const { line } = formatChainedRecord(draft, place);
    chain = sha256(line);
    return `${line}\n`;
  });
  return lines.join('');
}

test('the names of journal files are parsed into ascending segment numbers and descending checkpoint numbers, and other names are ignored', () => {
  const [one, ten, two] = ['000000000001', '000000000010', '000000000002'];
  const others = ['1.jsonl', '000000000003.json', 'x000000000003.jsonl', '000000000003.jsonl.gz.part', 'README.md'];
  const files = [one, ten, two].flatMap(number => [`${number}.jsonl`, `${number}.jsonl.gz`]);
  expect(findSegmentNumbers([...others, ...files])).toEqual([1, 2, 10]);
  expect(findCheckpointNumbers([...others, ...files])).toEqual([10, 2, 1]);
});

/** Returns the lines of a journal with more records than fit into a segment. */
const long = (): string => journalOf([found(lesson, introText), ...Array.from({ length: 5000 }, () => note)]);

const names = (library: TemporaryLibrary, folder: string): string[] =>
  readdirSync(path.join(library.root, '.oj-books', book, folder)).toSorted();

/** Reads a lesson and waits until its audit note is written, because the response comes earlier. */
async function readNoted(library: TemporaryLibrary): Promise<void> {
  const connection = await connect({ args: ['--toolsets', 'books', '--books-root', library.root] });
  await connection.call('read_content', { book_id: book, path: lesson });
  const noted = { kind: 'note', operation: 'read_content', agent: 'test-author' };
  await expect.poll(() => library.journal(book).at(-1)).toMatchObject(noted);
  await connection.close();
}

async function authorsOf(library: TemporaryLibrary): Promise<string[]> {
  const connection = await connect({ args: ['--toolsets', 'books', '--books-root', library.root] });
  const args = { book_id: book, path: fresh, content: 'x' };
  expect((await connection.call('write_content', args)).isError).toBe(false);
  await connection.close();
  return library.journal(book).flatMap(({ kind, path: file }) => (kind === 'external' ? [file] : []));
}

describe('the journal', () => {
  test('is continued in the next segment when a segment is full, and the full one is not changed', async () => {
    await using sample = await openSample();
    const full = long();
    sample.library.put(segmentOf(book), full);
    await sample.call('write_content', { book_id: book, path: fresh, content: 'one' });
    await sample.call('delete_content', { book_id: book, path: fresh });
    expect(sample.library.read(segmentOf(book))?.toString()).toBe(full);
    expect(names(sample.library, 'journal')).toEqual(['000000000001.jsonl', '000000000002.jsonl']);
    expect(names(sample.library, 'state')).toEqual(['000000000001.jsonl.gz']);
    expect(sample.library.audit(book)).toEqual([]);
    expect(sample.library.journal(book).at(-1)).toMatchObject({ kind: 'commit', seq: 5005 });
  });

  test('is read from its checkpoint after a segment is full', async () => {
    using library = sampleLibrary();
    const file = segmentOf(book);
    library.put(file, long());
    expect(await authorsOf(library)).toEqual([lesson]);
    expect(names(library, 'journal')).toContain('000000000002.jsonl');
    expect(names(library, 'state')).toEqual(['000000000001.jsonl.gz']);
    // The test changes the records before the checkpoint, because the server must not read them again.
    const text = library.read(file)?.toString() ?? '';
    library.put(file, text.replace(sha256(introText), sha256('something else')));
    await readNoted(library);
    expect(library.journal(book).filter(({ kind }) => kind === 'external')).toHaveLength(1);
    expect(library.audit(book)).not.toEqual([]);
  });

  test('has a readable checkpoint even if the checkpoint is larger than the buffer with which files are read', async () => {
    using library = sampleLibrary();
    const { storage, internal } = openDiskBackend(openLibraryRoot(library.root), Date.now);
    const checkpoints = createCheckpoints(storage, internal, book);
    const state = new JournalState();
    for (let number = 0; number < 20_000; number++) {
      const place = { book, path: `${chapter}/${number}.md`, user: undefined };
      state.setFile({ place, hash: sha256(`${number}`), changedMs: 1, agent: 'early' });
    }
    await checkpoints.save(1, { state, chain: firstChainHash });
    expect(library.read(`.oj-books/${book}/state/000000000001.jsonl.gz`)?.length).toBeGreaterThan(2 * (1 << 18));
    expect((await checkpoints.read(1))?.state.files.size).toBe(20_000);
  });

  test.each([
    ['truncated', (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)],
    ['empty', () => Buffer.alloc(0)],
    ['not a checkpoint', () => Buffer.from('not packed')],
  ])('is read from its beginning if its checkpoint is %s', async (_, damage) => {
    using library = sampleLibrary();
    library.put(segmentOf(book), long());
    await authorsOf(library);
    const state = `.oj-books/${book}/state/000000000001.jsonl.gz`;
    library.put(state, damage(library.read(state) ?? Buffer.alloc(0)));
    const connection = await connect({ args: ['--toolsets', 'books', '--books-root', library.root] });
    const again = { book_id: book, path: lesson, content: 'two', expected_hash: sha256(introText) };
    expect((await connection.call('write_content', again)).isError).toBe(false);
    await connection.close();
    expect(library.audit(book)).toEqual([]);
  });

  test('has no unfinished checkpoint of a killed process after the next segment begins', async () => {
    using library = sampleLibrary();
    library.put(segmentOf(book), long());
    library.put(`.oj-books/${book}/state/000000000001.jsonl.gz.0.tmp`, 'unfinished');
    library.put(`.oj-books/${book}/state/notes.txt`, 'of another program');
    await authorsOf(library);
    expect(names(library, 'state')).toEqual(['000000000001.jsonl.gz', 'notes.txt']);
  });

  test('is read from its beginning if its checkpoint belongs to another journal', async () => {
    using library = sampleLibrary();
    library.put(segmentOf(book), long());
    await authorsOf(library);
    library.put(segmentOf(book), journalOf([found(fresh, 'x'), ...Array.from({ length: 5000 }, () => note)]));
    library.put(`.oj-books/${book}/journal/000000000002.jsonl`, '');
    await readNoted(library);
    expect(library.journal(book).findLast(({ kind }) => kind === 'external')).toMatchObject({
      path: lesson,
      prev: null,
    });
    expect(library.audit(book)).toEqual([]);
  });

  test('is read again by a running server if its last segment was removed', async () => {
    await using sample = await openSample();
    sample.library.put(segmentOf(book), long());
    await sample.call('write_content', { book_id: book, path: fresh, content: 'one' });
    sample.library.put(`.oj-books/${book}/journal/000000000002.jsonl`, '');
    const again = { book_id: book, path: fresh, content: 'two', expected_hash: sha256('one') };
    expect((await sample.call('write_content', again)).isError).toBe(false);
    expect(sample.library.audit(book)).toEqual([]);
  });

  test('is read in linear time if it contains a line of 5 MB', async () => {
    await using sample = await openSample();
    sample.library.put(segmentOf(book), `${'x'.repeat(5_000_000)}\n`);
    expect((await sample.call('write_content', { book_id: book, path: fresh, content: 'one' })).isError).toBe(false);
    expect(sample.library.audit(book)).toEqual([expect.stringContaining('is not a record')]);
  });

  test('allows a comparison with a manifest that is older than its checkpoints', async () => {
    await using sample = await openSample();
    const first = objectOf(await sample.call('delta_build', { book_id: book, since: '2020-01-01T00:00:00Z' }));
    const noted = { kind: 'note', operation: 'delta_build' };
    await expect.poll(() => sample.library.journal(book).at(-1)).toMatchObject(noted);
    const journal = sample.library.read(segmentOf(book))?.toString() ?? '';
    let chain = sha256(journal.trimEnd().split('\n').at(-1) ?? '');
    let { seq } = sample.library.journal(book).at(-1) ?? { seq: 0 };
    const lines: string[] = [];
    for (let n = 0; n < 5000; n++) {
      const { line } = formatChainedRecord(note, { seq: ++seq, ms: Date.now() + n, book, backend: 'fs', chain });
      chain = sha256(line);
      lines.push(`${line}\n`);
    }
    sample.library.put(segmentOf(book), journal + lines.join(''));
    await sample.call('write_content', { book_id: book, path: fresh, content: 'one' });
    expect(names(sample.library, 'state')).toEqual(['000000000001.jsonl.gz']);
    const target = { since: '2020-01-01T00:00:00Z', target_manifest_hash: first['manifest_hash'] };
    expect(objectOf(await sample.call('delta_build', { book_id: book, ...target }))['manifest_delta']).toMatchObject({
      status: 'changed',
      changed_files: [{ path: fresh }],
    });
  });
});

describe('the file of a process that waited for the lock and died', () => {
  afterEach(() => void vi.useRealTimers());

  test.each([
    [63, 600_100, true],
    [64, 600_100, false],
    [65, 600_100, true],
    [128, 600_100, false],
    [64, 590_000, true],
  ])(
    'with %i records in the journal and an age of %i ms exists after the next write: %s',
    async (count, ageMs, isKept) => {
      using library = sampleLibrary();
      library.put(
        segmentOf(book),
        journalOf([found(lesson, introText), ...Array.from({ length: count - 1 }, () => note)]),
      );
      const folder = `.oj-books/${book}`;
      for (const name of ['lock-dead', 'other']) library.put(`${folder}/${name}`, '');
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ageMs });
      const opened = await openBooks(library.root);
      await callBooks(opened, 'write_content', { book_id: book, path: fresh, content: 'one' });
      await opened.close();
      expect(['lock-dead', 'other'].map(name => existsSync(path.join(library.root, folder, name)))).toEqual([
        isKept,
        true,
      ]);
    },
  );
});

describe('an empty file in place of a lesson that the journal records as deleted', () => {
  /** Creates a library that was copied from a bucket: its journal records a deletion, and an empty file remains. */
  async function deletedInBucket(): Promise<Sample> {
    const sample = await openSample();
    const gone: JournalRecordDraft = { ...found(lesson, ''), agent: 'somebody', prev: sha256(introText), new: null };
    sample.library.put(segmentOf(book), journalOf([found(lesson, introText), gone]));
    sample.library.put(lessonKey, '');
    return sample;
  }

  test('is reported as a missing file by each tool', async () => {
    await using sample = await deletedInBucket();
    const call = async (tool: string, args: Record<string, unknown>) =>
      await sample.call(tool, { book_id: book, ...args });
    expect(errorOf(await call('read_content', { path: lesson }))['code']).toBe('NOT_FOUND');
    const chapterOf = listOf(await call('read_content', { path: chapter, scope: 'chapter' }));
    expect(chapterOf.map(item => item['path'])).not.toContain(lesson);
    expect(objectOf(await call('glob_search', { pattern: lesson }))['result']).toEqual([]);
    const structure = JSON.stringify(objectOf(await call('list_books', { include_structure: 'all' })));
    expect(structure).not.toContain('"01-intro.md"');
    expect(objectOf(await call('delete_content', { path: lesson }))['existed']).toBe(false);
    const delta = objectOf(await call('delta_build', { since: '2024-01-01T00:00:00Z' }));
    expect(delta['deleted_files']).toMatchObject([{ path: lesson }]);
    expect(JSON.stringify(objectOf(await call('validate_book', {}))['warnings'])).not.toContain(`"path":"${lesson}`);
    expect(sample.library.audit(book)).toEqual([]);
  });

  test('can be replaced by a new lesson', async () => {
    await using sample = await deletedInBucket();
    const written = await sample.call('write_content', { book_id: book, path: lesson, content: 'again' });
    expect(objectOf(written)['mode']).toBe('created');
    expect(sample.library.read(lessonKey)?.toString()).toBe('again');
    expect(sample.library.audit(book)).toEqual([]);
  });

  test('counts as deleted after the next write if the deletion was started but not committed', async () => {
    await using sample = await openSample();
    const begun: JournalRecordDraft = {
      ...found(lesson, ''),
      kind: 'intent',
      agent: 'dead',
      prev: sha256(introText),
      new: null,
    };
    sample.library.put(segmentOf(book), journalOf([found(lesson, introText), begun, note, note]));
    sample.library.put(lessonKey, '');
    await sample.call('write_content', { book_id: book, path: fresh, content: 'x' });
    expect(sample.library.journal(book)[4]).toMatchObject({ kind: 'commit', path: lesson, new: null, intent: 2 });
    expect(sample.library.audit(book)).toEqual([]);
  });

  test('counts as deleted after the next write if a new lesson was started but not committed', async () => {
    await using sample = await openSample();
    const created = { ...found(lesson, introText), kind: 'intent', agent: 'dead', prev: null } as const;
    sample.library.put(segmentOf(book), journalOf([created, note, note]));
    sample.library.put(lessonKey, '');
    await sample.call('write_content', { book_id: book, path: fresh, content: 'x' });
    expect(sample.library.journal(book)[3]).toMatchObject({ kind: 'abort', path: lesson, intent: 1, status: 'failed' });
    expect(sample.library.audit(book)).toEqual([]);
  });

  test('is read as an empty lesson if the deletion record is missing in the journal', async () => {
    await using sample = await openSample();
    sample.library.put(lessonKey, '');
    expect(objectOf(await sample.call('read_content', { book_id: book, path: lesson }))['content']).toBe('');
  });
});

/** Returns the files of the library that a server process has open. */
function openOf(pid: number, root: string): string[] {
  return readdirSync(`/proc/${pid}/fd`)
    .map(name => linkAt(`/proc/${pid}/fd/${name}`))
    .filter(target => target.startsWith(`${root}/`))
    .map(target => target.slice(root.length + 1))
    .toSorted();
}

/** Returns the file of a descriptor, or an empty string if the descriptor was closed since. */
function linkAt(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}

test.runIf(process.platform === 'linux')(
  'the server keeps no file descriptor open after any call of the books tools',
  async () => {
    using library = sampleLibrary();
    library.put(segmentOf(book), long());
    await authorsOf(library); // creates segments and checkpoints
    const connection = await connect({ args: ['--toolsets', 'books', '--books-root', library.root] });
    const target = '0'.repeat(64);
    const calls: [tool: string, args: Record<string, unknown>][] = [
      ['list_books', {}],
      ['write_content', { path: fresh, content: 'one' }],
      ['write_content', { path: fresh, content: 'refused' }],
      ['read_content', { path: fresh }],
      ['read_content', { path: `${chapter}/missing.md` }],
      ['grep_search', { pattern: 'one' }],
      ['glob_search', { pattern: '**' }],
      ['list_assets', {}],
      ['get_asset', { asset_type: 'img', filename: 'missing.png' }],
      ['validate_book', {}],
      ['delta_build', { since: '2020-01-01T00:00:00Z', target_manifest_hash: target }],
      ['get_book_archive', {}],
      ['delete_content', { path: fresh }],
    ];
    for (const [tool, args] of calls) {
      await connection.call(tool, tool === 'list_books' ? args : { book_id: book, ...args });
      await expect.poll(() => openOf(connection.pid, library.root), { message: tool }).toEqual([]);
    }
    await connection.close();
  },
);
