import { extractOfficeText } from '../../src/documents/office/document.ts';
import { zip } from './zip.ts';

/** Creates a Word document with this body. */
export const word = (body: string): Buffer =>
  zip({ 'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>` });
/** Returns the extracted text with single blanks. */
export const plain = (bytes: Buffer, extension: string): string | undefined =>
  extractOfficeText(bytes, extension)
    ?.replace(/[\s\ue000]+/g, ' ')
    .trim();
