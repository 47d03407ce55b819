import { expect, test } from 'vitest';
import { findPlaceholders, findUnusedSettings, nameVariablesInsteadOfFlags } from '../../src/cli/unused-settings.ts';
import type { Flags, Toolset } from '../../src/toolset/toolset.ts';
import { sampleToolset } from '../support/sample-toolset.ts';

const flagsOf = (name: string): Flags => ({
  [`${name}-root`]: { type: 'string', description: 'A folder.' },
  [`${name}-quick`]: { type: 'boolean', description: 'A switch.' },
  [`${name}-verify`]: { type: 'boolean', description: 'A check.', isForCheck: true },
  [`${name}-key`]: { type: 'string', description: 'A secret.', isSecret: true },
  [`${name}-key-file`]: { type: 'string', description: 'A file.', insteadOf: `${name}-key` },
  [`${name}-import`]: { type: 'string', description: 'A task.', isTask: true },
});
const toolset = (name: string): Toolset => ({ ...sampleToolset(), name, flags: flagsOf(name) });
const [alpha, beta] = [toolset('alpha'), toolset('beta')];

type Values = Readonly<Record<string, string | boolean>>;

/** Returns the messages and remedies for these settings while only the toolset "alpha" is enabled. */
function find(args: Values, env: NodeJS.ProcessEnv = {}, isChecking?: boolean): string[] {
  const settings = { toolsets: [alpha], isDemo: false, logSpec: undefined, unknownLevels: [] };
  return findUnusedSettings(args, env, settings, [alpha, beta], isChecking).map(
    ({ message, remedy, isVariable }) => `${isVariable ? 'variable' : 'flag'}: ${message}. ${remedy}`,
  );
}

const disabled = 'has no effect, because the toolset "beta" is disabled.';

test.each<[Values, NodeJS.ProcessEnv, string[]]>([
  [{}, {}, []],
  [{ 'alpha-root': '/a' }, { OJ_MCP_ALPHA_KEY: 'k' }, []],
  [{ 'beta-root': '/b' }, {}, [`flag: --beta-root ${disabled} Add --toolsets beta, or remove --beta-root.`]],
  [
    { 'beta-root': '/b', 'alpha-root': '/a' },
    {},
    [`flag: --beta-root ${disabled} Add --toolsets alpha,beta, or remove --beta-root.`],
  ],
  [
    { 'beta-root': '/b', demo: true },
    {},
    [`flag: --beta-root ${disabled} Add --toolsets alpha,beta, or remove --beta-root.`],
  ],
  [
    { 'beta-root': '/b', toolsets: 'alpha' },
    {},
    [`flag: --beta-root ${disabled} Use --toolsets alpha,beta, or remove --beta-root.`],
  ],
  [
    {},
    { OJ_MCP_BETA_ROOT: '/b' },
    [`variable: OJ_MCP_BETA_ROOT ${disabled} Add --toolsets beta, or remove OJ_MCP_BETA_ROOT.`],
  ],
  [
    { 'beta-root': '/b' },
    { OJ_MCP_BETA_ROOT: '/c' },
    [`flag: --beta-root ${disabled} Add --toolsets beta, or remove --beta-root.`],
  ],
  [{}, { OJ_MCP_BETA_ROOT: ' ' }, []],
  [{ 'alpha-verify': true }, {}, ['flag: --alpha-verify has no effect without --check. Use it with --check only.']],
  [
    {},
    { OJ_MCP_ALPHA_VERIFY: '1' },
    ['variable: OJ_MCP_ALPHA_VERIFY has no effect without --check. Use it with --check only.'],
  ],
  [
    { 'alpha-key-file': '/k' },
    { OJ_MCP_ALPHA_KEY: 'k' },
    ['variable: OJ_MCP_ALPHA_KEY has no effect because of --alpha-key-file. Use only one of them.'],
  ],
  [{ 'alpha-key-file': '/k', 'alpha-key': 'k' }, {}, []],
  [{ 'beta-import': 'x' }, {}, []],
  [
    {},
    { OJ_MCP_BETA_IMPORT: 'x' },
    ['variable: OJ_MCP_BETA_IMPORT has no effect: there is no such variable. Use the flag --beta-import.'],
  ],
  [
    {},
    { OJ_MCP_ALPHA_ROT: 'x', PATH: '/bin', OJ_MCP_LOG: 'info', OJ_MCP_OTHER: '' },
    ['variable: OJ_MCP_ALPHA_ROT has no effect: there is no such variable. Did you mean OJ_MCP_ALPHA_ROOT?'],
  ],
])('findUnusedSettings names the settings without effect among %j and %j', (args, env, expected) => {
  expect(find(args, env)).toEqual(expected);
});

test('findUnusedSettings accepts a flag of --check during --check', () => {
  expect(find({ 'alpha-verify': true }, {}, true)).toEqual([]);
});

test.each<[Values, NodeJS.ProcessEnv, boolean, string[]]>([
  [{ 'alpha-root': '<path>' }, {}, false, ['--alpha-root has no effect: "<path>" is a placeholder']],
  [{}, { OJ_MCP_ALPHA_ROOT: '"$HOME"' }, false, ['OJ_MCP_ALPHA_ROOT has no effect: "$HOME" is a placeholder']],
  [{ 'alpha-key': '$SECRET' }, {}, false, ['--alpha-key has no effect: its value is a placeholder']],
  [{ 'alpha-key': 'your-token' }, {}, false, ['--alpha-key has no effect: "your-token" is a placeholder']],
  [{}, { OJ_MCP_ALPHA_ROOT: '${user_config.root}' }, false, []],
  [
    {},
    { OJ_MCP_ALPHA_ROOT: '${user_config.root}' },
    true,
    ['OJ_MCP_ALPHA_ROOT has no effect: "${user_config.root}" is a placeholder'],
  ],
  [{}, { OJ_MCP_ALPHA_IMPORT: '<path>' }, false, []],
  [{ 'alpha-import': '<path>' }, {}, false, ['--alpha-import has no effect: "<path>" is a placeholder']],
  [{ 'beta-root': '<path>' }, {}, false, []],
  [{ 'alpha-root': '/real' }, { OJ_MCP_ALPHA_QUICK: '1' }, true, []],
])('findPlaceholders finds the placeholders of %j and %j, during --check: %s', (args, env, isChecking, expected) => {
  expect(findPlaceholders(args, env, [alpha], isChecking).map(({ message }) => message)).toEqual(expected);
});

test.each<[Values, NodeJS.ProcessEnv, string]>([
  [{}, { OJ_MCP_ALPHA_ROOT: '/a' }, 'OJ_MCP_ALPHA_ROOT, --alpha-rooted and x--alpha-root'],
  [{ 'alpha-root': '/b' }, { OJ_MCP_ALPHA_ROOT: '/a' }, '--alpha-root, --alpha-rooted and x--alpha-root'],
  [{}, { OJ_MCP_ALPHA_ROOT: '' }, '--alpha-root, --alpha-rooted and x--alpha-root'],
  [{}, {}, '--alpha-root, --alpha-rooted and x--alpha-root'],
])('nameVariablesInsteadOfFlags names the source of each value for %j and %j', (args, env, expected) => {
  const message = '--alpha-root, --alpha-rooted and x--alpha-root';
  expect(nameVariablesInsteadOfFlags(message, alpha.flags, args, env)).toBe(expected);
});

test('nameVariablesInsteadOfFlags keeps the flag of a task and of a switch that is off', () => {
  const named = (value: string): string =>
    nameVariablesInsteadOfFlags(
      '--alpha-quick --alpha-import',
      alpha.flags,
      {},
      {
        OJ_MCP_ALPHA_QUICK: value,
        OJ_MCP_ALPHA_IMPORT: 'x',
      },
    );
  expect([named('1'), named('0')]).toEqual(['OJ_MCP_ALPHA_QUICK --alpha-import', '--alpha-quick --alpha-import']);
});
