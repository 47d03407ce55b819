import { withoutInvisible } from '../../../invisible.ts';

export { withoutInvisible };

const UNUSUAL = /[^ -~\t\n\r]/;
const UNSEEN = /(?![\t\n\r])[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\p{Cc}\p{Cs}]/u;
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
