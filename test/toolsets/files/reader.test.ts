import { truncateSync } from 'node:fs';
import path from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { createFileTypeTable } from '../../../src/documents/file-type.ts';
import { preparePhrase } from '../../../src/toolsets/files/match/needle.ts';
import type { CompressedText } from '../../../src/toolsets/files/workers/compressed-text.ts';
import { SearchedFileReader } from '../../../src/toolsets/files/workers/read-file.ts';
import { startReaderThread } from '../../../src/toolsets/files/workers/reader.ts';
import {
  fileStatuses,
  type ReaderAnswer,
  type ReaderJobMessage,
  sharedMemoryFields,
} from '../../../src/toolsets/files/workers/reader-job.ts';
import { line, pdf } from '../../documents/pdf.ts';
import { createFolder, write } from './open-files.ts';

/** Runs the code of a worker in the thread of the test. */
function createReader(): {
  state: Int32Array;
  send: (kind: 'excerpt' | undefined, root: string, ...names: string[]) => Promise<ReaderAnswer>;
  ask: (root: string, ...names: string[]) => Promise<string[]>;
} {
  const { port1, port2 } = new MessageChannel();
  const state = new Int32Array(new SharedArrayBuffer(4 * sharedMemoryFields.count));
  startReaderThread(port2, state);
  onTestFinished(() => port1.close());
  const send = async (kind: 'excerpt' | undefined, root: string, ...names: string[]): Promise<ReaderAnswer> => {
    const paths = names.map(name => path.join(root, name)).join('\0');
    const answered = new Promise<ReaderAnswer>(resolve => port1.once('message', resolve));
    port1.postMessage({
      ...(kind && { kind }),
      allowedRoot: root,
      paths,
      phrases: ['needle'],
      isSigning: true,
    } satisfies ReaderJobMessage);
    return await answered;
  };
  return {
    state,
    send,
    ask: async (root, ...names) =>
      Array.from((await send(undefined, root, ...names)).statuses, status => fileStatuses[status] ?? ''),
  };
}

test('a worker returns no result after its job was stopped', async () => {
  const root = createFolder({ 'a.txt': 'needle', 'b.txt': 'needle' });
  const { state, ask } = createReader();
  expect(await ask(root, 'a.txt', 'b.txt')).toEqual(['match', 'match']);
  Atomics.store(state, sharedMemoryFields.isStopped, 1);
  expect(await ask(root, 'a.txt', 'b.txt')).toEqual(['gone', 'gone']);
});

test('a worker returns the new words of a text if a document follows in the same job', async () => {
  const root = createFolder({ 'a.txt': 'vocabulary of the text', 'b.pdf': pdf({ pages: [line('needle')] }) });
  const { send } = createReader();
  expect((await send(undefined, root, 'a.txt', 'b.pdf')).newWords).toContain('vocabulary');
});

test('a worker disables the watchdog during the search in a text, but not while it parses a document', async () => {
  const root = createFolder({ 'a.txt': 'needle', 'b.pdf': pdf({ pages: [line('needle')] }) });
  const { state, ask } = createReader();
  expect(await ask(root, 'b.pdf', 'a.txt')).toEqual(['match', 'match']);
  expect(Atomics.load(state, sharedMemoryFields.isUnguarded)).toBe(1);
  expect(await ask(root, 'a.txt', 'b.pdf')).toEqual(['match', 'match']);
  expect(Atomics.load(state, sharedMemoryFields.isUnguarded)).toBe(0);
});

test('a worker does not disable the watchdog while it parses an HTML page or a mail', async () => {
  const root = createFolder({ 'a.txt': 'needle', 'b.eml': 'Subject: needle\n\nx', 'c.html': 'nee<b>dle</b>' });
  const said: string[] = [];
  let name = '';
  const reading = new SearchedFileReader(createFileTypeTable(), () => said.push(name));
  const task = { allowedRoot: root, needles: [preparePhrase('needle')], terms: undefined, isSigning: false };
  const read = (file: string): string => reading.read(path.join(root, (name = file)), task).status;
  // A page or mail is not read before the document parsers are loaded.
  for (const file of ['b.eml', 'c.html']) expect([read(file), reading.isParserMissing]).toEqual(['gone', true]);
  expect([read('a.txt'), said]).toEqual(['match', ['a.txt']]);
  await reading.loadParser();
  expect([read('b.eml'), read('c.html')]).toEqual(['match', 'match']);
});

test('a new worker loads the document parsers before it returns an excerpt of a document', async () => {
  const root = createFolder({ 'a.pdf': pdf({ pages: [line('needle')] }), 'b.txt': 'needle' });
  const { excerpts } = await createReader().send('excerpt', root, 'a.pdf', 'b.txt');
  expect(excerpts).toEqual([
    { page: 1, text: 'needle' },
    { line: 1, text: 'needle' },
  ]);
});

test('a worker returns no result for a file outside of its root', async () => {
  const root = createFolder({ 'in/a.txt': 'needle', 'out/b.txt': 'needle' });
  const { ask } = createReader();
  expect(await ask(path.join(root, 'in'), 'a.txt', '../out/b.txt')).toEqual(['match', 'gone']);
});

test('a worker reads texts up to 50 MB and documents up to 64 MB completely, and skips larger files', async () => {
  const root = createFolder();
  const mega = 1024 * 1024;
  const text = Buffer.alloc(50 * mega, 'x ');
  text.write('needle', text.length - 6);
  write(root, 'full.txt', text);
  write(root, 'over.txt', Buffer.concat([text, Buffer.from('!')]));
  for (const [name, size] of [
    ['full.pdf', 64 * mega],
    ['over.pdf', 64 * mega + 1],
  ] as const) {
    truncateSync(write(root, name, 'no document'), size);
  }
  const { ask } = createReader();
  expect(await ask(root, 'full.txt', 'over.txt', 'full.pdf', 'over.pdf')).toEqual([
    'match',
    'tooLarge',
    'unparsed',
    'tooLarge',
  ]);
});

test('a worker finds the same phrases and excerpts in an HTML page with its cached text as without it', async () => {
  const page = '<p>split <b>across</b> tags</p><p hidden>concealed words</p><a href="only-in-source">link</a>';
  const file = path.join(createFolder({ 'page.html': page }), 'page.html');
  const reader = new SearchedFileReader(createFileTypeTable(), () => {});
  await reader.loadParser();
  const task = { allowedRoot: path.dirname(file), terms: undefined };
  const { text, stat } = reader.read(file, { ...task, needles: [], isSigning: true });
  if (text === undefined || stat === undefined) throw new Error('the page was not indexed');
  const isFound = (phrase: string, known?: CompressedText): boolean =>
    reader.read(file, { ...task, needles: [preparePhrase(phrase)], isSigning: false }, known).status === 'match';
  const phrases = ['split across tags', 'concealed words', 'only-in-source', 'absent'];
  expect(phrases.map(phrase => isFound(phrase))).toEqual([true, true, true, false]);
  for (const phrase of phrases) {
    const known = { stat, bytes: text };
    expect(isFound(phrase, known), phrase).toBe(isFound(phrase));
    const excerpt = reader.excerpt(file, task.allowedRoot, [phrase], known);
    expect(excerpt, phrase).toEqual(reader.excerpt(file, task.allowedRoot, [phrase], undefined));
  }
  // The text without hidden parts requires the document parsers, which a new worker has not loaded yet.
  const newReader = new SearchedFileReader(createFileTypeTable(), () => {});
  expect(newReader.excerpt(file, task.allowedRoot, ['concealed words'], { stat, bytes: text })).toBeUndefined();
  expect(newReader.isParserMissing).toBe(true);
});

test('a worker ignores the cached text of an HTML page that has changed', async () => {
  const root = createFolder({ 'page.html': '<p>before</p>' });
  const file = path.join(root, 'page.html');
  const reader = new SearchedFileReader(createFileTypeTable(), () => {});
  await reader.loadParser();
  const task = { allowedRoot: root, terms: undefined };
  const { text, stat } = reader.read(file, { ...task, needles: [], isSigning: true });
  if (text === undefined || stat === undefined) throw new Error('the page was not indexed');
  write(root, 'page.html', '<p>some new <i>words</i></p>');
  const known = { stat, bytes: text };
  const read = (phrase: string): string =>
    reader.read(file, { ...task, needles: [preparePhrase(phrase)], isSigning: false }, known).status;
  expect([read('before'), read('new words')]).toEqual(['read', 'match']);
});

test('a worker finds a phrase in the source of an HTML page without parsing the page', () => {
  const root = createFolder({ 'page.html': '<p>needle</p>' });
  const reader = new SearchedFileReader(createFileTypeTable(), () => {});
  const task = { allowedRoot: root, terms: undefined, needles: [preparePhrase('needle')] };
  expect(reader.read(path.join(root, 'page.html'), { ...task, isSigning: false }).status).toBe('match');
  expect(reader.isParserMissing).toBe(false);
});
