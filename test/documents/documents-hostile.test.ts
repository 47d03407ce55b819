import { describe, expect, test } from 'vitest';
import { officeText } from '../../src/documents/office/document.ts';
import { zip } from './zip.ts';

const word = (body: string): Buffer =>
  zip({ 'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>` });

describe('officeText of a damaged or hostile file', () => {
  test.each([
    ['another file', Buffer.from('PK')],
    ['a zip without the document', zip({ 'other.xml': 'x' })],
    ['an encrypted one', zip({ 'word/document.xml': '<w:p>x</w:p>' }, { flags: 1 })],
    [
      'an encoding nobody knows',
      zip({
        'word/document.xml': Buffer.from('<?xml version="1.0" encoding="x-none"?><w:p>caf\xe9</w:p>', 'latin1'),
      }),
    ],
    ['an unknown method', zip({ 'word/document.xml': '<w:p>x</w:p>' }, { method: 99 })],
    ['half a file', word('<w:p>x</w:p>').subarray(20)],
    ['a bomb in one member', zip({ 'word/document.xml': Buffer.alloc(33 * 1024 * 1024, ' ') })],
    [
      'a bomb in many members',
      zip(
        Object.fromEntries(
          Array.from({ length: 12 }, (_, index) => [`word/header${index}.xml`, Buffer.alloc(10 * 1024 * 1024, ' ')]),
        ),
      ),
    ],
  ])('returns nothing for %s', (_, bytes) => {
    expect(officeText(bytes, 'docx')).toBeUndefined();
  });

  test.each([
    ['tags without end', '<'.repeat(500_000)],
    ['declarations without end', '<!a['.repeat(200_000)],
    ['declarations with half an end', '<!a[]'.repeat(200_000)],
    ['comments without end', '<!--'.repeat(200_000)],
    ['cells without end', '<c t="s"><v>'.repeat(100_000)],
    ['entities without end', '&'.repeat(500_000)],
    ['formulas without end', '<f'.repeat(300_000)],
    ['quotes without end', `<a "`.repeat(200_000)],
    ['quotes of both kinds without end', `<a "'`.repeat(200_000)],
  ])('reads %s in time linear in the length', (_, markup) => {
    expect(officeText(zip({ 'xl/worksheets/sheet1.xml': markup }), 'xlsx')).toBeTypeOf('string');
    expect(officeText(zip({ '1.html': markup }), 'epub')).toBeTypeOf('string');
  });
});
