import { describe, expect, test } from 'vitest';
import { officeFacts, officeText } from '../../../src/toolsets/files/model/office/document.ts';
import { assemble, line, pdf, stream } from './pdf.ts';
import { createFolder, openRoom, rowsOf } from './room.ts';
import { zip } from './zip.ts';

const word = (body: string): Buffer =>
  zip({ 'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>` });
const plain = (bytes: Buffer, extension: string): string | undefined =>
  officeText(bytes, extension)?.replace(/\s+/g, ' ').trim();

describe('the text of an office file', () => {
  test.each([
    [
      'docx',
      'runs make one word',
      word(
        '<w:p><w:r><w:t>hel</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>lo</w:t></w:r></w:p><w:p><w:t>next</w:t></w:p>',
      ),
      'hello next',
    ],
    [
      'docx',
      'tabs and breaks part words',
      word('<w:p><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:p>'),
      'a b c',
    ],
    ['docx', 'entities', word('<w:p><w:t>R&amp;D &lt;3 &#233;&#x4e2d;</w:t></w:p>'), 'R&D <3 é中'],
    [
      'docx',
      'deleted text and field codes are none',
      word(
        '<w:p><w:del><w:delText xml:space="preserve">gone</w:delText></w:del><w:instrText>PAGE</w:instrText><w:t>kept</w:t></w:p>',
      ),
      'kept',
    ],
    [
      'docx',
      'footnotes and headers',
      zip({
        'word/document.xml': '<w:p>body</w:p>',
        'word/footnotes.xml': '<w:p>note</w:p>',
        'word/header1.xml': '<w:p>head</w:p>',
        'word/media/image1.png': 'no',
      }),
      'body note head',
    ],
    ['dotx', 'a template', word('<w:p>form</w:p>'), 'form'],
    [
      'odt',
      'paragraphs and blanks',
      zip({
        'content.xml':
          '<office:text><text:h>Title</text:h><text:p>one<text:s/>two<text:span>three</text:span><text:line-break/>four</text:p></office:text>',
      }),
      'Title one twothree four',
    ],
    [
      'ods',
      'cells',
      zip({
        'content.xml':
          '<table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row>',
      }),
      'a b',
    ],
    ['odp', 'slides', zip({ 'content.xml': '<draw:page><text:p>slide</text:p></draw:page>' }), 'slide'],
    [
      'xlsx',
      'shared texts, own texts and numbers, no formulas',
      zip({
        'xl/sharedStrings.xml': '<sst><si><t>shared</t></si><si><r><t>in</t></r><r><t>rich</t></r></si></sst>',
        'xl/worksheets/sheet1.xml':
          '<row><c r="A1" t="s"><v>0</v></c><c r="B1"><f>SUM(A1)</f><v>42</v></c><c r="C1" t="inlineStr"><is><t>own</t></is></c></row>',
      }),
      'shared inrich 42 own',
    ],
    [
      'pptx',
      'slides in order',
      zip({
        'ppt/slides/slide10.xml': '<a:p><a:t>ten</a:t></a:p>',
        'ppt/slides/slide2.xml': '<a:p><a:r><a:t>t</a:t></a:r><a:r><a:t>wo</a:t></a:r></a:p>',
      }),
      'two ten',
    ],
    [
      'epub',
      'pages without scripts',
      zip({
        'OEBPS/1.xhtml':
          '<html><head><style>p{}</style><script>x<1</script></head><body><p>em<b>pha</b>sis&nbsp;caf&eacute;</p><p>end</p></body></html>',
      }),
      'emphasis cafe end',
    ],
    ['docx', 'comments and CDATA', word('<!-- <w:t>no</w:t> --><w:p><![CDATA[a<b>c]]></w:p>'), 'a<b>c'],
  ])('%s: %s', (extension, _, bytes, expected) => {
    expect(plain(bytes, extension)).toBe(expected);
  });

  test.each([
    ['no zip', Buffer.from('PK')],
    ['a zip without the document', zip({ 'other.xml': 'x' })],
    ['an encrypted one', zip({ 'word/document.xml': '<w:p>x</w:p>' }, { flags: 1 })],
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
  ])('%s is none', (_, bytes) => {
    expect(officeText(bytes, 'docx')).toBeUndefined();
  });

  test.each([
    ['tags without end', '<'.repeat(500_000)],
    ['comments without end', '<!--'.repeat(200_000)],
    ['cells without end', '<c t="s"><v>'.repeat(100_000)],
    ['entities without end', '&'.repeat(500_000)],
    ['formulas without end', '<f'.repeat(300_000)],
  ])('%s cost no more than their length', (_, markup) => {
    expect(officeText(zip({ 'xl/worksheets/sheet1.xml': markup }), 'xlsx')).toBeTypeOf('string');
    expect(officeText(zip({ '1.html': markup }), 'epub')).toBeTypeOf('string');
  });

  test('it tells title, author and keywords', () => {
    const core =
      '<cp:coreProperties><dc:title>A &amp; B</dc:title><dc:creator>Ada</dc:creator><cp:keywords>x, y</cp:keywords></cp:coreProperties>';
    expect(officeFacts(zip({ 'docProps/core.xml': core }), 'docx')).toEqual({
      title: 'A & B',
      author: 'Ada',
      keywords: 'x, y',
    });
    const meta =
      '<office:meta><dc:title>T</dc:title><meta:initial-creator>Bo</meta:initial-creator><meta:keyword>k</meta:keyword></office:meta>';
    expect(officeFacts(zip({ 'meta.xml': meta }), 'odt')).toEqual({ title: 'T', author: 'Bo', keywords: 'k' });
    expect(officeFacts(Buffer.from('x'), 'docx')).toBeUndefined();
  });
});

describe('a search', () => {
  test('finds phrases inside documents, the second time by the index', async () => {
    const root = createFolder({
      'a.docx': word('<w:p><w:r><w:t>the lazy Pro</w:t></w:r><w:r><w:t>pagation</w:t></w:r></w:p>'),
      'b.odt': zip({ 'content.xml': '<text:p>Lazy</text:p><text:p>propagation</text:p>' }),
      'c.pdf': pdf({ pages: [`${line('Lazy')}\n${line('propagation', 680)}`] }),
      'd.pdf': pdf({ pages: [line('eager propagation')] }),
      'e.txt': 'lazy propagation',
      f: pdf({ pages: [line('lazy propagation')] }),
    });
    const room = await openRoom({ 'files-root': [root] });
    for (let turn = 0; turn < 3; turn++) {
      expect((await room.paths('search', { query: 'lazy propagation' })).sort()).toEqual([
        'a.docx',
        'b.odt',
        'c.pdf',
        'e.txt',
        'f',
      ]);
    }
  });

  test('counts what it cannot read and still finds the rest', { timeout: 30_000 }, async () => {
    // So many pages of so much that the step limit or the deadline ends it, whichever comes first.
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
      'old.doc': 'binary Word',
      'locked.pdf': pdf({ pages: [line('needle')], trailer: '/Encrypt 9 0 R' }),
      'good.pdf': pdf({ pages: [line('needle')] }),
      'note.txt': 'needle',
    });
    const room = await openRoom({ 'files-root': [root] });
    for (let turn = 0; turn < 2; turn++) {
      const outcome = await room.call('search', { query: 'needle', scope: root });
      expect(
        rowsOf(outcome)
          .map(row => String(row['kMDItemDisplayName']))
          .toSorted((left, right) => (left < right ? -1 : 1)),
      ).toEqual(['good.pdf', 'note.txt']);
      expect(outcome.structured?.['skipped']).toEqual({ unparsed: 5 });
    }
  });
});
