import { expect, test } from 'vitest';
import { readProblemYaml } from '../../../../src/toolsets/oj/io/collection/yaml.ts';

test.each([
  ['a plain string', 'name: Lamp Row # comment', 'Lamp Row'],
  ['a string in single quotes', "name: 'It''s # no comment'", "It's # no comment"],
  ['a string in double quotes', String.raw`name: "a \"b\" c" # comment`, 'a "b" c'],
  ['a value with a colon', 'name: A: B', 'A: B'],
  ['a flow list', "name: [a, 'b c', ]", ['a', 'b c']],
  ['a block list', 'name:\n  - a\n  - "b" # x\nother: 1', ['a', 'b']],
  ['a block list without indentation', 'name:\n- a\n- b', ['a', 'b']],
  ['a map', 'name:\n  en: Lamp\n  de: Lampe\nother: 1', { en: 'Lamp', de: 'Lampe' }],
  ['a literal block', 'name: |\n  a\n  b\nother: 1', 'a\nb'],
  ['a folded block', 'name: >-\n  a\n  b', 'a b'],
  ['CRLF line ends', 'other: 1\r\nname: a\r\n', 'a'],
])('readProblemYaml reads %s', (_, text, value) => {
  expect(readProblemYaml(text).get('name')).toEqual(value);
});
