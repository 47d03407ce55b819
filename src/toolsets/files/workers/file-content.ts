import { type DecodedText, decodeUtf8 } from '../../../documents/encoding/decode.ts';
import type { FileFormat } from '../../../documents/file-type.ts';
import type { PreparedPhrase } from '../match/needle.ts';
import type { FileStatus } from './reader-job.ts';

/** The texts of a file that are searched, or a status that states why the file has no text. */
export interface FileContent {
  texts: DecodedText[] | undefined;
  status: FileStatus;
  isDocument: boolean;
  /**
   * True if the first text was converted from another format, so that its line numbers differ from those in the file.
   * The second text of an HTML page is its source. A page whose source already matches has only this text.
   */
  isConverted?: boolean;
  /** True if many characters of a document are missing in its text. */
  isPartly?: boolean;
}

/** The cached text of a file, and the phrases that make an HTML page a hit if its source contains them. */
export interface ReadingHints {
  text: Buffer | undefined;
  needles: readonly PreparedPhrase[];
}

export function createEmptyFileContent(status: FileStatus): FileContent {
  return { texts: undefined, status, isDocument: false };
}

/** Returns the content of a document with this text. The text is undefined if the document could not be parsed. */
export function createDocumentContent(text: Buffer | undefined, isPartly = false): FileContent {
  if (text === undefined) return createEmptyFileContent('unparsed');
  return { texts: [decodeUtf8(text)], status: 'read', isDocument: true, isConverted: true, isPartly };
}

export function isPdfOrOffice(format: FileFormat): boolean {
  return format === 'pdf' || format === 'office';
}
