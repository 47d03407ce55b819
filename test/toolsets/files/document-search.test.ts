import { describe, expect, test } from 'vitest';
import { assemble, line, pdf, stream } from '../../documents/pdf.ts';
import { zip } from '../../documents/zip.ts';
import { createFolder, openFiles, rowsOf } from './open-files.ts';

const word = (body: string): Buffer =>
  zip({ 'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>` });

describe('a search in documents', () => {
  test('finds phrases in office documents and PDFs, and uses the index in later searches', async () => {
    const root = createFolder({
      'a.docx': word('<w:p><w:r><w:t>the lazy Pro</w:t></w:r><w:r><w:t>pagation</w:t></w:r></w:p>'),
      'b.odt': zip({ 'content.xml': '<text:p>Lazy</text:p><text:p>propagation</text:p>' }),
      'c.pdf': pdf({ pages: [`${line('Lazy')}\n${line('propagation', 680)}`] }),
      'd.pdf': pdf({ pages: [line('eager propagation')] }),
      'e.txt': 'lazy propagation',
      f: pdf({ pages: [line('lazy propagation')] }),
    });
    const opened = await openFiles({ 'files-root': [root] });
    for (let turn = 0; turn < 3; turn++) {
      expect((await opened.paths('search', { query: 'lazy propagation' })).sort()).toEqual([
        'a.docx',
        'b.odt',
        'c.pdf',
        'e.txt',
        'f',
      ]);
    }
  });

  test('counts unreadable documents and finds the phrase in the others', async () => {
    // The document has so many large pages that its parser exceeds the step limit or the CPU limit.
    const pages = Array.from({ length: 10_000 }, () => '<< /Type /Page /Contents 3 0 R >>');
    const kids = pages.map((_, index) => `${index + 4} 0 R`).join(' ');
    const shared = assemble([
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [${kids}] >>`,
      stream('', Buffer.from('1 '.repeat(9000))),
      ...pages,
    ]);
    const root = createFolder({
      'bomb.docx': word(`<w:p>${' '.repeat(33 * 1024 * 1024)}</w:p>`),
      'damaged.pdf': Buffer.from('%PDF-1.4 nothing'),
      'shared.pdf': shared,
      'old.pages': 'binary Pages',
      'letter.txt.gpg': 'needle',
      'locked.pdf': pdf({ pages: [line('needle')], trailer: '/Encrypt 9 0 R' }),
      'good.pdf': pdf({ pages: [line('needle')] }),
      'note.txt': 'needle',
    });
    const opened = await openFiles({ 'files-root': [root] });
    for (let turn = 0; turn < 2; turn++) {
      const outcome = await opened.call('search', { query: 'needle', scope: root });
      expect(
        rowsOf(outcome)
          .map(row => String(row['kMDItemDisplayName']))
          .toSorted((left, right) => (left < right ? -1 : 1)),
      ).toEqual(['good.pdf', 'note.txt']);
      expect(outcome.structured?.['skipped']).toEqual({ unparsed: 6 });
      expect(outcome.structured?.['notes']).toEqual([
        'Text not readable: 6 documents (3 .pdf, 1 .docx, 1 .gpg, 1 .pages: bomb.docx, damaged.pdf, letter.txt.gpg, …). Causes: a scan, a password, damage, or a format without reader.',
      ]);
    }
  });
});
