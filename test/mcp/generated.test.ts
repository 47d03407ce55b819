import { expect, test } from 'vitest';
import {
  getClientName,
  isStatelessRequest,
  ProtocolError,
  readInitializeRequest,
  readMessage,
} from '../../src/mcp/protocol.ts';
import { type Generator, listGenerated } from '../support/generator.ts';

const vendor = 'io.modelcontextprotocol';
const none = undefined;

/** Unlike `Generator.pick`, also chooses null. */
function choose(random: Generator, items: readonly unknown[]): unknown {
  return items[random.below(items.length)];
}

/** Returns an object without its undefined values, because a client cannot send them. */
function sent(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function clientInfo(random: Generator): unknown {
  const info = {
    name: choose(random, ['host', 'host', 'host', none, 5]),
    version: choose(random, ['1', '1', none, 2]),
  };
  return choose(random, [sent(info), sent(info), sent(info), none, null, 'host', []]);
}

function metadata(random: Generator): unknown {
  const meta = sent({
    progressToken: choose(random, [none, none, none, 0, 'token', null, 1.5, true, {}]),
    [`${vendor}/related-task`]: choose(random, [none, none, none, none, { taskId: 'x' }, { taskId: 1 }, {}, null, 'x']),
    [`${vendor}/protocolVersion`]: choose(random, [none, '2026-07-28', '2026-07-28', '2025-11-25', null, 7, {}]),
    [`${vendor}/clientCapabilities`]: choose(random, [none, {}, {}, null, 'all']),
    [`${vendor}/clientInfo`]: clientInfo(random),
  });
  return choose(random, [none, none, meta, meta, meta, meta, null, [], 'text']);
}

function parameters(random: Generator): unknown {
  const params = sent({
    _meta: metadata(random),
    name: choose(random, [none, 'tool', null]),
    protocolVersion: choose(random, ['2025-06-18', '2025-06-18', none, 3]),
    capabilities: choose(random, [{}, {}, none, 'none']),
    clientInfo: clientInfo(random),
  });
  return choose(random, [params, params, params, params, params, none, null, [], 'text', 0]);
}

function message(random: Generator): unknown {
  const fields = {
    jsonrpc: choose(random, ['2.0', '2.0', '2.0', '2.0', '2.0', '2.0', '1.0', none, 2]),
    id: choose(random, [none, 0, 7, 'id', '', null, 1.5, 2 ** 53, true, {}]),
    method: choose(random, ['ping', 'ping', 'ping', 'ping', none, none, null, 5, '']),
    params: parameters(random),
    result: choose(random, [none, none, none, {}, null]),
    error: choose(random, [none, none, none, { code: 1 }, null]),
  };
  const value = sent(fields);
  return choose(random, [value, value, value, value, value, value, value, value, [value], 'text', null]);
}

function outcomeOf(run: () => unknown): unknown {
  try {
    return run() ?? 'undefined';
  } catch (error) {
    if (error instanceof ProtocolError) return [error.code, error.message, error.data];
    throw error;
  }
}

/** Lists the validated message, and the parts of its parameters that the server reads. */
function listMessage(value: unknown): unknown {
  const read = readMessage(value);
  if (read.kind === 'fault') return ['fault', read.id, read.error.name, read.error.code, read.error.message];
  if (!('params' in read)) return read;
  const { params } = read;
  const parts = [isStatelessRequest, getClientName, readInitializeRequest].map(part => outcomeOf(() => part(params)));
  return [read, ...parts];
}

test('the approved file lists the validated form of generated messages', async () => {
  const list = listGenerated(message, listMessage, { shown: 60, blocks: 12 });
  await expect(list).toMatchFileSnapshot('approved/generated-messages.txt');
});
