import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { allEscapes, EscapeReader, escapesOfCommonDecoders } from '../../src/log/escape-sequence.ts';
import { createRedactor } from '../../src/log/redact.ts';
import { TextWindow } from '../../src/log/text-window.ts';
import { type Generator, listGenerated, pieces } from '../support/generator.ts';

const escapePieces = pieces(
  '%41¦%4¦%4g¦%g4¦%¦%e2¦%7f¦\\u0041¦\\u004¦\\u00g1¦\\U0041¦\\¦\\"¦\\/¦\\\\¦\\*¦\\n¦\\a¦\\x¦\\_¦\\é¦&amp;¦&amp¦&AMP;¦&lt¦&ltx;¦&VerticalLine;¦&VerticalLinex;¦&quot;¦&lbrack;¦&nbsp;¦&¦&;',
  '&#65;¦&#65¦&#x41;¦&#X4A¦&#x;¦&#;¦&#0065;¦&#1234567;¦&#12345678;¦&#x10ffff;¦&#6g;¦&#x\u200b;¦a¦A¦[¦\u200b¦\u0085¦\n¦\u0001¦;¦1¦é¦😀',
  ['&#', '0'.repeat(64), '65;¦&#', '0'.repeat(65), '65;¦&#x', '0'.repeat(63), '41'].join(''),
);

function escapedText(random: Generator): string {
  return random.repeat(1, 4, () => random.pick(escapePieces));
}

const kindsOfDecoders = [...escapesOfCommonDecoders, allEscapes, 0, 32, 16];

/** Lists the escape sequence at the start of a text for each decoder, and the text after decoding it twice. */
function listReadings(text: string): unknown {
  const units = Uint16Array.from(text, unit => unit.charCodeAt(0));
  const reader = new EscapeReader();
  const read = kindsOfDecoders.map(kinds =>
    reader.read(units, 0, units.length, kinds) ? [reader.width, reader.unit, reader.kind].join(' ') : 0,
  );
  const [source, first, second] = [0, 1, 2].map(() => new TextWindow(text.length));
  if (source === undefined || first === undefined || second === undefined) return read;
  const end = source.fill(text, 0);
  const found = [first.decode(source, allEscapes), second.decode(first, 9)];
  const windows = [source, first, second].map(({ units: own, starts, length, hasEscapes }) => [
    String.fromCharCode(...own.subarray(0, length)),
    starts.subarray(0, length + 1).join(' '),
    hasEscapes,
  ]);
  return [read, end, found, windows];
}

const secrets = ['abcdefghij', 'k%41lmnop&amp;', 'qrstuvw', 'xyz-_.~0123'];
const parts = pieces(
  'abcdefgh¦bcdefghij¦cdefghi¦abcd¦efgh¦ijkl¦k%41lmno¦kAlmnop&¦qrstuvw¦xyz-_.~0¦yz-_.~0123¦\u200b¦%61¦\\u0062¦&#99;¦&#x64;¦%2561¦ ¦x¦é¦[redacted]¦%¦\n',
);

function textWithSecrets(random: Generator): string {
  return random.repeat(1, 9, () => random.pick(parts));
}

function listRedactions(text: string): unknown {
  const work = { characters: 0 };
  return [createRedactor(secrets, work)(text), work.characters];
}

test.each<[inputs: string, list: () => string]>([
  ['escapes', () => listGenerated(escapedText, listReadings, { shown: 40, blocks: 20 })],
  ['redactions', () => listGenerated(textWithSecrets, listRedactions, { blocks: 4 })],
])('the approved file lists the %s of generated inputs', async (name, list) => {
  await expect(list()).toMatchFileSnapshot(`approved/generated-${name}.txt`);
});

test('a redactor finds a secret at each place of a long text, and counts the same steps as before', async () => {
  const lines = [0, 1, 7, 8, 30_000, 30_719, 30_720, 32_760, 32_767, 32_768, 32_769, 63_488, 65_535].map(at => {
    const forms = ['abcdefgh', '%61%62%63%64%65%66%67%68', '%2561b%63d\u200be&#102;gh'].map(secret => {
      const work = { characters: 0 };
      const text = `${'.'.repeat(at)}${secret}${'.'.repeat(3000)}`;
      const redacted = createRedactor(secrets, work)(text);
      return [redacted.indexOf('[redacted]'), redacted.length, work.characters].join(' ');
    });
    return `${at}: ${forms.join(', ')}\n`;
  });
  const many = Array.from({ length: 3000 }, (_, index) => createHash('sha256').update(String(index)).digest('hex'));
  const redact = createRedactor(many);
  expect(many.every(secret => redact(`a ${secret.slice(9, 30)} b`) === 'a [redacted] b')).toBe(true);
  await expect(lines.join('')).toMatchFileSnapshot('approved/redaction-places.txt');
});

test('a redactor examines no text if the text or all secrets are shorter than eight characters', () => {
  const workOf = (given: readonly string[], text: string): number => {
    const work = { characters: 0 };
    createRedactor(given, work)(text);
    return work.characters;
  };
  expect([workOf(['1234567'], 'a text'), workOf(['1234567'], 'a longer text'), workOf([], 'a longer text')]).toEqual([
    0, 0, 0,
  ]);
  expect([
    workOf(['12345678'], '7 chars'),
    workOf(['12345678'], '8 charac'),
    workOf(['1', '12345678'], '8 charac'),
  ]).toEqual([0, 8, 8]);
});
