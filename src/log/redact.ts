import { invisibleCharacters } from '../text/invisible.ts';

export type Redact = (text: string) => string;

/** Shorter than this a secret also occurs by chance, and taking it out would harm the text. */
const minSecretLength = 8;

/** Takes secrets out of a text, also where Markdown, JSON or a URL has escaped some characters or invisible ones split them. */
export function createRedactor(secrets: readonly string[]): Redact {
  const forms = secrets
    .filter(secret => secret.length >= minSecretLength)
    .toSorted((left, right) => right.length - left.length)
    .map(secret => Array.from(secret, anyForm));
  if (forms.length === 0) return text => text;
  const whole = new RegExp(forms.map(form => form.join('')).join('|'), 'gu');
  let split: RegExp | undefined;
  return text => {
    if (!unusual.test(text)) return text.replace(whole, '[redacted]');
    split ??= new RegExp(forms.map(form => form.join(`[${unseen}]*`)).join('|'), 'gu');
    return text.replace(split, '[redacted]');
  };
}

const unusual = /[^ -~\t\n\r]/;
/** Also the control characters, but for white space. */
const unseen = String.raw`${invisibleCharacters}\0-\x08\x0b\x0c\x0e-\x1f\x7f`;

function anyForm(character: string): string {
  const hex = character.charCodeAt(0).toString(16).padStart(2, '0');
  return `(?:%(?:${hex}|${hex.toUpperCase()})|\\\\?${escapePattern(character)})`;
}

function escapePattern(character: string): string {
  return /[\w\x80-\u{10ffff}]/u.test(character)
    ? character
    : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
