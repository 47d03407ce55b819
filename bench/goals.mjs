// What the benchmark holds oj-mcp to.
import { floorName, ourName, referenceName } from './candidates.mjs';
import { quantile } from './sample.mjs';
import { figure } from './table.mjs';

/** Each goal with what was measured; `isMet` is undefined where something to compare with is missing. */
export function judgeGoals({ start, calls, hostile, bundleBytes }) {
  return [
    ...(start ?? []).flatMap(startGoals),
    ...(calls ? callGoals(calls) : []),
    ...(hostile ? hostileGoals(hostile) : []),
    atMost('size of the bundle, KB', bundleBytes / 1000, 480),
  ];
}

function startGoals({ version, startMs, residentMiB }) {
  const over = (columns, share) => difference(quantile(columns[ourName], share), quantile(columns[floorName], share));
  return [
    atMost(`start → initialize over the floor, p10, ms (Node ${version})`, over(startMs, 0.1), 12),
    atMost(`memory after initialize over the floor, MiB (Node ${version})`, over(residentMiB, 0.5), 6),
  ];
}

function callGoals(calls) {
  const { small, large, parallel } = calls[ourName];
  const reference = calls[referenceName];
  const median = values => quantile(values ?? [], 0.5);
  return [
    atMost(
      '5 KiB, p50 against the reference',
      ratio(median(small.latencyMs), median(reference?.small.latencyMs)),
      1.8,
      '×',
    ),
    atLeast(
      '5 KiB, 32 in flight, calls/s against the reference',
      ratio(median(parallel.callsPerSecond), median(reference?.parallel.callsPerSecond)),
      0.6,
      '×',
    ),
    atMost(
      '200 KiB, p50 against the reference',
      ratio(median(large.latencyMs), median(reference?.large.latencyMs)),
      1,
      '×',
    ),
  ];
}

function hostileGoals(hostile) {
  const ours = hostile.map(({ results }) => results[ourName]);
  const survived = ours.filter(({ isAlive }) => isAlive).length;
  return [
    atMost('longest block on hostile input, ms', Math.max(...ours.map(({ longestMs }) => longestMs)), 250),
    atMost(
      'most CPU of a call with hostile input, ms',
      Math.max(...ours.map(({ cpuMs }) => Math.max(...Object.values(cpuMs)))),
      500,
    ),
    atMost('most memory on hostile input, MiB', Math.max(...ours.map(({ peakMiB }) => peakMiB)), 200),
    {
      name: 'hostile inputs survived',
      limit: 'all',
      measured: `${survived} of ${ours.length}`,
      isMet: survived === ours.length,
    },
  ];
}

export function atMost(name, measured, limit, unit = '') {
  const isMet = measured === undefined ? undefined : measured <= limit;
  return { name, limit: `at most ${limit}${unit}`, measured: withUnit(measured, unit), isMet };
}

function atLeast(name, measured, limit, unit = '') {
  const isMet = measured === undefined ? undefined : measured >= limit;
  return { name, limit: `at least ${limit}${unit}`, measured: withUnit(measured, unit), isMet };
}

function withUnit(measured, unit) {
  return measured === undefined ? 'not measured' : `${figure(measured)}${unit}`;
}

function difference(value, base) {
  return value === undefined || base === undefined ? undefined : value - base;
}

export function ratio(value, base) {
  return value === undefined || base === undefined ? undefined : value / base;
}
