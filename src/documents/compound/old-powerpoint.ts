import { decodeWithLabel } from '../encoding/decode.ts';
import type { CompoundEntry, CompoundFile } from './file.ts';

/** The first bytes of a presentation of PowerPoint 4 for Macintosh, which stores the highest byte of a number first. */
const macintoshMark = '\x0b\xad\xde\xed';
/**
 * Match the end of the attributes of a text and its length, which precede each text of PowerPoint 4. The format is not
 * published; these bytes are equal in all texts of known files.
 */
const windowsText = /d\0[^]\0\0\0[^]\0[^\0]\0([^]{2})\0\0/g;
const macintoshText = /\0d\0[^]\0\0\0[^]\0[^\0]\0\0([^]{2})/g;

/** Extracts the text of a presentation of PowerPoint 95 or 4. The texts of their slides are in the order of the file. */
export function extractOldPowerPointText(file: CompoundFile, storage: CompoundEntry | undefined): string | undefined {
  // PowerPoint 95 stores all texts a second time in this stream.
  const texts = file.stream('Text_Content', storage);
  if (texts !== undefined) return cleanText(decodeWithLabel(undefined, texts));
  const presentation = file.stream('PP40', storage)?.toString('latin1');
  if (presentation === undefined) return undefined;
  const isMacintosh = presentation.startsWith(macintoshMark);
  const found = findTexts(presentation, isMacintosh ? macintoshText : windowsText, isMacintosh);
  return cleanText(decodeWithLabel(isMacintosh ? 'macintosh' : undefined, Buffer.from(found, 'latin1')));
}

function findTexts(presentation: string, start: RegExp, isBigEndian: boolean): string {
  const texts: string[] = [];
  for (const { 0: head, 1: length = '', index } of presentation.matchAll(start)) {
    const bytes = Buffer.from(length, 'latin1');
    const at = index + head.length;
    const text = presentation.slice(at, at + (isBigEndian ? bytes.readUInt16BE() : bytes.readUInt16LE()));
    if (!text.includes('\0')) texts.push(text, '\n');
  }
  return texts.join('');
}

function cleanText(text: string): string {
  return text.replace(/[\r\v]/g, '\n');
}
