import fs from 'node:fs';
import { type DecodedText, decodeText, decodeUtf8, isBinaryContent } from '../../../documents/encoding/decode.ts';
import {
  extensionOf,
  type FileFormat,
  type FileTypeTable,
  maxSniffedBytes,
  sniffExtension,
  unknownFileType,
} from '../../../documents/file-type.ts';
import type { extractText as ExtractText, removeHiddenText as WithoutHiddenText } from '../../../documents/index.ts';
import { maxDocumentBytes } from '../../../documents/unreadable.ts';
import { systemErrorCodeOf } from '../../../errors/system-error.ts';
import { reportBug } from '../../../log/bug.ts';
import { detectFileType, type FileAttributes } from '../access/inspect.ts';
import {
  isFileAccessError,
  isOpenFileInside,
  openForReading,
  readFilePart,
  readIntoBuffer,
  statOnlineOnlyFile,
  withRegularFile,
} from '../access/open-file.ts';
import { type Excerpt, excerptOf } from '../match/excerpt.ts';
import { containsPhrase, type PreparedPhrase } from '../match/needle.ts';
import { NewWordCollector } from '../match/new-words.ts';
import { createTrigramBuffer, createTrigramSignature, type TrigramSignature } from '../match/trigrams.ts';
import { matchWords, type SearchTerm, type WordMatch } from '../match/word-match.ts';
import { type CompressedText, compressText, decompressTextIfUnchanged } from './compressed-text.ts';
import {
  createDocumentContent,
  createEmptyFileContent,
  type FileContent,
  isPdfOrOffice,
  type ReadingHints,
} from './file-content.ts';
import type { FileStatus } from './reader-job.ts';

const maxFileBytes = 50 * 1024 * 1024;
/**
 * All files are read into one shared buffer, which is as large as the largest file. Its unused pages take no memory. A
 * separate buffer for each large file would fragment the memory of the process.
 */
const scratchBytes = maxDocumentBytes;
/** The number of bytes that are read first, because they show whether a file is binary. */
const firstBytes = 16 * 1024;

export interface FileReadResult {
  status: FileStatus;
  /** The stat of the file. The field is missing if the result must not be cached. */
  stat?: fs.Stats;
  signature?: TrigramSignature;
  /** The compressed text of the file, if the text was converted from another format. */
  text?: Buffer;
  isPartly?: boolean | undefined;
  words?: WordMatch;
}

export interface FileReadTask {
  allowedRoot: string;
  /** A file matches if it contains all of these phrases. They are not tested if there are terms. */
  needles: readonly PreparedPhrase[];
  /** The terms of a search by words. A file matches if it contains one of them. */
  terms: readonly SearchTerm[] | undefined;
  isSigning: boolean;
}

/** Reads one file at a time. Only this class reads more of a file for a search than the bytes that show its type. */
export class SearchedFileReader {
  readonly #types: FileTypeTable;
  readonly #onUnguarded: () => void;
  readonly #signatures = createTrigramBuffer();
  /** Collects the words of indexed texts for the vocabulary. */
  readonly newWords = new NewWordCollector();
  readonly #scratch = Buffer.allocUnsafeSlow(scratchBytes);
  #extractText: typeof ExtractText | undefined;
  #withoutHiddenText: typeof WithoutHiddenText | undefined;
  /**
   * True if a file must be parsed and the parsers are not loaded yet. The caller then discards the result of `read`,
   * loads the parsers and reads the file again.
   */
  isParserMissing = false;

  /** `onUnguarded` is called before slow work that always ends, so that the watchdog does not end the worker. */
  constructor(types: FileTypeTable, onUnguarded: () => void) {
    this.#types = types;
    this.#onUnguarded = onUnguarded;
  }

  async loadParser(): Promise<void> {
    ({ extractText: this.#extractText, removeHiddenText: this.#withoutHiddenText } = await import(
      '../../../documents/index.ts'
    ));
    this.isParserMissing = false;
  }

  /** Reads one file. An error is returned as a status, so that the other files of the job are still read. */
  read(path: string, task: FileReadTask, known?: CompressedText): FileReadResult {
    try {
      const online = statOnlineOnlyFile(path);
      if (online !== undefined) return { status: 'online', stat: online };
      const fd = openForReading(path);
      try {
        const result = this.#search(fd, path, task, known);
        if (result.status !== 'match') return result;
        const stat = result.stat ?? fs.fstatSync(fd);
        return stat.isFile() && isOpenFileInside({ fd, stat }, path, task.allowedRoot)
          ? { ...result, stat }
          : { status: 'gone' };
      } finally {
        fs.closeSync(fd);
      }
    } catch (error) {
      if (isFileAccessError(error)) return { status: 'unreadable' };
      if (systemErrorCodeOf(error) !== undefined) return { status: 'gone' };
      reportBug(error);
      return { status: 'unparsed' };
    }
  }

  /**
   * Returns an excerpt around the first phrase that the file contains, or undefined if it contains none or was moved.
   */
  excerpt(
    path: string,
    allowedRoot: string,
    phrases: readonly string[],
    known: CompressedText | undefined,
  ): Excerpt | undefined {
    try {
      return withRegularFile(path, allowedRoot, ({ fd, stat }) => {
        const { texts, isConverted } = this.#content(fd, path, {
          text: decompressTextIfUnchanged(known, stat),
          needles: [],
        });
        // The second text of an HTML page is its source. Hidden text in it must not become an excerpt.
        const readable = (texts ?? []).map(({ bytes }, index) =>
          (index > 0 ? (this.#withoutHiddenText?.(bytes) ?? bytes) : bytes).toString('utf8'),
        );
        for (const phrase of phrases) {
          for (const text of readable) {
            const excerpt = excerptOf(text, phrase, isConverted === true);
            if (excerpt !== undefined) return excerpt;
          }
        }
        return undefined;
      });
    } catch (error) {
      reportBug(error);
      return undefined;
    }
  }

  /** Extracts metadata from the contents of a file. The result is empty if the file is unreadable or damaged. */
  async describe(path: string): Promise<FileAttributes> {
    const { extractMetadata } = await import('../../../documents/index.ts');
    const type = detectFileType(path, path, this.#types);
    const facts = withRegularFile(path, path, file =>
      extractMetadata(
        (position, length) => readFilePart(file, position, length),
        file.stat.size,
        type,
        extensionOf(path),
      ),
    );
    return facts ?? {};
  }

  #search(fd: number, path: string, task: FileReadTask, known: CompressedText | undefined): FileReadResult {
    const text = known && decompressTextIfUnchanged(known, fs.fstatSync(fd));
    // A signature needs the visible text of an HTML page, so that the source alone must not make the page a hit.
    const content = this.#content(fd, path, { text, needles: task.isSigning ? [] : task.needles });
    const { texts, status, isConverted } = content;
    if (texts === undefined) return { status, ...(status !== 'gone' && { stat: fs.fstatSync(fd) }) };
    const found = matchTexts(texts, task);
    // A document whose text is not cached yet always gets a trigram signature, because reading it again would take
    // long.
    if (!task.isSigning && !(content.isDocument && text === undefined)) return found;
    const stat = fs.fstatSync(fd);
    const signature = createTrigramSignature(texts, this.#signatures, this.newWords);
    const [converted] = texts;
    const isKept = isConverted === true && converted !== undefined;
    return {
      ...found,
      stat,
      signature,
      isPartly: content.isPartly,
      ...(isKept && { text: compressText(converted.bytes) }),
    };
  }

  #content(fd: number, path: string, { text, needles }: ReadingHints): FileContent {
    const extension = extensionOf(path);
    if (text !== undefined && isPdfOrOffice(this.#formatOf(extension))) return createDocumentContent(text);
    const filled = fs.readSync(fd, this.#scratch, 0, firstBytes, null);
    const head = this.#scratch.subarray(0, filled);
    const named = extension === '' ? sniffExtension(path, head.subarray(0, maxSniffedBytes)) : extension;
    const format = this.#formatOf(named);
    if (format === 'unsupported') return createEmptyFileContent('unparsed');
    const isDocument = isPdfOrOffice(format);
    if (format === 'none' || (!isDocument && isBinaryContent(head))) return createEmptyFileContent('binary');
    const content = this.#readRest(fd, filled, isDocument ? maxDocumentBytes : maxFileBytes);
    return content === undefined
      ? createEmptyFileContent('tooLarge')
      : this.#texts(content, format, extension, { text, needles });
  }

  #formatOf(extension: string): FileFormat {
    return (this.#types.get(extension) ?? unknownFileType).format;
  }

  /** Returns the whole file, of which the first bytes were already read, or undefined if it is too large. */
  #readRest(fd: number, filled: number, maxBytes: number): Buffer | undefined {
    if (filled < firstBytes) return this.#scratch.subarray(0, filled);
    const { size } = fs.fstatSync(fd);
    if (size > maxBytes) return undefined;
    return this.#scratch.subarray(0, readIntoBuffer(this.#scratch, fd, filled, size));
  }

  #texts(content: Buffer, format: FileFormat, extension: string, hints: ReadingHints): FileContent {
    // The source of an HTML page is searched as a second text. If the source contains the phrases, the page need not be
    // parsed.
    const source = format === 'html' ? decodeText(content) : undefined;
    if (source !== undefined && isMatch(hints.needles, [source]))
      return { texts: [source], status: 'read', isDocument: false };
    if (format === 'plain') return this.#withSource(undefined, content);
    if (this.#extractText === undefined) {
      this.isParserMissing = true;
      // The status has no meaning, because the caller tests `isParserMissing` first.
      return createEmptyFileContent('gone');
    }
    const extracted = hints.text === undefined ? this.#extractText(content, format, extension) : undefined;
    const text = hints.text ?? extracted?.text;
    return isPdfOrOffice(format)
      ? createDocumentContent(text, extracted?.isPartial)
      : this.#withSource(text, content, source);
  }

  /**
   * The parser is done, and the remaining steps take time linear in the size of the text, so that the watchdog must not
   * end the worker.
   */
  #withSource(text: Buffer | undefined, content: Buffer, source?: DecodedText): FileContent {
    this.#onUnguarded();
    const texts = text === undefined ? [] : [decodeUtf8(text)];
    if (text === undefined || source !== undefined) texts.push(source ?? decodeText(content));
    return { texts, status: 'read', isDocument: false, isConverted: text !== undefined };
  }
}

function matchTexts(texts: readonly DecodedText[], { needles, terms }: FileReadTask): FileReadResult {
  if (terms === undefined) return { status: isMatch(needles, texts) ? 'match' : 'read' };
  const words = matchWords(texts, terms);
  return { status: words.qualities > 0 ? 'match' : 'read', words };
}

function isMatch(needles: readonly PreparedPhrase[], texts: readonly DecodedText[]): boolean {
  return needles.length > 0 && needles.every(needle => texts.some(text => containsPhrase(needle, text)));
}
