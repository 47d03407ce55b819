import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { OutputWriter } from '../../src/mcp/output.ts';
import { sampleToolset } from '../support/sample-toolset.ts';
import { modernMeta, startServer } from '../support/wire.ts';

const mebibyte = 1024 * 1024;

/** Creates a stream that accepts a write only when the test reads from it. */
function createSlowStream() {
  const received: Buffer[] = [];
  let acknowledge: (() => void) | undefined;
  const stream = new Writable({
    highWaterMark: 16_384, // the default differs between Node versions
    write(chunk: Buffer, _, callback) {
      received.push(chunk);
      acknowledge = callback;
    },
  });
  /** Accepts writes until no write is pending, and returns their text. */
  const readAll = async (): Promise<string> => {
    for (;;) {
      const next = acknowledge;
      acknowledge = undefined;
      next?.();
      await new Promise(resolve => setImmediate(resolve));
      if (acknowledge === undefined) return Buffer.concat(received).toString('utf8');
    }
  };
  return { stream, readAll, writes: () => received.length };
}

test('OutputWriter reports when more than 16 MiB are waiting and when they are written, and keeps the order of lines', async () => {
  const { stream, readAll } = createSlowStream();
  const events: string[] = [];
  const output = new OutputWriter(
    stream,
    () => events.push('full'),
    () => events.push('drained'),
  );
  const lines = Array.from({ length: 40 }, (_, index) => `${String(index).padEnd(mebibyte - 1)}\n`);
  for (const [index, line] of lines.entries()) {
    output.write(Buffer.from(line));
    expect(output.isFull).toBe(index >= 16);
  }
  expect(events).toEqual(['full']);
  expect(await readAll()).toBe(lines.join(''));
  expect(events).toEqual(['full', 'drained']);
  expect(output.isFull).toBe(false);
});

test('OutputWriter joins short waiting lines into fewer writes', async () => {
  const { stream, readAll, writes } = createSlowStream();
  const output = new OutputWriter(
    stream,
    () => {},
    () => {},
  );
  const line = `${'x'.repeat(39)}\n`;
  for (let count = 0; count < 50_000; count++) output.write(Buffer.from(line));
  expect((await readAll()).length).toBe(2_000_000);
  expect(writes()).toBeLessThan(1000);
});

test('OutputWriter.flush passes all waiting lines to the stream immediately', async () => {
  const { stream, readAll } = createSlowStream();
  const output = new OutputWriter(
    stream,
    () => {},
    () => {},
  );
  const lines = Array.from({ length: 2000 }, (_, index) => `${String(index).padEnd(99)}\n`);
  for (const line of lines) output.write(Buffer.from(line));
  output.flush();
  expect(await readAll()).toBe(lines.join(''));
});

test('the server stops reading requests while the client does not read, and answers all of them afterwards', async () => {
  const { input, output } = startServer({ toolsets: [sampleToolset()] });
  const count = 400;
  const text = 'x'.repeat(100_000); // the tool `count` returns the text twice
  const requests = Array.from({ length: count }, (_, id) => {
    const params = { name: 'count', arguments: { text }, _meta: modernMeta };
    return `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`;
  });
  for (const request of requests) {
    input.write(request);
    await new Promise(resolve => setImmediate(resolve));
  }
  await expect.poll(() => input.isPaused()).toBe(true);
  expect(input.readableLength + input.writableLength).toBeGreaterThan(10 * mebibyte);
  let lines = 0;
  for await (const chunk of output) {
    lines += String(chunk).split('\n').length - 1;
    if (lines === count) break;
  }
  expect(lines).toBe(count);
});
