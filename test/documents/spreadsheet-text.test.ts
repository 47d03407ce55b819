import { describe, expect, test } from 'vitest';
import { plain } from './office.ts';
import { zip } from './zip.ts';

describe('spreadsheets', () => {
  test.each([
    [
      'ods',
      'cells',
      zip({
        'content.xml':
          '<table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row>',
      }),
      'a b',
    ],
    [
      'ods',
      'sheet names',
      zip({
        'content.xml': `<table:table table:style-name="a" table:name="R&amp;D"><text:p>a</text:p></table:table><table:table table:name='Sales'/>`,
      }),
      'R&D Sales a',
    ],
    [
      'xlsx',
      'shared strings, inline strings and numbers, but no formulas',
      zip({
        'xl/sharedStrings.xml': '<sst><si><t>shared</t></si><si><r><t>in</t></r><r><t>rich</t></r></si></sst>',
        'xl/worksheets/sheet1.xml':
          '<row><c r="A1" t="s"><v>0</v></c><c r="B1"><f>SUM(A1)</f><v>42</v></c><c r="C1" t="inlineStr"><is><t>own</t></is></c></row>',
      }),
      'shared inrich 42 own',
    ],
    [
      'xlsx',
      'sheet names',
      zip({
        'xl/workbook.xml': `<workbook><sheets><sheet name="R&amp;D" sheetId="1"/><x:sheet sheetId="2" name='Sales'/></sheets></workbook>`,
      }),
      'R&D Sales',
    ],
    [
      'xlsx',
      'namespace prefixes and single-quoted attributes',
      zip({
        'xl/worksheets/sheet1.xml': `<x:worksheet><x:row><x:c r="A1" t='s'><x:v>733217</x:v></x:c><x:c><x:f>A1*2</x:f><x:v>42</x:v></x:c></x:row></x:worksheet>`,
      }),
      '42',
    ],
    [
      'xlsx',
      'phonetic readings of a cell',
      zip({
        'xl/sharedStrings.xml':
          '<sst><si><t>日本</t><rPh sb="0" eb="2"><t>ニホン</t></rPh></si><si><r><t>東</t></r><r><t>京</t></r><rPh sb="0" eb="1"><t>とう</t></rPh></si></sst>',
      }),
      '日本 東京 ニホン とう',
    ],
    [
      'xlsx',
      'dates, in ISO form and as the cell shows them',
      zip({
        'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-407]d&quot;. &quot;mmmm\\ yyyy;@"/><numFmt numFmtId='165' formatCode='0.00'/><numFmt numFmtId="166" formatCode="dd/mm/yy hh:mm"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/></cellXfs></styleSheet>`,
        'xl/worksheets/sheet1.xml': `<worksheet><c><v>45796</v></c><c s="1"><v>45796</v></c><c s="2"><f>A1</f><v>45797.75</v></c><c s="3"><v>2.5</v></c><c s="4" t="n"><v>45798.5</v></c><c s="1" t="str"><v>45799</v></c><c s="1"><v>-1</v></c></worksheet>`,
      }),
      '45796 2025-05-19 45796 2025-05-20 20. May 2025 45797.75 2.5 2025-05-21 45798.5 45799 -1',
    ],
    [
      'xlsx',
      'dates since 1904',
      zip({
        'xl/workbook.xml': '<workbook><workbookPr date1904="1"/></workbook>',
        'xl/styles.xml': '<styleSheet><cellXfs><xf numFmtId="15"/></cellXfs></styleSheet>',
        'xl/worksheets/sheet1.xml': '<worksheet><c><v>44334</v></c></worksheet>',
      }),
      '2025-05-19 19-May-25 44334',
    ],
    [
      'xlsx',
      'member names with backslashes',
      zip({ 'xl\\sharedstrings.xml': '<sst><si><t>a b</t></si></sst>' }),
      'a b',
    ],
    ['xlsx', 'text boxes', zip({ 'xl/drawings/drawing1.xml': '<a:p><a:t>boxed</a:t></a:p>' }), 'boxed'],
    [
      'xlsx',
      'charts, and comments in a separate folder',
      zip({
        'xl/charts/chart1.xml':
          '<c:title><a:p><a:t>Sales</a:t></a:p></c:title><c:strCache><c:pt><c:v>May</c:v></c:pt><c:pt><c:v>June</c:v></c:pt></c:strCache>',
        'xl/charts/style1.xml': 'no',
        'xl/comments/comment1.xml': '<comment><t>said</t></comment>',
      }),
      'Sales May June said',
    ],
    ['ods', 'charts', zip({ 'Object 1/content.xml': '<text:p>drawn</text:p>' }), 'drawn'],
  ])('extractOfficeText extracts the text of a .%s file with %s', (extension, _, bytes, expected) => {
    expect(plain(bytes, extension)).toBe(expected);
  });
});

test('extractOfficeText returns dates for cells with the built-in date formats, which a spreadsheet does not define, and for no other cells', () => {
  const textOf = (format: number): string | undefined => {
    const styles = `<styleSheet><cellXfs><xf numFmtId="${format}"/></cellXfs></styleSheet>`;
    const sheet = '<worksheet><c><v>45796</v></c></worksheet>';
    return plain(zip({ 'xl/styles.xml': styles, 'xl/worksheets/sheet1.xml': sheet }), 'xlsx');
  };
  const shown = Array.from({ length: 61 }, (_, format) => `${format}: ${textOf(format)}`);
  expect(shown.filter(line => line.includes('2025'))).toEqual([
    '14: 2025-05-19 45796',
    '15: 2025-05-19 19-May-25 45796',
    '16: 2025-05-19 19-May 45796',
    '17: 2025-05-19 May-25 45796',
    ...[22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58].map(format => `${format}: 2025-05-19 45796`),
  ]);
});
