import { decodeText, decodeWithLabel } from './encoding/decode.ts';
import type { MetadataValue } from './facts.ts';
import type { FileFormat, FileType } from './file-type.ts';
import { extractHtmlTextAsUtf8, findHtmlCharset } from './html/text.ts';
import { extractContactOrCalendarText } from './mail/card.ts';
import { extractMailText } from './mail/message.ts';
import { detectImageSize, extractMovieMetadata, type ReadFileRange } from './media/picture.ts';
import { extractAudioMetadata } from './media/sound.ts';
import { extractOfficeMetadata, extractOfficeText } from './office/document.ts';
import { extractPdfMetadata, readPdf } from './pdf/document.ts';
import { extractRtfText } from './rtf.ts';
import { maxDocumentBytes, undefinedIfUnreadable } from './unreadable.ts';

export { removeHiddenText } from './html/text.ts';

export interface ExtractedText {
  /** The extracted text in UTF-8. */
  text: Buffer;
  /** True if the document has text that cannot be read, for example PDF glyphs whose characters are unknown. */
  isPartial: boolean;
}

/**
 * Extracts the visible text. Returns undefined if the document cannot be parsed, or if it has no text besides its
 * source, such as an SVG image without text.
 */
export function extractText(content: Buffer, format: FileFormat, extension: string): ExtractedText | undefined {
  if (extension === 'svg' && !content.includes('<text')) return undefined;
  if (format === 'html') return { text: htmlFileText(content), isPartial: false };
  if (format === 'pdf') {
    const read = readPdf(content);
    return read && { text: Buffer.from(read.text), isPartial: read.isPartial };
  }
  const text = documentText(content, format, extension);
  return text === undefined ? undefined : { text: Buffer.from(text), isPartial: false };
}

function documentText(content: Buffer, format: FileFormat, extension: string): string | undefined {
  switch (format) {
    case 'office':
      return extractOfficeText(content, extension);
    case 'rtf':
      return extractRtfText(content);
    case 'mail':
      return extractMailText(content);
    case 'card':
      return extractContactOrCalendarText(content);
    case 'pdf':
    case 'html':
    case 'plain':
    case 'unsupported':
    case 'none':
      break;
  }
  return undefined;
}

/**
 * Extracts the text of an HTML file. Its charset is used only if the bytes are not valid UTF-8 and have no byte order
 * mark.
 */
function htmlFileText(content: Buffer): Buffer {
  const text = decodeText(content);
  if (text.bytes === content) return extractHtmlTextAsUtf8(content);
  const named = content[0] === 0 || content[1] === 0 ? undefined : findHtmlCharset(content.toString('latin1', 0, 2048));
  return extractHtmlTextAsUtf8(named === undefined ? text.bytes : Buffer.from(decodeWithLabel(named, content)));
}

/** Extracts metadata with Spotlight's attribute names. Unknown attributes are left out. */
export function extractMetadata(
  read: ReadFileRange,
  size: number,
  type: FileType,
  extension: string,
): Readonly<Record<string, MetadataValue>> {
  const known: Record<string, MetadataValue> = {};
  for (const [name, value] of Object.entries(factsIn(read, size, type, extension))) {
    const sayable = inJson(value);
    if (sayable !== undefined) known[`kMDItem${name}`] = sayable;
  }
  return known;
}

/** Returns a value that JSON can represent, because damaged files can contain lone surrogates or infinite numbers. */
function inJson(value: MetadataValue | undefined): MetadataValue | undefined {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return Array.isArray(value) ? value.flatMap(item => inJson(item) ?? []) : value;
}

/** Maps attribute names of Spotlight, without the prefix `kMDItem`, to the metadata of a file. */
type Facts = Readonly<Record<string, MetadataValue | undefined>>;

function factsIn(read: ReadFileRange, size: number, { format, kinds }: FileType, extension: string): Facts {
  // Files of other kinds, such as source code, have no metadata.
  if (!kinds.some(kind => kind !== 'code')) return {};
  if (format === 'pdf' && size <= maxDocumentBytes) return pdfAttributes(read(0, size));
  if (format === 'office' && size <= maxDocumentBytes) {
    const facts = extractOfficeMetadata(read(0, size), extension);
    return { Title: facts?.title, Authors: list(facts?.author), Keywords: list(facts?.keywords) };
  }
  return undefinedIfUnreadable(() => mediaAttributes(read, size, kinds)) ?? {};
}

function mediaAttributes(read: ReadFileRange, size: number, kinds: FileType['kinds']): Facts {
  if (kinds.includes('image')) {
    const facts = detectImageSize(read);
    return { PixelWidth: facts?.width, PixelHeight: facts?.height };
  }
  const movie = extractMovieMetadata(read, size);
  if (movie !== undefined)
    return { DurationSeconds: rounded(movie.seconds), PixelWidth: movie.width, PixelHeight: movie.height };
  return kinds.includes('audio') ? soundAttributes(read, size) : {};
}

function pdfAttributes(bytes: Buffer): Facts {
  const facts = extractPdfMetadata(bytes);
  return {
    NumberOfPages: facts?.pages,
    Title: facts?.title,
    Authors: list(facts?.author),
    PageWidth: facts?.pageWidth,
    PageHeight: facts?.pageHeight,
  };
}

function soundAttributes(read: ReadFileRange, size: number): Facts {
  const sound = extractAudioMetadata(read, size);
  return {
    DurationSeconds: rounded(sound?.seconds),
    AudioBitRate: sound?.bitRate,
    AudioSampleRate: sound?.sampleRate,
    Title: sound?.title,
    Album: sound?.album,
    Authors: list(sound?.artist),
  };
}

function list(text: string | undefined): readonly string[] | undefined {
  return text === undefined ? undefined : [text];
}

function rounded(seconds: number | undefined): number | undefined {
  return seconds === undefined || !Number.isFinite(seconds) ? undefined : Math.round(seconds * 1000) / 1000;
}
