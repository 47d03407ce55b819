import { assemble, line, pdf, stream } from '../pdf.ts';
import encrypted from '../pdf-encrypted.json' with { type: 'json' };
import { file, latin1, shownText } from './pdf-parts.ts';
import { type Sample, sample } from './sample.ts';

const strings = String.raw`(a\(b\)c\\d\n\r\t\b\f\101\60\7x\8y\400 \
line (nested (twice)) end)`;
const odd = `BT /F1 9 Tf 9 700 Td ${strings} Tj 0 -20 Td (cr\\\r\nlf \\\rcr) Tj 0 --20 Td <4 1 4x2 5> Tj 0 -+20 Td <616> Tj 0 -2-0 Td (\\(1.2.3) Tj % comment (no) Tj\r0 -20. Td % other\n(after) Tj 0 +.0 Td 5. -.5 Td /F#31 9 Tf (named) Tj ] } { ) > >> true false null << /A (b) /C >> [1 [2 >> 3]] (last) Tj (open`;
const nest = (depth: number): string => `${'['.repeat(depth)}(deep)${']'.repeat(depth)} TJ BT /F1 9 Tf (after) Tj ET`;
const page = (more: string): string => `<< /Type /Page /Parent 2 0 R /MediaBox [10 20 110 220] ${more} >>`;
const tree = (name: string, objects: readonly (string | Buffer)[], trailer = ''): Sample =>
  sample(name, 'pdf', assemble(objects, trailer));
const content = (text: string): Buffer => stream('', latin1(shownText(text)));
const catalog = '<< /Type /Catalog /Pages 2 0 R >>';
const font = '/Resources << /Font << /F1 << /Subtype /Type1 >> >> >>';

function objectStream(objects: readonly string[], first: number, type = '/ObjStm'): Buffer {
  let at = 0;
  const places = objects.map((object, index) => {
    const place = `${first + index} ${at}`;
    at += object.length + 1;
    return place;
  });
  const header = `${places.join(' ')} `;
  return stream(`/Type ${type} /N ${objects.length} /First ${header.length}`, latin1(header + objects.join(' ')));
}

export const structure: readonly Sample[] = [
  file('values', { pages: [odd] }),
  ...[59, 60, 61].map(depth => file(`${depth} nested arrays`, { pages: [nest(depth)] })),
  tree(
    'nested page trees',
    [
      catalog,
      `<< /Kids [3 0 R 4 0 R 2 0 R 3 0 R 12 00000 R 5 000000 R 6 0 Rx] ${font} >>`,
      page('/Contents [5 0 R 99 0 R 6 0 R]'),
      '<< /Kids [7 0 R] /Resources << >> >>',
      content('one'),
      content('two'),
      page('/Contents 5 0 R'),
    ],
    '/Info << /Title (direct) >>',
  ),
  tree('pages without a tree', [
    '<< /Type /Catalog /Pages 9 0 R >>',
    page(`/Contents 3 0 R ${font}`),
    content('found'),
    page(`/Contents 3 0 R ${font}`),
    '<< /Type /Font >>',
  ]),
  tree(
    'an information dictionary',
    [
      catalog,
      `<< /Kids [3 0 R] ${font} >>`,
      page('/Contents 4 0 R'),
      content('x'),
      '<< /Title <feff0054e900d83d> /Author (A\\205 \\030 \\240b\\200\\000 ) >>',
    ],
    '/Info 5 0 R',
  ),
  ...['(latin \\222)', '<efbbbfc3a9>', '<feff>', '( )', '5', '<fe41>', '<efbb41>'].map(title =>
    tree(
      `the title ${title}`,
      [catalog, `<< /Kids [3 0 R] ${font} >>`, page('/Contents 4 0 R'), content('x'), `<< /Title ${title} >>`],
      '/Info 5 0 R',
    ),
  ),
  tree('a page without a box', [
    catalog,
    `<< /Kids [3 0 R] ${font} >>`,
    '<< /Contents 4 0 R /MediaBox [0 0 5] >>',
    content('x'),
  ]),
  tree(
    'objects in streams',
    [
      latin1('null endobj 23 0 obj\n(older)'),
      objectStream([`<< /Kids [21 0 R] ${font} >>`, page('/Contents 22 0 R'), '(old)', '<< /Title (in stream) >>'], 20),
      '<< /Type /Catalog /Pages 20 0 R >>',
      latin1(`null endobj 22 0 obj\n<< >> stream\n${shownText('newer')}\nendstream`),
    ],
    '/Root 3 0 R /Info 23 0 R',
  ),
  tree('objects in streams of another type', [objectStream([page('')], 7, '/Other'), catalog]),
  tree('a stream with a wrong length', [
    catalog,
    `<< /Kids [3 0 R] ${font} >>`,
    page('/Contents 4 0 R'),
    latin1(`<< /Length 3 >>\nstream\r\n${shownText('wrong')}\nendstream`),
  ]),
  tree('a stream with an indirect length', [
    catalog,
    `<< /Kids [3 0 R] ${font} >>`,
    page('/Contents 4 0 R'),
    latin1(`<< /Length 5 0 R >>\nstream\n${shownText('in endstream out')}\n endstream`),
    String(shownText('in endstream out').length),
  ]),
  tree('a stream without an end', [
    catalog,
    `<< /Kids [3 0 R] ${font} >>`,
    page('/Contents 4 0 R'),
    latin1(`<< /Length -1 >>stream\r${shownText('no end')}`),
  ]),
  tree('two objects with the same number', [
    catalog,
    `<< /Kids [3 0 R] ${font} >>`,
    page('/Contents 4 0 R'),
    latin1(`null endobj 4 0 obj\n<< >> stream\n${shownText('second')}\nendstream`),
  ]),
  sample('bytes before the header', 'pdf', Buffer.concat([Buffer.alloc(1019), pdf({ pages: [line('late')] })])),
  sample('no header', 'pdf', Buffer.concat([Buffer.alloc(1020), pdf({ pages: [line('too late')] })])),
  file('forms', {
    pages: ['q 1 0 0 1 0 -100 cm /X1 Do Q /X2 Do /X9 Do 5 Do BT /F1 9 Tf 9 500 Td (page) Tj ET'],
    extra: [
      stream(
        '/Subtype /Form /Matrix [1 0 0 1 5 300] /Resources << /Font << /F1 3 0 R >> /XObject << /X1 4 0 R >> >>',
        latin1(`${shownText('form')} /X1 Do`),
      ),
      stream('/Subtype /Image', latin1(shownText('no'))),
    ],
    resources: '>> /XObject << /X1 4 0 R /X2 5 0 R',
  }),
  tree('annotations', [
    catalog,
    `<< /Kids [3 0 R] ${font} >>`,
    page('/Contents 4 0 R /Annots [5 0 R 6 0 R 7 0 R 8 0 R 9 0 R 10 0 R 11 0 R 12 0 R 13 0 R null]'),
    content('page'),
    '<< /Subtype /Widget /Parent 14 0 R >>',
    '<< /Subtype /Widget /V (own) /F 2 >>',
    '<< /Subtype /Link /Contents (no) >>',
    '<< /Subtype /Text /Contents (comment) /F 4 >>',
    '<< /Subtype /Popup /Contents (no) >>',
    `<< /Subtype /Widget /V (no) /Rect [50 60 70 80] /AP << /N 15 0 R >> >>`,
    '<< /Subtype /Widget /V (no) /AS /On /AP << /N << /On 15 0 R /Off 4 0 R >> >> >>',
    '<< /Subtype /FreeText /Contents (free) /AP << /N 15 0 R >> >>',
    '<< /Subtype /Widget /V (value) /AP << /N << /On 4 0 R >> >> >>',
    '<< /V (inherited) >>',
    stream(font, latin1(shownText('drawn'))),
  ]),
  ...Object.entries(encrypted.open).map(([name, packed]) =>
    sample(`encrypted: ${name}`, 'pdf', Buffer.from(packed, 'base64')),
  ),
  ...Object.entries(encrypted.locked).map(([name, packed]) =>
    sample(`locked: ${name}`, 'pdf', Buffer.from(packed, 'base64')),
  ),
];
