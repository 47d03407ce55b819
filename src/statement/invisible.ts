import { invisibleCharacterClass, removeInvisibleCharacters } from '../text/invisible.ts';

/** A fast test: characters without a match are visible, and an exact pattern tests all others. */
const unusual = /[^ -~\t\n\r\u00a0-\u00ac\u00ae-\u034e\u2010-\u2027\u202f-\u205f\u2070-\u3163\u3165-\ud7ff]/;
const hidden = new RegExp(String.raw`[${invisibleCharacterClass}\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\p{Cs}]`, 'u');
const controlCharacter = /[\p{Cc}\p{Cs}]/gu;

/** Returns the text without invisible and control characters. A lone surrogate becomes U+FFFD. */
export function removeInvisibleAndLoneSurrogates(text: string): string {
  if (!unusual.test(text) || !hidden.test(text)) return text;
  return removeInvisibleCharacters(text).replace(controlCharacter, plainControl);
}

function plainControl(control: string): string {
  if (control >= '\ud800') return '\ufffd';
  return /\s/.test(control) ? control : '';
}
