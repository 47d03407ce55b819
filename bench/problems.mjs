// Measures --problems: node bench/problems.mjs [--node NODE] PATH...: start, first problem, list, searches and memory
// per path.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openServer, textOf } from './client.mjs';
import { peakMiB, residentMiB } from './process-stats.mjs';
import { table } from './table.mjs';

const bundle = path.join(import.meta.dirname, '../dist/oj-mcp.cjs');
const queries = [
  'shortest path in a grid with obstacles',
  'longest increasing subsequence',
  '二分图最大匹配',
  'palindrome',
];
const { values, positionals } = parseArgs({
  options: { node: { type: 'string', default: process.execPath } },
  allowPositionals: true,
});

const rows = [];
for (const file of positionals) rows.push(await measure(path.resolve(file)));
console.log(
  table(['path', 'problems', 'start', 'first', 'list', 'first search', 'search', 'similar', 'RSS', 'peak'], rows),
);

async function measure(file) {
  const server = openServer([values.node, '--no-warnings', bundle, '--problems', file, '--oj-extras']);
  const { receivedAt } = await server.initialize();
  const start = receivedAt - server.startedAt;
  const startMiB = residentMiB(server.pid);
  const call = async (name, args) => {
    const response = await server.request('tools/call', { name, arguments: args });
    return { text: textOf(response), ms: response.receivedAt - response.sentAt };
  };
  const status = (await call('get_platform_status', {})).text;
  const counts = [...status.matchAll(/^\| (\S+) \| ([\d,]+) \|/gm)].map(([, source, count]) => [
    source,
    Number(count.replaceAll(',', '')),
  ]);
  const [[source]] = counts;
  const list = await call('list_problems', { source });
  const id = /^\| (?!ID)([^|-][^|]*) \|/m.exec(list.text)[1].replaceAll('\\|', '|');
  const first = await call('get_problem', { source, id });
  const searches = [];
  for (const query of [...queries, ...queries, ...queries])
    searches.push((await call('find_similar_problems', { query })).ms);
  const similar = [];
  for (let round = 0; round < 5; round++) similar.push((await call('find_similar_problems', { source, id })).ms);
  const row = [
    path.basename(file),
    counts.reduce((sum, [, count]) => sum + count, 0),
    milliseconds(start),
    milliseconds(first.ms),
    milliseconds(list.ms),
    milliseconds(searches[0]),
    milliseconds(median(searches.slice(1))),
    milliseconds(median(similar)),
    `${Math.round(startMiB)}–${Math.round(residentMiB(server.pid))} MiB`,
    `${Math.round(peakMiB(server.pid))} MiB`,
  ];
  await server.close();
  return row;
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

function milliseconds(number) {
  return `${number.toFixed(1)} ms`;
}
