import { describe, expect, test } from 'vitest';
import {
  createKindQuery,
  createRecentQuery,
  createTextQuery,
  parsePlist,
} from '../../../src/toolsets/files/spotlight/query.ts';
import * as fc from '../../support/property.ts';

describe('the Spotlight query', () => {
  test('contains only the letters, combining marks and digits of the phrase', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), phrase => {
        const query = createTextQuery(phrase);
        if (query === undefined) return;
        for (const part of query.split(' && '))
          expect(part).toMatch(/^kMDItemTextContent == "[\p{L}\p{N}\p{M}]+\*"cdw$/u);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ['***', undefined],
    ['\u0301', undefined],
    ['किताब', 'kMDItemTextContent == "किताब*"cdw'],
    ['한글', 'kMDItemTextContent == "한글*"cdw'],
    ['Résumé', 'kMDItemTextContent == "Résumé*"cdw'],
    ['x" || kMDItemFSName == "*', 'kMDItemTextContent == "x*"cdw && kMDItemTextContent == "kMDItemFSName*"cdw'],
  ])('converts the phrase %j to %s', (phrase, expected) => {
    expect(createTextQuery(phrase)).toBe(expected);
  });

  test('has a fixed form for each kind of file and for dates', () => {
    expect(createKindQuery('image')).toBe('kMDItemContentTypeTree == "public.image"');
    expect(createRecentQuery(0)).toContain('$time.iso(1970-01-01T00:00:00Z)');
  });
});

test('parsePlist converts a property list to JSON and drops binary attributes', () => {
  const xml = `<?xml version="1.0"?><plist version="1.0"><dict>
    <key>kMDItemTitle</key><string>A &amp; B &#233;</string><key>kMDItemPixelWidth</key><integer>640</integer>
    <key>kMDItemDurationSeconds</key><real>1.5</real><key>kMDItemIsLikely</key><true/><key>kMDItemIsNot</key><false/>
    <key>kMDItemDue</key><date>2026-01-01T00:00:00Z</date><key>kMDItemData</key><data>AAAA</data>
    <key>kMDItemAuthors</key><array><string>Ada</string><string>Bo</string></array>
    <key>kMDItemMixed</key><array><string>x</string><data>AA</data></array>
    <key>kMDItemNumbers</key><array><integer>1</integer><real>2.5</real><true/><array/></array>
    <key>kMDItemNested</key><dict><key>kMDItemInner</key><string>in</string><key>list</key><array><string/></array></dict>
    <key>kMDItemSpoilt</key><dict><key>kMDItemInner</key><data>AA</data></dict>
    <key>kMDItemEmpty</key><string/><key>kMDItemEndless</key><real>inf</real>
    <key>kMDItemTextContent</key><string>secret</string>
    <key>other</key><string>x</string></dict></plist>`;
  expect(parsePlist(xml)).toEqual({
    kMDItemTitle: 'A & B é',
    kMDItemPixelWidth: 640,
    kMDItemDurationSeconds: 1.5,
    kMDItemIsLikely: 1,
    kMDItemIsNot: 0,
    kMDItemDue: '2026-01-01T00:00:00Z',
    kMDItemAuthors: ['Ada', 'Bo'],
    kMDItemNumbers: [1, 2.5, 1, []],
    kMDItemNested: { kMDItemInner: 'in', list: [''] },
    kMDItemEmpty: '',
  });
  expect(parsePlist('not a list')).toEqual({});
  expect(parsePlist('<dict><key>kMDItemTitle</key></dict>')).toEqual({});
  expect(parsePlist('<dict><key>kMDItemTitle</key><string>cut')).toEqual({});
  const unnamed = '<dict><key>kMDItemTitle</key><string>&constructor;</string></dict>';
  expect(parsePlist(unnamed)).toEqual({ kMDItemTitle: '&constructor;' });
  const numbered = '<dict><key>kMDItemTitle</key><string>&#xe9;&#1114111;&#x110000;&#233;</string></dict>';
  expect(parsePlist(numbered)).toEqual({ kMDItemTitle: 'é\u{10ffff}é' });
  expect(parsePlist('<dict><key>kMDItemTitle</key><string>a,]},</string></dict>')).toEqual({ kMDItemTitle: 'a,]},' });
  expect(parsePlist(`<dict><key>kMDItemTitle</key>${'<array>'.repeat(100_000)}`)).toEqual({});
});
