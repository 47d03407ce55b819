import { invisibleCharacters, withoutInvisible } from '../../../invisible.ts';

const UNUSUAL = /[^ -~\t\n\r]/;
const UNSEEN = new RegExp(String.raw`(?![\t\n\r])[${invisibleCharacters}\p{Cc}\p{Cs}]`, 'u');
const CONTROL = /[\p{Cc}\p{Cs}]/gu;

/** The text of a page as its reader sees it: also without control characters and halves of characters. */
export function seenText(text: string): string {
  if (!UNUSUAL.test(text) || !UNSEEN.test(text)) return text;
  return withoutInvisible(text).replace(CONTROL, plainControl);
}

function plainControl(control: string): string {
  if (control >= '\ud800') return '\ufffd';
  return /\s/.test(control) ? control : '';
}
