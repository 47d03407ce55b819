import { fold } from './search/fold.ts';

/** Where a search looks for what was asked. */
export const matchModes = ['content', 'name', 'any'] as const;
export type Match = (typeof matchModes)[number];

/** Whether a name fits what is looked for: with `*` and `?` the whole of it, otherwise any part; accents and case alike. */
export function createNameTest(phrase: string): (name: string) => boolean {
  if (!/[*?]/.test(phrase)) return name => fold(name).includes(phrase);
  const pattern = Array.from(phrase);
  return name => fits(Array.from(fold(name)), pattern);
}

/** On a mismatch only the last `*` takes one more: the steps are at most the lengths of both, multiplied. */
function fits(name: readonly string[], pattern: readonly string[]): boolean {
  let [at, next, star, mark] = [0, 0, -1, 0];
  while (at < name.length) {
    const wanted = pattern[next];
    if (wanted === '*') [star, mark, next] = [next, at, next + 1];
    else if (wanted === '?' || wanted === name[at]) [at, next] = [at + 1, next + 1];
    else if (star !== -1) [mark, at, next] = [mark + 1, mark + 1, star + 1];
    else return false;
  }
  while (pattern[next] === '*') next++;
  return next === pattern.length;
}
