import fs from 'node:fs';
import type { MessagePort } from 'node:worker_threads';
import type { textOf as TextOfFunction } from '../../model/documents/index.ts';
import { createFileTypes, extensionOf, type Reading, sniffBytes, unknownType } from '../../model/file-type.ts';
import { asText, decode, isBinary, type Text } from '../../model/search/decode.ts';
import { createNeedle, matches, type Needle } from '../../model/search/needle.ts';
import { createSignature, createSignatureDesk, type Signature } from '../../model/search/signature.ts';
import { sniffExtension } from '../../model/sniff.ts';
import { isFileInside, isUnreadable, type OpenFile, openRegular, readInto } from '../open-file.ts';
import {
  createAnswer,
  pathSeparator,
  type ReaderAnswer,
  type SentJob,
  type Status,
  shared,
  statFields,
  statuses,
} from './reader-messages.ts';

const maxTextBytes = 50 * 1024 * 1024;
const maxDocumentBytes = 64 * 1024 * 1024;
/** Most files fit in here and are read without a new buffer. */
const deskBytes = 1024 * 1024;

type TextOf = typeof TextOfFunction;

/** What one file gave. */
interface Result {
  status: Status;
  stat?: fs.Stats;
  signature?: Signature;
}

/**
 * A reader thread: the only place where the contents of files are read. It works without pause and keeps `state`
 * up to date, so that whoever watches it can tell which file it is stuck in, and end it.
 */
export function startReader(port: MessagePort, state: Int32Array): void {
  const types = createFileTypes();
  const signatures = createSignatureDesk();
  const desk = Buffer.allocUnsafeSlow(deskBytes);

  let textOf: TextOf | undefined;
  let isParserMissing = false;

  async function work(job: SentJob): Promise<ReaderAnswer> {
    const paths = job.paths === '' ? [] : job.paths.split(pathSeparator);
    if (job.kind === 'describe') return await describe(paths[0]);
    const needle = job.phrase === undefined ? undefined : createNeedle(job.phrase);
    const answer = readAll(paths, job, needle);
    if (!isParserMissing || textOf !== undefined) return answer;
    // What unpacks and parses is loaded for those who need it; it is not there once in the life of a thread.
    ({ textOf } = await import('../../model/documents/index.ts'));
    return readAll(paths, job, needle);
  }

  function beginFile(index: number): void {
    Atomics.store(state, shared.isSure, 0);
    Atomics.store(state, shared.position, index);
  }

  async function describe(path: string | undefined): Promise<ReaderAnswer> {
    beginFile(0);
    if (path === undefined) return createAnswer(0);
    const { contentAttributes } = await import('../describe.ts');
    return { ...createAnswer(0), description: contentAttributes(path, types) };
  }

  function readAll(paths: readonly string[], job: SentJob, needle: Needle | undefined): ReaderAnswer {
    const answer = createAnswer(paths.length);
    const collected: Signature[] = [];
    for (const [index, path] of paths.entries()) {
      if (Atomics.load(state, shared.isStopped) === 1) break;
      beginFile(index);
      const { status, stat, signature } = attempt(() => readText(path, job, needle));
      answer.statuses[index] = statuses.indexOf(status);
      if (stat !== undefined) {
        const at = index * statFields;
        answer.stats[at] = stat.mtimeMs;
        answer.stats[at + 1] = stat.ctimeMs;
        answer.stats[at + 2] = stat.size;
        answer.stats[at + 3] = stat.ino;
      }
      if (signature !== undefined) {
        collected.push(signature);
        answer.signatureLengths[index] = signature.length;
      }
    }
    answer.signatures = Buffer.concat(collected);
    return answer;
  }

  async function reply(job: SentJob): Promise<void> {
    port.postMessage(await work(job));
  }

  port.on('message', (job: SentJob) => void reply(job));

  function readText(path: string, { fence, isSigning }: SentJob, needle: Needle | undefined): Result {
    const file = openRegular(path);
    if (file === undefined) return { status: 'gone' };
    try {
      const result = searchFile(file, path, needle, isSigning);
      const isClaim = result.status === 'match';
      return isClaim && !isFileInside(file, path, fence) ? { status: 'gone' } : result;
    } finally {
      fs.closeSync(file.fd);
    }
  }

  function searchFile(file: OpenFile, path: string, needle: Needle | undefined, isSigning: boolean): Result {
    const { fd, stat } = file;
    const { size } = stat;
    const extension = extensionOf(path);
    const byName = types.get(extension)?.reading ?? unknownType.reading;
    if (size > (byName === 'plain' ? maxTextBytes : maxDocumentBytes)) return tooLarge(fd, stat, byName);
    const bytes = size <= deskBytes ? desk : Buffer.allocUnsafe(size);
    // What is no text shows at its start: the rest of a large one need not be read.
    let filled = readInto(bytes, fd, 0, Math.min(size, deskBytes));
    const reading = extension === '' ? readingByBytes(path, bytes.subarray(0, Math.min(filled, sniffBytes))) : byName;
    if (reading === 'opaque') return { status: 'unparsed', stat };
    const isDocument = reading === 'pdf' || reading === 'office';
    if (reading === 'none' || (!isDocument && isBinary(bytes.subarray(0, filled)))) return { status: 'binary', stat };
    if (size > filled) filled = readInto(bytes, fd, filled, size);
    const content = bytes.subarray(0, filled);
    // Not like documents, in which a parser may get lost.
    if (!isDocument) Atomics.store(state, shared.isSure, 1);
    if (reading === 'plain') return judge([decode(content)], stat, needle, isSigning);
    isParserMissing = textOf === undefined;
    const text = textOf?.(content, reading, extension === '' ? 'pdf' : extension);
    if (isDocument) {
      return text === undefined ? { status: 'unparsed', stat } : judge([asText(text)], stat, needle, true);
    }
    // The source of a page is code that people look for as well.
    const texts = text === undefined ? [] : [asText(text)];
    if (text === undefined || reading === 'html') texts.push(decode(content));
    return judge(texts, stat, needle, isSigning);
  }

  function judge(texts: readonly Text[], stat: fs.Stats, needle: Needle | undefined, isSigning: boolean): Result {
    const status = needle !== undefined && texts.some(text => matches(needle, text)) ? 'match' : 'read';
    return isSigning ? { status, stat, signature: createSignature(texts, signatures) } : { status, stat };
  }

  /** A large file that is no text at all was not left out for its size. */
  function tooLarge(fd: number, stat: fs.Stats, reading: Reading): Result {
    const filled = readInto(desk, fd, 0, sniffBytes);
    const isText = reading !== 'plain' || !isBinary(desk.subarray(0, filled));
    return { status: isText ? 'tooLarge' : 'binary', stat };
  }

  function readingByBytes(path: string, head: Buffer): Reading {
    const extension = sniffExtension(path, head);
    return types.get(extension)?.reading ?? unknownType.reading;
  }
}

/** One file must never end the work on the others. */
function attempt(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (isUnreadable(error)) return { status: 'unreadable' };
    const isFromSystem = error instanceof Error && 'syscall' in error;
    return { status: isFromSystem ? 'gone' : 'unparsed' };
  }
}
