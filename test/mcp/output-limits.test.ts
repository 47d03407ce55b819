import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { OutputWriter } from '../../src/mcp/output.ts';

const mebibyte = 1024 * 1024;

/** Creates an output whose stream accepts one write for each call of `acceptNext`. */
function createOutput() {
  const events: string[] = [];
  const lengths: number[] = [];
  const pending: (() => void)[] = [];
  const stream = new Writable({
    highWaterMark: 1,
    write(chunk: Buffer, _, callback) {
      lengths.push(chunk.length);
      pending.push(callback);
    },
  });
  const output = new OutputWriter(
    stream,
    () => events.push('full'),
    () => events.push('drained'),
  );
  const acceptNext = async (): Promise<void> => {
    pending.shift()?.();
    await new Promise(resolve => setImmediate(resolve));
  };
  return { output, events, lengths, acceptNext, stream };
}

test('OutputWriter is full with more than 16 MiB, which include the bytes that the stream has not accepted', () => {
  const { output, events } = createOutput();
  output.write(Buffer.alloc(10));
  output.write(Buffer.alloc(16 * mebibyte - 10));
  expect([output.isFull, events]).toEqual([false, []]);
  output.write(Buffer.alloc(1));
  expect([output.isFull, events]).toEqual([true, ['full']]);
  output.write(Buffer.alloc(1));
  expect(events).toEqual(['full']);
});

test.each([
  [0, ['full', 'drained']],
  [1, ['full']],
])('OutputWriter resumes at 4 MiB of unsent bytes, and not with %d more', async (more, expected) => {
  const { output, events, acceptNext } = createOutput();
  output.write(Buffer.alloc(10));
  output.write(Buffer.alloc(13 * mebibyte));
  output.write(Buffer.alloc(4 * mebibyte + more));
  expect(events).toEqual(['full']);
  await acceptNext();
  expect(events).toEqual(['full']);
  await acceptNext();
  expect(events).toEqual(expected);
  await acceptNext();
  expect(events).toEqual(['full', 'drained']);
  expect(output.isFull).toBe(false);
});

test('OutputWriter joins waiting lines up to 256 KiB, and a longer line is written alone', async () => {
  const { output, lengths, acceptNext } = createOutput();
  const block = 256 * 1024;
  for (const length of [10, block - 100, 100, 1, block, 5, block + 1, 7, 8]) output.write(Buffer.alloc(length));
  expect(lengths).toEqual([10]);
  for (let count = 0; count < 9; count++) await acceptNext();
  expect(lengths).toEqual([10, block, 1, block, 5, block + 1, 15]);
});

test('OutputWriter counts no flushed bytes twice, and writes nothing to a closed stream', async () => {
  const { output, events, lengths, stream } = createOutput();
  output.write(Buffer.alloc(10));
  output.write(Buffer.alloc(9 * mebibyte));
  output.flush();
  output.write(Buffer.alloc(6 * mebibyte));
  expect(events).toEqual([]);
  stream.destroy();
  output.write(Buffer.alloc(17 * mebibyte));
  expect([events, lengths]).toEqual([[], [10]]);
});
