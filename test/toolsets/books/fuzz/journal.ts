import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { openTools } from '../../../fuzz/open-tools.ts';
import { ChoiceReader, defineTarget } from '../../../fuzz/target.ts';

const book = 'fuzz-book';
const lesson = 'content/01-Part/01-Chapter/01-lesson.md';
const fresh = 'content/01-Part/01-Chapter/02-fresh.md';
const text = '# Lesson\n';
const state = `.oj-books/${book}`;
const journal = `${state}/journal/000000000001.jsonl`;
const checkpoint = `${state}/state/000000000001.jsonl.gz`;

const chain = '0'.repeat(64);
const record = (fields: object): string =>
  `${JSON.stringify({ kind: 'note', seq: 1, time: '2026-01-01T00:00:00.000Z', book, backend: 'fs', agent: 'a', operation: 'write_content', path: lesson, user: '__base__', prev: null, new: chain, status: 'success', ...fields, chain })}\n`;
const checkpointOf = (...lines: object[]): string =>
  [{ format: 1, seq: 9, lastMs: 1_767_225_600_000, chain }, ...lines, { end: lines.length + 1 }]
    .map(line => `${JSON.stringify(line)}\n`)
    .join('');

const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

export const target = defineTarget({
  name: 'journal',
  corpus: [
    `\0${record({ kind: 'intent' })}${record({ kind: 'commit', seq: 2, intent: 1 })}`,
    `\0${record({ kind: 'external', path: fresh, changed: '2026-01-02T00:00:00.000Z' })}{"kind":"no`,
    `\0${record({ kind: 'intent', path: fresh })}${record({ kind: 'scan', seq: 2, manifest: chain })}`,
    `\x01${checkpointOf({ book, path: lesson, user: '__base__', hash: chain, changedMs: 1, agent: 'a' })}`,
    `\x01${checkpointOf({ manifest: chain, seq: 3 }, { intent: JSON.parse(record({ kind: 'intent' })) })}`,
    Buffer.concat([Buffer.of(2), gzipSync(checkpointOf())]),
  ],
  dictionary: [
    ...'"kind":"intent"|"kind":"commit"|"kind":"abort"|"kind":"external"|"kind":"scan"|"seq":|"intent":'.split('|'),
    ...'"time":"9999-12-31T23:59:59.999Z"|"path":"../x"|"user":"ada"|"new":null|"manifest":|"end":|"format":1'.split(
      '|',
    ),
    ...'9007199254740993|null|{}|"__proto__"|\\ud800|-1|1e400|"'.split('|'),
    '\n',
    '\r\n',
    '\0',
    lesson,
    fresh,
  ],
  mutations: 120,
  async run(bytes) {
    const choice = new ChoiceReader(bytes);
    const form = choice.below(3);
    const content = form === 1 ? gzipSync(choice.rest()) : choice.rest();
    const root = mkdtempSync(path.join(parent, 'oj-mcp-fuzz-'));
    try {
      put(root, `books/${book}/${lesson}`, text);
      put(root, form === 0 ? journal : checkpoint, content);
      if (form !== 0) put(root, journal, record({}));
      const before = readFileSync(path.join(root, journal));
      await useLibrary(root);
      const after = readFileSync(path.join(root, journal));
      // The incomplete last line is excluded from the comparison, because the next writer removes it.
      const kept = before.subarray(0, before.lastIndexOf('\n') + 1);
      assert.ok(after.subarray(0, kept.length).equals(kept), 'a finished line of the journal is lost or changed');
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
});

async function useLibrary(root: string): Promise<void> {
  const tools = await openTools('books', { 'books-root': root });
  try {
    const read = await tools.call('read_content', { book_id: book, path: lesson });
    assert.ok(!read.isError && read.structured['content'] === text, 'a lesson cannot be read');
    const written = await tools.call('write_content', { book_id: book, path: fresh, content: 'fresh' });
    if (written.isError) return;
    assert.equal(readFileSync(path.join(root, `books/${book}/${fresh}`), 'utf8'), 'fresh', 'a write is lost');
    const again = await tools.call('read_content', { book_id: book, path: fresh });
    assert.ok(!again.isError && again.structured['content'] === 'fresh', 'a written lesson cannot be read');
  } finally {
    await tools.close();
  }
}

function put(root: string, name: string, content: string | Buffer): void {
  const file = path.join(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
}
