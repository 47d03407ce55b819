import { expect, test } from 'vitest';
import { checkToolsets } from '../../src/cli/check.ts';
import { createTerminalStyle } from '../../src/cli/terminal-style.ts';
import { openToolset } from '../../src/toolset/toolset.ts';
import { sampleToolset } from '../support/sample-toolset.ts';

test('--check reports a check that exceeds its time limit as one line', async () => {
  const lines: string[] = [];
  const toolset = {
    ...sampleToolset(),
    load: async () => ({
      tools: [],
      createContext: () => undefined,
      async *checkSetup(_: unknown, __: unknown, signal: AbortSignal) {
        yield { isGood: true, line: 'began' };
        await new Promise(resolve => signal.addEventListener('abort', resolve));
        signal.throwIfAborted();
      },
    }),
  };
  const output = {
    write: (line: string) => lines.push(line),
    style: createTerminalStyle({}, {}),
    nameSources: (text: string) => text,
  };
  const open = async () => await openToolset(toolset, {}, { isDemo: false });
  expect(await checkToolsets([{ name: 'sample', open }], [], output, 20)).toBe(false);
  expect(lines).toContain('✗ sample: The check did not finish within 0.02 seconds.');
  expect(lines).toContain('  → Repeat it when this machine and the network are less busy.');
});
