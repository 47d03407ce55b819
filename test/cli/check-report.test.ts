import { expect, test, vi } from 'vitest';
import { checkToolsets, type ToolsetToCheck } from '../../src/cli/check.ts';
import { createTerminalStyle } from '../../src/cli/terminal-style.ts';
import type { UnusedSetting } from '../../src/cli/unused-settings.ts';
import { Failure } from '../../src/errors/failure.ts';
import { type CheckResult, openToolset } from '../../src/toolset/toolset.ts';
import { sampleToolset } from '../support/sample-toolset.ts';

interface Options {
  results?: readonly CheckResult[];
  warnings?: readonly string[];
  secrets?: readonly string[];
  unused?: readonly UnusedSetting[];
  fault?: unknown;
  env?: NodeJS.ProcessEnv;
  isTTY?: boolean;
  onResult?: () => Promise<void> | void;
  onWait?: (name: string) => void;
}

/** Runs --check for one toolset with these results, and returns the lines after those about the program. */
async function check(options: Options): Promise<{ isGood: boolean; lines: string[]; closed: number }> {
  const { results = [], warnings = [], secrets = [], unused = [], fault, onResult, onWait } = options;
  const lines: string[] = [];
  let closed = 0;
  const toolset = {
    ...sampleToolset(),
    secrets: () => secrets,
    warnings: () => warnings,
    load: async () => ({
      tools: [],
      createContext: () => undefined,
      close: () => void closed++,
      async *checkSetup() {
        await onResult?.();
        yield* results;
        if (fault !== undefined) throw fault;
      },
    }),
  };
  const open: ToolsetToCheck['open'] = async () => {
    const opened = await openToolset(toolset, {}, { isDemo: false });
    return { ...opened, close: async () => void closed++ };
  };
  const isGood = await checkToolsets([{ name: 'sample', open }], unused, {
    write: line => void lines.push(line),
    style: createTerminalStyle({ isTTY: options.isTTY ?? false }, options.env ?? {}),
    nameSources: text => text.replaceAll('--flag', 'OJ_MCP_FLAG'),
    ...(onWait !== undefined && { onWait }),
  });
  const start = lines.findIndex(line => /sample:|flags:/.test(line));
  return { isGood, lines: lines.slice(start).filter(line => !line.includes('0 tools')), closed };
}

const good = { isGood: true, line: 'fine' };

test.each<[string, Options, boolean, string[]]>([
  ['a good result', { results: [good] }, true, ['✓ sample: fine', 'The check passed.']],
  [
    'a warning of a result',
    { results: [good, { isGood: true, isWarning: true, line: 'old --flag', hint: 'Set --flag.' }] },
    true,
    [
      '✓ sample: fine',
      '! sample: old OJ_MCP_FLAG',
      '  → Set OJ_MCP_FLAG.',
      'The check passed with warnings: see the lines marked !.',
    ],
  ],
  [
    'a warning about the settings',
    { warnings: ['slow'], results: [good] },
    true,
    ['! sample: slow', '✓ sample: fine', 'The check passed with warnings: see the lines marked !.'],
  ],
  [
    'an error beside a warning',
    { warnings: ['slow'], results: [{ isGood: false, isWarning: true, line: 'bad' }] },
    false,
    ['! sample: slow', '✗ sample: bad', 'The check failed: correct the lines marked ✗.'],
  ],
  [
    'a variable and a flag without effect',
    {
      unused: [
        { message: 'A is unused', remedy: 'Unset it.', isVariable: true, flag: 'a' },
        { message: '--flag is unused', remedy: 'Drop it.', isVariable: false, flag: 'b' },
      ],
    },
    false,
    [
      '! flags: A is unused',
      '  → Unset it.',
      '✗ flags: OJ_MCP_FLAG is unused',
      '  → Drop it.',
      'The check failed: correct the lines marked ✗.',
    ],
  ],
  [
    'an exception with several lines',
    { results: [good], fault: new Failure('setting', 'first\nsecond', { hint: 'Fix --flag.' }) },
    false,
    [
      '✓ sample: fine',
      '✗ sample: first',
      '✗ sample: second',
      '  → Fix OJ_MCP_FLAG.',
      'The check failed: correct the lines marked ✗.',
    ],
  ],
  [
    'a secret in each part of a result and of an exception',
    {
      secrets: ['hunter2-hunter2'],
      results: [{ isGood: true, line: 'a hunter2-hunter2', hint: 'b hunter2-hunter2' }],
      fault: new Failure('setting', 'c hunter2-hunter2'),
    },
    false,
    [
      '✓ sample: a [redacted]',
      '  → b [redacted]',
      '✗ sample: c [redacted]',
      'The check failed: correct the lines marked ✗.',
    ],
  ],
])('--check reports %s', async (_, options, isGood, lines) => {
  expect(await check(options)).toEqual({ isGood, lines, closed: 1 });
});

test('--check colours only the marks, and only in a terminal', async () => {
  const results = [good, { ...good, isWarning: true }, { isGood: false, line: 'bad ✗' }];
  const { lines } = await check({ results, isTTY: true });
  expect(lines.slice(0, 3)).toEqual([
    '\u001b[32m✓\u001b[0m sample: fine',
    '\u001b[33m!\u001b[0m sample: fine',
    '\u001b[31m✗\u001b[0m sample: bad ✗',
  ]);
  for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }])
    expect((await check({ results, isTTY: true, env })).lines[0]).toBe('✓ sample: fine');
});

test('--check rethrows a bug and closes the toolset', async () => {
  const bug = new TypeError('a bug');
  await expect(check({ fault: bug })).rejects.toThrow(bug);
});

test.each([
  [1999, []],
  [2000, ['sample']],
])('--check reports that it waits for a toolset after 2 s: after %d ms', async (passedMs, expected) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const waited: string[] = [];
    const { isGood } = await check({
      results: [good],
      onWait: name => waited.push(name),
      onResult: () => void vi.advanceTimersByTime(passedMs),
    });
    expect([isGood, waited, vi.getTimerCount()]).toEqual([true, expected, 0]);
  } finally {
    vi.useRealTimers();
  }
});
