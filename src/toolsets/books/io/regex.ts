import { splitLines } from '../model/lines.ts';
import { refusal } from '../model/refusal.ts';

/** For patterns that need backtracking: what they may take for a whole search. */
const workerDeadlineMs = 2000;

/** Finds the lines that match; numbers start at 0. `undefined` means that it took too long, and that is the end. */
export interface LineFinder {
  find(text: string, limit: number): Promise<{ index: number; line: string }[] | undefined>;
  close(): Promise<void>;
}

/** Words and alternatives of words: no engine is faster at them than the platform's, and none of them can explode. */
const plainWords = /^(\(\?i\))?([^\\^$.?*+()[\]{}\n\r]{1,100})$/;

function createWordFinder(words: string, flags: string): LineFinder {
  const regex = new RegExp(words, flags);
  return {
    find: async (text, limit) => (regex.test(text) ? linesThat(line => regex.test(line), text, limit) : []),
    close: async () => {},
  };
}

function linesThat(isMatch: (line: string) => boolean, text: string, limit: number): { index: number; line: string }[] {
  const found: { index: number; line: string }[] = [];
  for (const [index, line] of splitLines(text).entries()) {
    if (!isMatch(line)) continue;
    found.push({ index, line });
    if (found.length === limit) break;
  }
  return found;
}

/** Linear time where the pattern allows it; otherwise a thread of its own that can be stopped. */
export async function createLineFinder(pattern: string): Promise<LineFinder> {
  const words = plainWords.exec(pattern);
  if (words !== null) return createWordFinder(words[2] ?? '', words[1] === undefined ? 'u' : 'iu');
  const { RE2JS } = await import('re2js');
  let linear: { test(line: string): boolean };
  try {
    linear = RE2JS.compile(pattern.replace(/\\(.)/gs, escape => (escape === '\\Z' ? '\\z' : escape)));
  } catch (error) {
    return createWorkerFinder(pattern, error);
  }
  return {
    find: async (text, limit) => linesThat(line => linear.test(line), text, limit),
    close: async () => {},
  };
}

/** Lookaround and backreferences: the platform knows them, and may take for ever over them. */
async function createWorkerFinder(pattern: string, cause: unknown): Promise<LineFinder> {
  const { source, flags } = platformDialect(pattern);
  try {
    RegExp(source, flags);
  } catch {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw refusal('ValidationError', `invalid_regex: "pattern" is not a regular expression: ${reason}`, {
      suggestion: 'RE2 syntax, as in Go; lookaround and backreferences as in JavaScript.',
    });
  }
  const { Worker } = await import('node:worker_threads');
  const worker = new Worker(workerCode, {
    eval: true,
    workerData: { source, flags },
    resourceLimits: { maxOldGenerationSizeMb: 128 },
    stdout: true,
    stderr: true,
  });
  worker.unref();
  let answer: (indexes: number[] | undefined) => void = () => {};
  let remainingMs = workerDeadlineMs;
  worker.on('message', (message: unknown) => answer(Array.isArray(message) ? message.map(Number) : undefined));
  worker.on('error', () => {
    remainingMs = 0;
    answer(undefined);
  });
  return {
    find: async (text, limit) => {
      if (remainingMs <= 0) return undefined;
      const lines = splitLines(text);
      const started = performance.now();
      const indexes = await new Promise<number[] | undefined>(resolve => {
        const timer = setTimeout(() => answer(undefined), remainingMs);
        answer = found => {
          clearTimeout(timer);
          resolve(found);
        };
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
        worker.postMessage({ lines, limit });
      });
      remainingMs = indexes === undefined ? 0 : remainingMs - (performance.now() - started);
      return indexes?.map(index => ({ index, line: lines[index] ?? '' }));
    },
    close: async () => {
      await worker.terminate();
    },
  };
}

/** Anchors the platform does not have; a line is all there is, so they mean the same. */
const anchors: Readonly<Record<string, string>> = { A: '^', Z: '$', z: '$' };

/** What RE2 and Python write differently. */
function platformDialect(pattern: string): { source: string; flags: string } {
  const inline = /^\(\?([ims]+)\)/.exec(pattern);
  const flags = [...new Set(inline?.[1] ?? '')].join('');
  const source = pattern
    .slice(inline?.[0].length ?? 0)
    .replaceAll('(?P<', '(?<')
    .replace(/\(\?P=(\w+)\)/g, '\\k<$1>')
    .replace(/\\(.)/gs, (escape, letter: string) => anchors[letter] ?? escape);
  return { source, flags };
}

const workerCode = `
const { parentPort, workerData } = require('node:worker_threads');
const pattern = new RegExp(workerData.source, workerData.flags);
parentPort.on('message', ({ lines, limit }) => {
  const found = [];
  for (let index = 0; index < lines.length && found.length < limit; index++) if (pattern.test(lines[index])) found.push(index);
  parentPort.postMessage(found);
});
`;
