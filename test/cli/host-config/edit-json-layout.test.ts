import { expect, test } from 'vitest';
import { readJsonProperty, removeJsonProperty, setJsonProperty } from '../../../src/cli/host-config/edit-json.ts';

test.each([
  ['an object on one line', '{"s": {"a": 1}}', '{"s": {"a": 1, "b": 2}}'],
  ['an object on one line with a last comma', '{"s": {"a": 1,}}', '{"s": {"a": 1, "b": 2,}}'],
  ['an empty object', '{"s": {}}', '{"s": {\n  "b": 2\n}}'],
  ['an empty object of two lines', '{\n    "s": {\n    }\n}', '{\n    "s": {\n        "b": 2\n    }\n}'],
  ['an empty object in an indented line', '{\n\t"s": {}\n}', '{\n\t"s": {\n\t\t"b": 2\n\t}\n}'],
  ['an object of several lines', '{\n  "s": {\n    "a": 1\n  }\n}', '{\n  "s": {\n    "a": 1,\n    "b": 2\n  }\n}'],
  [
    'an object of several lines with a last comma',
    '{\n  "s": {\n    "a": 1,\n  }\n}',
    '{\n  "s": {\n    "a": 1,\n    "b": 2,\n  }\n}',
  ],
  [
    'lines that end with CRLF',
    '{\r\n  "s": {\r\n    "a": 1\r\n  }\r\n}',
    '{\r\n  "s": {\r\n    "a": 1,\r\n    "b": 2\r\n  }\r\n}',
  ],
  [
    'a last line with an indentation of its own',
    '{\n  "s": {\n    "a": 1\n      }\n}',
    '{\n  "s": {\n    "a": 1,\n        "b": 2\n      }\n}',
  ],
  ['lines without indentation', '{\n"s": {\n"a": 1\n}\n}', '{\n"s": {\n"a": 1,\n  "b": 2\n}\n}'],
  ['a missing object', '{\n  "a": 1\n}', '{\n  "a": 1,\n  "s": {\n    "b": 2\n  }\n}'],
  ['an empty file', ' \n', '{\n  "s": {\n    "b": 2\n  }\n}\n'],
  ['a present value', '{"s": {"b": [1], "c": 3}}', '{"s": {"b": 2, "c": 3}}'],
])('setJsonProperty keeps the layout of %s', (_, source, expected) => {
  expect(setJsonProperty(source, ['s', 'b'], 2)).toBe(expected);
});

test('setJsonProperty indents an object like the line of its property', () => {
  expect(setJsonProperty('{\n"a": 1\n}', ['a'], { x: 1 })).toBe('{\n"a": {\n  "x": 1\n}\n}');
  expect(setJsonProperty('{\n    "a": 1\n}', ['a'], { x: 1 })).toBe('{\n    "a": {\n        "x": 1\n    }\n}');
});

test.each([
  ['the last member of a line', '{"a": 1, "b": 2}', '{"a": 1}'],
  ['the last member of a line before other lines', '{"a": 1, "b": 2}\n\n', '{"a": 1}\n\n'],
  ['the first member of a line', '{"b": 2, "a": 1}', '{ "a": 1}'],
  ['the first of two members in a line', '{\n  "b": 2, "a": 1\n}', '{\n "a": 1\n}'],
  ['the second of two members in a line', '{\n  "a": 1, "b": 2\n}', '{\n  "a": 1\n}'],
  ['a whole line', '{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}', '{\n  "a": 1,\n  "c": 3\n}'],
  ['the last line', '{\n  "a": 1,\n  "b": 2\n}', '{\n  "a": 1\n}'],
  ['the last line without indentation', '{\n"a": 1,\n"b": 2\n}', '{\n"a": 1\n}'],
  ['the only member', '{\n  "b": 2\n}', '{\n}'],
  ['a missing member', '{"a": 1}', '{"a": 1}'],
])('removeJsonProperty removes %s', (_, source, expected) => {
  expect(removeJsonProperty(source, ['b'])).toBe(expected);
});

test('a property below a value that is no object is neither set nor removed, and reads as missing', () => {
  expect(() => removeJsonProperty('{"s": 1}', ['s', 'b'])).toThrow('where an object is required');
  expect(() => setJsonProperty('{"s": 1}', ['s', 'b'], 2)).toThrow('the file has s, which is not an object');
  expect(readJsonProperty('{"s": 1}', ['s', 'b'])).toBeUndefined();
  expect(removeJsonProperty('{"a": 1}', ['s', 'b'])).toBe('{"a": 1}');
});

test('readJsonProperty rejects a value that contains a name twice at any depth, but not the whole file', () => {
  const source = '{"x": {"y": {"a": 1, "a": 2}}, "z": 3}';
  expect(() => readJsonProperty(source, ['x'])).toThrow('the file has "a" twice (lines 1 and 1)');
  expect(readJsonProperty(source, ['z'])).toBe(3);
  expect(readJsonProperty(source, [])).toEqual({ x: { y: { a: 2 } }, z: 3 });
});
