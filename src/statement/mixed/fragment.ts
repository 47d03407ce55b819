import type { MarkdownRole } from '../elements.ts';

/**
 * Matches Markdown emphasis in a superscript or subscript. The marks are removed, because TeX sets letters in italics
 * anyway.
 */
const scriptMarks = />\s{0,9}([*_]{1,3})([^\s<>*_](?:[^<>*_]{0,200}[^\s<>*_])?)\1\s{0,9}</g;
const backslashEscape = /\\([!-/:-@[-`{-~])/g;

/**
 * Removes Markdown inside an inline element that is written without marks: the emphasis in a superscript or subscript,
 * or the escapes in code.
 */
export function removeInlineMarkdown(html: string, kind: MarkdownRole | undefined): string {
  if (kind === 'SUP' || kind === 'SUB') return html.replace(scriptMarks, '>$2<');
  if (kind !== 'CODE' || !html.includes('\\')) return html;
  return html.replace(backslashEscape, (_, character: string) => `&#${character.charCodeAt(0)};`);
}

/** Returns a character with the same effect on the conversion of a fragment as the text next to it. */
export function findNeighbourCharacter(character: string): string {
  if (/[\d\p{L}]/u.test(character)) return character;
  return character.trim() === '' ? '' : ',';
}

/** Matches the tags of elements that have no effect on Markdown. */
const silentTags = /(?:<\/?(?:span|font)(?:\s[^<>]{0,200})?>)*/iy;

/** Returns the first character after any <span> and <font> tags at an offset, or a space at the end of the text. */
export function findNextCharacter(text: string, at: number): string {
  silentTags.lastIndex = at;
  silentTags.test(text);
  return text[silentTags.lastIndex] ?? ' ';
}
