import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfigFile, readOriginal } from '../../../../src/cli/host-config/config-file.ts';
import { jsonEditor, readProperty, removeProperty, setProperty } from '../../../../src/cli/host-config/edit-json.ts';
import { tomlEditor } from '../../../../src/cli/host-config/edit-toml.ts';
import { readServer } from '../../../../src/cli/host-config/entry.ts';
import { attempt, defineReader, nest, repeat } from '../reader.ts';

const json = defineReader({
  name: 'JSON configuration',
  cases: [
    ...repeat(['"a":1,', '//\n', '/*', '/* */', '"', '\\', ',', ' ', '\n', '{', '[', '"a":[1,2],'], '{'),
    ...repeat(['"a":1,\n', '/* */', '\n '], '{', '"mcpServers":{}}'),
    ...nest(
      [
        ['{"a":', '}'],
        ['[', ']'],
      ],
      '{"a":',
    ),
  ],
  read(input) {
    const source = input.toString('utf8');
    return [
      attempt(() => readProperty(source, ['mcpServers', 'oj-mcp'])),
      attempt(() => setProperty(source, ['mcpServers', 'oj-mcp'], {})),
      attempt(() => removeProperty(source, ['mcpServers', 'oj-mcp'])),
      attempt(() => jsonEditor.hiddenRanges(source, () => false)),
      attempt(() => readServer(source, { language: 'json', key: 'mcpServers' })),
    ];
  },
});

const toml = defineReader({
  name: 'TOML configuration',
  cases: repeat([
    '[',
    ' ',
    '[a]\n',
    '\n',
    '\r\n',
    '# oj-mcp begin',
    '[ mcp_servers',
    '.',
    '[mcp_servers .',
    '\t[',
    'a = 1\n',
  ]),
  read(input) {
    const source = input.toString('utf8');
    return [
      attempt(() => tomlEditor.set(source, ['mcp_servers', 'oj'], { command: 'oj-mcp' })),
      attempt(() => tomlEditor.remove(source, ['mcp_servers', 'oj'])),
      attempt(() => tomlEditor.hiddenRanges(source, () => false)),
    ];
  },
});

const folder = mkdtempSync(path.join(tmpdir(), 'oj-mcp-fuzz-'));
process.once('exit', () => rmSync(folder, { recursive: true }));

const configuration = defineReader({
  name: 'configuration file',
  cases: repeat(['\n', 'a', '{', '\ufeff']),
  read(input) {
    const file = path.join(folder, 'config.json');
    writeFileSync(file, input);
    writeFileSync(`${file}.oj-mcp-original`, input);
    return attempt(() => readOriginal(readConfigFile(file)));
  },
});

export const readers = [json, toml, configuration];
