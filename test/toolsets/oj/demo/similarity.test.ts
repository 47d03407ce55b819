import { describe, expect, test } from 'vitest';
import { contentWords, indexTexts } from '../../../../src/toolsets/oj/io/demo/similarity.ts';
import * as fc from '../../../support/property.ts';

const plain = (text: string) => [{ text, weight: 1 }];

describe('contentWords', () => {
  test.each([
    ['lower case, without grammar', 'The Ferry and the Harbour', ['ferry', 'harbour']],
    ['repetitions in order', 'ferry, harbour, ferry', ['ferry', 'harbour', 'ferry']],
    ['singular forms', 'ferries boxes glass radius basis', ['ferry', 'boxe', 'glass', 'radius', 'basis']],
    ['no possessive', "the keeper's lantern and the keeper’s oil", ['keeper', 'lantern', 'keeper', 'oil']],
    ['no tags', '<p class="note">ferry<br/></p>harbour', ['ferry', 'harbour']],
    ['what stands between unspaced comparisons', 'ferry <5 and harbour> 3', ['ferry', 'harbour']],
    ['no entities', 'ferry&nbsp;&lt;&#39;harbour', ['ferry', 'harbour']],
    ['no formulas, numbers or single letters', String.raw`$1 \leq n \times 10^5$ ferry i 42`, ['ferry']],
    ['letters beyond ASCII', 'Überfahrt naïve', ['überfahrt', 'naïve']],
    ['compatibility forms as ordinary letters', 'ｆｅｒｒｙ', ['ferry']],
    ['Chinese as pairs', '萤火虫 ferry 桥', ['萤火', '火虫', 'ferry', '桥']],
    ['nothing from blanks', ' \n ', []],
  ])('gives %s', (_, text, words) => {
    expect(contentWords(text)).toEqual(words);
  });
});

describe('indexTexts', () => {
  const index = indexTexts([
    plain('ferry harbour island bridge'),
    plain('ferry harbour lighthouse'),
    plain('orchard pear basket'),
  ]);

  test('a text is exactly like itself', () => {
    expect(index.compareIndexed(0)[0]).toBe(1);
  });

  test('texts without a common word have similarity 0', () => {
    expect(index.compareIndexed(0)[2]).toBe(0);
  });

  test('two texts are as alike from either side', () => {
    expect(index.compareIndexed(0)[1]).toBe(index.compareIndexed(1)[0]);
    expect(index.compareIndexed(0)[1]).toBeGreaterThan(0);
  });

  test('a word all texts share does not make them alike', () => {
    expect(indexTexts([plain('ferry pear'), plain('ferry plum')]).compareIndexed(0)[1]).toBe(0);
  });

  test('a rare common word counts more than a frequent one', () => {
    const [, rare = 0, frequent = 0] = indexTexts([
      plain('ferry pear'),
      plain('ferry plum'),
      plain('pear quince'),
      plain('pear cherry'),
    ]).compareIndexed(0);
    expect(rare).toBeGreaterThan(frequent);
  });

  test('a heavier part counts more', () => {
    const [title = 0, statement = 0] = indexTexts([
      [
        { text: 'ferry', weight: 3 },
        { text: 'orchard', weight: 1 },
      ],
      [
        { text: 'lantern', weight: 3 },
        { text: 'ferry', weight: 1 },
      ],
      plain('quarry'),
    ]).compareText('ferry');
    expect(title).toBeGreaterThan(statement);
  });

  test('words that no text has lower the similarity', () => {
    const [alone = 0] = index.compareText('island');
    const [mixed = 0] = index.compareText('island zeppelin');
    expect(mixed).toBeGreaterThan(0);
    expect(mixed).toBeLessThan(alone);
  });

  test.each(['', 'the of and', '<p></p>', '42'])('%j is like nothing', text => {
    expect(index.compareText(text)).toEqual([0, 0, 0]);
  });

  test('no texts give no similarities', () => {
    expect(indexTexts([]).compareText('ferry')).toEqual([]);
  });

  test('every similarity lies between 0 and 1 and has at most six decimals', () => {
    const text = fc.oneof(fc.string(), fc.lorem({ maxCount: 12 }));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), text, (texts, query) => {
        for (const similarity of indexTexts(texts.map(plain)).compareText(query)) {
          expect(similarity).toBeGreaterThanOrEqual(0);
          expect(similarity).toBeLessThanOrEqual(1);
          expect(Number(similarity.toFixed(6))).toBe(similarity);
        }
      }),
    );
  });
});
