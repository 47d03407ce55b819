import { type PdfParts, pdf } from '../pdf.ts';
import { type Sample, sample } from './sample.ts';

export const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
export const file = (name: string, parts: Omit<PdfParts, 'isPacked'>): Sample =>
  sample(name, 'pdf', pdf({ ...parts, isPacked: false }));
export const range = (from: number, to: number, step = 1): number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);
export const hex = (numbers: readonly number[], digits = 2): string =>
  `<${numbers.map(each => each.toString(16).padStart(digits, '0')).join('')}>`;

export const shownText = (content: string): string => `BT /F1 9 Tf 9 9 Td (${content}) Tj ET`;
export const composite = (entries: string, descendant: string): string =>
  `<< /Type /Font /Subtype /Type0 ${entries} /DescendantFonts [<< /Subtype /CIDFontType2 ${descendant} >>] >>`;
export const collection = (name: string): string => `/CIDSystemInfo << /Ordering (${name}) >>`;
