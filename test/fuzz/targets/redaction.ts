import assert from 'node:assert/strict';
import { createRedactor } from '../../../src/log/redact.ts';
import { ChoiceReader, defineTarget, textOf } from '../target.ts';

const codeOf = (character: string): number => character.charCodeAt(0);
const hexOf = (character: string): string => codeOf(character).toString(16).padStart(2, '0');

/** The forms in which a backend may repeat a character of a secret. */
const forms: readonly ((character: string) => string)[] = [
  character => character,
  character => `%${hexOf(character)}`,
  character => `%${hexOf(character).toUpperCase()}`,
  character => `%25${hexOf(character)}`,
  character => `\\${character}`,
  character => `\\u00${hexOf(character)}`,
  character => `&#${codeOf(character)};`,
  character => `&#x${hexOf(character)};`,
  character => `${character}\u200b`,
];

/** The minimum length of a part of a secret, because shorter parts also occur by chance. */
const gramLength = 8;
const maxDecodings = 3;

export const target = defineTarget({
  name: 'redaction',
  corpus: [
    'secret-token-1\0\0before \x01 after',
    'abcdefgh\0\x01\x02\x03\x00{"title":"',
    '\x01\x02\x03!"#$%&()*+\0\x02\x02?q=',
    'AAAAAAAAAAAA\0\x07\x05AAAAAAAAAAAAAAAAAAAAAAAAA',
    'eyJhbGciOiJI.eyJzdWIiOiIx.c2ln\0\x01\x01\x01text',
    '%25%2541&amp;\\u0041\0\x04\x05\x06\x07%252',
  ],
  dictionary: [
    'secret-token-1',
    '\\',
    '%',
    '%25',
    '%2d',
    '&#45;',
    '&#x',
    '\\u002d',
    '[redacted]',
    '\0',
    '\x01',
    '\u200b',
  ],
  mutations: 1000,
  run(bytes) {
    const choice = new ChoiceReader(bytes);
    const secret = Array.from(choice.field(), byte => String.fromCharCode(0x21 + (byte % 94))).join('');
    const [start, end] = [choice.below(4), choice.below(4)];
    const echoed = Array.from(secret, character => (forms[choice.below(forms.length)] ?? String)(character)).join('');
    const text = textOf(choice.rest());
    const redact = createRedactor([secret]);
    const cut = echoed.slice(start, echoed.length - end);
    const grams = gramsOf(secret);
    const redacted = redact(`${text} ${cut} ${text}`);
    for (const reading of readingsOf(redacted)) {
      const passed = Array.from(reading, (_, at) => reading.slice(at, at + gramLength)).find(gram => grams.has(gram));
      assert.equal(passed, undefined, 'eight consecutive characters of the secret pass');
    }
    const isPlain = /^[a-z]*$/.test(text) && !Array.from(gramsOf(text)).some(gram => grams.has(gram));
    if (!isPlain || secret.length < gramLength || secret.includes(text.slice(0, 1))) return redacted;
    assert.ok(redact(`${text} ${echoed}`).startsWith(`${text} `), 'the text before the secret changes');
    return redacted;
  },
});

function gramsOf(text: string): Set<string> {
  const count = Math.max(0, text.length - gramLength + 1);
  return new Set(Array.from({ length: count }, (_, at) => text.slice(at, at + gramLength)));
}

/**
 * Returns the text without invisible characters, and the results of each decoding. It shares no code with the redactor.
 */
function readingsOf(text: string): string[] {
  const readings = [text.replaceAll(invisible, '')];
  for (let round = 0; round < maxDecodings; round++) {
    readings.push(decode(readings.at(-1) ?? '').replaceAll(invisible, ''));
  }
  return readings;
}

const invisible = /(?!\s|\u0085)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const escapeSequence =
  /%([0-9a-f]{2})|\\u([0-9a-f]{4})|&#x([0-9a-f]{1,6});|&#([0-9]{1,7});|&(amp|lt|gt|quot|apos);|\\(.)/gi;
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decode(text: string): string {
  return text.replaceAll(escapeSequence, (whole: string, ...groups: (string | undefined)[]) => {
    const [percent, unicode, hex, decimal, name, escaped] = groups;
    if (name !== undefined) return entities[name] ?? whole;
    if (escaped !== undefined) return escaped;
    const code = Number.parseInt(percent ?? unicode ?? hex ?? decimal ?? '', decimal === undefined ? 16 : 10);
    return String.fromCharCode(code);
  });
}
