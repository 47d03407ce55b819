import { expect, test } from 'vitest';
import {
  cacheFolderOf,
  commandLineOf,
  environmentVariablesOf,
  isOwnServerEntry,
  isOwnVsCodeInput,
  mergeServerEntries,
  variableFieldsOf,
  vsCodeInputIdOf,
} from '../../../src/cli/host-config/own-entry.ts';

test.each<[unknown, boolean]>([
  [undefined, false],
  ['oj-mcp', false],
  [{}, false],
  [{ command: 'oj-mcp' }, true],
  [{ command: '/usr/bin/oj-mcp' }, true],
  [{ command: 'C:\\npm\\oj-mcp.cmd' }, true],
  [{ command: 'oj-mcp.exe' }, true],
  [{ command: 'oj-mcp.sh' }, false],
  [{ command: 'my-oj-mcp' }, false],
  [{ command: 5 }, false],
  [{ command: 'node', args: ['/x/oj-mcp.cjs', '--demo'] }, true],
  [{ command: 'node', args: ['C:\\x\\oj-mcp.cjs'] }, true],
  [{ command: 'node', args: ['/x/oj-mcp.cjs.bak'] }, false],
  [{ command: 'npx', args: ['-y', 'oj-mcp'] }, true],
  [{ command: 'npx', args: ['oj-mcp@1.0.0'] }, true],
  [{ command: 'npx', args: ['x/oj-mcp@1.0.0', 7] }, false],
  [{ command: 'npx', args: ['oj-mcp-other'] }, false],
  [{ command: ['node', '/x/oj-mcp.cjs'] }, true],
  [{ command: 'node', args: [process.argv[1]] }, true],
  [{ command: 'node', args: [`${process.argv[1]}x`] }, false],
])('isOwnServerEntry of %j is %j', (entry, expected) => {
  expect(isOwnServerEntry(entry)).toBe(expected);
});

test('the command line and the variables of an entry are read in all notations', () => {
  expect(commandLineOf({ command: 'node', args: ['a'] })).toEqual(['node', 'a']);
  expect(commandLineOf({ command: ['node', 'a'] })).toEqual(['node', 'a']);
  expect(commandLineOf({})).toEqual([]);
  expect(environmentVariablesOf(undefined)).toEqual({});
  expect(environmentVariablesOf({ env: { A: 'a', B: 1 }, environment: { C: 'c' } })).toEqual({ A: 'a' });
  expect(environmentVariablesOf({ environment: { C: 'c' } })).toEqual({ C: 'c' });
  expect(environmentVariablesOf({ env: 'text' })).toEqual({});
});

test.each([
  [undefined, undefined],
  [{ command: 'node', args: ['a', '--files-cache', '/c'] }, '/c'],
  [{ command: 'node', args: ['a', '--files-cache=/c=d', '--demo'] }, '/c=d'],
  [{ command: ['node', '--files-cache', '/c'] }, '/c'],
  [{ command: 'node', args: ['--files-cached', '/c'] }, undefined],
  [{ command: 'node', env: { OJ_MCP_FILES_CACHE: '/v' } }, '/v'],
  [{ args: ['--files-cache', '/c'], env: { OJ_MCP_FILES_CACHE: '/v' } }, '/c'],
])('cacheFolderOf of %j is %j', (entry, expected) => {
  expect(cacheFolderOf(entry)).toBe(expected);
});

test('variableFieldsOf returns only the values of the given variables, and the names that Codex forwards', () => {
  const entry = { command: 'node', env: { A: 'a', B: 'b' }, environment: { B: 'c' }, env_vars: ['T'] };
  expect(variableFieldsOf(entry, new Set(['A']))).toEqual({ env: { A: 'a' }, environment: {}, env_vars: ['T'] });
  expect(variableFieldsOf({ env: 'text' }, new Set(['A']))).toEqual({});
});

test('an input of VS Code belongs to this server if its id has the prefix of this server', () => {
  expect([{ id: 'oj-mcp-token' }, { id: 'other' }, { id: 5 }, {}, 'oj-mcp-token', null].map(vsCodeInputIdOf)).toEqual([
    'oj-mcp-token',
    'other',
    '',
    '',
    '',
    '',
  ]);
  expect([{ id: 'oj-mcp-token' }, { id: 'other' }, 'oj-mcp-token'].map(isOwnVsCodeInput)).toEqual([true, false, false]);
});

test.each<[string, object, object, object | undefined, object]>([
  ['adds new fields and keeps those of the user', { a: 1 }, { b: 2 }, undefined, { a: 1, b: 2 }],
  ['replaces a field', { a: 1 }, { a: 2 }, undefined, { a: 2 }],
  ['replaces the arguments', { args: ['x'] }, { args: ['y'] }, undefined, { args: ['y'] }],
  [
    'keeps the variables of the user',
    { env: { A: '1', B: '2' } },
    { env: { B: '3' } },
    undefined,
    { env: { A: '1', B: '3' } },
  ],
  ['keeps the tools of the user', { tools: ['a'] }, { tools: ['*'] }, undefined, { tools: ['a'] }],
  [
    'replaces a value of another type',
    { tools: 'a', env: 'b' },
    { tools: ['*'], env: { A: '1' } },
    undefined,
    { tools: ['*'], env: { A: '1' } },
  ],
  [
    'adds names to be forwarded once',
    { env_vars: ['A', 'B'] },
    { env_vars: ['B', 'C'] },
    undefined,
    { env_vars: ['A', 'B', 'C'] },
  ],
  ['replaces forwarded names of another type', { env_vars: 'A' }, { env_vars: ['B'] }, undefined, { env_vars: ['B'] }],
  [
    'removes a variable that it wrote before',
    { env: { A: '1', B: '2' } },
    {},
    { env: { A: '1' } },
    { env: { B: '2' } },
  ],
  ['removes the field if no variable is left', { env: { A: '1' } }, {}, { env: { A: '1' } }, {}],
  ['keeps a variable that the user has changed', { env: { A: '2' } }, {}, { env: { A: '1' } }, { env: { A: '2' } }],
  [
    'keeps a variable that the new entry has too',
    { env: { A: '1' } },
    { env: { A: '1' } },
    { env: { A: '1' } },
    { env: { A: '1' } },
  ],
  [
    'removes a forwarded name that it wrote before',
    { env_vars: ['A', 'B'] },
    {},
    { env_vars: ['A'] },
    { env_vars: ['B'] },
  ],
  ['removes all forwarded names', { env_vars: ['A'] }, {}, { env_vars: ['A'] }, {}],
  [
    'keeps a forwarded name that the new entry has too',
    { env_vars: ['A', 'B'] },
    { env_vars: ['A'] },
    { env_vars: ['A', 'B'] },
    { env_vars: ['A'] },
  ],
])('mergeServerEntries %s', (_, present, fresh, written, expected) => {
  expect(mergeServerEntries({ ...present }, { ...fresh }, written && { ...written })).toEqual(expected);
});
