import assert from 'node:assert/strict';
import { createRedactor } from '../../../src/log/redact.ts';
import { ChoiceReader, defineTarget, textOf } from '../target.ts';

/** The forms in which a backend may repeat a character of a secret. */
const forms: readonly ((character: string) => string)[] = [
  character => character,
  character => `%${hexOf(character)}`,
  character => `%${hexOf(character).toUpperCase()}`,
  character => `\\${character}`,
];

const maxSecretLength = 400;

export const target = defineTarget({
  name: 'redaction',
  corpus: [
    'secret-token-1\0\0before \x01 after',
    'abcdefgh\0\x01\x02\x03\x00{"title":"',
    '\x01\x02\x03!"#$%&()*+\0\x02\x02?q=',
    'AAAAAAAAAAAA\0\0AAAAAAAAAAAAAAAAAAAAAAAAA',
    'eyJhbGciOiJI.eyJzdWIiOiIx.c2ln\0\x01\x01\x01text',
  ],
  dictionary: ['secret-token-1', '\\', '%', '%25', '%2d', '&#45;', '\\u002d', '[redacted]', '\0', '\x01', '\u200b'],
  mutations: 1500,
  run(bytes) {
    const choice = new ChoiceReader(bytes);
    const secret = Array.from(choice.field().subarray(0, maxSecretLength), byte =>
      String.fromCharCode(0x21 + (byte % 94)),
    ).join('');
    if (secret.length < 8) return; // shorter secrets also occur by chance
    const echoed = Array.from(secret, character => (forms[choice.below(forms.length)] ?? String)(character)).join('');
    const text = textOf(choice.rest());
    const redacted = createRedactor([secret])(`${text} ${echoed} ${text}`);
    assert.ok(!decoded(redacted).includes(secret), 'the secret passes');
    if (!decoded(text).includes(secret.slice(0, 8))) {
      assert.equal(redacted, `${text} [redacted] ${text}`, 'the text around the secret changes');
    }
  },
});

function hexOf(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(2, '0');
}

/** Undoes all forms: an oracle that does not share code with the redactor. */
function decoded(text: string): string {
  return text
    .replaceAll(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll('\\', '')
    .replaceAll(/[^!-~]/g, '');
}
