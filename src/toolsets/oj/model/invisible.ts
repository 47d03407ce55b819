import { withoutInvisible } from '../../../invisible.ts';

export { withoutInvisible };

const UNUSUAL = /[^ -~\t\n\r]/;
const CONTROLS = /[\p{Cc}\p{Cs}]/u;
const CONTROL = new RegExp(CONTROLS.source, 'gu');

/** The text of a page as its reader sees it: also without control characters and halves of characters. */
export function seenText(text: string): string {
  if (!UNUSUAL.test(text)) return text;
  const seen = withoutInvisible(text);
  return CONTROLS.test(seen) ? seen.replace(CONTROL, plainControl) : seen;
}

function plainControl(control: string): string {
  if (control >= '\ud800') return '\ufffd';
  return /\s/.test(control) ? control : '';
}
