import { decodeText, isBinaryContent } from '../encoding/decode.ts';
import { extractHtmlText } from '../html/text.ts';
import { extractMailText } from '../mail/message.ts';
import { extractRtfText } from '../rtf.ts';
import { extractExcelText, extractWorkbookText, isOldExcelWorkbook } from './excel.ts';
import { CompoundFile, isCompoundFile } from './file.ts';
import { extractOutlookText } from './outlook.ts';
import { extractPowerPointText } from './powerpoint.ts';
import { extractOldWordText, extractWordText } from './word.ts';

const readers: readonly ((file: CompoundFile) => string | undefined)[] = [
  extractWordText,
  extractExcelText,
  extractPowerPointText,
  extractOutlookText,
];

/**
 * Extracts the text of an Office file from before 2007. The content determines the format, and not the extension,
 * because programs also store RTF, HTML, a web archive or plain text as `.doc` or `.xls`.
 */
export function extractCompoundText(bytes: Buffer): string | undefined {
  if (isCompoundFile(bytes)) {
    const file = new CompoundFile(bytes);
    for (const read of readers) {
      const text = read(file);
      if (text !== undefined) return text.trim() === '' ? undefined : text;
    }
    return undefined;
  }
  if (isOldExcelWorkbook(bytes)) return extractWorkbookText(bytes);
  if (bytes.length > 0x200 && oldWordMarks.has(bytes.readUInt16LE(0))) return extractOldWordText(bytes);
  if (isBinaryContent(bytes)) return undefined;
  return extractRtfText(bytes) ?? markedText(decodeText(bytes).bytes, bytes);
}

/** A file of Word 2 or Word 6 that is not inside a compound file starts with one of these numbers. */
const oldWordMarks: ReadonlySet<number> = new Set([0xa5db, 0xa5dc, 0xa59b, 0xa59c]);

function markedText(text: Buffer, source: Buffer): string {
  const head = text.toString('utf8', 0, 1000).trimStart().toLowerCase();
  if (head.startsWith('mime-version:')) return extractMailText(source);
  return head.startsWith('<') ? extractHtmlText(text.toString('utf8')) : text.toString('utf8');
}
