// The loopback backend, a separate process. It serves GET /api/v1/problems/{source}/{kind}-{number}, where kind is
// small (5 KiB), large (200 KiB), late or slow (5 KiB after a delay) or hostile. It prints its origin as the first
// line.
import http from 'node:http';
import { hostileContent } from '../test/statement/hostile.mjs';
import { serialMark, sources, statement } from './statements.mjs';

/**
 * The delays of a slow and a late response in milliseconds. A late response simulates a backend at the other end of a
 * country.
 */
export const slowMs = 500;
export const lateMs = 60;
const delaysMs = { slow: slowMs, late: lateMs };

const statementsPerSize = 8;
const sizes = { small: 5 * 1024, large: 200 * 1024 };

if (import.meta.filename === process.argv[1]) serve();

function serve() {
  const bodies = prepareBodies();
  const server = http.createServer((request, response) => {
    const [, source, kind, number] = /^\/api\/v1\/problems\/(\w+)\/(\w+)-(\d+)$/.exec(request.url) ?? [];
    const answer = () => {
      const body = kind === 'hostile' ? hostileBody(number) : bodies[source]?.(kind, number);
      response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(body);
    };
    const delayMs = delaysMs[kind];
    if (delayMs === undefined) answer();
    else setTimeout(answer, delayMs);
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
  // The benchmark holds the other end of stdin, so that this process ends when the benchmark ends.
  process.stdin.on('end', () => process.exit()).resume();
}

/** All response bodies are prepared in advance, except for the number of the request. */
function prepareBodies() {
  return Object.fromEntries(
    sources.map(source => {
      const templates = Object.fromEntries(
        Object.entries(sizes).map(([kind, size]) => [
          kind,
          Array.from({ length: statementsPerSize }, (_, seed) =>
            JSON.stringify(record(source, serialMark, statement(source, size, seed))).split(serialMark),
          ),
        ]),
      );
      const body = (kind, number) =>
        templates[kind === 'large' ? 'large' : 'small'][Number(number) % statementsPerSize].join(number);
      return [source, body];
    }),
  );
}

function hostileBody(number) {
  return JSON.stringify(record('leetcode', number, hostileContent(Number(number))));
}

function record(source, number, content) {
  return {
    id: number,
    source,
    slug: `problem-${number}`,
    title: `Problem ${number}`,
    title_cn: null,
    difficulty: source === 'leetcode' ? 'Medium' : null,
    ac_rate: source === 'leetcode' ? 57.304_31 : null,
    rating: source === 'codeforces' ? 1900 : null,
    contest: null,
    problem_index: null,
    tags: ['array', 'hash-table', 'two-pointers'],
    link: `https://judge.example/problems/${number}`,
    category: null,
    paid_only: 0,
    content,
    content_cn: null,
    similar_questions: [],
  };
}
