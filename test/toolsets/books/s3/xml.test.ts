import { expect, test } from 'vitest';
import { elementsOf, escaped, textOf } from '../../../../src/toolsets/books/medium/s3/xml.ts';

test.each([
  ['of the first element of that name', '<R><Key>one</Key><Key>two</Key></R>', 'one'],
  ['with attributes', '<R><Key a="b">one</Key></R>', 'one'],
  ['of an empty element', '<R><Key/></R>', ''],
  ['not of a longer name', '<R><KeyCount>2</KeyCount></R>', undefined],
  ['but of what stands behind one', '<R><KeyCount>2</KeyCount><Key>one</Key></R>', 'one'],
  ['where there is none', '<R/>', undefined],
  ['where it has no end', '<R><Key>one', undefined],
  ['where it has no bracket', '<R><Key', undefined],
  ['with entities', '<Key>a&amp;b&lt;&gt;&quot;&apos;&#65;&#x42;</Key>', 'a&b<>"\'AB'],
  ['with what is no entity', '<Key>&unknown;&#9999999;</Key>', '&unknown;&#9999999;'],
])('the text %s', (_, xml, text) => {
  expect(textOf(xml, 'Key')).toBe(text);
});

test('returns all elements with a name', () => {
  expect([...elementsOf('<R><P>1</P><Q>x</Q><P/><P>2</P></R>', 'P')]).toEqual(['1', '', '2']);
  expect([...elementsOf('<R><Q/></R>', 'P')]).toEqual([]);
});

test('parses its own output', () => {
  const text = `<a> & "b" &amp;`;
  expect(textOf(`<Key>${escaped(text)}</Key>`, 'Key')).toBe(text);
});
