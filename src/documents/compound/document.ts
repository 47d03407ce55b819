import { decodeText, isBinaryContent } from '../encoding/decode.ts';
import { extractHtmlText } from '../html/text.ts';
import { extractMailText } from '../mail/message.ts';
import { extractRtfText } from '../rtf.ts';
import { undefinedIfUnreadable } from '../unreadable.ts';
import { decryptPackage } from './encryption.ts';
import { extractExcelText, extractWorkbookText, isOldExcelWorkbook } from './excel.ts';
import { type CompoundEntry, CompoundFile, isCompoundFile } from './file.ts';
import { extractOutlookText } from './outlook.ts';
import { extractPowerPointText } from './powerpoint.ts';
import { extractOldWordText, extractWordText } from './word.ts';

type Storage = CompoundEntry | undefined;

/** These functions return undefined if the storage contains no document of their format. */
const readers: readonly ((file: CompoundFile, storage: Storage) => string | undefined)[] = [
  extractWordText,
  extractExcelText,
  (file, storage) => extractPowerPointText(file, storage, extractObjectText),
];

/**
 * Limits the number of embedded documents that are read and their characters, because damaged storages can refer to the
 * same content.
 */
const maxEmbeddedDocuments = 200;
const maxEmbeddedCharacters = 32 * 1024 * 1024;

/**
 * Extracts the text of an Office file from before 2007. The content determines the format, and not the extension,
 * because programs also store RTF, HTML, a web archive or plain text as `.doc` or `.xls`. Newer Office files are inside
 * a compound file if they are encrypted; `extractZip` reads them after the decryption.
 */
export function extractCompoundText(
  bytes: Buffer,
  extractZip: (bytes: Buffer) => string | undefined,
): string | undefined {
  if (isCompoundFile(bytes)) {
    const file = new CompoundFile(bytes);
    const zip = decryptPackage(file);
    if (zip !== undefined) return extractZip(zip);
    const main = storedText(file, file.root) ?? extractOutlookText(file);
    if (main === undefined) return undefined;
    const text = [main, ...embeddedTexts(file, main)].join('\n');
    return text.trim() === '' ? undefined : text;
  }
  if (isOldExcelWorkbook(bytes)) return extractWorkbookText(bytes);
  if (bytes.length > 0x200 && oldWordMarks.has(bytes.readUInt16LE(0))) return extractOldWordText(bytes);
  if (isBinaryContent(bytes)) return undefined;
  return extractRtfText(bytes) ?? markedText(decodeText(bytes).bytes, bytes);
}

function storedText(file: CompoundFile, storage: Storage): string | undefined {
  for (const read of readers) {
    const text = read(file, storage);
    if (text !== undefined) return text;
  }
  return undefined;
}

/**
 * Returns the texts of embedded documents without page breaks, such as an Excel table in a letter. Unreadable documents
 * are omitted. A presentation can have a second storage with the same text `main`, which is omitted as well.
 */
function embeddedTexts(file: CompoundFile, main: string): string[] {
  // The first entry is the root.
  const storages = file.entries.slice(1).filter(entry => entry.isStorage);
  const texts: string[] = [];
  let left = maxEmbeddedCharacters;
  for (const storage of storages.slice(0, maxEmbeddedDocuments)) {
    const text = left > 0 ? undefinedIfUnreadable(() => storedText(file, storage)) : undefined;
    if (text === undefined || text === main) continue;
    left -= text.length;
    texts.push(text.replaceAll('\f', '\n'));
  }
  return texts;
}

/** Returns the text of a compound file that is embedded in a presentation. */
function extractObjectText(bytes: Buffer): string | undefined {
  return undefinedIfUnreadable(() => {
    const file = new CompoundFile(bytes);
    return extractWordText(file) ?? extractExcelText(file) ?? extractPowerPointText(file, file.root, () => undefined);
  });
}

/** A file of Word 2 or Word 6 that is not inside a compound file starts with one of these numbers. */
const oldWordMarks: ReadonlySet<number> = new Set([0xa5db, 0xa5dc, 0xa59b, 0xa59c]);

function markedText(text: Buffer, source: Buffer): string {
  const head = text.toString('utf8', 0, 1000).trimStart().toLowerCase();
  if (head.startsWith('mime-version:')) return extractMailText(source);
  return head.startsWith('<') ? extractHtmlText(text.toString('utf8')) : text.toString('utf8');
}
