import { describe, expect, test } from 'vitest';
import { formatChangedLines } from '../../../src/cli/host-config/changed-lines.ts';
import {
  addServerEntry,
  markPartsToHide,
  readServerEntry,
  removeServerEntry,
  restoreConfigContent,
  type ServerListLocation,
} from '../../../src/cli/host-config/entry.ts';
import { hostConfigFiles } from '../../../src/cli/host-config/targets.ts';
import * as fc from '../../support/property.ts';

const json: ServerListLocation = { language: 'json', key: 'mcpServers' };
const toml: ServerListLocation = { language: 'toml', key: 'mcp_servers' };
const code: ServerListLocation = { language: 'json', key: 'servers' };
const server = { command: '/usr/bin/node', args: ['/opt/oj-mcp.cjs', '--demo'] };
const own = { server, inputs: [] };

/** Returns the content of a file with one server named "oj". */
function fileWith(entry: object, place = json): string {
  return JSON.stringify({ [place.key]: { oj: entry } });
}

describe('the server entry named "oj"', () => {
  test.each([
    { command: 'node', args: ['/opt/oj-mcp.cjs'] },
    { command: 'node', args: ['C:\\tools\\oj-mcp.cjs', '--demo'] },
    { command: '/opt/oj-mcp.cjs' },
    { command: 'oj-mcp' },
    { command: '/usr/local/bin/oj-mcp' },
    { command: 'npx', args: ['-y', 'oj-mcp'] },
    { command: 'npx', args: ['-y', 'oj-mcp@1.2.3', '--demo'] },
    { command: ['node', '/opt/oj-mcp.cjs', '--demo'] },
  ])('belongs to this server if it is %j', entry => {
    expect(readServerEntry(fileWith(entry), json)).toEqual(entry);
    expect(removeServerEntry(fileWith(entry), json)).not.toContain('oj');
  });

  test.each([
    { command: 'node', args: ['/opt/oj-mcp.cjs.old'] },
    { command: 'node', args: ['/opt/my-oj-mcp.cjs'] },
    { command: 'node', args: ['/opt/oj-mcp/server.js'] },
    { command: 'npx', args: ['-y', 'server-filesystem', '/home/me/oj-mcp'] },
    { command: 'npx', args: ['-y', '@someone/oj-mcp'] },
    { command: 'npx', args: ['-y', 'oj-mcp-rs'] },
    { command: 'uvx', args: ['run', 'oj-mcp-proxy'], env: { NAME: 'oj-mcp' } },
    { url: 'https://oj.example/oj-mcp' },
    { command: 1 },
  ])('belongs to another program if it is %j, and is not changed', entry => {
    for (const edit of [addServerEntry, removeServerEntry]) {
      expect(() => edit(fileWith(entry), json, own)).toThrow('mcpServers has a server "oj" that is not oj-mcp');
    }
  });

  test.each(['mcpServers', 'mcp', 'servers', 'context_servers'])(
    'is found only below the property name that its host uses: %s',
    key => {
      const others = Object.values(hostConfigFiles).filter(target => target.language === 'json' && target.key !== key);
      for (const target of others) {
        const content = `{"${key}": {"oj": {"command": "oj-mcp"}}}`;
        expect(removeServerEntry(content, target)).toBe(content);
        expect(removeServerEntry(addServerEntry(content, target, own), target)).toBe(
          content.replace(/}$/, `, "${target.key}": {}}`).replace('{}}', '{\n}}'),
        );
      }
    },
  );
});

describe('a repeated installation', () => {
  const added = {
    ...server,
    args: ['/opt/oj-mcp.cjs', '--oj-extras'],
    disabled: false,
    autoApprove: ['get_problem'],
    timeout: 5,
    cwd: '/tmp',
    env: { OJ_MCP_TOKEN: 'hunter2', HTTPS_PROXY: 'http://p', OJ_MCP_OJ_EXTRAS: '0' },
  };
  const fresh = { server: { ...server, env: { OJ_MCP_OJ_EXTRAS: '1' } }, inputs: [] };

  test('keeps members and variables that a user has added to a JSON file', () => {
    const edited = addServerEntry(fileWith(added), json, fresh);
    expect(readServerEntry(edited, json)).toEqual({
      ...added,
      ...server,
      env: { ...added.env, OJ_MCP_OJ_EXTRAS: '1' },
    });
  });

  test('keeps the layout and the comments of members that do not change', () => {
    const content = `{\n  "mcpServers": {\n    "oj": {\n      // slow\n      "timeout":   5,\n      "args": ["/opt/oj-mcp.cjs"], // a\n      "command": "old"\n    }\n  }\n}`;
    expect(addServerEntry(content, json, own)).toBe(
      content
        .replace('"old"', '"/usr/bin/node"')
        .replace('["/opt/oj-mcp.cjs"]', '[\n        "/opt/oj-mcp.cjs",\n        "--demo"\n      ]'),
    );
  });

  test('keeps keys, sub-tables and variables that a user has added to a TOML file', () => {
    const content = [
      '[mcp_servers.oj]',
      'args = ["/opt/oj-mcp.cjs", "--oj-extras"]',
      'command = "oj-mcp" # mine',
      'startup_timeout_sec = 20.0',
      'env_vars = ["MINE"]',
      '[mcp_servers.oj.env]',
      'OJ_MCP_TOKEN = "hunter2"',
      '[mcp_servers.oj.tools.get_problem]',
      'approval_mode = "approve"',
      '',
    ].join('\n');
    const env = { OJ_MCP_LOG: 'off' };
    const edited = addServerEntry(content, toml, { server: { ...server, env, env_vars: ['OTHER'] }, inputs: [] });
    expect(edited).toBe(
      content
        .replace('"oj-mcp" #', '"/usr/bin/node" #')
        .replace('"--oj-extras"', '"--demo"')
        .replace('"MINE"', '"MINE", "OTHER"')
        .replace('"hunter2"', '"hunter2"\nOJ_MCP_LOG = "off"'),
    );
    expect(removeServerEntry(edited, toml)).toBe('');
  });

  test('keeps the tools to which a user has limited Copilot CLI', () => {
    const content = fileWith({ ...server, type: 'local', tools: ['get_problem'] });
    const edited = addServerEntry(content, json, { server: { ...server, type: 'local', tools: ['*'] }, inputs: [] });
    expect(edited).toBe(content);
  });

  test('replaces the invalid value null of env by an object', () => {
    const edited = addServerEntry(fileWith({ ...server, env: null }), json, fresh);
    expect(readServerEntry(edited, json)).toEqual(fresh.server);
  });
});

describe('a configuration file with duplicate properties or deep nesting', () => {
  test.each([
    ['the key of the servers', '{"mcpServers": {},\n "mcpServers": {}}', '"mcpServers" twice (lines 1 and 2)'],
    ['the server', '{"mcpServers": {"oj": {"command": "oj-mcp"},\n\n"oj": {}}}', '"oj" twice (lines 1 and 3)'],
    ['a member', '{"mcpServers": {"oj": {"command": "oj-mcp", "command": "x"}}}', '"command" twice (lines 1 and 1)'],
    ['an escaped name', '{"mcpServers": {"oj": {"command": "oj-mcp"}, "o\\u006a": {}}}', '"oj" twice'],
  ])('is rejected if it defines %s twice', (_, content, message) => {
    for (const edit of [addServerEntry, removeServerEntry]) {
      expect(() => edit(content, json, own)).toThrow(`the file has ${message}`);
      expect(() => edit(content, json, own)).toThrow('remove one of them');
    }
  });

  test('is edited, and stays unchanged elsewhere, if the duplicate properties are in other parts of the file', () => {
    const content = '{"a": {"b": 1, "b": 2}, "mcpServers": {"x": {"y": 1, "y": 1}}}';
    expect(removeServerEntry(addServerEntry(content, json, own), json)).toBe(content);
  });

  test.each([
    ['objects', '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000)],
    ['arrays', `{"a": ${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
    ['brackets that are not closed', '{"a":'.repeat(20_000)],
  ])('is rejected if %s are nested 20,000 levels deep', (_, content) => {
    for (const edit of [addServerEntry, removeServerEntry]) {
      expect(() => edit(content, json, own)).toThrow('the file is nested deeper than 500 levels: see line 1');
    }
  });

  test('is edited if its objects are nested 500 levels deep', () => {
    const content = `{"mcpServers":{"x":1},"a":${'['.repeat(499)}${']'.repeat(499)}}`;
    expect(removeServerEntry(addServerEntry(content, json, own), json)).toBe(content);
  });
});

describe('restoreConfigContent', () => {
  test.each([
    ['a file that the installation created', undefined, undefined],
    ['an empty file', '', ''],
    ['an empty object', '{ }', '{ }'],
    ['an empty list of servers', '{"mcpServers": { }}', '{"mcpServers": { }}'],
    ['a file without servers', '{\n\t"a": [1,\n2]}', '{\n\t"a": [1,\n2]}'],
  ])('restores %s after two different installations', (_, original, expected) => {
    const first = addServerEntry(original ?? '', json, own);
    const second = addServerEntry(first, json, {
      server: { ...server, args: ['oj-mcp.cjs', '--oj-extras'] },
      inputs: [],
    });
    expect(restoreConfigContent(second, json, original)).toBe(expected);
  });

  test.each([
    ['the created object of servers', '{"a": 1}', '"a": 1', '"a": 2', '{"a": 2}'],
    [
      'the created file, if another program added a setting',
      undefined,
      '{\n',
      '{\n  "theme": "dark",\n',
      '{\n  "theme": "dark"\n}\n',
    ],
    [
      'nothing else, if the file had an empty object of servers',
      '{"a": 1, "mcpServers": {}}',
      '"a": 1',
      '"a": 2',
      '{"a": 2, "mcpServers": {}}',
    ],
    ['no comment', undefined, '"oj"', '// mine\n    "oj"', '{\n  "mcpServers": {\n    // mine\n  }\n}\n'],
  ])('removes %s', (_, original, text, changed, expected) => {
    const content = addServerEntry(original ?? '', json, own).replace(text, changed);
    expect(restoreConfigContent(content, json, original)).toBe(expected);
  });

  test('deletes a TOML file that the installation has created, and keeps a file that was empty before', () => {
    const content = addServerEntry('', toml, own);
    expect(restoreConfigContent(content, toml, undefined)).toBeUndefined();
    expect(restoreConfigContent(content, toml, '')).toBe('');
  });

  test('removes the VS Code inputs that the installation has created', () => {
    const inputs = [{ type: 'promptString', id: 'oj-mcp-token' }];
    const content = addServerEntry('{"a": 1}', code, { server, inputs }).replace('"a": 1', '"a": 2');
    expect(restoreConfigContent(content, code, '{"a": 1}')).toBe('{"a": 2}');
  });
});

describe('the printed lines', () => {
  const secrets = {
    apiKey: 'hunter2',
    pin: 12345678,
    mcpServers: {
      other: { url: 'https://x', headers: { Authorization: 'Bearer hunter2' }, env: { A: 'hunter2 "hunter2"' } },
      oj: { ...server, env: { OJ_MCP_TOKEN: 'hunter2', OJ_MCP_LOG: 'off' }, headers: ['hunter2'] },
    },
  };
  const tomlSecrets = [
    'key = "hunter2" # hunter2',
    'pin = 12345678',
    '[mcp_servers.other]',
    'http_headers = { Authorization = "Bearer hunter2" }',
    'env = { A = """hunter2',
    'hunter2""" }',
    '[mcp_servers.oj]',
    'command = "oj-mcp"',
    'env = { OJ_MCP_TOKEN = "hunter2", OJ_MCP_LOG = "off" }',
    "bearer_token = 'hunter2'",
    '',
  ].join('\n');

  test.each([
    ['a JSON file with one line', json, JSON.stringify(secrets)],
    ['a JSON file with several lines', json, JSON.stringify(secrets, null, 2)],
    ['comments', json, JSON.stringify(secrets, null, 2).replace('{', '{ // hunter2\n/* hunter2\nhunter2 */')],
    ['a TOML file', toml, tomlSecrets],
    ['a TOML file with CRLF', toml, tomlSecrets.replaceAll('\n', '\r\n')],
  ])('hide the values of other servers and of added variables in %s', (_, place, content) => {
    const before = markPartsToHide(content, place, new Set(['OJ_MCP_LOG']));
    const lines = formatChangedLines(before, { text: '', hidden: [] }).join('\n');
    expect(lines).not.toMatch(/hunter2|12345678/);
    expect(lines).toContain('OJ_MCP_TOKEN');
    expect(lines).toMatch(/OJ_MCP_LOG"? ?[:=] ?"off"/);
    expect(formatChangedLines(before, { text: 'x', hidden: [] })).toHaveLength(content.split('\n').length + 1);
  });
});

test('an uninstallation restores the original file although a repeated installation has changed the indentation of the server', () => {
  // The second installation uses the indentation of the first indented line with a name. The first installation has
  // added this line.
  const source = '{"list":[\n  1\n ], "mcpServers":{},"last" : 1 } // end';
  const second = { server: { ...server, args: ['oj-mcp.cjs'], env: { A: 'x' } }, inputs: [] };
  const installed = addServerEntry(addServerEntry(source, json, own), json, second);
  expect(restoreConfigContent(installed, json, source)).toBe(source);
});

test('an uninstallation restores the original file although a repeated installation has added an input for VS Code', () => {
  const vscode = { language: 'json', key: 'servers' } as const;
  const inputs = [{ id: 'oj-mcp-token' }];
  for (const source of ['{} ', '{"a": 1, "servers": {}}', '{\n\t"inputs": [ ]\n}\n']) {
    const installed = addServerEntry(addServerEntry(source, vscode, own), vscode, { server, inputs });
    expect(restoreConfigContent(installed, vscode, source)).toBe(source);
  }
});

const word = fc.constantFrom('a', 'b', 'x y', 'ü', '"', '\\', '__proto__', 'inputs', 'mcpServers');
const value = fc.letrec(tie => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(1, true, null, 'text', '// no comment', '/*', ''),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(word, tie('any'), { maxKeys: 4 }),
  ),
})).any;

/** Generates settings files with any layout, with comments and trailing commas. */
const settings = fc
  .record({
    others: fc.dictionary(fc.constantFrom('a', 'b', 'x y', 'mcp'), value, { maxKeys: 3 }),
    servers: fc.option(fc.dictionary(word, value, { maxKeys: 3 }), { nil: undefined }),
    indent: fc.constantFrom(undefined, 1, 2, 4, '\t'),
    eol: fc.constantFrom('\n', '\r\n'),
    comment: fc.constantFrom('', ' // comment "oj": {', ' /* comment, */'),
    hasTrailingComma: fc.boolean(),
    end: fc.constantFrom('', '\n', ' \n\n', '// end'),
  })
  .map(({ others, servers, indent, eol, comment, hasTrailingComma, end }) => {
    const object = servers === undefined ? others : { ...others, mcpServers: servers };
    const lines = (JSON.stringify(object, null, indent) ?? '{}').split('\n');
    const commented = lines.map(line => (indent !== undefined && /[[{,\d"]$/.test(line) ? line + comment : line));
    const text = commented.join(eol);
    return (hasTrailingComma && indent !== undefined ? text.replace(/([\d"])(\r?\n\})/g, '$1,$2') : text) + end;
  });

test('an installation and an uninstallation, also with a second one between them, restore every random JSON file', () => {
  fc.assert(
    fc.property(settings, fc.boolean(), (source, isRepeated) => {
      const first = addServerEntry(source, json, own);
      const second = { server: { ...server, args: ['oj-mcp.cjs'], env: { A: 'x' } }, inputs: [] };
      const installed = isRepeated ? addServerEntry(first, json, second) : first;
      expect(restoreConfigContent(installed, json, source)).toBe(source);
      // The result contains every byte of the file in the same order.
      let at = 0;
      for (const character of source) {
        at = installed.indexOf(character, at) + 1;
        expect(at).toBeGreaterThan(0);
      }
    }),
  );
});
