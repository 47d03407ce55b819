import { rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openJsonFile } from '../../../../src/toolsets/oj/io/collection/json-file.ts';
import { fileWith } from './support.ts';

/** The size of the buffer with which a file is read. */
const bufferBytes = 4 * 1024 * 1024;

function open(content: string) {
  const file = fileWith(content);
  const part = openJsonFile(file);
  onTestFinished(() => part.close?.());
  return { file, part };
}

/** Returns the ids and titles of the records of a file, and the error message in place of an invalid record. */
function recordsIn(content: string): string[] {
  const { file, part } = open(content);
  return part.entries.map(entry => {
    if ('failure' in entry) return entry.failure().message.replace(file, 'FILE');
    const { id, title } = entry.read();
    return `${id} ${title?.length}`;
  });
}

const record = (id: string, length = 0): string => `{"source":"s","id":"${id}","title":"${'x'.repeat(length)}"}`;

describe('a problem file that is longer than the buffer for reading', () => {
  test.each([-1, 0])('is read if a record begins %i bytes after the end of the buffer', shift => {
    const first = record('1');
    const space = ' '.repeat(bufferBytes + shift - first.length - 1);
    expect(recordsIn(`${first}\n${space}${record('2')}\n${record('3')}`)).toEqual(['1 0', '2 0', '3 0']);
    expect(recordsIn(`[${first}${space},${record('2')},${record('3')}]`)).toEqual(['1 0', '2 0', '3 0']);
  });

  test.each([0, 1])('is read if its first record ends %i bytes after the end of the buffer', shift => {
    const length = bufferBytes + shift - record('1').length;
    const lines = [`1 ${length}`, '2 5'];
    expect(recordsIn(`${record('1', length)}\n${record('2', 5)}`)).toEqual(lines);
    expect(recordsIn(`[${record('1', length - 1)},${record('2', 5)}]`)).toEqual([`1 ${length - 1}`, '2 5']);
  });

  test('is read if its last record ends with the buffer', () => {
    const length = bufferBytes - record('1').length;
    expect(recordsIn(record('1', length))).toEqual([`1 ${length}`]);
    expect(recordsIn(`[${record('1', length - 2)}]`)).toEqual([`1 ${length - 2}`]);
    expect(recordsIn(`[${record('1', length - 2)}] \n`)).toEqual([`1 ${length - 2}`]);
    expect(recordsIn(`[${record('1', length - 2)}]x`)).toEqual([
      `1 ${length - 2}`,
      'FILE, line 1: unexpected text after the JSON array.',
    ]);
  });

  test('may contain no record of 64 MiB', () => {
    const { file, part } = open('');
    truncateSync(file, 70 << 20);
    writeFileSync(file, '{"a":"', { flag: 'r+' });
    const large = openJsonFile(file);
    onTestFinished(() => large.close?.());
    const [entry] = large.entries;
    expect([part.entries, entry && 'failure' in entry && entry.failure().message]).toEqual([
      [],
      `${file}, line 1: a record is larger than 67108864 bytes.`,
    ]);
  });
});

describe('the byte order mark of a problem file', () => {
  test.each([
    ['complete', [0xef, 0xbb, 0xbf], ['1 0']],
    ['with another first byte', [0xee, 0xbb, 0xbf], ['FILE, line 1: expected a JSON object.']],
    ['with another second byte', [0xef, 0xbc, 0xbf], ['FILE, line 1: expected a JSON object.']],
    ['with another third byte', [0xef, 0xbb, 0xbe], ['FILE, line 1: expected a JSON object.']],
  ])('is skipped only if it is complete: %s', (_, mark, expected) => {
    const { file } = open('');
    writeFileSync(file, Buffer.concat([Buffer.from(mark), Buffer.from(record('1'))]));
    const part = openJsonFile(file);
    onTestFinished(() => part.close?.());
    const [entry] = part.entries;
    expect([entry && 'failure' in entry ? entry.failure().message.replace(file, 'FILE') : '1 0']).toEqual(expected);
  });

  test.each([[[0xef, 0xbb, 0xbf]], [[0xef, 0xbb]]])('may be all of the file: %j', mark => {
    const { file } = open('');
    writeFileSync(file, Buffer.from(mark));
    const part = openJsonFile(file);
    onTestFinished(() => part.close?.());
    expect(part.entries).toHaveLength(mark.length === 3 ? 0 : 1);
  });
});

describe('the file of a problem collection', () => {
  test('counts as changed if only its size or only its time differs, and as replaced if it was deleted', () => {
    const { file, part } = open(record('1'));
    const date = new Date(1_700_000_000_000);
    utimesSync(file, date, date);
    expect(part.changedFile?.()).toBe(file);
    const same = openJsonFile(file);
    onTestFinished(() => same.close?.());
    expect(same.changedFile?.()).toBeUndefined();
    writeFileSync(file, `${record('1')} `);
    utimesSync(file, date, date);
    expect(same.changedFile?.()).toBe(file);
    writeFileSync(file, record('1'));
    utimesSync(file, date, date);
    expect(same.changedFile?.()).toBeUndefined();
    rmSync(file);
    expect(same.changedFile?.()).toBe(file);
  });

  test('names the line of each invalid record, in any order', () => {
    const { file, part } = open('\n1\n\n{"id":2}\n3\n');
    const places = (): string[] =>
      part.entries.map(entry => ('failure' in entry ? entry.failure().message.slice(file.length) : ''));
    const expected = [', line 2: expected a JSON object.', ', line 4: "source" is missing.'];
    expect(places().slice(0, 2)).toEqual(expected);
    expect(places().slice(0, 2)).toEqual(expected);
  });
});
