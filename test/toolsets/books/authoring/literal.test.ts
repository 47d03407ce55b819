import { describe, expect, test } from 'vitest';
import { parseExportedLiteral, parseJavaScriptLiteral } from '../../../../src/toolsets/books/authoring/literal.ts';

describe('parseJavaScriptLiteral', () => {
  test.each([
    ['JSON', '{"a": [1, -2.5, true, null]}', { a: [1, -2.5, true, null] }],
    ['single quotes and unquoted names', "{type: 'doc', 'id': `x`}", { type: 'doc', id: 'x' }],
    ['comments and trailing commas', '[1, // one\n 2, /* two */]', [1, 2]],
    ['escapes', String.raw`'\u0041\n\''`, "A\n'"],
  ])('reads a JavaScript literal with %s', (_, source, expected) => {
    expect(parseJavaScriptLiteral(source)).toEqual(expected);
  });
});

describe('parseJavaScriptLiteral', () => {
  test.each([
    ['a call', 'require("x")'],
    ['a variable', '[a]'],
    ['a template with an expression', '`${a}`'],
    ['an unclosed array', '[1, 2'],
    ['text after the value', '1 2'],
    ['deep nesting', '['.repeat(100_000)],
    ['an empty string', ''],
  ])('returns undefined for %s', (_, source) => {
    expect(parseJavaScriptLiteral(source)).toBeUndefined();
  });
});

describe('parseExportedLiteral', () => {
  test.each([
    ['module.exports', 'module.exports = { docs: ["a"] };'],
    ['a default export', "export default { docs: ['a'] };"],
    ['an exported constant with a type', "const sidebars: Config = { docs: ['a'] };\n\nexport default sidebars;\n"],
    ['a constant in CommonJS', "// @ts-check\nconst sidebars = { docs: ['a'] };\nmodule.exports = sidebars;"],
  ])('reads the literal of %s', (_, source) => {
    expect(parseExportedLiteral(source)).toEqual({ docs: ['a'] });
  });

  test('returns undefined for an exported function call', () => {
    expect(parseExportedLiteral('module.exports = build();')).toBeUndefined();
  });
});
