import type { Decoded } from './decode.ts';
import { foldPieces } from './fold.ts';

/** What is looked for: a phrase in the form in which texts are compared. */
export interface Needle {
  text: string;
  bytes: Buffer;
  isAscii: boolean;
  /** Where in the phrase its rarest character stands; that one is looked for first. */
  anchor: number;
  isAnchorRare: boolean;
}

/** From a phrase that is folded already. */
export function createNeedle(text: string): Needle {
  const bytes = Buffer.from(text, 'utf8');
  let anchor = 0;
  for (let index = 0; index < bytes.length; index++) {
    if (frequency(bytes[index]) < frequency(bytes[anchor])) anchor = index;
  }
  const isAscii = bytes.length === text.length;
  return { text, bytes, isAscii, anchor, isAnchorRare: frequency(bytes[anchor]) <= maxRareFrequency };
}

/** How often a character stands in a thousand of English text and source code; what is not listed is rare. */
const frequencies = ' eatoinsrlcdhupmfgybvw._()/:,-"\'=;0123';
const perMille = [
  160, 85, 60, 60, 56, 52, 52, 48, 46, 36, 28, 28, 26, 22, 20, 20, 16, 15, 13, 11, 9, 9, 10, 9, 8, 8, 8, 8, 8, 8, 8, 8,
  8, 8, 8, 8, 8, 8,
];
const maxRareFrequency = 13;

function frequency(byte: number | undefined): number {
  if (byte === 0x20) return 1000;
  const index = frequencies.indexOf(String.fromCharCode(byte ?? 0));
  return index === -1 ? 1 : (perMille[index] ?? 8);
}

export function matches(needle: Needle, content: Decoded): boolean {
  if (!content.isAscii) return matchesText(needle, content.text);
  if (!needle.isAscii || content.bytes.length < needle.bytes.length) return false;
  return needle.isAnchorRare ? matchesByAnchor(needle, content.bytes) : matchesByWord(needle, content.bytes);
}

export function matchesText(needle: Needle, text: string): boolean {
  for (const piece of foldPieces(text, needle.text.length)) if (piece.includes(needle.text)) return true;
  return false;
}

/** Jumps from one occurrence of the rarest character to the next, in both cases, and compares around it. */
function matchesByAnchor({ bytes, anchor }: Needle, content: Buffer): boolean {
  const lower = bytes[anchor] ?? 0;
  const upper = lower >= 0x61 && lower <= 0x7a ? lower - 0x20 : lower;
  for (const variant of upper === lower ? [lower] : [lower, upper]) {
    for (let at = content.indexOf(variant); at !== -1; at = content.indexOf(variant, at + 1)) {
      if (isAt(bytes, anchor, content, at)) return true;
    }
  }
  return false;
}

/** Where every character of the phrase is frequent, it is cheaper to lower the text and look for the longest word. */
function matchesByWord({ text, bytes }: Needle, content: Buffer): boolean {
  const word = text.split(' ').reduce((left, right) => (right.length > left.length ? right : left));
  const start = text.indexOf(word);
  const lower = content.toString('latin1').toLowerCase();
  for (let at = lower.indexOf(word); at !== -1; at = lower.indexOf(word, at + 1)) {
    if (isAt(bytes, start, content, at)) return true;
  }
  return false;
}

/** Whether the phrase stands there, its character `index` at `at`; a blank of the phrase is any run of white space. */
function isAt(phrase: Buffer, index: number, content: Buffer, at: number): boolean {
  let position = at + 1;
  for (let next = index + 1; next < phrase.length; next++) {
    const wanted = phrase[next];
    if (wanted === 0x20) {
      if (!isBlank(content[position])) return false;
      while (isBlank(content[position])) position++;
    } else if (lowered(content[position++]) !== wanted) return false;
  }
  position = at - 1;
  for (let next = index - 1; next >= 0; next--) {
    const wanted = phrase[next];
    if (wanted === 0x20) {
      if (!isBlank(content[position])) return false;
      while (isBlank(content[position])) position--;
    } else if (lowered(content[position--]) !== wanted) return false;
  }
  return true;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || (byte !== undefined && byte >= 0x09 && byte <= 0x0d);
}

function lowered(byte: number | undefined): number {
  return byte === undefined ? -1 : byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
}
