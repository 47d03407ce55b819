import { setTimeout } from 'node:timers/promises';
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

  test('counts PDFs that were read only in part, also when they are indexed and when they were found before', async () => {
    // The codes of the second font belong to no known character.
    const unknown = '<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [4 0 R] >>';
    const descendant =
      '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /X /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>';
    const codes = Array.from({ length: 20 }, (_, index) => (100 + index).toString(16).padStart(4, '0')).join('');
    const partly = (text: string): Buffer =>
      pdf({
        pages: [`BT /F2 10 Tf 50 700 Td (${text}) Tj 0 -20 Td /F1 10 Tf <${codes}> Tj ET`],
        font: unknown,
        extra: [descendant, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'],
        resources: '/F2 5 0 R',
      });
    const root = createFolder({
      'first.pdf': partly('the needle is here'),
      'second.pdf': partly('nothing of interest'),
      'good.pdf': pdf({ pages: [line('needle')] }),
    });
    const opened = await openFiles({ 'files-root': [root] });
    const search = async (query: string): Promise<unknown> => {
      const outcome = await opened.call('search', { query, scope: root });
      expect(rowsOf(outcome).map(row => String(row['kMDItemDisplayName']))).toContain('first.pdf');
      return [outcome.structured?.['skipped'], outcome.structured?.['notes']];
    };
    const note = (pdfs: RegExp): unknown =>
      expect.stringMatching(
        `^Text only partly readable: ${pdfs.source}, because a font does not state its characters\\.$`,
      );
    expect(await search('needle')).toEqual([{ partly: 1 }, [note(/1 PDF \(second\.pdf\)/)]]);
    // The index stores the result of a file that was changed two seconds before.
    await setTimeout(2200);
    await search('needle');
    for (let turn = 0; turn < 2; turn++) expect(await search('needle')).toEqual([{ partly: 2 }, [note(/2 PDFs.*/)]]);
  });
});
