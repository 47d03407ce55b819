// This module runs the converters: MCP servers with a loopback backend, and turndown with its defaults.
import http from 'node:http';
import TurndownService from 'turndown';
import { openServer, textOf } from '../../../bench/client.mjs';
import { cpuMs } from '../../../bench/process-stats.mjs';
import { startBackend as startCheckout } from '../../../bench/real-backend/start.mjs';

/** The URL of the statement, against which relative addresses are resolved. */
export const base = 'https://judge.example/problems/1';

const callsInFlight = 16;

/** The separator between the header and the statement in the result of `get_problem`. */
const headerEnd = '\n---\n\n';

/** The text that replaces an empty statement. */
const emptyStatement = 'No description available.';

/** Starts a backend that serves the statement that was last stored under a number. */
export async function startBackend() {
  const statements = new Map();
  const server = http.createServer((request, response) => {
    const content = statements.get(/(\d+)$/.exec(request.url)?.[1]);
    response.writeHead(content === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(content === undefined ? '{}' : JSON.stringify(record(content)));
  });
  server.keepAliveTimeout = 60_000;
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    put: (number, content) => statements.set(String(number), content),
    clear: () => statements.clear(),
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Starts a built oj-api-rs as the backend and stores the statements in its database. */
export async function startRealBackend(checkout) {
  const backend = await startCheckout(checkout);
  await backend.setAuth(false);
  return {
    origin: backend.origin,
    put: async (number, content) => await backend.setProblem({ ...record(content), id: String(number) }),
    clear: () => {},
    stop: backend.close,
  };
}

function record(content) {
  const unknown = { title_cn: null, difficulty: null, ac_rate: null, rating: null, contest: null, problem_index: null };
  return {
    id: '1',
    source: 'leetcode',
    slug: 'statement',
    title: 'Statement',
    ...unknown,
    tags: [],
    link: base,
    category: null,
    paid_only: 0,
    content,
    content_cn: null,
    similar_questions: [],
  };
}

/** Starts an MCP server. `convert` returns the Markdown or an Error for each statement. */
export async function openJudge({ name, command }, backend) {
  const server = openServer(command(process.execPath, backend.origin));
  await server.initialize();
  return {
    name,
    async convert(statements) {
      await inFlight(statements.length, async index => await backend.put(index, statements[index]));
      const before = cpuMs(server.pid);
      const answers = await inFlight(statements.length, index =>
        statementOf(server.getProblem('leetcode', String(index))),
      );
      backend.clear();
      return { answers, cpuMs: before === undefined ? undefined : cpuMs(server.pid) - before };
    },
    close: () => server.close(),
  };
}

async function statementOf(call) {
  try {
    const text = textOf(await call);
    const statement = text.slice(text.indexOf(headerEnd) + headerEnd.length);
    return statement === emptyStatement ? '' : statement;
  } catch (error) {
    return error;
  }
}

async function inFlight(count, run) {
  const results = [];
  let next = 0;
  const work = async () => {
    while (next < count) {
      const index = next++;
      results[index] = await run(index);
    }
  };
  await Promise.all(Array.from({ length: callsInFlight }, work));
  return results;
}

/** Converts with turndown and its default options. */
export function openTurndown() {
  const service = new TurndownService();
  return {
    name: 'turndown',
    async convert(statements) {
      const before = process.cpuUsage();
      const answers = statements.map(statement => {
        try {
          return service.turndown(statement);
        } catch (error) {
          return error;
        }
      });
      const { user, system } = process.cpuUsage(before);
      return { answers, cpuMs: (user + system) / 1000 };
    },
    close: async () => {},
  };
}
