import { describe, expect, test } from 'vitest';
import { removeBlock, setBlock } from '../../../src/cli/host-config/edit-toml.ts';

const table = 'mcp_servers.oj';
const block = '[mcp_servers.oj]\ncommand = "node"';

describe('setBlock', () => {
  test('and removeBlock keep a table that another program has written before the end of the block', () => {
    const edited = setBlock('model = "x"\n', table, block).replace(
      '# oj-mcp end',
      '\n[features]\na = true\n# oj-mcp end',
    );
    expect(removeBlock(edited, table)).toBe('model = "x"\n[features]\na = true\n');
    expect(setBlock(edited, table, block)).toBe(setBlock('model = "x"\n[features]\na = true\n', table, block));
  });

  test('and removeBlock keep the line break before a table that was appended to a file without final line break', () => {
    const edited = `${setBlock('model = "x"', table, block)}[other]\nz = 1\n`;
    expect(removeBlock(edited, table)).toBe('model = "x"\n[other]\nz = 1\n');
  });

  test.each([
    'model = "x"\n',
    '[mcp_servers.other]\nargs = [\n  "a", # comment with [ and "\n  "b",\n]\n',
    '[[items]]\nname = "oj"\n[[items]]\nname = \'mcp_servers.oj\'\n',
    'text = """\n[mcp_servers.oj]\n"""\nraw = \'\'\'\n[mcp_servers.oj]\n\'\'\'\n',
    'date = 1979-05-27T07:32:00Z\nfloat = -1.5e+3\ninline = { a = [1, { b = 2 }], c.d = "}" }\n',
    '"mcp_servers.oj" = 1\n[other]\nmcp_servers.oj = 1\n[mcp_servers]\nother.command = "x"\n',
    'escaped = "a \\" [mcp_servers.oj]"\n# [mcp_servers.oj]\n',
    '[mcp_servers.oj2]\ncommand = "x"\n',
  ])('adds the block behind %j, and removeBlock restores the text', source => {
    const edited = setBlock(source, table, block);
    expect(edited.startsWith(source)).toBe(true);
    expect(edited).toContain(block);
    expect(removeBlock(edited, table)).toBe(source);
  });

  test.each([
    ['[mcp_servers.oj]\n', 'mcp_servers.oj'],
    ['[ mcp_servers . "oj" ]\n', 'mcp_servers.oj'],
    ["[mcp_servers.'oj'.env]\nA = 1\n", 'mcp_servers.oj.env'],
    ['[mcp_servers]\noj = { command = "x" }\n', 'mcp_servers.oj'],
    ['[mcp_servers]\noj.command = "x"\n', 'mcp_servers.oj.command'],
    ['mcp_servers.oj.command = "x"\n', 'mcp_servers.oj.command'],
    ['mcp_servers = { oj = { command = "x" } }\n', 'mcp_servers'],
    ['[mcp_servers]\n  [mcp_servers.oj] # the server\n', 'mcp_servers.oj'],
  ])('rejects %j, which defines the table', (source, name) => {
    expect(() => setBlock(source, table, block)).toThrow(`has ${name}, which --install has not written`);
  });

  test.each([
    ['[mcp_servers.x\n', 1],
    ['a = 1\nb = """\nopen', 2],
    ['a = "open\n', 1],
    ['a = [1,\n', 2],
    ['a = 1\nb\n', 2],
    ['{"mcpServers": {', 1],
  ])('rejects %j, which is not TOML', (source, line) => {
    expect(() => setBlock(source, table, block)).toThrow(`is not valid TOML: see line ${line}`);
  });

  test('edits a text of 700,000 characters without quadratic work', () => {
    const source = `a = "${'\\"'.repeat(200_000)}"\n${'[t]\nb = ["""]"""]\n'.repeat(20_000)}`;
    expect(removeBlock(setBlock(source, table, block), table)).toBe(source);
  });
});
