import { describe, expect, test } from 'vitest';
import { extractOfficeText } from '../../src/documents/office/document.ts';
import { zip } from './zip.ts';

const word = (body: string): Buffer =>
  zip({ 'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>` });

describe('extractOfficeText of a damaged or hostile file', () => {
  test.each([
    ['a file that is not a zip archive', Buffer.from('PK')],
    ['a zip archive without the main document', zip({ 'other.xml': 'x' })],
    ['an encrypted document', zip({ 'word/document.xml': '<w:p>x</w:p>' }, { flags: 1 })],
    [
      'a document in an unknown encoding',
      zip({
        'word/document.xml': Buffer.from('<?xml version="1.0" encoding="x-none"?><w:p>caf\xe9</w:p>', 'latin1'),
      }),
    ],
    ['an unknown compression method', zip({ 'word/document.xml': '<w:p>x</w:p>' }, { method: 99 })],
    ['a truncated file', word('<w:p>x</w:p>').subarray(20)],
    ['a decompression bomb in one member', zip({ 'word/document.xml': Buffer.alloc(33 * 1024 * 1024, ' ') })],
    [
      'a decompression bomb spread over many members',
      zip(
        Object.fromEntries(
          Array.from({ length: 12 }, (_, index) => [`word/header${index}.xml`, Buffer.alloc(10 * 1024 * 1024, ' ')]),
        ),
      ),
    ],
  ])('returns undefined for %s', (_, bytes) => {
    expect(extractOfficeText(bytes, 'docx')).toBeUndefined();
  });

  test.each([
    ['unclosed tags', '<'.repeat(500_000)],
    ['unclosed declarations', '<!a['.repeat(200_000)],
    ['partly closed declarations', '<!a[]'.repeat(200_000)],
    ['unclosed comments', '<!--'.repeat(200_000)],
    ['unclosed cells', '<c t="s"><v>'.repeat(100_000)],
    ['incomplete entities', '&'.repeat(500_000)],
    ['unclosed formulas', '<f'.repeat(300_000)],
    ['unclosed quotes', `<a "`.repeat(200_000)],
    ['unclosed single and double quotes', `<a "'`.repeat(200_000)],
  ])('reads a sheet and a page with %s in time linear in the length', (_, markup) => {
    expect(extractOfficeText(zip({ 'xl/worksheets/sheet1.xml': markup }), 'xlsx')).toBeTypeOf('string');
    expect(extractOfficeText(zip({ '1.html': markup }), 'epub')).toBeTypeOf('string');
  });
});
