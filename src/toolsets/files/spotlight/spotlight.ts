import { spawn } from 'node:child_process';
import path from 'node:path';
import { skipReasonOfName } from '../access/skip.ts';

/** The search index of macOS. The index may be outdated, so that the caller tests each file that it returns. */
export interface Spotlight {
  /** Returns the paths that mdfind prints, or undefined if it fails or exceeds its timeout. */
  find(
    query: string,
    scope: string,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<{ paths: string[]; isCut: boolean } | undefined>;
  /** Returns the property list of a file, which the program mdls prints. */
  describe(file: string, timeoutMs: number, signal: AbortSignal): Promise<string | undefined>;
}

const maxFindBytes = 16 * 1024 * 1024;
const maxDescribeBytes = 4 * 1024 * 1024;

export function createSpotlight(mdfind: string, mdls: string): Spotlight {
  return {
    async find(query, scope, timeoutMs, signal) {
      const output = await run(mdfind, ['-0', '-onlyin', scope, query], maxFindBytes, timeoutMs, signal);
      if (output === undefined) return undefined;
      // The last path of the output is dropped, because the text after the last NUL is incomplete.
      const paths = output.bytes.toString('utf8').split('\0').slice(0, -1);
      return { paths: [...new Set(paths)].filter(file => isVisibleBelow(file, scope)), isCut: output.isCut };
    },
    async describe(file, timeoutMs, signal) {
      const output = await run(mdls, ['-plist', '-', file], maxDescribeBytes, timeoutMs, signal);
      return output?.isCut === false ? output.bytes.toString('utf8') : undefined;
    },
  };
}

/**
 * Returns whether a file is below the searched folder and not in a hidden or generated folder, as in a search without
 * Spotlight. The relative path of a file outside starts with `..`, which counts as a hidden folder.
 */
function isVisibleBelow(file: string, scope: string): boolean {
  const names = path.relative(scope, file).split(path.sep);
  return names.every(name => skipReasonOfName(name) === undefined);
}

/**
 * Runs a program without a shell. Returns undefined if it fails or exceeds its timeout. The timeout also applies if a
 * child process keeps the output open after the program has ended.
 */
function run(
  program: string,
  args: readonly string[],
  maxBytes: number,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<{ bytes: Buffer; isCut: boolean } | undefined> {
  return new Promise(resolve => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'], killSignal: 'SIGKILL', signal });
    const pieces: Buffer[] = [];
    let length = 0;
    const end = (output: { bytes: Buffer; isCut: boolean } | undefined): void => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      child.stdout.destroy();
      resolve(output);
    };
    const timer = setTimeout(() => end(undefined), timeoutMs);
    child.stdout.on('data', (piece: Buffer) => {
      pieces.push(piece);
      length += piece.length;
      if (length > maxBytes) end({ bytes: Buffer.concat(pieces), isCut: true });
    });
    child.on('error', () => end(undefined));
    child.on('close', code => end(code === 0 ? { bytes: Buffer.concat(pieces), isCut: false } : undefined));
  });
}
