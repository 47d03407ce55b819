import fs from 'node:fs';
import { imageSize } from '../model/documents/media/image.ts';
import { movieFacts } from '../model/documents/media/movie.ts';
import type { ReadAt } from '../model/documents/media/read-at.ts';
import { soundFacts } from '../model/documents/media/sound.ts';
import { officeFacts } from '../model/documents/office/document.ts';
import { pdfFacts } from '../model/documents/pdf/document.ts';
import { extensionOf, type FileType, type FileTypes } from '../model/file-type.ts';
import type { PlistValue } from '../model/plist.ts';
import { inspect } from './inspect.ts';
import { isFileInside, type OpenFile, openRegular, readInto } from './open-file.ts';
import type { Attributes } from './threads/reader-messages.ts';

const maxDocumentBytes = 64 * 1024 * 1024;

/** What the contents of a file say. */
export function contentAttributes(file: string, types: FileTypes): Attributes {
  const inspected = inspect(file, file, types);
  return inspected === undefined ? {} : named(ownFacts(file, inspected.type));
}

/** A file that may not be read, or is damaged, says nothing. */
function ownFacts(file: string, type: FileType): Readonly<Record<string, PlistValue | undefined>> {
  const isTelling = type.kinds.some(kind => kind !== 'code') || type.reading === 'pdf' || type.reading === 'office';
  if (!isTelling) return {};
  try {
    const open = openRegular(file);
    if (open === undefined) return {};
    try {
      return isFileInside(open, file, file) ? readFacts(open, file, type) : {};
    } finally {
      fs.closeSync(open.fd);
    }
  } catch {
    return {};
  }
}

function readFacts(open: OpenFile, file: string, type: FileType): Readonly<Record<string, PlistValue | undefined>> {
  const { size } = open.stat;
  const read: ReadAt = (position, length) => readAt(open, position, length);
  if (type.reading === 'pdf' && size <= maxDocumentBytes) {
    const facts = pdfFacts(read(0, size));
    return {
      NumberOfPages: facts?.pages,
      Title: facts?.title,
      Authors: list(facts?.author),
      PageWidth: facts?.pageWidth,
      PageHeight: facts?.pageHeight,
    };
  }
  if (type.reading === 'office' && size <= maxDocumentBytes) {
    const facts = officeFacts(read(0, size), extensionOf(file));
    return { Title: facts?.title, Authors: list(facts?.author), Keywords: list(facts?.keywords) };
  }
  if (type.kinds.includes('image')) {
    const facts = imageSize(read);
    return { PixelWidth: facts?.width, PixelHeight: facts?.height };
  }
  const movie = movieFacts(read, size);
  if (movie !== undefined)
    return { DurationSeconds: rounded(movie.seconds), PixelWidth: movie.width, PixelHeight: movie.height };
  if (!type.kinds.includes('audio')) return {};
  const sound = soundFacts(read, size);
  return {
    DurationSeconds: rounded(sound?.seconds),
    AudioBitRate: sound?.bitRate,
    AudioSampleRate: sound?.sampleRate,
    Title: sound?.title,
    Album: sound?.album,
    Authors: list(sound?.artist),
  };
}

/** Under the names Spotlight has for them; what is not known is left out. */
function named(facts: Readonly<Record<string, PlistValue | undefined>>): Attributes {
  const known: Record<string, PlistValue> = {};
  for (const [name, value] of Object.entries(facts)) if (value !== undefined) known[`kMDItem${name}`] = value;
  return known;
}

function list(text: string | undefined): readonly string[] | undefined {
  return text === undefined ? undefined : [text];
}

function rounded(seconds: number | undefined): number | undefined {
  return seconds === undefined || !Number.isFinite(seconds) ? undefined : Math.round(seconds * 1000) / 1000;
}

function readAt({ fd, stat }: OpenFile, position: number, length: number): Buffer {
  const part = Buffer.allocUnsafe(Math.max(0, Math.min(length, stat.size - position)));
  return part.subarray(0, readInto(part, fd, 0, part.length, position));
}
