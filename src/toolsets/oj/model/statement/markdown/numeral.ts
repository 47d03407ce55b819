const ROMAN: readonly [number, string][] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];

/** The number as the page shows it, for lists that the text calls A to E or i to iv. Markdown's own know digits only. */
export function numeral(number: number, type: string): string {
  if (number < 1 || number > 3999) return String(number);
  const small = type.toLowerCase() === 'a' ? letters(number) : roman(number);
  return type === type.toLowerCase() ? small : small.toUpperCase();
}

function letters(number: number): string {
  const rest = Math.floor((number - 1) / 26);
  return (rest > 0 ? letters(rest) : '') + String.fromCodePoint(97 + ((number - 1) % 26));
}

function roman(number: number): string {
  let left = number;
  let text = '';
  for (const [value, sign] of ROMAN) {
    while (left >= value) {
      text += sign;
      left -= value;
    }
  }
  return text;
}
