import { DocumentBudget, undefinedIfUnreadable } from '../unreadable.ts';
import { decodeTextString } from './characters.ts';
import { PdfContentReader } from './content.ts';
import { PdfFile } from './file.ts';
import { type PdfDictionary, PdfReference, type PdfValue } from './syntax.ts';

const maxSteps = 40_000_000;
const maxUnpackedBytes = 192 * 1024 * 1024;
const maxTextLength = 32 * 1024 * 1024;
const maxPages = 20_000;
const maxTreeDepth = 60;

export interface PdfMetadata {
  pages: number;
  title: string | undefined;
  author: string | undefined;
  /** The width of the first page in points (1/72 inch). */
  pageWidth: number | undefined;
  pageHeight: number | undefined;
}

interface PdfPage {
  dict: PdfDictionary;
  resources: PdfDictionary | undefined;
}

/** The text is reported as incomplete if more than this share of the glyphs has no known character. */
const partialShare = 0.1;

export interface PdfText {
  text: string;
  /** True if much of the text is missing, because the fonts contain no mapping from glyphs to characters. */
  isPartial: boolean;
}

/**
 * Extracts the text page by page. Returns undefined if the document is encrypted, scanned, damaged or exceeds the
 * budget.
 */
export function readPdf(bytes: Buffer): PdfText | undefined {
  return undefinedIfUnreadable(() => {
    const file = openPdf(bytes);
    if (file === undefined) return undefined;
    const reader = new PdfContentReader(file, maxTextLength);
    const pages: string[] = [];
    for (const { dict, resources } of pagesOf(file)) {
      const parts = contentParts(file, dict);
      reader.replacement = undefined;
      reader.read(Buffer.concat(parts), resources);
      readAnnotations(reader, dict);
      pages.push(reader.page.take(), '\f');
    }
    const text = pages.join('');
    if (text.trim() === '') return undefined;
    return { text, isPartial: reader.unreadableCodes > reader.codes * partialShare };
  });
}

export function extractPdfMetadata(bytes: Buffer): PdfMetadata | undefined {
  return undefinedIfUnreadable(() => {
    const file = openPdf(bytes);
    if (file === undefined) return undefined;
    const pages = pagesOf(file);
    const info = file.dict(lastReference(bytes, 'Info'));
    const box = file.array(pages[0]?.dict.get('MediaBox')).map(item => file.number(item) ?? 0);
    const [left = 0, bottom = 0, right, top] = box;
    return {
      pages: pages.length,
      title: infoText(file.resolve(info?.get('Title'))),
      author: infoText(file.resolve(info?.get('Author'))),
      pageWidth: right === undefined ? undefined : Math.abs(right - left),
      pageHeight: top === undefined ? undefined : Math.abs(top - bottom),
    };
  });
}

function openPdf(bytes: Buffer): PdfFile | undefined {
  if (bytes.subarray(0, 1024).indexOf('%PDF-') === -1) return undefined;
  const budget = new DocumentBudget(maxSteps, maxUnpackedBytes);
  const file = new PdfFile(bytes, budget, 'all');
  if (file.isLocked) return undefined;
  if (catalogOf(file) !== undefined) return file;
  // Only objects outside of object streams are read, because a rewritten file can still contain object streams with
  // older versions of its objects.
  const plain = new PdfFile(bytes, budget, 'plain');
  return catalogOf(plain) === undefined ? file : plain;
}

function catalogOf(file: PdfFile): PdfDictionary | undefined {
  const catalog = file.dict(lastReference(file.bytes, 'Root'));
  return catalog?.has('Pages') === true ? catalog : undefined;
}

/** Returns a reference from the last trailer, which can be a dictionary or a stream. */
function lastReference(bytes: Buffer, key: string): PdfReference | undefined {
  for (let at = bytes.lastIndexOf(`/${key}`); at > 0; at = bytes.lastIndexOf(`/${key}`, at - 1)) {
    const match = /^\/\w+\s+(\d{1,9})\s+\d{1,5}\s+R/.exec(bytes.toString('latin1', at, at + 40));
    if (match !== null) return new PdfReference(Number(match[1]));
  }
  return undefined;
}

function pagesOf(file: PdfFile): PdfPage[] {
  const pages: PdfPage[] = [];
  collectPages(file, catalogOf(file)?.get('Pages'), undefined, new Set(), pages, 0);
  if (pages.length > 0) return pages;
  // The page tree is not valid, so that all page objects of the file are read instead.
  for (const number of [...file.numbers].sort((left, right) => left - right)) {
    const dict = file.dict(new PdfReference(number));
    if (dict !== undefined && file.name(dict.get('Type')) === 'Page')
      pages.push({ dict, resources: file.dict(dict.get('Resources')) });
    if (pages.length >= maxPages) break;
  }
  return pages;
}

function collectPages(
  file: PdfFile,
  node: PdfValue | undefined,
  inherited: PdfDictionary | undefined,
  seen: Set<PdfDictionary>,
  pages: PdfPage[],
  depth: number,
): void {
  const dict = file.dict(node);
  if (dict === undefined || seen.has(dict) || depth > maxTreeDepth || pages.length >= maxPages) return;
  seen.add(dict);
  const resources = file.dict(dict.get('Resources')) ?? inherited;
  const kids = file.resolve(dict.get('Kids'));
  if (!Array.isArray(kids)) pages.push({ dict, resources });
  else for (const kid of kids) collectPages(file, kid, resources, seen, pages, depth + 1);
}

function contentParts(file: PdfFile, page: PdfDictionary): Buffer[] {
  const content = file.resolve(page.get('Contents'));
  const parts: Buffer[] = [];
  for (const part of Array.isArray(content) ? content : [page.get('Contents')]) {
    const bytes = file.content(part);
    if (bytes !== undefined) parts.push(bytes, Buffer.from('\n'));
  }
  return parts;
}

function infoText(value: PdfValue | undefined): string | undefined {
  if (!Buffer.isBuffer(value)) return undefined;
  const clean = decodeTextString(value).replaceAll('\0', '').trim();
  return clean === '' ? undefined : clean;
}

const hiddenFlag = 2;
const maxAnnotations = 5000;

/** Extracts the text of annotations: values of form fields, labels and comments. */
function readAnnotations(reader: PdfContentReader, page: PdfDictionary): void {
  const { file } = reader;
  for (const item of file.array(page.get('Annots')).slice(0, maxAnnotations)) {
    const annotation = file.dict(item);
    if (annotation === undefined) continue;
    const kind = file.name(annotation.get('Subtype'));
    if (kind === 'Popup' || ((file.number(annotation.get('F')) ?? 0) & hiddenFlag) !== 0) continue;
    const isField = kind === 'Widget';
    if (!drawAppearance(reader, annotation) && isField) note(reader, fieldValue(reader, annotation));
    if (!isField && kind !== 'Link') note(reader, annotation.get('Contents'));
  }
}

function drawAppearance(reader: PdfContentReader, annotation: PdfDictionary): boolean {
  const { file } = reader;
  const normal = file.dict(file.dict(annotation.get('AP'))?.get('N'));
  const state = file.name(annotation.get('AS'));
  const form = state === undefined ? normal : (file.dict(normal?.get(state)) ?? normal);
  if (form === undefined || file.content(form) === undefined) return false;
  const [left = 0, bottom = 0] = file.array(annotation.get('Rect')).map(side => file.number(side) ?? 0);
  reader.form(form, undefined, [1, 0, 0, 1, left, bottom], 0);
  return true;
}

/** Returns the value of a form field, which can be inherited from its parents. */
function fieldValue(reader: PdfContentReader, field: PdfDictionary): PdfValue | undefined {
  const { file } = reader;
  let current: PdfDictionary | undefined = field;
  for (let depth = 0; current !== undefined && depth < 10; depth++) {
    const value = current.get('V');
    if (value !== undefined) return value;
    current = file.dict(current.get('Parent'));
  }
  return undefined;
}

function note(reader: PdfContentReader, value: PdfValue | undefined): void {
  const text = reader.file.resolve(value);
  if (Buffer.isBuffer(text)) reader.page.note(decodeTextString(text));
}
