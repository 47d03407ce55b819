import { expect, test } from 'vitest';
import { statementMarkdown } from '../../src/statement/index.ts';

function rowsOf(html: string): string[] {
  return statementMarkdown(`<table>${html}</table>`, undefined)
    .split('\n')
    .filter(line => !line.startsWith('| ---') && line.replace(/[|\s]/g, '') !== '');
}

test.each([
  [
    'a span behind a row that ends early',
    '<tr><td>a<td>b<td rowspan=3>c<tr><td>d<tr><td>e<td>f',
    ['| a | b | c |', '| d |  | c |', '| e | f | c |'],
  ],
  ['a span of 0, which extends to the last row', '<tr><td rowspan=0>a<td>b<tr><td>c', ['| a | b |', '| a | c |']],
  ['a span over the last row', '<tr><td>a<td rowspan=5>b<tr><td>c', ['| a | b |', '| c | b |']],
  [
    'a span over the last row of a head',
    '<thead><tr><th rowspan=3>a<th>b<tbody><tr><td>1<td>2',
    ['| a | b |', '| 1 | 2 |'],
  ],
  ['a span over an empty row', '<tr><td rowspan=2>a<td>b<tr></tr><tr><td>c<td>d', ['| a | b |', '| c | d |']],
  [
    'a span over rows and columns',
    '<tr><td rowspan=2 colspan=2>a<td>b<tr><td>c<tr><td>d<td>e<td>f',
    ['| a |  | b |', '| a |  | c |', '| d | e | f |'],
  ],
])('statementMarkdown places the cells of a table with %s', (_, html, expected) => {
  expect(rowsOf(html)).toEqual(expected);
});

test('statementMarkdown shows the head of a table first and its foot last', () => {
  const foot = '<tfoot><tr><td>sum<td>9</tfoot>';
  const head = '<thead><tr><th>a<th>b</thead>';
  const expected = ['| a | b |', '| 1 | 2 |', '| sum | 9 |'];
  expect(rowsOf(`${foot}${head}<tbody><tr><td>1<td>2</tbody>`)).toEqual(expected);
  expect(rowsOf(`<tbody><tr><td>1<td>2</tbody>${foot}${head}`)).toEqual(expected);
});

test('statementMarkdown uses the column names of a table with samples as the titles of its sections', () => {
  const html = '<tr><th>Name<th>Input<th>Output<tr><td rowspan=2>A<td><pre>1</pre><td>2<tr><td><pre>3</pre><td>4';
  expect(statementMarkdown(`<table>${html}</table>`, undefined)).toBe(
    '**Name**\n\nA\n\n**Input**\n\n```\n1\n```\n\n**Output**\n\n2\n\n**Input**\n\n```\n3\n```\n\n**Output**\n\n4',
  );
});
