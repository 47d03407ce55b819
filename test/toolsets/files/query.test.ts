import { describe, expect, test } from 'vitest';
import { excerptOf } from '../../../src/toolsets/files/match/excerpt.ts';
import { foldQueryPhrase } from '../../../src/toolsets/files/match/fold.ts';
import { createFileNameMatcher } from '../../../src/toolsets/files/match/needle.ts';
import { line, pdf } from '../../documents/pdf.ts';
import { zip } from '../../documents/zip.ts';
import type { Outcome } from '../../support/client.ts';
import { createFolder, openFiles, rowsOf, write } from './open-files.ts';

describe('matching of a file name', () => {
  test.each([
    ['Report.PDF', 'report', true],
    ['Report.PDF', 'port.p', true],
    ['Résumé 2025.docx', 'resume', true],
    ['Report.PDF', '*.pdf', true],
    ['Report.PDF', '*.doc', false],
    ['Report.PDF', 'rep', true],
    ['Report.PDF', 'rep*', true],
    ['Report.PDF', '*rep', false],
    ['report-2025', 'report-202?', true],
    ['report-20256', 'report-202?', false],
    ['abcabd', '*ab?', true],
    ['axayb', '*a?b', true],
    ['axaYb', 'a*A?b', true],
    ['anything', '*', true],
    ['abc', '?', false],
    ['don’t.txt', "don't", true],
  ])('returns for the name %j and the query %j: %s', (name, query, expected) => {
    expect(createFileNameMatcher(foldQueryPhrase(query))(name)).toBe(expected);
  });

  test('rejects a name that almost matches a long pattern without exponential backtracking', () => {
    expect(createFileNameMatcher(foldQueryPhrase(`${'*a'.repeat(100)}*b`))('a'.repeat(250))).toBe(false);
  });
});

describe('the excerpt of a hit', () => {
  test.each([
    ['first\nsecond needle here', 'needle', false, { line: 2, text: 'first second needle here' }],
    ['first\nsecond needle here', 'needle', true, { text: 'first second needle here' }],
    ['a\f\nneedle', 'needle', false, { line: 2, text: 'a needle' }],
    ['page one\fpage two\fthe Needle', 'needle', true, { page: 3, text: 'page one page two the Needle' }],
    [
      'slide one\fslide two\ue000a note with a needle',
      'needle',
      true,
      { text: 'slide one slide two a note with a needle' },
    ],
    ['a résu\u0301me\n  wrapped', 'resume wrapped', false, { line: 1, text: 'a résu\u0301me wrapped' }],
  ])(
    'contains the words around the phrase and the page of a document or the line of a text: %j',
    (text, query, isConverted, expected) => {
      expect(excerptOf(text, foldQueryPhrase(query), isConverted)).toEqual(expected);
    },
  );

  test('contains about 160 characters around the phrase, in whole words', () => {
    const text = `${'Wörter davor '.repeat(5000)}die Nadel${' danach noch mehr'.repeat(5000)}`;
    const found = excerptOf(text, 'nadel', false)?.text ?? '';
    expect(found).toMatch(/^… \S.* die Nadel danach .*…$/);
    expect(found.length).toBeGreaterThan(120);
    expect(found.length).toBeLessThan(200);
  });

  test('contains a phrase that crosses the border of two text chunks', () => {
    for (const length of [8180, 8185, 8190, 8192]) {
      expect(excerptOf(`${'é'.repeat(length)} a needle in hay`, 'needle in', false)?.text).toContain('needle in hay');
    }
  });
});

const found = (outcome: Outcome): unknown[] => rowsOf(outcome).map(row => row['kMDItemDisplayName']);

describe('the tool search', () => {
  const createRoot = (): string => {
    const root = createFolder();
    write(root, 'needle.txt', 'nothing', '2026-01-01T00:00:00Z');
    write(root, 'notes/Hay.md', 'line one\na needle in here', '2026-01-02T12:00:00Z');
    write(root, 'notes/needle-shop.pdf', pdf({ pages: [line('first'), line('buy a needle')] }), '2026-01-03T00:00:00Z');
    write(root, 'main.c', '// needle', '2026-01-04T00:00:00Z');
    return root;
  };

  test.each([
    [{}, ['main.c', 'needle-shop.pdf', 'Hay.md']],
    [{ match: 'content' }, ['main.c', 'needle-shop.pdf', 'Hay.md']],
    [{ match: 'name' }, ['needle-shop.pdf', 'needle.txt']],
    [{ match: 'ANY' }, ['main.c', 'needle-shop.pdf', 'Hay.md', 'needle.txt']],
    [{ match: 'name', query: '*.PDF' }, ['needle-shop.pdf']],
    [{ kind: 'code' }, ['main.c']],
    [{ kind: 'Document' }, ['needle-shop.pdf', 'Hay.md']],
    [{ since: '2026-01-03' }, ['main.c', 'needle-shop.pdf']],
    [{ until: '2026-01-02' }, ['Hay.md']],
    [{ since: '2026-01-02T12:00:00Z', until: '2026-01-03T00:00:00Z' }, ['needle-shop.pdf', 'Hay.md']],
    [{ match: 'any', kind: 'document', until: '2026-01-02' }, ['Hay.md', 'needle.txt']],
  ])('applies the arguments %j', async (args, expected) => {
    const root = createRoot();
    const opened = await openFiles({ 'files-root': [root] });
    for (let turn = 0; turn < 2; turn++) {
      expect(found(await opened.call('search', { query: 'needle', scope: root, ...args }))).toEqual(expected);
    }
  });

  test.each([
    [{ match: 'names' }, /search: "match" must be one of content, name, any, got "names"/],
    [{ kind: 'film' }, /search: "kind" must be one of document/],
    [{ until: '2026-02-30' }, /search: "until" must be an ISO 8601 date/],
    [{ since: 5 }, /search: "since" must be an ISO 8601 date/],
  ])('rejects the arguments %j', async (args, expected) => {
    const root = createFolder();
    const opened = await openFiles({ 'files-root': [root] });
    const outcome = await opened.call('search', { query: 'x', scope: root, ...args });
    expect(outcome.isError).toBe(true);
    expect(outcome.text).toMatch(expected);
  });

  test.each(['mail', 'photo', ' pdf'])(
    'rejects the kind %j and names the accepted kind or search for such files',
    async kind => {
      const root = createFolder();
      const { call } = await openFiles({ 'files-root': [root] });
      for (const tool of ['search', 'search_by_kind']) {
        const { text } = await call(tool, { ...(tool === 'search' && { query: 'x' }), scope: root, kind });
        expect(text).toContain(`must be one of document, image, video, audio, pdf, code, got ${JSON.stringify(kind)}`);
        expect(text).toContain('Photos are of the kind "image"');
        expect(text).toContain('the query "*.eml" with match "name" lists them');
      }
    },
  );

  test('returns excerpts if the argument "excerpts" is true, with sorted keys', async () => {
    const root = createRoot();
    write(
      root,
      'talk.pptx',
      zip({ 'ppt/slides/slide1.xml': '<a:t>one</a:t>', 'ppt/slides/slide2.xml': '<a:t>a needle</a:t>' }),
    );
    write(root, 'faq.html', '<html><body><h1>FAQ</h1><p>x</p><p>a needle</p></body></html>');
    write(root, 'mail.eml', 'From: a@example.com\nSubject: x\n\na needle');
    write(root, 'two.docx', zip({ 'word/document.xml': '<w:p><w:t>one</w:t></w:p><w:p><w:t>a needle</w:t></w:p>' }));
    const opened = await openFiles({ 'files-root': [root] });
    for (let turn = 0; turn < 2; turn++) {
      const rows = rowsOf(await opened.call('search', { query: 'needle', scope: root, excerpts: true, match: 'any' }));
      expect(Object.fromEntries(rows.map(row => [row['kMDItemDisplayName'], row['excerpt']]))).toEqual({
        'main.c': { line: 1, text: '// needle' },
        'Hay.md': { line: 2, text: 'line one a needle in here' },
        'needle-shop.pdf': { page: 2, text: 'first buy a needle' },
        'talk.pptx': { page: 2, text: 'one a needle' },
        'faq.html': { text: 'FAQ x a needle' },
        'mail.eml': { text: expect.stringContaining('a needle') },
        'two.docx': { text: 'one a needle' },
        'needle.txt': undefined,
      });
      expect(Object.keys(rows[0] ?? {}).slice(0, 2)).toEqual(['_path', 'excerpt']);
    }
  });

  test('states in its text and structured content how many files were not searched', async () => {
    const root = createFolder({
      '.hidden/a.txt': 'x',
      'node_modules/x.js': 'x',
      'old.pages': 'x',
      'note.txt': 'needle',
    });
    const opened = await openFiles({ 'files-root': [root] });
    const outcome = await opened.call('search', { query: 'needle', scope: root });
    const note =
      'Not searched: 1 hidden entry, 1 entry that programs generate (node_modules, *.noindex). Text not readable: 1 document (1 .pages: old.pages). Causes: a scan, a password, damage, or a format without reader. A hidden or generated folder is searched when it is the scope; a hidden file elsewhere only if the user renames it.';
    expect(outcome.structured?.['notes']).toEqual([note]);
    expect(outcome.texts.slice(1)).toEqual([note]);
    expect(outcome.structured?.['skipped']).toEqual({ hidden: 1, generated: 1, unparsed: 1 });
  });

  test('names up to three archives if it finds at most three files, because archives are not unpacked', async () => {
    const archives = ['d.tar.gz', 'b.zip', 'a.7z', 'c.iso', 'needle.zip'];
    const root = createFolder({
      ...Object.fromEntries(archives.map(name => [name, '\0'])),
      'one.txt': 'needle',
      'four.txt': 'common',
      'three.txt': 'common',
      'two.txt': 'common needle',
      'sub/five.txt': 'common',
    });
    const opened = await openFiles({ 'files-root': [root] });
    const search = async (args: object) => await opened.call('search', { scope: root, ...args });
    const note = 'Not unpacked: 5 archives (a.7z, b.zip, c.iso, …).';
    for (const query of ['needle', 'absent']) {
      const { structured } = await search({ query });
      expect(structured?.['skipped']).toEqual({ archives: 5 });
      expect(structured?.['notes']).toContain(note);
    }
    const byName = await search({ query: 'needle', match: 'any' });
    expect(byName.structured?.['notes']).toEqual(['Not unpacked: 4 archives (a.7z, b.zip, c.iso, …).']);
    const many = await search({ query: 'common' });
    expect([many.structured?.['skipped'], many.structured?.['notes']]).toEqual([undefined, undefined]);
    const ofKind = await search({ query: 'absent', kind: 'document' });
    expect(ofKind.structured?.['skipped']).toBeUndefined();
    const recent = await opened.call('recent_files', { scope: root });
    expect(JSON.stringify(recent.structured)).not.toContain('unpacked');
  });
});

test('a file that a filter excludes from one search is found by the next search without the filter', async () => {
  const root = createFolder({ 'a.txt': 'x', 'b.png': 'x', 'c.py': 'x', 'd.txt': 'x' });
  const opened = await openFiles({ 'files-root': [root] });
  expect(await opened.paths('search', { query: 'd', match: 'name' })).toEqual(['d.txt']);
  expect(await opened.paths('search_by_kind', { kind: 'code' })).toEqual(['c.py']);
  expect((await opened.paths('recent_files', { since: '2020-01-01' })).sort()).toEqual([
    'a.txt',
    'b.png',
    'c.py',
    'd.txt',
  ]);
});
