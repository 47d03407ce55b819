import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { StdioTransport } from '../../src/mcp/stdio.ts';

/** Starts a transport between two streams. `messages` are the received ones, and `written` the sent lines. */
async function open() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport = new StdioTransport(input, output);
  const messages: unknown[] = [];
  transport.onmessage = message => messages.push(message);
  await transport.start();
  const turn = async (): Promise<void> => await new Promise(resolve => setImmediate(resolve));
  const written = (): unknown[] =>
    String(output.read() ?? '')
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line));
  return { input, transport, messages, written, turn };
}

const request = (id: number, params?: object): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping', params })}\n`;

test('the transport aborts all running requests when it is closed', async () => {
  const { input, transport, turn } = await open();
  input.write(request(1) + request(2));
  await turn();
  const signals = [1, 2].map(id => transport.signalOf(id));
  expect(signals.map(signal => signal.aborted)).toEqual([false, false]);
  let closed = 0;
  transport.onclose = () => closed++;
  await transport.close();
  await transport.closed;
  expect(signals.map(signal => signal.aborted)).toEqual([true, true]);
  expect([closed, transport.signalOf(1).aborted, input.isPaused()]).toEqual([1, true, true]);
});

test('the transport sends a response only for a running request, and requests and notifications always', async () => {
  const { input, transport, written, turn } = await open();
  input.write(request(1) + request(2));
  await turn();
  input.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}\n');
  await turn();
  const response = (id: number): { jsonrpc: '2.0'; id: number; result: Record<string, unknown> } => ({
    jsonrpc: '2.0',
    id,
    result: {},
  });
  for (const id of [1, 1, 2, 3]) await transport.send(response(id));
  await transport.send({ jsonrpc: '2.0', method: 'notifications/x' });
  await transport.send({ jsonrpc: '2.0', id: 9, method: 'ask' });
  expect(written()).toEqual([
    response(1),
    { jsonrpc: '2.0', method: 'notifications/x' },
    { jsonrpc: '2.0', id: 9, method: 'ask' },
  ]);
});

test('the transport closes after the response to the last running request when the input has ended', async () => {
  const { input, transport, turn, written } = await open();
  let closed = 0;
  transport.onclose = () => closed++;
  input.end(request(1) + request(2).trim());
  await turn();
  await turn();
  for (const [id, expected] of [
    [1, 0],
    [2, 1],
  ] as const) {
    await transport.send({ jsonrpc: '2.0', id, result: {} });
    expect(closed).toBe(expected);
  }
  expect(written()).toHaveLength(2);
});

test('the transport counts the bytes of each line on its own', async () => {
  const { input, messages, written, turn } = await open();
  const line = request(1)
    .trim()
    .padEnd(9 * 1024 * 1024);
  for (const id of [1, 2]) {
    input.write(`${line.replace('"id":1', `"id":${id}`)}\n`);
    await turn();
  }
  await turn();
  expect(messages).toMatchObject([{ id: 1 }, { id: 2 }]);
  expect(written()).toEqual([]);
});

test('the transport reads at most 32 lines before the event loop continues', async () => {
  const { input, transport, turn } = await open();
  const groups: number[] = [];
  let received = 0;
  transport.onmessage = () => {
    // This runs as soon as the event loop continues, with the number of lines that were read until then.
    if (received++ === (groups.at(-1) ?? 0)) setImmediate(() => groups.push(received));
  };
  input.write(Array.from({ length: 70 }, (_, id) => request(id)).join(''));
  for (let count = 0; count < 20; count++) await turn();
  expect(groups).toEqual([32, 64, 70]);
});

test('the transport removes a task from the parameters of a request, and keeps the others', async () => {
  const { input, messages, turn } = await open();
  input.write(request(1, { task: { ttl: 1 }, name: 'a' }) + request(2, { name: 'b' }));
  await turn();
  expect(messages).toEqual([
    { jsonrpc: '2.0', id: 1, method: 'ping', params: { name: 'a' } },
    { jsonrpc: '2.0', id: 2, method: 'ping', params: { name: 'b' } },
  ]);
});
