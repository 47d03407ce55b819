import { type Effort, measure } from './measure.ts';
import type { Reader } from './reader.ts';
import { unreadParts } from './unread.ts';

const efforts: Readonly<Record<string, Effort>> = {
  /** The sizes and repetitions for `npm test` detect quadratic readers within seconds, also on a busy machine. */
  quick: { maxBytes: 65_536, minCpuMs: 3, harmlessCpuMs: 8, maxGrowth: 3, attempts: 8, doublings: 2 },
  /** The sizes and repetitions for the table of `npm run fuzz -- pump`. */
  exact: { maxBytes: 262_144, minCpuMs: 6, harmlessCpuMs: 8, maxGrowth: 1.5, attempts: 8, doublings: 1 },
};

/** Prints JSON lines: first the readers without a case, then the measurement of each case. */
export async function runPump(readers: readonly Reader[]): Promise<void> {
  const [name = 'exact', filter = ''] = process.argv.slice(2);
  const effort = efforts[name];
  if (effort === undefined) throw new Error(`there is no effort ${name}`);
  print({ unread: filter === '' ? await unreadParts(readers, __filename) : [] });
  for (const reader of readers) {
    if (!reader.name.includes(filter)) continue;
    for (const pumped of reader.cases) {
      const measurement = await measure(reader, pumped, effort);
      print({ ...measurement, isLinear: measurement.growth <= effort.maxGrowth });
    }
  }
}

function print(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
