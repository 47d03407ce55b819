import { isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { Failure } from '../../../../errors/failure.ts';
import { isRecord, readJson } from '../../../../text/json.ts';
import {
  backslashHint,
  createInvalidCollectionFailure,
  encodingHint,
  type InvalidRecord,
  type ProblemCollectionEntry,
  type ProblemCollectionPart,
} from './collection.ts';
import { createChangedCollectionFailure } from './errors.ts';
import { type ScannedRecord, scanProblemRecord, skipWhiteSpace } from './json-scan.ts';
import { parseProblemRecord } from './record.ts';

const chunkBytes = 4 * 1024 * 1024;
/** Limits the size of a record. A statement has at most 1 MiB, so that a larger record is an error. */
const maxRecordBytes = 64 * 1024 * 1024;
const newline = 0x0a;
const comma = 0x2c;
const openBrace = 0x7b;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** The file stays open. If another file replaces it, the old content is served until the restart. */
interface OpenFile {
  readonly path: string;
  readonly descriptor: number;
  readonly stats: Stats;
  /** The last offset whose line was counted. */
  counted: { at: number; line: number };
}

/**
 * Opens a JSON array or a JSON Lines file. Only `source`, `id`, `date` and the offset of each record stay in memory.
 */
export function openJsonFile(path: string): ProblemCollectionPart {
  const descriptor = openSync(path, 'r');
  const file: OpenFile = { path, descriptor, stats: fstatSync(descriptor), counted: { at: 0, line: 1 } };
  try {
    return {
      entries: scanAll(file),
      changedFile: () => (isReplaced(file) || isChanged(file) ? path : undefined),
      close: () => closeSync(descriptor),
    };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/**
 * A buffer with a part of the file. The function `fill` drops the bytes before an offset and reads more of the file.
 * Offsets in the buffer are relative to `base`.
 */
interface Window {
  bytes: Buffer;
  length: number;
  base: number;
  isLast: boolean;
  /** The number of the record in a JSON array, from 1. It is undefined in JSON Lines, where the line is sufficient. */
  record: number | undefined;
}

/** Returns the records up to the first error that hides the end of a record in an array. */
function scanAll(file: OpenFile): (ProblemCollectionEntry | InvalidRecord)[] {
  const records: (ProblemCollectionEntry | InvalidRecord)[] = [];
  try {
    for (const record of scanFile(file)) records.push(record);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    records.push({ failure: () => error });
  }
  return records;
}

function* scanFile(file: OpenFile): Generator<ProblemCollectionEntry | InvalidRecord> {
  const window: Window = {
    bytes: Buffer.allocUnsafe(chunkBytes),
    length: 0,
    base: 0,
    isLast: false,
    record: undefined,
  };
  fill(file, window, 0);
  let at = skipWhiteSpace(window.bytes, hasByteOrderMark(window) ? 3 : 0, window.length);
  // The bytes after the end of the file are not initialized.
  const isArray = at < window.length && window.bytes[at] === openBracket;
  if (isArray) at++;
  let wasInvalid = false;
  for (let number = 1; ; number++) {
    if (isArray) window.record = number;
    const next = isArray ? nextInArray(file, window, at) : nextLine(file, window, at);
    if (next === undefined) return;
    const { start, end, record } = next;
    const place = placeAt(file, window.base + start, window.record);
    // The text decoder would silently replace each invalid byte.
    const isText = isUtf8(window.bytes.subarray(start, end));
    if (record !== undefined && isText)
      yield entryOf(file, window.base + start, window.bytes.subarray(start, end), record, place);
    // A text of several lines is one error.
    else if (next.fault !== notAnObject || !wasInvalid) {
      const problem = isText ? (next.fault ?? notAnObject) : 'the text is not in UTF-8';
      yield { failure: () => createInvalidCollectionFailure(place(), problem, isText ? recordHint : encodingHint) };
    }
    wasInvalid = next.fault !== undefined;
    at = end;
  }
}

const notAnObject = 'expected a JSON object';

interface Found {
  start: number;
  end: number;
  /** A line without a valid record has a fault instead. */
  record?: ScannedRecord;
  fault?: string;
}

/** Returns the record on the next line that is not blank. */
function nextLine(file: OpenFile, window: Window, from: number): Found | undefined {
  for (let at = from; ; ) {
    const start = skipWhiteSpace(window.bytes, at, window.length);
    const lineEnd = window.bytes.subarray(0, window.length).indexOf(newline, start);
    if (lineEnd === -1 && !window.isLast) {
      at = 0;
      fill(file, window, start);
      continue;
    }
    if (start === window.length) return undefined;
    const end = lineEnd === -1 ? window.length : lineEnd;
    if (window.bytes[start] !== openBrace) return { start, end, fault: notAnObject };
    const record = scanProblemRecord(window.bytes, start, end);
    if (record === undefined) return { start, end, fault: 'the JSON object does not end on its line' };
    const rest = skipWhiteSpace(window.bytes, record.end, end);
    return rest < end
      ? { start, end, fault: 'unexpected text after the JSON object' }
      : { start, end: record.end, record };
  }
}

/** Returns the next element of the array. Throws if it is not an object. */
function nextInArray(file: OpenFile, window: Window, from: number): Found | undefined {
  for (let at = from; ; at = 0) {
    let start = skipWhiteSpace(window.bytes, at, window.length);
    const separator = window.bytes[start];
    const isInside = start < window.length;
    if (isInside && separator === closeBracket) {
      window.record = undefined;
      return expectEnd(file, window, start + 1);
    }
    if (isInside && window.record !== 1) {
      if (separator !== comma) throw invalid(file, window, start, 'expected a comma or the end of the array');
      start = skipWhiteSpace(window.bytes, start + 1, window.length);
      if (start < window.length && window.bytes[start] === closeBracket)
        throw invalid(file, window, start, 'a comma precedes the end of the array', 'Remove the comma.');
    }
    if (start < window.length) {
      if (window.bytes[start] !== openBrace) throw invalid(file, window, start, notAnObject);
      const record = scanProblemRecord(window.bytes, start, window.length);
      if (record !== undefined) return { start, end: record.end, record };
    }
    if (window.isLast) throw invalid(file, window, start, 'the JSON array does not end');
    fill(file, window, at);
  }
}

/**
 * Throws an error if text follows the array, because the text could be a second array whose problems would be missing.
 */
function expectEnd(file: OpenFile, window: Window, from: number): undefined {
  for (let at = from; ; at = 0) {
    const next = skipWhiteSpace(window.bytes, at, window.length);
    if (next < window.length) throw invalid(file, window, next, 'unexpected text after the JSON array');
    if (window.isLast) return;
    fill(file, window, next);
  }
}

/**
 * Reads the bytes of the file from the offset `from` into the window. If the window is full, its buffer is doubled up
 * to the limit for one record.
 */
function fill(file: OpenFile, window: Window, from: number): void {
  window.base += from;
  window.length -= from;
  const isFull = from === 0 && window.length === window.bytes.length;
  if (isFull && window.length >= maxRecordBytes)
    throw invalid(file, window, 0, `a record is larger than ${maxRecordBytes} bytes`);
  const bytes = isFull ? Buffer.allocUnsafe(window.bytes.length * 2) : window.bytes;
  window.bytes.copy(bytes, 0, from, from + window.length);
  window.bytes = bytes;
  while (window.length < bytes.length && !window.isLast) {
    const space = bytes.length - window.length;
    const count = readSync(file.descriptor, bytes, window.length, space, window.base + window.length);
    window.length += count;
    window.isLast = count === 0;
  }
}

function hasByteOrderMark({ bytes, length }: Window): boolean {
  return length > 2 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** Returns what is wrong with a record without a valid source or id. Other records are parsed when they are read. */
function faultOf(record: ScannedRecord, bytes: Buffer): string {
  const fields = readJson(bytes.toString('utf8'));
  if (!isRecord(fields)) return 'the record is not valid JSON';
  const name = typeof record.source === 'string' ? 'id' : 'source';
  if (record[name] !== undefined) return `"${name}" must be a string`;
  const other = Object.keys(fields).find(field => field.toLowerCase() === name);
  return `"${name}" is missing${other === undefined ? '' : `, but there is "${other}"`}`;
}

function entryOf(
  file: OpenFile,
  offset: number,
  bytes: Buffer,
  record: ScannedRecord,
  place: () => string,
): ProblemCollectionEntry | InvalidRecord {
  const { source, id, date, hasStatement } = record;
  if (typeof source !== 'string' || typeof id !== 'string') {
    const fault = faultOf(record, bytes);
    return { failure: () => createInvalidCollectionFailure(place(), fault, recordHint) };
  }
  const { length } = bytes;
  return {
    source,
    id,
    hasStatement,
    ...(typeof date === 'string' && { date }),
    place,
    read: inspect => {
      const fields = parseJson(readRecord(file, offset, length), place);
      const problem = parseProblemRecord(fields, place);
      if (isRecord(fields)) inspect?.(fields);
      if (problem.source !== source || problem.id !== id) throw createChangedCollectionFailure(file.path);
      return problem;
    },
  };
}

function placeAt(file: OpenFile, offset: number, record: number | undefined): () => string {
  return () => placeOf(file, offset, record);
}

/** Returns whether the content of the open file was changed. */
function isChanged({ descriptor, stats }: OpenFile): boolean {
  const { size, mtimeMs } = fstatSync(descriptor);
  return size !== stats.size || mtimeMs !== stats.mtimeMs;
}

/** Returns whether another file is now at the path. Many editors save a file by replacing it. */
function isReplaced({ path, stats }: OpenFile): boolean {
  const { ino, dev } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return ino !== stats.ino || dev !== stats.dev;
}

function readRecord(file: OpenFile, offset: number, length: number): string {
  if (isChanged(file)) throw createChangedCollectionFailure(file.path);
  const bytes = Buffer.allocUnsafe(length);
  if (readSync(file.descriptor, bytes, 0, length, offset) < length) throw createChangedCollectionFailure(file.path);
  return bytes.toString('utf8');
}

function parseJson(text: string, place: () => string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The position in the error message of JSON.parse counts from the start of the record, and so does the line number
    // in newer versions of Node.
    const reason = error.message
      .replace(/ at position (\d+)(?: \(line \d+ column \d+\))?$/, ', $1 characters after the start of the record')
      .replaceAll(/\s+/g, ' ');
    const hint = reason.includes('escape') ? backslashHint : undefined;
    throw new Failure('upstream', `${place()}: the record is not valid JSON: ${reason}.`, { ...(hint && { hint }) });
  }
}

/** A record that is not valid JSON often has single quotation marks, or an object around the array. */
const recordHint =
  'A record is an object such as {"source": "club", "id": "1"}, on a line of its own or in an array [ … ].';

function invalid(file: OpenFile, { base, record }: Window, at: number, problem: string, hint = recordHint): Failure {
  return createInvalidCollectionFailure(placeOf(file, base + at, record), problem, hint);
}

/**
 * Returns the file and the line of an offset for an error message, and the number of the record in an array, because
 * all records of an array may be on one line. Lines are counted only for an error, from the place of the last error on,
 * because storing a line number for each record would waste memory.
 */
function placeOf(file: OpenFile, offset: number, record: number | undefined): string {
  const { path, descriptor, counted } = file;
  let { at, line } = counted.at <= offset ? counted : { at: 0, line: 1 };
  const bytes = Buffer.allocUnsafe(Math.min(chunkBytes, offset - at));
  while (at < offset) {
    const count = readSync(descriptor, bytes, 0, Math.min(bytes.length, offset - at), at);
    if (count === 0) break;
    for (let next = bytes.indexOf(newline); next !== -1 && next < count; next = bytes.indexOf(newline, next + 1))
      line++;
    at += count;
  }
  file.counted = { at, line };
  return `${path}, line ${line}${record === undefined ? '' : `, record ${record}`}`;
}
