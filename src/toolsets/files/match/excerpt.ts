import { endOfPagesCharacter } from '../../../documents/pages.ts';
import { foldCaseAndAccents } from './fold.ts';

/** The text around the first occurrence of a phrase in a file. */
export interface Excerpt {
  /** The number of the page or slide that contains the excerpt, for documents with pages. */
  page?: number;
  /**
   * The line number of the excerpt. Only plain text has one, because the text of a converted document has other lines
   * than its file.
   */
  line?: number;
  text: string;
}

const excerptLength = 160;
const pieceLength = 8192;

/** Returns about 160 characters around the first occurrence of a case-folded phrase. */
export function excerptOf(text: string, phrase: string, isConverted: boolean): Excerpt | undefined {
  const place = findPlace(text, phrase);
  if (place === undefined) return undefined;
  const before = Math.max(20, Math.floor((excerptLength - (place.end - place.start)) / 2));
  const from = wordStart(text, Math.max(0, place.start - before), place.start);
  const to = Math.min(text.length, Math.max(from + excerptLength, Math.min(place.end, from + 2.5 * excerptLength)));
  const shown = text.slice(from, to).replaceAll(endOfPagesCharacter, ' ').replace(/\s+/g, ' ').trim().toWellFormed();
  return {
    ...(isConverted ? pageOf(text, place.start) : { line: 1 + countOf(text, '\n', place.start) }),
    text: `${from > 0 ? '… ' : ''}${shown}${to < text.length ? ' …' : ''}`,
  };
}

/** Moves the start of the excerpt to a word boundary, except inside a very long word. */
function wordStart(text: string, from: number, limit: number): number {
  if (from === 0) return 0;
  const blank = text.slice(from, Math.min(limit, from + 30)).search(/\s/);
  return blank === -1 ? from : from + blank + 1;
}

function pageOf(text: string, at: number): { page?: number } {
  const isPaged = text.includes('\f') && text.lastIndexOf(endOfPagesCharacter, at) === -1;
  return isPaged ? { page: 1 + countOf(text, '\f', at) } : {};
}

function countOf(text: string, character: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1 && at < end; at = text.indexOf(character, at + 1)) count++;
  return count;
}

/** Finds a case-folded phrase in a text and returns its offsets in the original text. */
function findPlace(text: string, phrase: string): { start: number; end: number } | undefined {
  let folded = '';
  let origins: number[] = [];
  for (let at = 0; at < text.length; ) {
    const stop = Math.min(text.length, at + pieceLength);
    while (at < stop) {
      const point = text.codePointAt(at) ?? 0;
      const character = String.fromCodePoint(point);
      const piece = point < 0x80 && point > 0x20 ? character.toLowerCase() : foldCaseAndAccents(character);
      if (piece !== ' ' || !folded.endsWith(' ')) {
        folded += piece;
        for (let count = piece.length; count > 0; count--) origins.push(at);
      }
      at += character.length;
    }
    const found = folded.indexOf(phrase);
    if (found !== -1) {
      const start = origins[found] ?? 0;
      return { start, end: (origins[found + phrase.length - 1] ?? start) + 1 };
    }
    const kept = Math.max(0, folded.length - phrase.length);
    [folded, origins] = [folded.slice(kept), origins.slice(kept)];
  }
  return undefined;
}
