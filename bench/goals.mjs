// The performance goals of oj-mcp.
import { lateMs } from './backend.mjs';
import { allName, floorName, ourName, referenceName } from './candidates.mjs';
import { quantile } from './sample.mjs';
import { figure } from './table.mjs';

/** Returns each goal with its measured value. `isMet` is undefined if the value for the comparison is missing. */
export function judgeGoals({ start, first, calls, hostile, bundleBytes }) {
  return [
    ...(start ?? []).flatMap(startGoals),
    ...(first ?? []).flatMap(firstGoals),
    ...(calls ?? []).flatMap(callGoals),
    ...(hostile ? hostileGoals(hostile) : []),
    atMost('size of the bundle, KB', bundleBytes / 1000, 480),
  ];
}

function startGoals({ version, startMs, residentMiB }) {
  const over = (columns, name, share) =>
    difference(quantile(columns[name], share), quantile(columns[floorName], share));
  return [
    atMost(`Node ${version}: start → initialize over the floor, p10, ms`, over(startMs, ourName, 0.1), 12),
    atMost(`Node ${version}: the same with --toolsets all`, over(startMs, allName, 0.1), 20),
    atMost(`Node ${version}: memory after initialize over the floor, MiB`, over(residentMiB, ourName, 0.5), 6),
  ];
}

function firstGoals({ version, small, late }) {
  const far = difference(quantile(late[ourName], 0.1), lateMs);
  return [
    atMost(`Node ${version}: first call, p10, ms over the ${lateMs} ms of a far backend`, far, 15),
    atMost(`Node ${version}: first call, p10, ms`, quantile(small[ourName], 0.1), 24),
  ];
}

function callGoals({ version, figures }) {
  const ours = figures[ourName];
  const reference = figures[referenceName];
  const against = pick => ratio(median(pick(ours)), reference && median(pick(reference)));
  const named = figureName => `Node ${version}: ${figureName} the reference`;
  return [
    atMost(named('5 KiB from the first call, p50 against'), against(latencyOf('early')), 1.8, '×'),
    atMost(named('5 KiB later, p50 against'), against(latencyOf('small')), 1.5, '×'),
    atLeast(named('5 KiB, 32 in flight, 2,000 calls, calls/s against'), against(rateOf('burst')), 0.6, '×'),
    atLeast(named('5 KiB, 32 in flight, 20,000 calls, calls/s against'), against(rateOf('longRun')), 0.8, '×'),
    atMost(named('200 KiB, p50 against'), against(latencyOf('large')), 1, '×'),
    atLeast(named('200 KiB, 8 in flight, calls/s against'), against(rateOf('largeBurst')), 0.8, '×'),
    atMost(`Node ${version}: memory after 500 calls, MiB`, ours.residentAfterEarlyMiB, 66),
  ];
}

function median(values) {
  return quantile(values, 0.5);
}

export function latencyOf(load) {
  return figures => figures[load].latencyMs;
}

export function rateOf(load) {
  return figures => figures[load].callsPerSecond;
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
