import { invisibleCharacters, withoutInvisible } from '../text/invisible.ts';

/** Quick to tell: what is outside these ranges may be unseen, in them nothing is. */
const unusual = /[^ -~\t\n\r\u00a0-\u00ac\u00ae-\u034e\u2010-\u2027\u202f-\u205f\u2070-\u3163\u3165-\ud7ff]/;
const unseen = new RegExp(String.raw`[${invisibleCharacters}\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\p{Cs}]`, 'u');
const controlCharacter = /[\p{Cc}\p{Cs}]/gu;

/** The text of a page as its reader sees it: also without control characters and halves of characters. */
export function seenText(text: string): string {
  if (!unusual.test(text) || !unseen.test(text)) return text;
  return withoutInvisible(text).replace(controlCharacter, plainControl);
}

function plainControl(control: string): string {
  if (control >= '\ud800') return '\ufffd';
  return /\s/.test(control) ? control : '';
}
