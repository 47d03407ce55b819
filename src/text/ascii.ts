/** Letters that Unicode does not decompose, in their usual spelling with ASCII letters. */
const spellings: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['ł', 'l'],
  ['þ', 'th'],
  ['ı', 'i'],
]);

/**
 * Replaces Latin letters by similar ASCII letters: `Übung` becomes `Ubung`. Letters of other scripts stay, without
 * their accents.
 */
export function replaceByAsciiLetters(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/\P{ASCII}/gu, letter => {
      const lower = letter.toLowerCase();
      const spelling = spellings.get(lower) ?? letter;
      return letter === lower ? spelling : spelling.charAt(0).toUpperCase() + spelling.slice(1);
    });
}
