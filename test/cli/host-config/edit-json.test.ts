import { describe, expect, test } from 'vitest';
import {
  jsonConfigEditor,
  readJsonProperty,
  removeJsonItems,
  removeJsonProperty,
  setJsonProperty,
} from '../../../src/cli/host-config/edit-json.ts';
import * as fc from '../../support/property.ts';

const path = ['mcpServers', 'oj'];
const server = { command: 'node', args: ['a.cjs'] };

describe('setJsonProperty', () => {
  test.each([
    ['an empty file', '', '{\n  "mcpServers": {\n    "oj": 1\n  }\n}\n'],
    ['an empty object', '{}', '{\n  "mcpServers": {\n    "oj": 1\n  }\n}'],
    [
      'a file with another server',
      '{\n  "mcpServers": {\n    "x": {}\n  }\n}\n',
      '{\n  "mcpServers": {\n    "x": {},\n    "oj": 1\n  }\n}\n',
    ],
    [
      'a file with tabs and CRLF',
      '{\r\n\t"mcpServers": {\r\n\t\t"x": 1\r\n\t}\r\n}',
      '{\r\n\t"mcpServers": {\r\n\t\t"x": 1,\r\n\t\t"oj": 1\r\n\t}\r\n}',
    ],
    ['a file with one line', '{"mcpServers": {"x": 1}}', '{"mcpServers": {"x": 1, "oj": 1}}'],
    [
      'a file with comments and a trailing comma',
      '{\n  // mine\n  "mcpServers": {\n    "x": 1, // first\n    /* last */\n  },\n}',
      '{\n  // mine\n  "mcpServers": {\n    "x": 1, // first\n    /* last */\n    "oj": 1,\n  },\n}',
    ],
    [
      'a file with a comment behind the last property',
      '{\n  "mcpServers": {\n    "x": 1 // first\n  }\n}',
      '{\n  "mcpServers": {\n    "x": 1, // first\n    "oj": 1\n  }\n}',
    ],
    [
      'a file that already has the property',
      '{"mcpServers": {"oj": {"command": "old"}, "x": 1}}',
      '{"mcpServers": {"oj": 1, "x": 1}}',
    ],
  ])('inserts the property and keeps the layout of %s', (_, before, after) => {
    expect(setJsonProperty(before, path, 1)).toBe(after);
  });
});

describe('setJsonProperty', () => {
  test.each([
    ['broken JSON', '{"a": }', 'is not valid JSON: see line 1'],
    ['an array', '[]', 'does not contain a JSON object'],
    ['text after the JSON value', '{} {}', 'is not valid JSON: see line 1'],
    ['a list in place of the object of servers', '{"mcpServers": []}', 'has mcpServers, which is not an object'],
  ])('rejects %s', (_, source, message) => {
    expect(() => setJsonProperty(source, path, 1)).toThrow(message);
  });
});

const word = fc.constantFrom('a', 'b', 'x y', 'ü', '"', '\\');
const value = fc.letrec(tie => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(1, true, null, 'text', '// no comment', ''),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(word, tie('any'), { maxKeys: 4 }),
  ),
})).any;

/** Generates settings files with any layout, with comments and trailing commas. */
const settings = fc
  .record({
    others: fc.dictionary(word, value, { maxKeys: 3 }),
    servers: fc.option(fc.dictionary(word, value, { maxKeys: 3 }), { nil: undefined }),
    indent: fc.constantFrom(undefined, 1, 2, 4, '\t'),
    eol: fc.constantFrom('\n', '\r\n'),
    comment: fc.constantFrom('', ' // comment', ' /* comment, */'),
    hasTrailingComma: fc.boolean(),
  })
  .map(({ others, servers, indent, eol, comment, hasTrailingComma }) => {
    const object = servers === undefined ? others : { ...others, mcpServers: servers };
    const lines = (JSON.stringify(object, null, indent) ?? '{}').split('\n');
    const commented = lines.map(line => (indent !== undefined && /[[{,\d"]$/.test(line) ? line + comment : line));
    const text = commented.join(eol);
    return hasTrailingComma && indent !== undefined ? text.replace(/([\d"])(\r?\n\})/g, '$1,$2') : text;
  });

test('setJsonProperty and removeJsonProperty keep every other value, and together restore the bytes of a file with servers', () => {
  fc.assert(
    fc.property(settings, source => {
      const had = readJsonProperty(source, ['mcpServers']);
      const added = setJsonProperty(source, path, server);
      expect(readJsonProperty(added, path)).toEqual(server);
      const others = (text: string): unknown => readJsonProperty(removeJsonProperty(text, path), []);
      const expected = readJsonProperty(source, []);
      expect(others(added)).toEqual(had === undefined ? { ...Object(expected), mcpServers: {} } : expected);
      const hadServers = had !== undefined && Object.keys(Object(had)).length > 0;
      expect(hadServers ? removeJsonProperty(added, path) : source).toBe(source);
      // The result contains every byte of the file in the same order.
      let at = 0;
      for (const character of source) {
        at = added.indexOf(character, at) + 1;
        expect(at).toBeGreaterThan(0);
      }
    }),
  );
});

test.each([
  ['{//ab\n"x": 1}', ['ab']],
  ['{/*ab*/"x": 1}', ['ab*/']],
  ['{//\n/**/"x": 1} //c', ['*/', 'c']],
])(
  'jsonConfigEditor.hiddenRanges returns the text of each comment after its first two characters: %j',
  (source, expected) => {
    const ranges = jsonConfigEditor.hiddenRanges(source, () => true);
    expect(ranges.map(({ from, to }) => source.slice(from, to)).filter(text => text !== '')).toEqual(expected);
  },
);

test.each([
  ['{"x": "ab", "y": 12, "z": true, "w": null}', ['"ab"', '12']],
  ['{"x": ["ab", {"y": -1}], "oj": "shown"}', ['"ab"', '-1']],
])('jsonConfigEditor.hiddenRanges returns the texts and numbers of hidden properties: %j', (source, expected) => {
  const ranges = jsonConfigEditor.hiddenRanges(source, names => names[0] === 'oj');
  expect(ranges.map(({ from, to }) => source.slice(from, to))).toEqual(expected);
});

test.each([
  ['{"a": [1, 2, 3], "b": 1}', [1], '{"a": [ 2, 3], "b": 1}'],
  ['{"a": [1, 2, 3], "b": 1}', [2], '{"a": [1, 3], "b": 1}'],
  ['{"a": [1, 2, 3], "b": 1}', [3], '{"a": [1, 2], "b": 1}'],
  ['{"a": [1, 2, 3], "b": 1}', [1, 3], '{"a": [ 2], "b": 1}'],
  ['{"a": [1, 2, 3], "b": 1}', [2, 3], '{"a": [1], "b": 1}'],
  ['{"a": [1, 2, 3], "b": 1}', [1, 2, 3], '{"a": [], "b": 1}'],
  ['{"a": [1, 2, 3], "b": 1}', [4], '{"a": [1, 2, 3], "b": 1}'],
  ['{"b": 1}', [1], '{"b": 1}'],
  ['{"a": [\n  1,\n  2,\n  3\n]}', [3], '{"a": [\n  1,\n  2\n]}'],
  ['{"a": [\n  1,\n  2,\n  3\n]}', [2], '{"a": [\n  1,\n  3\n]}'],
])('removeJsonItems removes from %j the items %j', (source, removed, expected) => {
  expect(removeJsonItems(source, 'a', item => removed.some(number => number === item))).toBe(expected);
});
