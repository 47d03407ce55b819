import { expect, test } from 'vitest';
import { escapeXml, findElementContents, findFirstElementText } from '../../../../src/toolsets/books/storage/s3/xml.ts';

test.each([
  ['the first of two elements', '<R><Key>one</Key><Key>two</Key></R>', 'one'],
  ['an element with attributes', '<R><Key a="b">one</Key></R>', 'one'],
  ['an empty element', '<R><Key/></R>', ''],
  ['undefined for an element with a longer name', '<R><KeyCount>2</KeyCount></R>', undefined],
  ['an element after one with a longer name', '<R><KeyCount>2</KeyCount><Key>one</Key></R>', 'one'],
  ['undefined without the element', '<R/>', undefined],
  ['undefined without an end tag', '<R><Key>one', undefined],
  ['undefined for an incomplete tag', '<R><Key', undefined],
  ['entities are decoded', '<Key>a&amp;b&lt;&gt;&quot;&apos;&#65;&#x42;</Key>', 'a&b<>"\'AB'],
  ['a reference to a surrogate is kept', '<Key>&#55296;&#xDFFF;</Key>', '&#55296;&#xDFFF;'],
  ['an unknown entity is kept', '<Key>&unknown;&#9999999;</Key>', '&unknown;&#9999999;'],
])('findFirstElementText returns the text of the element "Key": %s', (_, xml, text) => {
  expect(findFirstElementText(xml, 'Key')).toBe(text);
});

test('findElementContents returns the text of each element that has the given name', () => {
  expect([...findElementContents('<R><P>1</P><Q>x</Q><P/><P>2</P></R>', 'P')]).toEqual(['1', '', '2']);
  expect([...findElementContents('<R><Q/></R>', 'P')]).toEqual([]);
});

test('the XML reader returns the texts that the XML writer has escaped', () => {
  const text = `<a> & "b" &amp;`;
  expect(findFirstElementText(`<Key>${escapeXml(text)}</Key>`, 'Key')).toBe(text);
});
