// Formats the results as Markdown, for the terminal and for the docs.
import os from 'node:os';
import { shares } from '../test/statement/hostile.mjs';
import { lateMs, slowMs } from './backend.mjs';
import { floorName, referenceName } from './candidates.mjs';
import { judgeGoals, latencyOf, rateOf, ratio } from './goals.mjs';
import { burst, earlyCalls, largeBurst, longRun } from './phases/calls.mjs';
import { limitMs } from './phases/hostile.mjs';
import { quantile } from './sample.mjs';
import { figure, table } from './table.mjs';

/** Returns all results in the form for the terminal. */
export function report(results) {
  const parts = summaryParts(results);
  if (results.hostile) parts.push('## Hostile input', hostileText(), hostileTable(results));
  return `${parts.join('\n\n')}\n`;
}

/** Returns the summary for users, which is part of the documentation. */
export function summary(results) {
  const more = '`npm run bench -- --only hostile` prints the cost of each hostile page and the servers that it ends.';
  return `${[...summaryParts(results), '## Hostile input', more].join('\n\n')}\n`;
}

function summaryParts(results) {
  const { start, first, calls } = results;
  const parts = ['# Benchmark', introduction(results), '## Goals', goalTable(results)];
  if (start) parts.push('## Start', startTable(results));
  if (first) parts.push('## First call', firstTable(results));
  if (calls) parts.push('## Calls', callText(), callTable(results));
  return parts;
}

function introduction({ rounds, date, loadBefore }) {
  const [{ model }] = os.cpus();
  const memoryGiB = Math.round(os.totalmem() / 2 ** 30);
  return [
    'Written by `npm run bench -- --write`. All candidates take turns in one run on one machine, so read the columns',
    'against each other rather than as absolute figures. Every server talks MCP over stdio to the same small client; the',
    'judges among them ask the same backend on the loopback interface, and no statement is sent to one of them twice.',
    `*${floorName}* is the floor: a script that answers with constants and asks no backend.`,
    '',
    `Measured on ${date}: ${os.cpus().length} × ${model}, ${memoryGiB} GiB, ${os.type()} ${os.release().split('-')[0]};`,
    `${rounds.start} starts and first calls, ${rounds.calls} rounds of calls, ${rounds.hostile} of hostile input; load of the`,
    `machine before the run: ${figure(loadBefore)}.`,
  ].join('\n');
}

function goalTable(results) {
  const verdict = isMet => (isMet === undefined ? '' : isMet ? 'yes' : '**no**');
  return table(
    ['goal', 'wanted', 'measured', 'met'],
    judgeGoals(results).map(({ name, limit, measured, isMet }) => [name, limit, measured, verdict(isMet)]),
  );
}

function startTable({ start, candidates }) {
  const names = candidates.map(({ name }) => name);
  return table(
    ['', ...names],
    start.flatMap(({ version, startMs, residentMiB }) => {
      const floorMs = quantile(startMs[floorName], 0.1);
      return [
        [`Node ${version}: start → initialize, p10, ms`, ...names.map(name => figure(quantile(startMs[name], 0.1)))],
        ['– over the floor', ...names.map(name => figure(quantile(startMs[name], 0.1) - floorMs))],
        ['– p50 / p95', ...names.map(name => quantiles(startMs[name]))],
        ['– memory after initialize, MiB', ...names.map(name => figure(quantile(residentMiB[name], 0.5)))],
      ];
    }),
  );
}

function firstTable({ first }) {
  const names = Object.keys(first[0].small);
  const row = (label, values) => [label, ...names.map(name => quantiles(values[name]))];
  return table(
    ['', ...names],
    first.flatMap(({ version, small, late }) => [
      row(`Node ${version}: first call, p50 / p95, ms`, small),
      row(`– of a backend that takes ${lateMs} ms`, late),
    ]),
  );
}

function callText() {
  return [
    "Statements are HTML in the manner of LeetCode, Codeforces and AtCoder. CPU time is the server's own, all threads",
    'together. Ratios are to the reference.',
  ].join('\n');
}

function callTable({ calls }) {
  const names = Object.keys(calls[0].figures);
  return table(['', ...names], calls.flatMap(callRows));
}

function callRows({ version, figures }) {
  const columns = Object.values(figures);
  const row = (label, show) => [label, ...columns.map(show)];
  const cpu = load => row('– CPU per call, ms', column => figure(mean(column[load].cpuMsPerCall)));
  const against = pick =>
    row('– ratio', column => {
      if (column === figures[floorName] || figures[referenceName] === undefined) return '';
      return `${figure(ratio(quantile(pick(column), 0.5), quantile(pick(figures[referenceName]), 0.5)))}×`;
    });
  const latency = (label, load) => [
    row(`${label}, p50 / p95, ms`, column => quantiles(column[load].latencyMs)),
    against(latencyOf(load)),
    cpu(load),
  ];
  const rate = (label, load, { width, count }) => [
    row(`${label}, ${count.toLocaleString('en')} calls, ${width} in flight, calls/s`, column =>
      figure(quantile(column[load].callsPerSecond, 0.5)),
    ),
    against(rateOf(load)),
    cpu(load),
  ];
  return [
    ...latency(`Node ${version}: 5 KiB, the first ${earlyCalls} calls one after another`, 'early'),
    ...latency('5 KiB later, one after another', 'small'),
    ...rate('5 KiB', 'burst', burst),
    ...rate('5 KiB', 'longRun', longRun),
    ...latency('200 KiB, one after another', 'large'),
    ...rate('200 KiB', 'largeBurst', largeBurst),
    row(`50 calls at once, each answered after ${slowMs} ms: until the last, ms`, ({ slowMs: ms }) =>
      figure(quantile(ms, 0.5)),
    ),
    row(`memory after ${earlyCalls} calls of 5 KiB, MiB`, column => figure(column.residentAfterEarlyMiB)),
    row('memory after all calls / at most, MiB', column =>
      [column.residentAtEndMiB, column.peakMiB].map(figure).join(' / '),
    ),
  ];
}

function hostileText() {
  return [
    'Each content fills up to 256, 512 and 1,024 KiB on the wire. While the call runs the server gets a `ping` every 20 ms;',
    'the block is the longest time one of them waited, to 20 ms. CPU is that of the whole process for each of the sizes, to',
    `10 ms. A server without an answer after ${limitMs / 1000} s is stopped, and one that is gone is started again for the next line.`,
  ].join('\n');
}

function hostileTable({ hostile, attacked }) {
  const names = attacked.map(({ name }) => name);
  return table(
    ['content', ...names.flatMap(name => [`${name}: block / call, ms`, 'CPU, ms', 'answer', 'alive'])],
    hostile.map(({ name, results }) => [
      shown(name),
      ...names.flatMap(candidate => {
        const { longestMs, totalMs, cpuMs, answer, isAlive } = results[candidate];
        return [
          `${thousands(longestMs)} / ${thousands(totalMs)}`,
          shares.map(share => thousands(cpuMs[share])).join(' / '),
          shown(answer.slice(0, 60)),
          isAlive ? 'yes' : '**no**',
        ];
      }),
    ]),
  );
}

/** Escapes the Markdown characters in a name. */
function shown(text) {
  return text.replace(/[\\`*_[\]<$~]/g, String.raw`\$&`);
}

function thousands(ms) {
  return Math.round(ms).toLocaleString('en');
}

function quantiles(values) {
  return `${figure(quantile(values, 0.5))} / ${figure(quantile(values, 0.95))}`;
}

function mean(values) {
  return values.includes(undefined) ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}
