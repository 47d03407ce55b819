import { describe, expect, test } from 'vitest';
import { plain, word } from './office.ts';
import { zip } from './zip.ts';

describe('the XML of office documents', () => {
  test.each([
    ['docx', 'entities', word('<w:p><w:t>R&amp;D &lt;3 &#233;&#x4e2d;</w:t></w:p>'), 'R&D <3 é中'],
    ['docx', 'an angle bracket in an attribute', word(`<w:p w:x="a>attr" w:y='">'>text</w:p>`), 'text'],
    [
      'docx',
      'an unclosed quotation mark in a tag',
      word(`<w:p w:x="a>text</w:p><w:p>more</w:p>`.replace('"', "'")),
      'text more',
    ],
    [
      'docx',
      'little-endian UTF-16 with a byte order mark',
      zip({ 'word/document.xml': Buffer.from('\ufeff<w:p>café</w:p>', 'utf16le') }),
      'café',
    ],
    [
      'docx',
      'big-endian UTF-16 with a byte order mark',
      zip({ 'word/document.xml': Buffer.from('\ufeff<w:p>café</w:p>', 'utf16le').swap16() }),
      'café',
    ],
    [
      'docx',
      'UTF-16 without a byte order mark',
      zip({ 'word/document.xml': Buffer.from('<w:p>café</w:p>', 'utf16le') }),
      'café',
    ],
    [
      'docx',
      'UTF-8 text that is declared as UTF-16',
      zip({ 'word/document.xml': '<?xml version="1.0" encoding="utf-16"?><w:p>café</w:p>' }),
      'café',
    ],
    [
      'docx',
      'UTF-8 text that is declared with an unknown encoding',
      zip({ 'word/document.xml': '<?xml version="1.0" encoding="x-none"?><w:p>café</w:p>' }),
      'café',
    ],
    [
      'docx',
      'an apostrophe in a processing instruction',
      word(`<?pi it's?><w:p>text</w:p><w:p>don't</w:p>`),
      "text don't",
    ],
    [
      'docx',
      'an apostrophe in a document type declaration',
      word(`<!DOCTYPE w [<!-- don't --> ]><w:p>it's</w:p>`),
      "it's",
    ],
    [
      'docx',
      'an apostrophe in an unquoted attribute value',
      word(`<w:p x=it's>text</w:p><w:p>don't</w:p>`),
      "text don't",
    ],
    [
      'odt',
      'an angle bracket in an empty list of tracked changes',
      zip({ 'content.xml': '<text:tracked-changes x="a>b"/><text:p>text</text:p>' }),
      'text',
    ],
    [
      'docx',
      'another declared encoding',
      zip({
        'word/document.xml': Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><w:p>caf\xe9</w:p>', 'latin1'),
      }),
      'café',
    ],
    [
      'docx',
      'a UTF-8 declaration and a byte order mark',
      zip({ 'word/document.xml': `\ufeff<?xml version="1.0" encoding="utf-8"?><w:p>café</w:p>` }),
      'café',
    ],
    ['docx', 'comments and CDATA', word('<!-- <w:t>no</w:t> --><w:p><![CDATA[a<b>c]]></w:p>'), 'a<b>c'],
  ])('extractOfficeText extracts the text of a .%s file with %s', (extension, _, bytes, expected) => {
    expect(plain(bytes, extension)).toBe(expected);
  });
});
