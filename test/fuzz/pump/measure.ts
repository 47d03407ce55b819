import type { PumpCase, Reader } from './reader.ts';

/** The CPU seconds per megabyte of repeated input, for n, 2n and 4n bytes. */
export interface Measurement {
  reader: string;
  case: string;
  /** n */
  bytes: number;
  perMegabyte: readonly number[];
  /** The last value divided by the first one. It is 1 for a reader in linear time and 4 for one in quadratic time. */
  growth: number;
}

export interface Effort {
  /** The size limit of an input. */
  maxBytes: number;
  /**
   * The size n is doubled until a run takes this time. In shorter runs the resolution of the clock and the compiler
   * have more effect than the reader.
   */
  minCpuMs: number;
  /** The maximum time that a reader may need for `maxBytes`. */
  harmlessCpuMs: number;
  /** Above this growth the measurement is repeated up to `attempts` times. */
  maxGrowth: number;
  attempts: number;
  /** After these attempts the sizes are doubled, at most this many times. */
  doublings: number;
}

/**
 * Measures the growth, and repeats the measurement at doubled sizes while the growth is too high. A quadratic reader grows
 * at every size, but a growth that comes from the compiler, the garbage collector or other processes disappears in longer
 * runs.
 */
export async function measure(reader: Reader, pumped: PumpCase, effort: Effort): Promise<Measurement> {
  let bytes = await startingSize(reader, pumped, effort);
  let measurement = await measureAt(bytes, reader, pumped, effort);
  for (let step = 0; step < effort.doublings && measurement.growth > effort.maxGrowth; step++) {
    bytes *= 2;
    measurement = await measureAt(bytes, reader, pumped, effort);
  }
  return measurement;
}

/**
 * Returns the minimum of several runs, because other processes and the garbage collector only increase the CPU time.
 */
async function measureAt(bytes: number, reader: Reader, pumped: PumpCase, effort: Effort): Promise<Measurement> {
  const sizes = [bytes, 2 * bytes, 4 * bytes];
  const inputs = sizes.map(size => pumped.content(size));
  const best = inputs.map(() => Number.POSITIVE_INFINITY);
  let growth = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < effort.attempts && growth > effort.maxGrowth; attempt++) {
    for (const [index, input] of inputs.entries()) {
      best[index] = Math.min(best[index] ?? 0, await cpuMs(reader, input));
    }
    const [first = 0, , last = 0] = best;
    growth = last <= effort.harmlessCpuMs ? 1 : last / 4 / Math.max(first, 0.1);
  }
  const perMegabyte = best.map((ms, index) => ms / 1000 / ((sizes[index] ?? 1) / 1e6));
  return { reader: reader.name, case: pumped.name, bytes, perMegabyte, growth };
}

async function startingSize(reader: Reader, pumped: PumpCase, { maxBytes, minCpuMs }: Effort): Promise<number> {
  for (let bytes = 1024; ; bytes *= 2) {
    if (4 * bytes >= maxBytes || (await warmCpuMs(reader, pumped.content(bytes))) >= minCpuMs) return bytes;
  }
}

/** Runs the reader twice and measures the second run, because the first one includes compilation. */
async function warmCpuMs(reader: Reader, input: Buffer): Promise<number> {
  return Math.min(await cpuMs(reader, input), await cpuMs(reader, input));
}

/** Returns the CPU time of the whole process, which includes decompression and garbage collection in other threads. */
async function cpuMs(reader: Reader, input: Buffer): Promise<number> {
  const before = process.cpuUsage();
  await reader.read(input);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
