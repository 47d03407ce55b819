import { officeText } from './office/document.ts';
import { pdfText } from './pdf/document.ts';

/** The text of a document; undefined when it cannot be read. */
export function documentText(content: Buffer, extension: string): string | undefined {
  return extension === 'pdf' ? pdfText(content) : officeText(content, extension);
}
