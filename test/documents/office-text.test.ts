import { describe, expect, test } from 'vitest';
import { extractOfficeMetadata } from '../../src/documents/office/document.ts';
import { plain, word } from './office.ts';
import { zip } from './zip.ts';

describe('office documents', () => {
  test.each([
    [
      'docx',
      'several runs in one word',
      word(
        '<w:p><w:r><w:t>hel</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>lo</w:t></w:r></w:p><w:p><w:t>next</w:t></w:p>',
      ),
      'hello next',
    ],
    [
      'docx',
      'tabs and line breaks between words',
      word('<w:p><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:p>'),
      'a b c',
    ],
    [
      'docx',
      'deleted text and field codes, which are omitted',
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
    ['dotx', 'the extension of a template', word('<w:p>form</w:p>'), 'form'],
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
      'odt',
      'footnotes and comments within a sentence',
      zip({
        'content.xml':
          '<office:text><text:p>one<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>a note</text:p></text:note-body></text:note> two<office:annotation><text:p>said</text:p></office:annotation> three<office:annotation-end/></text:p></office:text>',
      }),
      'one two three 1 a note said',
    ],
    ['docx', 'an absolute position tab', word('<w:p><w:t>left</w:t><w:ptab/><w:t>right</w:t></w:p>'), 'left right'],
    [
      'fodt',
      'page headers before the body',
      Buffer.from(
        '<office:document><office:styles>no</office:styles><office:master-styles><style:header><text:p>head</text:p></style:header></office:master-styles><office:body><text:p>body</text:p></office:body></office:document>',
      ),
      'head body',
    ],
    ['odp', 'slides', zip({ 'content.xml': '<draw:page><text:p>slide</text:p></draw:page>' }), 'slide'],
    [
      'pptx',
      'slides in the order of the presentation',
      zip({
        'ppt/slides/slide10.xml': '<a:p><a:t>ten</a:t></a:p>',
        'ppt/slides/slide2.xml': '<a:p><a:r><a:t>t</a:t></a:r><a:r><a:t>wo</a:t></a:r></a:p>',
      }),
      'two ten',
    ],
    [
      'epub',
      'pages whose scripts are omitted',
      zip({
        'OEBPS/1.xhtml':
          '<html><head><style>p{}</style><script>x<1</script></head><body><p>em<b>pha</b>sis&nbsp;caf&eacute;</p><p>end</p></body></html>',
      }),
      'emphasis café end',
    ],
    [
      'docx',
      'a main document with another file name',
      zip({ 'word/document2.xml': '<w:p><w:t>body</w:t></w:p>', 'word/footer1.xml': '<w:p>foot</w:p>' }),
      'body foot',
    ],
    [
      'docx',
      'SmartArt',
      zip({ 'word/document.xml': '<w:p>a</w:p>', 'word/diagrams/data1.xml': '<a:p><a:t>b</a:t></a:p>' }),
      'b a',
    ],
    ['docx', 'a non-breaking hyphen', word('<w:p><w:t>non</w:t><w:noBreakHyphen/><w:t>break</w:t></w:p>'), 'non-break'],
    [
      'odt',
      'deleted text, which is omitted',
      zip({ 'content.xml': '<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:p>kept</text:p>' }),
      'kept',
    ],
    [
      'pptx',
      'comments and SmartArt',
      zip({
        'ppt/comments/comment1.xml': '<p:text>said</p:text>',
        'ppt/diagrams/data1.xml': '<a:p>drawn</a:p>',
        'ppt/diagrams/layout1.xml': '<a:p>no</a:p>',
      }),
      'said drawn',
    ],
    ['pptx', 'charts', zip({ 'ppt/charts/chart1.xml': '<a:t>drawn</a:t>' }), 'drawn'],
    ['docx', 'charts', zip({ 'word/charts/chart1.xml': '<a:t>drawn</a:t>' }), 'drawn'],
    [
      'epub',
      'the title of the book',
      zip({ 'a.opf': '<package><dc:title>Title</dc:title><dc:creator>Ada</dc:creator><item href="no"/></package>' }),
      'Title Ada',
    ],
    [
      'epub',
      'chapters with any file name',
      zip({ 'META-INF/container.xml': '<p>no</p>', 'OEBPS/one.xml': '<p>chapter</p>' }),
      'chapter',
    ],
    [
      'docx',
      'ruby text above words',
      word(
        '<w:p><w:r><w:ruby><w:rt><w:r><w:t>とう</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>東</w:t></w:r></w:rubyBase></w:ruby></w:r><w:r><w:t>京</w:t></w:r></w:p>',
      ),
      '東京 とう',
    ],
    [
      'odt',
      'ruby text above words',
      zip({
        'content.xml':
          '<text:p>の<text:ruby><text:ruby-base>東</text:ruby-base><text:ruby-text>とう</text:ruby-text></text:ruby>京</text:p>',
      }),
      'の東京 とう',
    ],
  ])('extractOfficeText extracts the text of a .%s file with %s', (extension, _, bytes, expected) => {
    expect(plain(bytes, extension)).toBe(expected);
  });
});

test('extractOfficeText reads a ZIP file with at most 65,535 bytes after its end record', () => {
  const file = word('<w:p><w:t>text</w:t></w:p>');
  expect(plain(Buffer.concat([file, Buffer.alloc(0xffff)]), 'docx')).toBe('text');
  expect(plain(Buffer.concat([file, Buffer.alloc(0x1_0000)]), 'docx')).toBeUndefined();
});

test('extractOfficeMetadata returns title, author and keywords of an office document', () => {
  const core =
    '<cp:coreProperties><dc:title>A &amp; B</dc:title><dc:creator>Ada</dc:creator><cp:keywords>x, y</cp:keywords></cp:coreProperties>';
  expect(extractOfficeMetadata(zip({ 'docProps/core.xml': core }), 'docx')).toEqual({
    title: 'A & B',
    author: 'Ada',
    keywords: 'x, y',
  });
  const meta =
    '<office:meta><dc:title>T</dc:title><meta:initial-creator>Bo</meta:initial-creator><meta:keyword>k</meta:keyword></office:meta>';
  expect(extractOfficeMetadata(zip({ 'meta.xml': meta }), 'odt')).toEqual({ title: 'T', author: 'Bo', keywords: 'k' });
  expect(extractOfficeMetadata(Buffer.from('x'), 'docx')).toBeUndefined();
});
