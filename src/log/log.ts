import { createConsola, LogLevels } from 'consola/core';
import type { RedactFunction } from './redact.ts';
import { writeToStderr } from './stderr.ts';

export type EventLog = Record<'error' | 'warn' | 'info' | 'debug' | 'trace', (...words: unknown[]) => void>;

const levels: Record<string, number> = {
  off: LogLevels.silent,
  error: LogLevels.error,
  warn: LogLevels.warn,
  info: LogLevels.info,
  debug: LogLevels.debug,
  trace: LogLevels.trace,
};

/** Writes one line for each event to stderr, because stdout is reserved for the protocol. */
export function createLog(level: number, redact: RedactFunction): EventLog {
  return createConsola({
    level,
    throttle: 0,
    reporters: [
      {
        log({ date, type, args }) {
          const text = args.map(arg => (arg instanceof Error ? (arg.stack ?? arg.message) : String(arg))).join(' ');
          writeToStderr(`${formatUtc(date)} ${type.toUpperCase().padEnd(5)} oj-mcp: ${redact(text)}`);
        },
      },
    ],
  });
}

/**
 * Formats a date like `toISOString`, but does not load the time zone of the system, which takes 0.7 MiB at every start
 * and reads all zone files if the zone has no name.
 */
export function formatUtc(date: Date): string {
  const day = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
  const time = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()];
  const [days, seconds] = [day.map(twoDigits).join('-'), time.map(twoDigits).join(':')];
  return `${days}T${seconds}.${String(date.getUTCMilliseconds()).padStart(3, '0')}Z`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

/**
 * Parses a log level such as `debug`, or a list such as `warn,oj_mcp=trace`. Ignores the levels of other programs and
 * unknown words.
 */
export function parseLogLevel(spec: string | undefined): number {
  let general: number | undefined;
  let own: number | undefined;
  for (const item of (spec ?? '').toLowerCase().split(',')) {
    const [target = '', level] = item.split('=').map(part => part.trim());
    if (level === undefined) general = levels[target] ?? general;
    else if (/^oj[-_]mcp/.test(target)) own = levels[level] ?? own;
  }
  return own ?? general ?? LogLevels.info;
}

export const logLevelNames: readonly string[] = Object.keys(levels);

/** Returns the words of a log setting that are not a log level. */
export function findUnknownLogLevels(spec = ''): string[] {
  const words = spec.split(',').map(item => item.split('=').at(-1)?.trim() ?? '');
  return words.filter(word => word !== '' && !Object.hasOwn(levels, word.toLowerCase()));
}
