import { type Generator, pieces } from '../../support/generator.ts';

const keys = pieces('mcpServers¦mcpServers¦oj¦oj¦other¦list¦command¦args¦env¦A¦a b');
const scalars = pieces('"npx"¦"x y"¦1¦true¦null¦"\\u00e9"¦""¦"a"¦[]¦{}');
const comments = pieces('¦¦¦¦¦// note\n¦/* note */¦ // "x": 1\n');

/** A JSON text with comments, in one of several layouts. A few of them are invalid. */
export function jsonText(random: Generator): string {
  const eol = random.pick(pieces('\n¦\n¦\r\n'));
  const unit = random.pick(pieces('  ¦    ¦\t¦'));
  const value = (depth: number, indent: string): string => {
    const kind = random.below(depth === 0 ? 1 : 6);
    if (kind === 0) return random.pick(scalars);
    const isArray = kind === 1;
    const inner = indent + unit;
    const isOneLine = random.below(3) === 0;
    const between = isOneLine ? random.pick(pieces('¦ ')) : eol + inner;
    const member = (): string =>
      random.pick(comments).replace('\n', eol + inner) +
      (isArray ? '' : `"${random.pick(keys)}":${random.pick(pieces(' ¦ ¦'))}`) +
      value(depth - 1, inner);
    const members = random.repeat(0, 3, member, `,${between}`);
    const trailing = members !== '' && random.below(6) === 0 ? ',' : '';
    const end = isOneLine ? between : eol + indent;
    return `${isArray ? '[' : '{'}${between}${members}${trailing}${end}${isArray ? ']' : '}'}`;
  };
  const oj = `{"command": "npx", "args": [${random.pick(pieces('"a"¦"-y", "x"¦'))}]${random.pick(pieces('¦, "env": {"A": "1"}¦, "on": true,'))}}`;
  const known = `{${eol}${unit}"mcpServers": {${eol}${unit}${unit}"oj": ${oj}${random.pick(pieces('¦,¦, // note'))}${eol}${unit}}${eol}}${eol}`;
  const text = random.below(3) === 0 ? known : value(4, '') + random.pick(pieces('¦\n'));
  if (random.below(12) === 0) return text.replace(random.pick(pieces('"¦}¦:')), '');
  return random.below(20) === 0 ? random.pick(pieces('¦  \n¦[1]¦null¦{"a": 1, "a": 2}')) : text;
}

const tomlLines = pieces(
  '[mcp_servers.oj]¦[mcp_servers.oj]¦[mcp_servers]¦[mcp_servers.other]¦[mcp_servers.oj.env]¦[[list]]¦[ "mcp_servers" . oj ]¦command = "npx"¦args = ["a", "b"] # note¦args = [\n  "a", # note\n  "b",\n]¦  enabled = true',
  'A = "1"¦B.c = 2¦x = 1979-05-27T07:32:00Z¦oj = { command = "x", env = { A = "1" } }¦mcp_servers.oj.command = "y"¦# note¦¦s = """\na # b\n"""¦\'q k\' = \'v\'¦"e\\"" = 1.5¦on = "z"',
  '# oj-mcp begin: written by --install, removed by --uninstall¦# oj-mcp end¦# oj-mcp begin: written by --install, removed by --uninstall (the file had no final line break)¦[[mcp_servers.oj]]¦bad line',
);

/** A TOML text of statements in any order. Many of them are invalid, because a key occurs twice. */
export function tomlText(random: Generator): string {
  const eol = random.pick(pieces('\n¦\n¦\r\n'));
  const start = random.below(3) === 0 ? '[mcp_servers.oj]\ncommand = "npx"\n' : '';
  const lines = random.repeat(0, 6, () => random.pick(tomlLines), '\n') + random.pick(pieces('\n¦'));
  return (start + lines).replaceAll('\n', eol);
}

/** Two versions of a text. The words `secret` are hidden. */
export function twoVersions(random: Generator): [string, string] {
  const lines = pieces(
    'a¦b¦secret¦"secret"¦"--token", "secret"¦"--token=secret"¦"--token", "${TOKEN}"¦url = "https://u:p@host/"¦¦--token',
  );
  const text = (): string => random.repeat(0, 5, () => random.pick(lines), random.pick(pieces('\n¦\r\n')));
  return [text(), text()];
}

const words = pieces(
  '--demo¦--toolsets¦oj,clerk¦--base-url=https://judge.example¦--base-url¦https://judge.example¦--token¦t¦--check¦--print-config¦--print-config=claude¦claude¦--install¦cursor¦--uninstall¦--yes¦-y¦-V¦-h¦--help',
  '--files-root¦/a¦--files-root=/b¦--demo=1¦--tokn¦--TOKEN¦--token:x¦--url¦--no-demo¦--debug¦--port¦-¦--¦#¦--base_url¦--books-import¦--books-export¦--books-root¦--book¦--token=¦--constructor¦--demo --token¦--files-rot¦--default-lang',
);

export function commandLine(random: Generator): string[] {
  return Array.from({ length: random.below(6) }, () => random.pick(words));
}

const values = pieces(
  'YOUR_TOKEN¦<token>¦your-token-here¦${TOKEN}¦$TOKEN¦xxx¦secret¦changeme¦${env:TOKEN}¦${input:oj}¦https://example.com¦/path/to/folder¦...¦C:\\path\\to¦a b¦{token}¦%TOKEN%¦',
);

export function flagValue(random: Generator): string {
  return random.pick(values);
}
