import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseCommandLine } from '../../src/cli/argv.ts';
import { resolveFlagValues } from '../../src/cli/settings.ts';
import type { Flags } from '../../src/toolset/toolset.ts';

const flags = {
  'shelf-root': { type: 'string', isList: true, description: 'A shelf' },
  color: { type: 'string', description: 'One color' },
} as const satisfies Flags;

function read(argv: readonly string[]): Record<string, unknown> {
  const line = parseCommandLine(argv, flags);
  const given = 'given' in line ? [...line.given] : [];
  return Object.fromEntries(given.map(([name, values]) => [name, name === 'color' ? values[0] : values]));
}

describe('a repeatable flag', () => {
  test('keeps its distinct values in order and unchanged', () => {
    const args = read(['--shelf-root', '/a b', '--color=red', '--shelf-root=/c:d;e=f', '--shelf-root', '/a b']);
    expect(resolveFlagValues(flags, args, {})).toEqual({ 'shelf-root': ['/a b', '/c:d;e=f', '/a b'], color: 'red' });
  });

  test('returns a list with one element if it is given once', () => {
    expect(resolveFlagValues(flags, read(['--shelf-root', '/a']), {})['shelf-root']).toEqual(['/a']);
  });

  test('splits its environment variable at the path separator and ignores blank elements and placeholders', () => {
    const variable = ['/a', '', ' ', '${user_config.shelf}', '/b'].join(path.delimiter);
    expect(resolveFlagValues(flags, {}, { OJ_MCP_SHELF_ROOT: variable })['shelf-root']).toEqual(['/a', '/b']);
    expect(resolveFlagValues(flags, {}, { OJ_MCP_SHELF_ROOT: path.delimiter })['shelf-root']).toBeUndefined();
  });

  test('overrides its environment variable', () => {
    const values = resolveFlagValues(flags, read(['--shelf-root', '/typed']), { OJ_MCP_SHELF_ROOT: '/variable' });
    expect(values['shelf-root']).toEqual(['/typed']);
  });

  test('requires a value at each use', () => {
    expect(() => parseCommandLine(['--shelf-root', '/a', '--shelf-root'], flags)).toThrow('--shelf-root needs a value');
  });

  test('does not make other flags repeatable', () => {
    expect(() => parseCommandLine(['--color', 'red', '--color', 'blue'], flags)).toThrow('--color is given twice.');
  });
});
