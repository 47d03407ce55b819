import { describe, expect, test } from 'vitest';
import { readSettings, resolveFlagValues, serverFlags, stripQuotes } from '../../src/cli/settings.ts';
import { sampleToolset } from '../support/sample-toolset.ts';

const flags = {
  token: { type: 'string', description: '', isSecret: true },
  demo: { type: 'boolean', description: '' },
} as const;
const known = [
  { ...sampleToolset(), name: 'first', isDefault: true },
  { ...sampleToolset(), name: 'second' },
];

describe('resolveFlagValues', () => {
  test.each([
    ['the flag and its variable are set: the flag wins', { token: 'flag' }, { OJ_MCP_TOKEN: 'variable' }, 'flag'],
    ['only the variable is set', {}, { OJ_MCP_TOKEN: 'variable' }, 'variable'],
    ['the flag is empty: the variable is used', { token: '' }, { OJ_MCP_TOKEN: 'variable' }, 'variable'],
    ['the flag contains only blanks: it counts as unset', { token: ' \t' }, {}, undefined],
    ['the variable is empty: it counts as unset', {}, { OJ_MCP_TOKEN: '' }, undefined],
    [
      'the variable is an unreplaced placeholder of a host: it counts as unset',
      { token: '${user_config.token}' },
      { OJ_MCP_TOKEN: ' ${TOKEN} ' },
      undefined,
    ],
    [
      'the variable is an unreplaced shell variable: it counts as unset',
      { token: '$OJ_TOKEN' },
      { OJ_MCP_TOKEN: '%OJ_TOKEN%' },
      undefined,
    ],
    ['the variable is an unreplaced PowerShell variable: it counts as unset', { token: '$env:OjToken' }, {}, undefined],
    ['the value is a dollar sign before lower-case letters: it is kept', { token: '$ecret' }, {}, '$ecret'],
    ['the value contains a dollar sign: it is kept', { token: 'a${b}' }, {}, 'a${b}'],
    ['neither the flag nor the variable is set', {}, {}, undefined],
  ])('returns the expected value if %s', (_, args, env, token) => {
    expect(resolveFlagValues(flags, args, env)).toEqual({ token, demo: undefined });
  });
});

test.each([
  ['the other flag: the flag wins', { token: 'flag' }, { OJ_MCP_TOKEN_FILE: 'variable' }, { token: 'flag' }],
  [
    'the flag that replaces it: the flag wins',
    { 'token-file': 'flag' },
    { OJ_MCP_TOKEN: 'variable' },
    { 'token-file': 'flag' },
  ],
  [
    'no flag: both variables are returned',
    {},
    { OJ_MCP_TOKEN: 'a', OJ_MCP_TOKEN_FILE: 'b' },
    { token: 'a', 'token-file': 'b' },
  ],
  ['an empty flag: the variable is used', { token: '' }, { OJ_MCP_TOKEN_FILE: 'b' }, { 'token-file': 'b' }],
])('resolveFlagValues resolves two flags that exclude each other when a variable meets %s', (_, args, env, values) => {
  const alternatives = {
    token: flags.token,
    'token-file': { type: 'string', description: '', insteadOf: 'token' },
  } as const;
  expect(resolveFlagValues(alternatives, args, env)).toEqual(values);
});

describe('the flag --toolsets', () => {
  test.each([
    [undefined, ['first']],
    ['second', ['second']],
    ['second, first', ['first', 'second']],
    ['second,second,', ['second']],
    ['all', ['first', 'second']],
    ['all,first', ['first', 'second']],
    ['First', ['first']],
  ])('with the value %j enables the toolsets %j', (toolsets, names) => {
    expect(readSettings({ toolsets }, {}, known).toolsets.map(({ name }) => name)).toEqual(names);
  });

  test.each([
    ['frist', '--toolsets: there is no toolset "frist". Did you mean "first"?'],
    ['first,nothing-like-it', '--toolsets: there is no toolset "nothing-like-it".'],
    [',', '--toolsets: there is no toolset ",".'],
  ])('rejects the value %j and lists the known toolsets', (toolsets, message) => {
    expect(() => readSettings({ toolsets }, {}, known)).toThrow(
      expect.objectContaining({
        code: 'setting',
        message,
        hint: 'Known toolsets, separated by commas: first, second, all.',
      }),
    );
  });
});

describe('the variable OJ_MCP_DEMO', () => {
  test.each([
    [undefined, false],
    ['true', true],
    ['1', true],
    ['YES', true],
    ['on', true],
    ['0', false],
    ['false', false],
    ['no', false],
    ['off', false],
  ])('with the value %j sets isDemo to %j', (demo, isDemo) => {
    expect(readSettings(resolveFlagValues(serverFlags, {}, { OJ_MCP_DEMO: demo }), {}, known)).toMatchObject({
      isDemo,
    });
  });

  test('rejects a value that is neither yes nor no', () => {
    expect(() => resolveFlagValues(serverFlags, {}, { OJ_MCP_DEMO: 'maybe' })).toThrow(
      '--demo must be 1 or 0, got "maybe".',
    );
  });
});

test.each([
  [{ OJ_MCP_LOG: 'warn', RUST_LOG: 'trace' }, 'warn'],
  [{ OJ_MCP_LOG: ' ', RUST_LOG: 'trace' }, 'trace'],
  [{ RUST_LOG: 'off' }, 'off'],
  [{ OJ_MCP_LOG: '${level}', RUST_LOG: 'off' }, 'off'],
  [{}, undefined],
])('readSettings with the environment %j uses the log level %j', (env, logSpec) => {
  expect(readSettings({}, env, known)).toMatchObject({ logSpec });
});

test.each([
  ['loud', ['loud']],
  ['WARN,oj_mcp=louder,hyper=off', ['louder']],
  ['debug', []],
  [' ', []],
])('readSettings with OJ_MCP_LOG=%j reports the unknown levels %j', (level, unknownLevels) => {
  expect(readSettings({}, { OJ_MCP_LOG: level, RUST_LOG: 'anything' }, known)).toMatchObject({ unknownLevels });
});

test.each([
  [' "a b" ', 'a b'],
  ["'a'", 'a'],
  ['" a "', 'a'],
  ['"a\nb"', 'a\nb'],
  ['""', ''],
  ["''", ''],
  ['"', '"'],
  ["'", "'"],
  ['"a', '"a'],
  ['"a\'', '"a\''],
  ['""a""', '"a"'],
  ['a"b"', 'a"b"'],
  ['“a”', 'a'],
  ['„a“', 'a'],
  ['  ', ''],
])('stripQuotes removes one pair of quotation marks around %j: %j', (value, expected) => {
  expect(stripQuotes(value)).toBe(expected);
});

test('resolveFlagValues ignores the environment variable of a flag for a task', () => {
  const task = { 'books-import': { type: 'string', description: '', isTask: true } } as const;
  const env = { OJ_MCP_BOOKS_IMPORT: '/variable' };
  expect(resolveFlagValues(task, {}, env)).toEqual({ 'books-import': undefined });
  expect(resolveFlagValues(task, { 'books-import': '/flag' }, env)).toEqual({ 'books-import': '/flag' });
});
