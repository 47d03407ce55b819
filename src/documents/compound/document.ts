import { decodeText, isBinary } from '../encoding/decode.ts';
import { htmlText } from '../html/text.ts';
import { mailText } from '../mail/message.ts';
import { rtfText } from '../rtf.ts';
import { extractExcelText, isOldWorkbook, workbookText } from './excel.ts';
import { CompoundFile, isCompoundFile } from './file.ts';
import { outlookText } from './outlook.ts';
import { extractPowerPointText } from './powerpoint.ts';
import { extractOldWordText, extractWordText } from './word.ts';

const readers: readonly ((file: CompoundFile) => string | undefined)[] = [
  extractWordText,
  extractExcelText,
  extractPowerPointText,
  outlookText,
];

/**
 * Extracts the text of an Office file from before 2007. The content decides on the format, not the extension, because
 * programs also store RTF, HTML, a web archive or plain text as `.doc` or `.xls`.
 */
export function compoundText(bytes: Buffer): string | undefined {
  if (isCompoundFile(bytes)) {
    const file = new CompoundFile(bytes);
    for (const read of readers) {
      const text = read(file);
      if (text !== undefined) return text.trim() === '' ? undefined : text;
    }
    return undefined;
  }
  if (isOldWorkbook(bytes)) return workbookText(bytes);
  if (bytes.length > 0x200 && oldWordMarks.has(bytes.readUInt16LE(0))) return extractOldWordText(bytes);
  if (isBinary(bytes)) return undefined;
  return rtfText(bytes) ?? markedText(decodeText(bytes).bytes, bytes);
}

/** A file of Word 2 or Word 6 without a container starts with one of these numbers. */
const oldWordMarks: ReadonlySet<number> = new Set([0xa5db, 0xa5dc, 0xa59b, 0xa59c]);

function markedText(text: Buffer, source: Buffer): string {
  const head = text.toString('utf8', 0, 1000).trimStart().toLowerCase();
  if (head.startsWith('mime-version:')) return mailText(source);
  return head.startsWith('<') ? htmlText(text.toString('utf8')) : text.toString('utf8');
}
