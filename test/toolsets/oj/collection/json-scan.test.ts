import { expect, test } from 'vitest';
import { scanProblemRecord } from '../../../../src/toolsets/oj/io/collection/json-scan.ts';
import * as fc from '../../../support/property.ts';

function scan(text: string) {
  const bytes = Buffer.from(text);
  return scanProblemRecord(bytes, 0, bytes.length);
}

test('scanProblemRecord finds the same values as JSON.parse for random objects', () => {
  const key = fc.constantFrom('source', 'id', 'date', 'other', 'a"b', '}');
  const object = fc.dictionary(key, fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 3 })));
  fc.assert(
    fc.property(object, fc.constantFrom(undefined, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const { source, id, end } = scan(text) ?? {};
      const parsed: Record<string, unknown> = JSON.parse(text);
      const expected = (name: string) =>
        typeof parsed[name] === 'string' ? parsed[name] : name in parsed ? null : undefined;
      expect([source, id, end]).toEqual([expected('source'), expected('id'), Buffer.byteLength(text)]);
    }),
  );
});

test('scanProblemRecord returns undefined for every prefix of an object', () => {
  const text = '{"source":"a\\"}","id":["}"],"content":{"id":"x"}}';
  for (let length = 0; length < text.length; length++) expect(scan(text.slice(0, length))).toBeUndefined();
  expect(scan(text)).toMatchObject({ source: 'a"}', id: null });
  const bytes = Buffer.from(text);
  for (let length = 0; length < text.length; length++) expect(scanProblemRecord(bytes, 0, length)).toBeUndefined();
});

test.each([0, 1, 2, 3, 4])(
  'scanProblemRecord finds the end of a string with %i backslashes before its last quote',
  count => {
    const [source, id] = ['\\'.repeat(count), `${'\\'.repeat(count)}"`];
    expect(scan(JSON.stringify({ source, id }))).toMatchObject({ source, id });
  },
);

test('scanProblemRecord accepts each white space of JSON around keys and values', () => {
  const [tab, all] = ['\t', ' \t\r\n'];
  expect(scan(`{${tab}"source"${tab}:${tab}"s"${tab}}`)).toMatchObject({ source: 's' });
  expect(scan(`{${all}"id"${all}:${all}"1"${all},"date"${all}:${all}"d"}`)).toMatchObject({ id: '1', date: 'd' });
});

test('scanProblemRecord takes only keys of the record itself, and not values or keys of inner objects', () => {
  expect(scan('{"a":{"source":"x"},"b":["id","1"],"date":{"id":"y"},"c":"id","id":"z"}')).toMatchObject({
    source: undefined,
    id: 'z',
    date: null,
  });
});

test.each([
  ['{"content":"x"}', true],
  ['{"content_cn":"x"}', true],
  ['{"content":""}', false],
  ['{"content":null}', false],
  ['{"other":{"content":"x"}}', false],
])('scanProblemRecord reports for %s whether there is a statement: %s', (text, hasStatement) => {
  expect(scan(text)).toMatchObject({ hasStatement });
});

test('scanProblemRecord uses the last of two equal keys, like JSON.parse', () => {
  expect(scan('{"id":"1","id":"2"}')).toMatchObject({ id: '2' });
});
