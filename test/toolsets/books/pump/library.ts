import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { decompressCheckpoint } from '../../../../src/toolsets/books/library/checkpoints.ts';
import { JournalLineSplitter, JournalReader } from '../../../../src/toolsets/books/library/journal-reader.ts';
import { compileLinePattern, shortenMatchedLine, splitLines } from '../../../../src/toolsets/books/model/lines.ts';
import { findElementContents, findFirstElementText } from '../../../../src/toolsets/books/storage/s3/xml.ts';
import { defineReader, nest, repeat } from '../../../fuzz/pump/reader.ts';

const record = (fields: object): string =>
  `${JSON.stringify({ kind: 'note', seq: 1, time: '2026-01-01T00:00:00.000Z', path: 'a', user: 'u', chain: '', ...fields })}\n`;

const records = [
  record({}),
  record({ kind: 'intent' }),
  record({ kind: 'commit' }),
  record({ kind: 'intent', seq: 1 }) + record({ kind: 'abort', intent: 1 }),
  record({ kind: 'external', path: 'b' }),
  record({ kind: 'scan', manifest: 'm' }),
  '\n',
  '{',
  '{}\n',
  '"',
  'null\n',
];

const journal = defineReader({
  name: 'journal',
  cases: [
    ...repeat(records),
    ...nest([
      ['[', ']'],
      ['{"a":', '}'],
    ]),
  ],
  read(input) {
    const reader = new JournalReader();
    const splitter = new JournalLineSplitter();
    for (let at = 0; at < input.length; at += 65_536) reader.add(splitter.add(input.subarray(at, at + 65_536)));
    return reader.state;
  },
});

/** The journal contains intent records of unfinished changes, followed by commit records of other changes. */
const openIntents = defineReader({
  name: 'open intents',
  cases: [
    {
      name: 'one commit for each',
      content(bytes) {
        const count = Math.ceil(bytes / 250);
        const numbers = Array.from({ length: count }, (_, index) => index + 1);
        const intents = numbers.map(seq => record({ kind: 'intent', seq, path: String(seq) }));
        return Buffer.from([...intents, ...numbers.map(seq => record({ kind: 'commit', seq: seq + count }))].join(''));
      },
    },
  ],
  read: input => journal.read(input),
});

const head = `${JSON.stringify({ format: 1, seq: 1, lastMs: 1, chain: '' })}\n`;
const checkpoint = defineReader({
  name: 'checkpoint',
  cases: repeat(['{"manifest":"m","seq":1}\n', '{"path":"a"}\n', '{"intent":{}}\n', '\n', '[', '{"end":1}\n'], head),
  read: async input => await decompressCheckpoint(Readable.from([gzipSync(input, { level: 1 })])),
});

const listing = defineReader({
  name: 'listing',
  cases: repeat(
    [
      '<Key>',
      '<Key',
      '</Key>',
      '<Key>a</Key>',
      '<Key/>',
      '<Contents><Key>a</Key></Contents>',
      '<',
      '&',
      '&amp;',
      '&#55296;',
      ' ',
    ],
    '<Contents>',
    '</Contents>',
  ),
  read(input) {
    const xml = input.toString('utf8');
    return [
      findFirstElementText(xml, 'Code'),
      Array.from(findElementContents(xml, 'Contents'), inside => findFirstElementText(inside, 'Key')),
      [...findElementContents(xml, 'Key')],
    ];
  },
});

/** A search must take linear time in the length of the line for each of these patterns. */
const patterns = ['a', '(?i)abc', '(a|a)*b', '(a+)+b', 'a.*b.*c', '\\ba\\b', '[^a]{1,100}x', '^(\\s*a)*$'].map(
  source => {
    const pattern = compileLinePattern(source);
    return defineReader({
      name: `grep ${source}`,
      cases: repeat(['a', 'ab', 'a ', 'b', '\n', '\r', '\r\n', 'é', '😀', 'a\n']),
      read(input) {
        if (typeof pattern !== 'function') throw new Error(`${source}: ${pattern.reason}`);
        let shown = '';
        for (const line of splitLines(input.toString('utf8'))) {
          const at = pattern(line);
          if (at !== -1) shown = shortenMatchedLine(line, at);
        }
        return shown;
      },
    });
  },
);

/** Compiling a pattern must take linear time, although its length is limited. */
const compilation = defineReader({
  name: 'grep pattern',
  cases: repeat(['a', '(', '[', 'a|', '(a)', '[a]', 'a*', '\\', '\\Q', '{', '(?:', '\\p{L}', '(?=a)', '[[:alpha:]]']),
  read: input => compileLinePattern(input.subarray(0, 500).toString('utf8')),
});

export const readers = [journal, openIntents, checkpoint, listing, ...patterns, compilation];
