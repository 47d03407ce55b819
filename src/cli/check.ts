import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../errors/failure.ts';
import { toFailureForUser } from '../errors/system-error.ts';
import { createRedactor } from '../log/redact.ts';
import type { CheckResult, OpenedToolset } from '../toolset/toolset.ts';
import { version } from '../version.ts';
import { type TerminalStyle, wrapText } from './terminal-style.ts';
import type { UnusedSetting } from './unused-settings.ts';

/** The timeout for the check of one toolset, which may send several requests with their own timeouts. */
const defaultTimeoutMs = 40_000;
/** After this time the terminal shows a message that the program is waiting. */
const waitNoticeMs = 2000;

/** An enabled toolset that is not open yet. Opening it can fail because of invalid settings. */
export interface ToolsetToCheck {
  name: string;
  open: () => Promise<OpenedToolset>;
}

export interface CheckReporter {
  write: (line: string) => void;
  style: TerminalStyle;
  /** Replaces the names of flags in a message by the environment variables that set them. */
  nameSources: (text: string) => string;
  /** Called once for a toolset if its check takes more than two seconds. */
  onWait?: (name: string) => void;
}

/** Prints one line for each result. Resolves with false if one of the results is an error. */
export async function checkToolsets(
  candidates: readonly ToolsetToCheck[],
  unused: readonly UnusedSetting[],
  { write, style, nameSources, onWait }: CheckReporter,
  timeoutMs = defaultTimeoutMs,
): Promise<boolean> {
  const counts = { good: 0, warning: 0, bad: 0 };
  const report = (subject: string, result: CheckResult): void => {
    const kind = result.isGood ? (result.isWarning === true ? 'warning' : 'good') : 'bad';
    counts[kind]++;
    const { line: text, hint } = result;
    const named = { ...result, line: nameSources(text), hint: hint === undefined ? undefined : nameSources(hint) };
    for (const line of linesOf(subject, named)) write(line.replace(/^[✓!✗]/, mark => style[kind](mark)));
  };
  for (const line of programLines()) write(line.replace('✓', style.good));
  for (const { message, remedy, isVariable } of unused) {
    report('flags', { isGood: isVariable, isWarning: isVariable, line: message, hint: remedy });
  }
  for (const { name, open } of candidates) {
    const timer = setTimeout(() => onWait?.(name), waitNoticeMs);
    for await (const result of resultsOf(open, timeoutMs)) report(name, result);
    clearTimeout(timer);
  }
  write(summaryOf(counts));
  return counts.bad === 0;
}

/**
 * Returns lines about Node and the running file. With the checksum of the file, the user sees whether an update was
 * installed.
 */
function programLines(): string[] {
  const { versions, platform, arch, execPath, argv } = process;
  const file = argv[1];
  return [
    `✓ oj-mcp ${version}, Node ${versions.node} on ${platform} ${arch}`,
    `  ${execPath}`,
    ...(file === undefined
      ? []
      : [`  ${path.resolve(file)}`, `  SHA-256 ${createHash('sha256').update(readFileSync(file)).digest('hex')}`]),
  ];
}

function linesOf(subject: string, { isGood, isWarning, line, hint }: CheckResult): string[] {
  const mark = isGood ? (isWarning === true ? '!' : '✓') : '✗';
  return [
    ...wrapText(`${subject}: ${line}`, `${mark} `, '    '),
    ...(hint === undefined ? [] : wrapText(hint, '  → ', '    ')),
  ];
}

function summaryOf({ warning, bad }: { warning: number; bad: number }): string {
  if (bad > 0) return 'The check failed: correct the lines marked ✗.';
  return warning > 0 ? 'The check passed with warnings: see the lines marked !.' : 'The check passed.';
}

function timeoutFailure(timeoutMs: number): Failure {
  return new Failure('network', `The check did not finish within ${timeoutMs / 1000} seconds.`, {
    hint: 'Repeat it when this machine and the network are less busy.',
  });
}

async function* resultsOf(open: ToolsetToCheck['open'], timeoutMs: number): AsyncGenerator<CheckResult> {
  let signal: AbortSignal | undefined;
  let toolset: OpenedToolset | undefined;
  let redact = (text: string): string => text;
  try {
    toolset = await open();
    redact = createRedactor(toolset.secrets);
    const names = toolset.tools.map(({ name }) => name);
    yield { isGood: true, line: `${names.length} tools: ${names.join(', ')}` };
    for (const warning of toolset.warnings) yield { isGood: true, isWarning: true, line: warning };
    signal = AbortSignal.timeout(timeoutMs);
    for await (const result of toolset.check(signal)) {
      const { line, hint } = result;
      yield { ...result, line: redact(line), hint: hint === undefined ? undefined : redact(hint) };
    }
  } catch (error) {
    const failure = error === signal?.reason ? timeoutFailure(timeoutMs) : toFailureForUser(error);
    if (failure === undefined) throw error;
    // A collection of problems can have several errors, one on each line.
    const lines = redact(failure.message).split('\n');
    for (const line of lines) yield { isGood: false, line, hint: line === lines.at(-1) ? failure.remedy : undefined };
  } finally {
    await toolset?.close();
  }
}
