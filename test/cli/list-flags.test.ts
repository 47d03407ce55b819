import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkArgv, tiedWords } from '../../src/cli/argv.ts';
import { flagValues } from '../../src/cli/settings.ts';
import type { Flags } from '../../src/toolset/toolset.ts';

const flags = {
  'shelf-root': { type: 'string', isList: true, description: 'A shelf' },
  color: { type: 'string', description: 'One color' },
} as const satisfies Flags;

/** What citty does with words that are tied to their flags. */
function read(argv: readonly string[]): Record<string, unknown> {
  const line = checkArgv(argv, flags);
  const words = 'typed' in line ? tiedWords(line.typed) : [];
  return Object.fromEntries(words.map(word => [word.slice(2).split('=')[0], word.replace(/^.*?=/s, '')]));
}

describe('a flag that is a list', () => {
  test('keeps every value it is given, in order, whatever characters they have', () => {
    const args = read(['--shelf-root', '/a b', '--color=red', '--shelf-root=/c:d;e=f', '--shelf-root', '/a b']);
    expect(flagValues(flags, args, {})).toEqual({ 'shelf-root': ['/a b', '/c:d;e=f', '/a b'], color: 'red' });
  });

  test('is a list of one when it is given once', () => {
    expect(flagValues(flags, read(['--shelf-root', '/a']), {})['shelf-root']).toEqual(['/a']);
  });

  test('reads its variable in the manner of PATH and drops blanks and placeholders', () => {
    const variable = ['/a', '', ' ', '${user_config.shelf}', '/b'].join(path.delimiter);
    expect(flagValues(flags, {}, { OJ_MCP_SHELF_ROOT: variable })['shelf-root']).toEqual(['/a', '/b']);
    expect(flagValues(flags, {}, { OJ_MCP_SHELF_ROOT: path.delimiter })['shelf-root']).toBeUndefined();
  });

  test('hides its variable when it is given on the command line', () => {
    const values = flagValues(flags, read(['--shelf-root', '/typed']), { OJ_MCP_SHELF_ROOT: '/variable' });
    expect(values['shelf-root']).toEqual(['/typed']);
  });

  test('still needs a value each time', () => {
    expect(() => checkArgv(['--shelf-root', '/a', '--shelf-root'], flags)).toThrow('--shelf-root needs a value');
  });

  test('leaves other flags refused when given twice', () => {
    expect(() => checkArgv(['--color', 'red', '--color', 'blue'], flags)).toThrow('--color is given twice.');
  });
});
