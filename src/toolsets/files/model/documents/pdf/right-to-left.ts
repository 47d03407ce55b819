/** Letters that are read from right to left, and the marks on them; their numbers are written from left to right. */
const own = '\\u0590-\\u065f\\u0670-\\u06ef\\u06fa-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc';
const rightToLeft = new RegExp(`[${own}]`);
const rightToLeftLetters = new RegExp(`[${own}]`, 'g');
/** Words of the other direction, with all that stands between them. */
const leftToRightRun = new RegExp(`[^${own}\\P{L}](?:[^${own}]*[^${own}\\P{L}])?|\\p{N}(?:[^${own}\\s]*\\p{N})?`, 'gu');
const rightToLeftRun = new RegExp(`[${own}](?:[^\\p{L}\\p{N}${own}]*[${own}])*`, 'gu');

const mirrored: Readonly<Record<string, string>> = { '(': ')', ')': '(', '[': ']', ']': '[', '{': '}', '}': '{' };

export function isRightToLeft(text: string): boolean {
  return rightToLeft.test(text);
}

/** A line as it is seen from left to right, in the order in which it is read; and the other way round. */
export function reordered(line: string): string {
  const count = line.match(rightToLeftLetters)?.length ?? 0;
  const letters = line.match(/\p{L}/gu)?.length ?? 0;
  // A line of the other direction with some words in it.
  if (count * 2 < letters) return line.replace(rightToLeftRun, reversed);
  return reversed(line.replace(leftToRightRun, reversed));
}

/** Twice reversed is as before. */
export function reversed(text: string): string {
  return Array.from(text, character => mirrored[character] ?? character)
    .reverse()
    .join('');
}
