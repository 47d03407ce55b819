import { capCharacters } from '../../../text.ts';

const maxCharacters = 200;

/** What a client wrote, as a refusal repeats it: not however long it is. */
export function excerpt(text: string): string {
  const start = capCharacters(text, maxCharacters);
  return start === text ? text : `${start}…`;
}
