import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { hostConfigFiles } from '../../../src/cli/host-config/targets.ts';
import { has } from '../../support/toolsets.ts';
import { fileOf, jsonHosts, newHome, run } from './home.ts';

const hasOj = has('oj');

describe.runIf(hasOj)('--install', () => {
  const layouts: [string, (key: string) => string][] = [
    ['other servers', key => `{\n  "${key}": {\n    "other": { "command": "x" }\n  },\n  "theme": "dark"\n}\n`],
    [
      'comments',
      key => `// settings\n{\n  /* servers */\n  "${key}": {\n    // the first\n    "other": {} // last\n  }\n}\n`,
    ],
    ['four blanks and CRLF', key => `{\r\n    "${key}": {\r\n        "other": {}\r\n    }\r\n}\r\n`],
    ['tabs and a byte order mark', key => `\ufeff{\n\t"${key}": {\n\t\t"other": {}\n\t}\n}`],
    ['keys of other hosts', key => `{"${key}":{}, "mcp": [], "context_servers": 1}`],
    ['one line', key => `{"${key}":{"other":{}},"a":[1,2]}`],
  ];
  /** The cases contain one layout for each host, and all layouts for two hosts. */
  const cases = jsonHosts.flatMap(host =>
    layouts
      .filter((_, index) => index === 0 || host === 'cursor' || host === 'vscode')
      .map(([layout, text]) => ({ host, layout, text })),
  );
  test.each(cases)(
    'keeps all other bytes of a file with $layout for $host, and --uninstall restores the file',
    async ({ host, text }) => {
      const home = newHome();
      const file = fileOf(host, home);
      const before = text(hostConfigFiles[host]?.key ?? '');
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, before);
      await run(home, '--install', host, '--demo', '--yes');
      expect(readFileSync(file, 'utf8')).toContain('"--demo"');
      expect(readFileSync(`${file}.oj-mcp-backup`, 'utf8')).toBe(before);
      await run(home, '--uninstall', host, '--yes');
      expect(readFileSync(file, 'utf8')).toBe(before);
    },
  );

  test.each(['', 'model = "x"\n', 'model = "x"', '[mcp_servers.other]\r\ncommand = "x"\r\n'])(
    'keeps all other bytes of the TOML file %j, and --uninstall restores the file',
    async before => {
      const home = newHome();
      const file = fileOf('codex', home);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, before);
      await run(home, '--install', 'codex', '--demo', '--yes');
      const installed = readFileSync(file, 'utf8');
      expect(installed.startsWith(before)).toBe(true);
      await run(home, '--install', 'codex', '--demo', '--yes');
      expect(readFileSync(file, 'utf8')).toBe(installed);
      await run(home, '--uninstall', 'codex', '--yes');
      expect(readFileSync(file, 'utf8')).toBe(before);
    },
  );

  test.each([
    ['cursor', '{"mcpServers": {', 'is not valid JSON'],
    ['cursor', '{"mcpServers": {"oj": {"command": "other"}}}', 'has a server "oj" that is not oj-mcp'],
    ['cursor', `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, 'is nested deeper than 500 levels'],
    ['codex', '[mcp_servers.oj]\ncommand = "x"\n', 'has a server "oj" that is not oj-mcp'],
    ['codex', '[mcp_servers]\noj = { command = "oj-mcp" }\n', 'write it as the table [mcp_servers.oj]'],
    ['codex', 'a = 1\na = 2\n', 'is not valid TOML: see line 2'],
  ])('leaves the file of %s unchanged if its content is %.80j', async (host, before, message) => {
    const home = newHome();
    const file = fileOf(host, home);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, before);
    const { code, stderr } = await run(home, '--install', host, '--demo', '--yes');
    expect(stderr).toContain(message);
    expect(code).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(readdirSync(path.dirname(file))).toEqual([path.basename(file)]);
  });

  const inputLayouts = [
    '{}',
    '{\n  "servers": {},\n  "inputs": []\n}',
    '{\n\t"inputs": [ // mine\n\t\t{ "id": "x",   "password": true }, /* y */\n\t],\n\t"servers": {"a": {}}}\n',
    '{"servers":{},"inputs":[{"id":"oj"}]}',
  ];
  test.each(inputLayouts)(
    'adds an input to the file %j of VS Code, and --uninstall restores the file',
    async before => {
      const home = newHome();
      const file = fileOf('vscode', home);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, before);
      const args = ['--install', 'vscode', '--base-url', 'http://127.0.0.1:1', '--token', 'hunter2-hunter2', '--yes'];
      const { stdout } = await run(home, ...args);
      expect(stdout).toContain('VS Code asks for the secret once and stores it.\n');
      const installed = readFileSync(file, 'utf8');
      expect(installed).toContain('"id": "oj-mcp-token"');
      await run(home, ...args);
      expect(readFileSync(file, 'utf8')).toBe(installed);
      await run(home, '--uninstall', 'vscode', '--yes');
      expect(readFileSync(file, 'utf8')).toBe(before);
    },
  );

  test('lets --uninstall remove only its own entry if the file has changed since the installation', async () => {
    const home = newHome();
    const file = fileOf('vscode', home);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, '{"inputs": [{ "id": "x" }]}');
    await run(home, '--install', 'vscode', '--base-url', 'http://127.0.0.1:1', '--token', 'hunter2-hunter2', '--yes');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"x"', '"y"'));
    await run(home, '--uninstall', 'vscode', '--yes');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ inputs: [{ id: 'y' }] });
  });

  test.each([
    ['cursor', '{ "mcpServers":{},\n "x": 1 }', ''],
    ['cursor', '{ "x": 1, "mcpServers":{  } }', ''],
    ['vscode', '{ "x": 1, "servers": {\n\n}, "inputs":[] }', 'hunter2-hunter2'],
  ])(
    'lets --uninstall from %s restore the blanks in %j if the user changed another part',
    async (host, before, token) => {
      const home = newHome();
      const file = fileOf(host, home);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, before);
      await run(home, '--install', host, '--base-url', 'http://127.0.0.1:1', '--token', token, '--yes');
      writeFileSync(file, readFileSync(file, 'utf8').replace('"x": 1', '"x": 2'));
      await run(home, '--uninstall', host, '--yes');
      expect(readFileSync(file, 'utf8')).toBe(before.replace('"x": 1', '"x": 2'));
    },
  );
});
