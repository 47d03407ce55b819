import { describe, expect, test } from 'vitest';
import { createFileTypeTable } from '../../../src/documents/file-type.ts';
import { deserializeTable, serializeTable } from '../../../src/toolsets/files/index/cache-content.ts';
import { FileTable } from '../../../src/toolsets/files/index/file-table.ts';
import { fileIndexStateNames, isIndexed } from '../../../src/toolsets/files/index/folder.ts';

const statOf = (number: number) => ({ mtimeMs: number, ctimeMs: number + 0.5, size: number * 10, ino: number * 100 });

/** Creates a table with a folder of files in all states, and a folder without any file that the cache keeps. */
function createTable(): FileTable {
  const table = new FileTable(createFileTypeTable());
  const { signatures } = table;
  const folder = table.enter('/root/all');
  const names = [...fileIndexStateNames.map(state => `${state}.txt`), 'large', 'small'];
  folder.list({}, names, signatures);
  for (const [index, state] of [...fileIndexStateNames, 'indexed' as const, 'indexed' as const].entries()) {
    folder.setStat(index, statOf(index + 1), signatures);
    if (!isIndexed(state)) folder.setState(index, state, signatures);
    else {
      const length = { large: 65_536, small: 8 }[names[index] ?? ''] ?? 16;
      folder.setSignature(
        index,
        signatures.add(new Uint8Array(length).fill(index)),
        signatures,
        state === 'partly' ? state : 'indexed',
      );
    }
  }
  table.enter('/root/empty').list({}, ['a.txt'], signatures);
  const other = table.enter('/other');
  other.list({}, ['binary'], signatures);
  other.setState(0, 'binary', signatures);
  table.texts.keep('/root/all/indexed.txt', { stat: statOf(1), bytes: Uint8Array.of(1, 2, 3) });
  table.texts.keep('/root/all/partly.txt', { stat: statOf(2), bytes: Uint8Array.of(4) });
  table.vocabulary.add(['straße', 'invoice']);
  return table;
}

function contentOf(table: FileTable): unknown {
  const folders = Array.from(table.folders, folder => ({
    path: folder.path,
    files: folder.names.map((name, index) => {
      const signature = isIndexed(folder.state(index)) ? table.signatures.get(folder.signature(index)) : undefined;
      const first = signature && [signature.length, signature[0], signature.at(-1)].join(' ');
      return [name, folder.state(index), folder.type(index), folder.stat(index), first];
    }),
  }));
  const texts = Array.from(table.texts.entries, ([path, { stat, bytes }]) => [path, stat, [...bytes]]);
  return { folders, texts, words: [...table.vocabulary], bytes: table.signatures.bytes };
}

const read = (bytes: Buffer): FileTable => {
  const table = new FileTable(createFileTypeTable());
  deserializeTable(table, bytes);
  return table;
};

const empty = contentOf(new FileTable(createFileTypeTable()));
const whole = Buffer.concat(serializeTable(createTable()));
const headerLength = whole.readUInt32LE(0);

/** Replaces the JSON header of a serialized table. */
function withHeader(change: (header: Record<string, never>) => object): Buffer {
  const json = JSON.stringify(change(JSON.parse(whole.toString('utf8', 4, 4 + headerLength))));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(Buffer.byteLength(json));
  return Buffer.concat([length, Buffer.from(json), whole.subarray(4 + headerLength)]);
}

/** Replaces a number in the row of a file. */
function withFact(row: number, column: number, value: number): Buffer {
  const bytes = Buffer.from(whole);
  bytes.writeDoubleLE(value, 4 + headerLength + (row * 7 + column) * 8);
  return bytes;
}

describe('the content of the cache', () => {
  test('contains the files with a signature and those that are never indexed, the texts and the words', () => {
    const row = (state: string, number: number, signature?: string, name = `${state}.txt`): unknown[] => [
      name,
      state,
      0,
      statOf(number),
      signature,
    ];
    expect(contentOf(read(whole))).toEqual({
      folders: [
        {
          path: '/root/all',
          files: [
            row('binary', 2),
            row('tooLarge', 3),
            row('unparsed', 5),
            row('indexed', 10, '16 9 9'),
            row('partly', 11, '16 10 10'),
            row('indexed', 12, '65536 11 11', 'large'),
            row('indexed', 13, '8 12 12', 'small'),
          ],
        },
        { path: '/other', files: [['binary', 'binary', 0, { mtimeMs: 0, ctimeMs: 0, size: 0, ino: 0 }, undefined]] },
      ],
      texts: [
        ['/root/all/indexed.txt', statOf(1), [1, 2, 3]],
        ['/root/all/partly.txt', statOf(2), [4]],
      ],
      words: ['straße', 'invoice'],
      bytes: 65_576,
    });
    expect(Buffer.concat(serializeTable(read(whole))).equals(whole)).toBe(true);
  });

  test('of an empty table has no words', () => {
    const bytes = Buffer.concat(serializeTable(new FileTable(createFileTypeTable())));
    expect(contentOf(read(bytes))).toEqual(empty);
  });

  test.each<[string, Buffer]>([
    ['has no bytes', Buffer.alloc(0)],
    ['has three bytes', whole.subarray(0, 3)],
    ['ends in its header', whole.subarray(0, 4 + headerLength - 1)],
    ['ends after its header', whole.subarray(0, 4 + headerLength)],
    ['lacks its last byte', whole.subarray(0, -1)],
    ['has a byte too much', Buffer.concat([whole, Buffer.alloc(1)])],
    ['has a header that is no JSON', Buffer.concat([Buffer.of(1, 0, 0, 0), Buffer.from('{')])],
    ['has a header without words', withHeader(header => ({ ...header, words: undefined }))],
    ['has a header with an unknown field', withHeader(header => ({ ...header, more: 1 }))],
    ['has a negative size', withHeader(header => ({ ...header, signed: -1 }))],
    ['has a size that is not whole', withHeader(header => ({ ...header, signed: 0.5 }))],
    [
      'has one file too much',
      withHeader(header => ({ ...header, folders: [...(header['folders'] ?? []), { path: '/x', names: 'y' }] })),
    ],
    ['has a state without a name', withFact(0, 4, 99)],
    ['has a state that is not stored', withFact(0, 4, fileIndexStateNames.indexOf('read'))],
    ['has a signature of 4 bytes', withFact(6, 6, 4)],
    ['has a signature of 24 bytes', withFact(6, 6, 24)],
    ['has a signature of 128 KiB', withFact(5, 6, 131_072)],
    ['has a signature that is shorter than the rest', withFact(6, 6, 0)],
    ['has a signature that is too long', withFact(6, 6, 16)],
  ])('is ignored as a whole if it %s', (_, bytes) => {
    expect(contentOf(read(bytes))).toEqual(empty);
  });
});
