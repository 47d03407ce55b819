import { expect, test } from 'vitest';
import type { JournalSegmentReader } from '../../../src/toolsets/books/library/checkpoints.ts';
import { JournalAuditor } from '../../../src/toolsets/books/library/journal-auditor.ts';
import { JournalLineSplitter } from '../../../src/toolsets/books/library/journal-reader.ts';
import { firstChainHash, type JournalRecordDraft, JournalState } from '../../../src/toolsets/books/model/journal.ts';
import { JournalRecordChain } from '../../../src/toolsets/books/model/record-chain.ts';
import { sha256 } from './support/library.ts';

const draft: JournalRecordDraft = {
  kind: 'note',
  agent: 'ada',
  operation: 'read_content',
  path: '',
  user: '__base__',
  prev: null,
  new: null,
  status: 'success',
};
const chain = new JournalRecordChain({ state: new JournalState(), chain: firstChainHash }, 'graphs', 'fs', 1000);
chain.add(Array.from({ length: 5 }, () => draft));
const [a, b, c, d, e] = chain.lines.map(line => `${line}\n`);

type Segments = readonly (string | undefined)[];

/** Reads segments from memory, and records after which segments lines were requested. */
function readerOf(segments: Segments): JournalSegmentReader & { requested: number[] } {
  const requested: number[] = [];
  async function* lines(segment: number) {
    yield { segment, lines: new JournalLineSplitter().add(Buffer.from(segments[segment - 1] ?? '')) };
  }
  const none = async (): Promise<void> => {};
  return {
    requested,
    checkpoints: { numbers: async () => [], read: async () => undefined, save: none, deleteOld: none },
    segments: async () =>
      segments.flatMap((text, index) => (text === undefined ? [] : [{ number: index + 1, version: sha256(text) }])),
    lines,
    async *linesAfter(after) {
      requested.push(after);
      for (let segment = after + 1; segment <= segments.length; segment++)
        if (segments[segment - 1] !== undefined) yield* lines(segment);
    },
  };
}

const changed = (text = ''): string => text.replace('ada', 'bob');

test.each<[name: string, before: Segments, after: Segments, requested: number[], problems: number]>([
  ['nothing changed', [`${a}${b}`, c], [`${a}${b}`, c], [2], 0],
  ['a line was appended', [`${a}${b}`], [`${a}${b}${c}`], [0], 0],
  ['a segment was appended', [`${a}${b}`], [`${a}${b}`, `${c}${d}`], [1], 0],
  ['a line and a segment were appended', [a, `${b}${c}`], [a, `${b}${c}${d}`, e], [1], 0],
  ['the journal was empty', [], [`${a}${b}`], [0], 0],
  ['an invalid line was appended', [a, b], [a, `${b}x\n`], [1], 1],
  ['the last line was removed', [a, `${b}${c}`], [a, b], [1, 0], 0],
  ['a line of the last segment was changed', [a, `${b}${c}`], [a, `${changed(b)}${c}`], [1, 0], 1],
  ['the last line was changed', [a, `${b}${c}`], [a, `${b}${changed(c)}`], [1, 0], 0],
  ['a line of an earlier segment was changed', [a, b], [changed(a), b], [0], 1],
  ['the last segment was removed', [a, b], [a], [0], 0],
  ['an earlier segment was removed', [a, b, c], [undefined, b, c], [0], 2],
  ['all segments were removed', [a], [], [0], 0],
])(
  'a second verification reads only new lines unless verified ones changed: %s',
  async (_, before, after, requested, problems) => {
    const { signal } = new AbortController();
    const auditor = new JournalAuditor();
    expect(await auditor.run(readerOf(before), signal)).toEqual([]);
    const segments = readerOf(after);
    const found = await auditor.run(segments, signal);
    expect([segments.requested, found.length]).toEqual([requested, problems]);
    expect(found).toEqual(await new JournalAuditor().run(readerOf(after), signal));
    const again = readerOf(after);
    expect(await auditor.run(again, signal)).toEqual(found);
    expect(again.requested).toHaveLength(1);
  },
);
