import { describe, expect, test } from 'vitest';
import { decompressRtf } from '../../src/documents/compound/rtf-compression.ts';
import { compound, readOfficeText, type Storage, uint32 } from './compound.ts';

describe('extractText of a .msg file', () => {
  const property = (id: string, text: string): Storage => ({ [`__substg1.0_${id}001F`]: Buffer.from(text, 'utf16le') });

  test('extracts subject, addresses, body, attachments and attached messages', () => {
    const message = compound({
      ...property('1000', 'Dear Ann,\r\nsee below'),
      ...property('0037', 'Invoice'),
      ...property('0C1A', 'Bob'),
      '__recip_version1.0_#00000000': property('3003', 'ann@example.org'),
      '__attach_version1.0_#00000000': {
        ...property('3707', 'invoice 2025.pdf'),
        '__substg1.0_3701000D': property('0037', 'Inner'),
      },
    });
    expect(readOfficeText(message, 'msg')).toBe(
      'Invoice\nBob\nDear Ann,\nsee below\nann@example.org\ninvoice 2025.pdf\nInner',
    );
  });

  test('extracts the HTML body or the compressed RTF body if there is no plain text body', () => {
    const html = { '__substg1.0_10130102': Buffer.from('<p>web <b>body</b></p>') };
    expect(readOfficeText(compound(html), 'msg')?.trim()).toBe('web body');
    // The first reference of the compressed text points to 11 bytes of the initial dictionary, and the second one marks
    // the end.
    const [flags, first, last] = [Buffer.of(0b0000_0001), Buffer.of(0x00, 0x09), Buffer.of(0x0e, 0x70)];
    const literals = Buffer.from(' hello ');
    const packed = Buffer.concat([
      uint32(0, 200, 0x75465a4c, 0),
      flags,
      first,
      literals,
      Buffer.of(0b0100_0000),
      Buffer.from('world}'),
      last,
    ]);
    expect(decompressRtf(packed)?.toString('latin1')).toBe('{\\rtf1\\ansi hello world}');
    expect(readOfficeText(compound({ '__substg1.0_10090102': packed }), 'msg')).toBe('hello world');
  });
});
