import { parse, stringify } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { tomlConfigEditor } from '../../../src/cli/host-config/edit-toml.ts';
import * as fc from '../../support/property.ts';

const path = ['mcp_servers', 'oj'];
const server = { command: 'node', args: ['oj-mcp.cjs'] };
const set = (source: string, value: object = server): string => tomlConfigEditor.set(source, path, value);
const remove = (source: string): string => tomlConfigEditor.remove(source, path);

describe('the TOML editor', () => {
  test.each([
    'model = "x"\n',
    'model = "x"',
    '[mcp_servers.other]\r\nargs = [\r\n  "a", # comment with [ and "\r\n  "b",\r\n]\r\n',
    '[[items]]\nname = "oj"\n[[items]]\nname = \'mcp_servers.oj\'\n',
    'text = """\n[mcp_servers.oj]\n# oj-mcp end\n"""\nraw = \'\'\'\n[mcp_servers.oj]\n\'\'\'\n',
    'date = 1979-05-27T07:32:00Z\nfloat = -1.5e+3\ninline = { a = [1, { b = 2 }], c.d = "}" }\n',
    '"mcp_servers.oj" = 1\n[other]\nmcp_servers.oj = 1\n[mcp_servers]\nother.command = "x"\n',
    'escaped = "a \\" [mcp_servers.oj]"\n# [mcp_servers.oj]\n',
    '[mcp_servers.oj2]\ncommand = "x"\n',
    'mcp_servers.other.command = "x"\n',
  ])('appends the table to %j, and its removal restores the text', source => {
    const edited = set(source);
    expect(edited.startsWith(source)).toBe(true);
    expect(tomlConfigEditor.read(edited, path)).toEqual(server);
    expect(remove(edited)).toBe(source);
  });

  test('keeps tables that another program has written before the end of the marked block', () => {
    const edited = set('model = "x"\n').replace('# oj-mcp end', '\n[features]\na = true\n# oj-mcp end');
    expect(remove(edited)).toBe('model = "x"\n\n[features]\na = true\n');
  });

  test('keeps the line break before a table that was appended to a file without final line break', () => {
    const edited = `${set('model = "x"')}[other]\nz = 1\n`;
    expect(remove(edited)).toBe('model = "x"\n[other]\nz = 1\n');
  });

  test.each([
    ['no markers', 'a = 1\n\n[mcp_servers.oj]\ncommand = "oj-mcp"\n\n[b]\n', 'a = 1\n\n\n[b]\n'],
    ['the closing marker only', 'a = 1\n[mcp_servers.oj]\ncommand = "oj-mcp"\n# oj-mcp end\n[b]\n', 'a = 1\n[b]\n'],
    [
      'a sub-table and comments',
      '[mcp_servers.oj] # ours\ncommand = "oj-mcp" # why\n# note\n\n  [mcp_servers.oj.env]\n  A = "x"\n# next\n[b]\n',
      '# next\n[b]\n',
    ],
    [
      'a sub-table elsewhere',
      '[mcp_servers.oj.env]\nA = "x"\n[b]\nc = 1\n[mcp_servers.oj]\ncommand = "oj-mcp"',
      '[b]\nc = 1\n',
    ],
    [
      'dotted keys',
      '[mcp_servers]\noj.command = "oj-mcp"\nx.command = "y"\noj.args = [\n]\n',
      '[mcp_servers]\nx.command = "y"\n',
    ],
    ['an inline table', '[mcp_servers]\noj = { command = "oj-mcp" }\n', '[mcp_servers]\n'],
    ['a quoted name', '[mcp_servers."o\\u006a"]\ncommand = "oj-mcp"\n', ''],
  ])('removes an entry with %s', (_, source, expected) => {
    expect(remove(source)).toBe(expected);
  });

  test.each([
    ['a value', 'command = "old" # c\nargs = ["oj-mcp.cjs"]\n', 'command = "node" # c\nargs = ["oj-mcp.cjs"]\n'],
    [
      'a value of several lines',
      'command = "node"\nargs = [\n  "old", # x\n]\nz = 1\n',
      'command = "node"\nargs = ["oj-mcp.cjs"]\nz = 1\n',
    ],
    ['a missing key', 'command = "node"\n\n# end\n', 'command = "node"\nargs = ["oj-mcp.cjs"]\n\n# end\n'],
    ['a missing key at the end of the file', '  command = "node"', '  command = "node"\n  args = ["oj-mcp.cjs"]'],
  ])('changes %s and no other line', (_, before, after) => {
    const present = tomlConfigEditor.read(`[mcp_servers.oj]\n${before}`, path);
    expect(set(`[mcp_servers.oj]\n${before}`, { ...Object(present), ...server })).toBe(`[mcp_servers.oj]\n${after}`);
  });

  test.each([
    ['an inline table', 'env = { A = "1" }', 'env = { A = "1", B = "2" }'],
    ['dotted keys', 'env.A = "1"', 'env.A = "1"\nenv.B = "2"'],
    ['a sub-table', '[mcp_servers.oj.env]\nA = "1" # x', '[mcp_servers.oj.env]\nA = "1" # x\nB = "2"'],
    ['an empty sub-table', '[mcp_servers.oj.env]', '[mcp_servers.oj.env]\nB = "2"'],
  ])('adds a variable to %s', (_, before, after) => {
    const source = `[mcp_servers.oj]\ncommand = "node"\n${before}\n`;
    const present = Object(tomlConfigEditor.read(source, path));
    const edited = set(source, { ...present, env: { ...present.env, B: '2' } });
    expect(edited).toBe(`[mcp_servers.oj]\ncommand = "node"\n${after}\n`);
  });

  test.each([
    ['an inline table', 'env = { A = "1", B = "2" }', 'env = { A = "1" }'],
    ['dotted keys', 'env.A = "1"\nenv.B = "2" # b', 'env.A = "1"'],
    ['a sub-table', '[mcp_servers.oj.env]\nB = "2"\n# a\nA = "1" # x', '[mcp_servers.oj.env]\n# a\nA = "1" # x'],
    ['CRLF', 'env.A = "1"\r\n  env.B = "2"\r', 'env.A = "1"\r'],
  ])('removes a variable from %s and changes no other line', (_, before, after) => {
    const source = `[x]\n[mcp_servers.oj]\ncommand = "node"\n${before}\n\n[other] # o\n`;
    const edited = set(source, { command: 'node', env: { A: '1' } });
    expect(edited).toBe(`[x]\n[mcp_servers.oj]\ncommand = "node"\n${after}\n\n[other] # o\n`);
  });

  test.each([
    ['an inline table', 'env = { B = "2" }\n'],
    ['dotted keys', 'env.A = "1"\nenv.B = "2"\n'],
    ['a sub-table', '[mcp_servers.oj.env]\nB = "2"\n'],
  ])('removes all variables in %s', (_, before) => {
    const edited = set(`[mcp_servers.oj]\ncommand = "node"\n${before}[other]\n`, { command: 'node' });
    expect(edited).toBe('[mcp_servers.oj]\ncommand = "node"\n[other]\n');
  });

  test.each([
    ['[mcp_servers]\noj = { command = "x" }\n', 'line 2 defines mcp_servers.oj without a table of its own'],
    ['[mcp_servers]\noj.command = "x"\n', 'line 2 defines mcp_servers.oj without a table of its own'],
    ['\nmcp_servers.oj.command = "x"\n', 'line 2 defines mcp_servers.oj without a table of its own'],
    ['mcp_servers = { oj = { command = "x" } }\n', 'line 1 defines mcp_servers.oj without a table of its own'],
    ['a = 1\nmcp_servers = { }\n', 'line 2 defines mcp_servers in a notation that cannot be extended'],
    ['a = 1\n[[mcp_servers]]\n', 'line 2 defines mcp_servers in a notation that cannot be extended'],
  ])('rejects %j and names the remedy', (source, message) => {
    expect(() => set(source)).toThrow(message);
    expect(() => set(source)).toThrow(/: write (?:it as the table \[mcp_servers\.oj]|each server as a table )/);
  });

  test('rejects the removal from an inline table, because it contains other servers', () => {
    expect(() => remove('mcp_servers = { oj = { command = "x" } }\n')).toThrow('remove it by hand');
  });

  test.each([
    ['[mcp_servers.x\n', 1],
    ['a = 1\nb = """\nopen', 2],
    ['a = "open\n', 1],
    ['a = 1\nb\n', 2],
    ['{"mcpServers": {', 1],
    ['[mcp_servers.oj]\n[mcp_servers.oj]\n', 2],
    ['a = 1\na = 2\n', 2],
    ['a = 0x\n', 1],
  ])('rejects %j, which is not valid TOML', (source, line) => {
    expect(() => set(source)).toThrow(`is not valid TOML: see line ${line}`);
    expect(() => remove(source)).toThrow(`is not valid TOML: see line ${line}`);
  });

  test('rejects a value that is nested 20,000 levels deep', () => {
    expect(() => set(`a = ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`)).toThrow('is not valid TOML: see line 1');
  });

  test('edits a text of 700,000 characters without quadratic work', () => {
    const source = `a = "${'\\"'.repeat(200_000)}"\n${'[[t]]\nb = ["""]"""]\n'.repeat(15_000)}`;
    expect(remove(set(source))).toBe(source);
  });
});

const text = fc.constantFrom('', 'plain', '# no comment', '[mcp_servers.oj]', '"', '\\', 'a = 1', '😀', '\u007f', '\n');
const value = fc.letrec(tie => ({
  any: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.constantFrom<unknown>(1, -2.5, true, new Date(0)),
    fc.array(text, { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'x y', 'oj', 'd.e', '"'), tie('any'), { maxKeys: 3 }),
  ),
})).any;

/** Generates TOML files with any indentation, line ends and comments. */
const files = fc
  .record({
    root: fc.dictionary(fc.constantFrom('model', 'features', 'a b', 'mcp_servers2'), value, { maxKeys: 3 }),
    servers: fc.dictionary(
      fc.constantFrom('other', 'oj2', 'o.j'),
      fc.dictionary(fc.constantFrom('env', 'url'), value),
      { maxKeys: 3 },
    ),
    indent: fc.constantFrom('', '  ', '\t'),
    comment: fc.constantFrom('', ' # comment', ' # [mcp_servers.oj]'),
    eol: fc.constantFrom('\n', '\r\n'),
    isEnded: fc.boolean(),
  })
  .map(({ root, servers, indent, comment, eol, isEnded }) => {
    const content = stringify({ ...root, mcp_servers: servers });
    const lines = content.split('\n').map(line => (line === '' ? line : indent + line + comment));
    return lines.join(eol) + (isEnded ? eol : '');
  });

test('the TOML editor keeps every other byte and value of random files, and a removal restores the file', () => {
  fc.assert(
    fc.property(files, source => {
      const edited = set(source);
      expect(edited.startsWith(source)).toBe(true);
      const { mcp_servers: before, ...rest } = parse(source);
      const { mcp_servers: after, ...others } = parse(edited);
      expect([others, after]).toEqual([rest, { ...Object(before), oj: server }]);
      expect(remove(edited)).toBe(source);
      const changed = { ...server, command: 'other', env: { A: 'x' } };
      const again = set(edited, changed);
      expect(tomlConfigEditor.read(again, path)).toEqual(changed);
      expect(remove(again)).toBe(source);
    }),
  );
});

/** Generates the lines of our entry in each TOML notation that a user or Codex writes. */
const entries = fc
  .record({
    header: fc.constantFrom('[mcp_servers.oj]', '[ mcp_servers . "oj" ] # ours', "\t[mcp_servers.'oj']"),
    env: fc.constantFrom(
      [],
      ['env = { A = "1", "B c" = "2" }'],
      ['env.A = "1"', 'env."B c" = "2"'],
      ['# variables', '[mcp_servers.oj.env]', 'A = "1"', '"B c" = "2" # x'],
    ),
    rest: fc.subarray(['timeout = 2.0', 'since = 1979-05-27', '', '# [other]', 'text = """\n[x]\n"""']),
    tools: fc.constantFrom([], ['[mcp_servers.oj.tools.get_problem]', 'approval_mode = "approve"']),
    isFirst: fc.boolean(),
  })
  .map(({ header, env, rest, tools, isFirst }) => {
    const args = ['args = [ "a", # first', '  "b" ]'];
    // Comments after the last key belong to the next table, so that the generator ends each table with a key.
    const own = isFirst ? ['command = "old"', ...rest, ...args] : [...rest, ...args, 'command = "old"'];
    return [header, ...own, ...env, ...tools];
  });

test('the TOML editor changes an entry in any notation, and keeps the rest of the entry and of the file', () => {
  const other = '[z]\na = """\n[mcp_servers.oj]\n"""\n';
  const cases = fc.property(entries, fc.constantFrom('\n', '\r\n'), fc.boolean(), (lines, eol, isLast) => {
    const before = `model = "x"${eol}[mcp_servers.other]${eol}command = "oj"${eol}`;
    const own = lines.join('\n').replaceAll('\n', eol) + (isLast ? '' : eol);
    const after = isLast ? '' : other.replaceAll('\n', eol);
    const present = Object(tomlConfigEditor.read(before + own + after, path));
    const wanted = { ...present, ...server, env: { ...present.env, A: '3', C: '4' } };
    const edited = set(before + own + after, wanted);
    expect(tomlConfigEditor.read(edited, path)).toEqual(wanted);
    expect(edited.startsWith(before) && edited.endsWith(after)).toBe(true);
    for (const line of lines.filter(part => /^(?:#|\[|timeout|since)/.test(part))) expect(edited).toContain(line);
    expect(set(edited, wanted)).toBe(edited);
    for (const content of [edited, before + own + after]) expect(remove(content)).toBe(before + after);
  });
  fc.assert(cases);
});
