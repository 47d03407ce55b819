import { describe, expect, test } from 'vitest';
import { flagValues, readSettings, serverFlags } from '../../src/cli/settings.ts';
import { sampleToolset } from '../support/sample-toolset.ts';

const flags = { token: { type: 'string', description: '' }, demo: { type: 'boolean', description: '' } } as const;
const known = [
  { ...sampleToolset(), name: 'first', isDefault: true },
  { ...sampleToolset(), name: 'second' },
];

describe('what was typed', () => {
  test.each([
    ['the flag wins over the variable', { token: 'flag' }, { OJ_MCP_TOKEN: 'variable' }, 'flag'],
    ['the variable stands in for the flag', {}, { OJ_MCP_TOKEN: 'variable' }, 'variable'],
    ['an empty flag is no flag', { token: '' }, { OJ_MCP_TOKEN: 'variable' }, 'variable'],
    ['blanks are nothing', { token: ' \t' }, {}, undefined],
    ['an empty variable is nothing', {}, { OJ_MCP_TOKEN: '' }, undefined],
    [
      'a placeholder nobody replaced is nothing',
      { token: '${user_config.token}' },
      { OJ_MCP_TOKEN: ' ${TOKEN} ' },
      undefined,
    ],
    ['a variable of a shell that nobody replaced', { token: '$OJ_TOKEN' }, { OJ_MCP_TOKEN: '%OJ_TOKEN%' }, undefined],
    ['nor PowerShell', { token: '$env:OjToken' }, {}, undefined],
    ['a dollar before small letters is a dollar', { token: '$ecret' }, {}, '$ecret'],
    ['a dollar within a value is a dollar', { token: 'a${b}' }, {}, 'a${b}'],
    ['nothing is nothing', {}, {}, undefined],
  ])('%s', (_, args, env, token) => {
    expect(flagValues(flags, args, env)).toEqual({ token, demo: undefined });
  });
});

test.each([
  ['another flag', { token: 'flag' }, { OJ_MCP_TOKEN_FILE: 'variable' }, { token: 'flag' }],
  ['the flag it stands in for', { 'token-file': 'flag' }, { OJ_MCP_TOKEN: 'variable' }, { 'token-file': 'flag' }],
  ['no flag', {}, { OJ_MCP_TOKEN: 'a', OJ_MCP_TOKEN_FILE: 'b' }, { token: 'a', 'token-file': 'b' }],
  ['an empty flag', { token: '' }, { OJ_MCP_TOKEN_FILE: 'b' }, { 'token-file': 'b' }],
])('a variable gives way to %s for the same thing', (_, args, env, values) => {
  const alternatives = {
    token: flags.token,
    'token-file': { type: 'string', description: '', insteadOf: 'token' },
  } as const;
  expect(flagValues(alternatives, args, env)).toEqual(values);
});

describe('the choice of toolsets', () => {
  test.each([
    [undefined, ['first']],
    ['second', ['second']],
    ['second, first', ['first', 'second']],
    ['second,second,', ['second']],
    ['all', ['first', 'second']],
    ['all,first', ['first', 'second']],
  ])('%j gives %j', (toolsets, names) => {
    expect(readSettings({ toolsets }, {}, known).toolsets.map(({ name }) => name)).toEqual(names);
  });

  test.each([
    ['frist', '--toolsets: there is no toolset "frist". Did you mean "first"?'],
    ['first,nothing-like-it', '--toolsets: there is no toolset "nothing-like-it".'],
    ['First', '--toolsets: there is no toolset "First". Did you mean "first"?'],
    [',', '--toolsets: there is no toolset ",".'],
  ])('%j is refused, and the known ones are listed', (toolsets, message) => {
    expect(() => readSettings({ toolsets }, {}, known)).toThrow(
      expect.objectContaining({ code: 'setting', message, hint: 'Known toolsets: first, second, all.' }),
    );
  });
});

describe('the demo', () => {
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
  ])('%j means %j', (demo, isDemo) => {
    expect(readSettings(flagValues(serverFlags, {}, { OJ_MCP_DEMO: demo }), {}, known)).toMatchObject({ isDemo });
  });

  test('a word that is neither yes nor no is refused', () => {
    expect(() => flagValues(serverFlags, {}, { OJ_MCP_DEMO: 'maybe' })).toThrow(
      '--demo (OJ_MCP_DEMO) must be 1 or 0, got "maybe".',
    );
  });
});

test.each([
  [{ OJ_MCP_LOG: 'warn', RUST_LOG: 'trace' }, 'warn'],
  [{ OJ_MCP_LOG: ' ', RUST_LOG: 'trace' }, 'trace'],
  [{ RUST_LOG: 'off' }, 'off'],
  [{ OJ_MCP_LOG: '${level}', RUST_LOG: 'off' }, 'off'],
  [{}, undefined],
])('%j logs by %j', (env, logSpec) => {
  expect(readSettings({}, env, known)).toMatchObject({ logSpec });
});

test.each([
  ['loud', ['loud']],
  ['WARN,oj_mcp=louder,hyper=off', ['louder']],
  ['debug', []],
  [' ', []],
])('OJ_MCP_LOG=%j has the unknown words %j', (level, unknownLevels) => {
  expect(readSettings({}, { OJ_MCP_LOG: level, RUST_LOG: 'anything' }, known)).toMatchObject({ unknownLevels });
});
