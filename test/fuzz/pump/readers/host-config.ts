import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  readConfigFile,
  readOriginalContent,
  readWrittenVariables,
} from '../../../../src/cli/host-config/config-file.ts';
import {
  jsonConfigEditor,
  readJsonProperty,
  removeJsonProperty,
  setJsonProperty,
} from '../../../../src/cli/host-config/edit-json.ts';
import { tomlConfigEditor } from '../../../../src/cli/host-config/edit-toml.ts';
import { readServerEntry } from '../../../../src/cli/host-config/entry.ts';
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
      attempt(() => readJsonProperty(source, ['mcpServers', 'oj-mcp'])),
      attempt(() => setJsonProperty(source, ['mcpServers', 'oj-mcp'], {})),
      attempt(() => removeJsonProperty(source, ['mcpServers', 'oj-mcp'])),
      attempt(() => jsonConfigEditor.hiddenRanges(source, () => false)),
      attempt(() => readServerEntry(source, { language: 'json', key: 'mcpServers' })),
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
      attempt(() => tomlConfigEditor.set(source, ['mcp_servers', 'oj'], { command: 'oj-mcp' })),
      attempt(() => tomlConfigEditor.remove(source, ['mcp_servers', 'oj'])),
      attempt(() => tomlConfigEditor.hiddenRanges(source, () => false)),
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
    writeFileSync(`${file}.oj-mcp-variables`, input);
    return attempt(() => {
      const read = readConfigFile(file);
      return [readOriginalContent(read), readWrittenVariables(read)];
    });
  },
});

export const readers = [json, toml, configuration];
