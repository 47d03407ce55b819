import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Failure } from '../../../../src/errors/failure.ts';
import { openCollectionFiles } from '../../../../src/toolsets/oj/io/collection/open-collection.ts';
import { fileWith, folderWith, rejectionOf } from './support.ts';

const array = '[{"source":"s","id":"1"}]';

test.each([
  ['list.json', array, true],
  ['LIST.JSON', ` \n\ufeff${array}`, false],
  ['LIST.JSON', `\ufeff \n${array}`, true],
  ['list.json', '[{"source" : "s","id":"1"}]', true],
  ['list.json', '[{"from":"s","id":"1"}]', false],
  ['list.json', '{"source":"s","id":"1"}', false],
  ['list.txt', array, false],
  ['list.db', array, true],
  ['list.jsonl', '{"source":"s","id":"1"}', true],
  ['list.NDJSON', '{"source":"s","id":"1"}', true],
  ['list.jsonl.bak', '{"source":"s","id":"1"}', false],
  ['database.txt', 'SQLite format 3\0', false],
  ['node_modules/list.json', array, false],
  ['.hidden/list.json', array, false],
  ['inner/.list.json', array, false],
])('the file %s with the content %j is in the collection of its folder: %s', (name, content, expected) => {
  const folder = folderWith({ [name]: content, 'other.jsonl': '{"source":"s","id":"other"}' });
  const collection = openCollectionFiles([folder]);
  expect(collection.entries.map(({ id }) => id).sort()).toEqual(expected ? ['1', 'other'] : ['other']);
  collection.close();
});

test.each(['data.db', 'data.sqlite', 'data.sqlite3', 'data.DB', 'data.json'])(
  'a folder with the database %s is rejected if SQLite cannot read it',
  async name => {
    const folder = folderWith({ [name]: 'SQLite format 3\0damaged' });
    expect(await rejectionOf(folder)).toContain(path.join(folder, name));
  },
);

test.skipIf(process.platform === 'win32')('--problems rejects a device', async () => {
  expect(await rejectionOf('/dev/null')).toBe('/dev/null: it is neither a file nor a folder.');
});

test('--problems rejects an empty file', async () => {
  const file = fileWith('');
  expect(await rejectionOf(file)).toBe(`${file}: the file is empty.`);
});

test.runIf(process.platform === 'linux')('rejected paths leave no file open', () => {
  const countOpen = (): number => readdirSync('/proc/self/fd').length;
  const paths = ['text', '[1]', array].map(content => fileWith(content));
  const before = countOpen();
  for (const file of paths.slice(0, 2)) expect(() => openCollectionFiles([file])).toThrow(Failure);
  expect(() => openCollectionFiles([paths[2] ?? '', '/nonexistent/file'])).toThrow('the path does not exist');
  expect(countOpen()).toBe(before);
});
