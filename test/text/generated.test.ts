import { expect, test } from 'vitest';
import { removeInvisibleCharacters } from '../../src/text/invisible.ts';
import { mapStrings } from '../../src/text/map-strings.ts';
import { findNearestName } from '../../src/text/nearest.ts';
import { shortenText, truncateBytes, truncateCharacters } from '../../src/text/truncate.ts';
import { type Generator, listGenerated, pieces } from '../support/generator.ts';

const characters = pieces(
  'a¦#¦1¦é¦❤¦👩¦👍¦🏽¦🇩¦\u200d¦\u200c¦\ufe0e¦\ufe0f¦\u20e3¦\u180b¦\u180f¦\u1820¦\u0915¦\u094d¦\u0627¦\u064e¦\u200b¦\u202e¦\u00ad¦\u{e0041}¦\u0000¦\u0085¦\n¦\t¦\ufff9¦\ud800¦ ¦\u3164',
);

function text(random: Generator): string {
  return random.repeat(1, 7, () => random.pick(characters));
}

const letters = pieces('a¦b¦c¦-¦A');

function names(random: Generator): [string, string[]] {
  const name = (): string => random.repeat(1, 7, () => random.pick(letters));
  return [name(), Array.from({ length: random.below(5) }, name)];
}

function value(random: Generator, depth = 3): unknown {
  const kind = random.below(depth === 0 ? 4 : 7);
  if (kind < 4) return [random.pick(letters), random.below(30), random.below(2) === 0, null][kind];
  const items = Array.from({ length: random.below(3) }, () => value(random, depth - 1));
  return kind === 4 ? items : Object.fromEntries(items.map((item, index) => [random.pick(letters) + index, item]));
}

test.each<[inputs: string, list: () => string]>([
  ['invisible', () => listGenerated(text, removeInvisibleCharacters, { blocks: 30 })],
  [
    'truncated',
    () =>
      listGenerated(
        text,
        long => [
          [0, 1, 2, 3, 4, 5, 6, 9, 99].map(limit => truncateBytes(long, limit)),
          [0, 1, 2, 3, 9].map(limit => [truncateCharacters(long, limit), shortenText(long, limit)]),
        ],
        { shown: 20 },
      ),
  ],
  ['nearest', () => listGenerated(names, ([name, known]) => findNearestName(name, known), { blocks: 30 })],
  [
    'mapped',
    () =>
      listGenerated(
        value,
        input => {
          const mapped = mapStrings(input, one => one.replaceAll(/[A2]/g, 'x'));
          return [mapped, mapped === input];
        },
        { shown: 20 },
      ),
  ],
])('the approved file lists the %s of generated inputs', async (name, list) => {
  await expect(list()).toMatchFileSnapshot(`approved/generated-${name}.txt`);
});
