import * as v from 'valibot';
import type { FileTable } from './file-table.ts';
import {
  codeOfFileIndexState,
  type FileIndexState,
  fileIndexStateNames,
  fileTableColumnCount,
  fileTableColumns,
  isIndexed,
} from './folder.ts';
import { createSignatureReference, findNextSignatureOffset, TrigramSignatureStore } from './signature-store.ts';

const size = v.pipe(v.number(), v.integer(), v.minValue(0));

/**
 * The JSON header of a cache file. The columns of the file table, the trigram signatures and the extracted texts follow
 * the header.
 */
const Header = v.strictObject({
  /** The file names of a folder are stored as one string. The separator is a character that no file name contains. */
  folders: v.array(v.strictObject({ path: v.string(), names: v.string() })),
  /** The words of the vocabulary are stored as one string, with line breaks as separators. */
  words: v.string(),
  /** The total size of the trigram signatures in bytes. */
  signed: size,
  texts: v.array(
    v.strictObject({
      path: v.string(),
      stat: v.strictObject({ mtimeMs: v.number(), ctimeMs: v.number(), size: v.number(), ino: v.number() }),
      length: size,
    }),
  ),
});
type Header = v.InferOutput<typeof Header>;

const separator = '/';
const factBytes = fileTableColumnCount * Float64Array.BYTES_PER_ELEMENT;

/** Files in these states have no text to index, so that the cache stores only their state. */
const lasting: ReadonlySet<FileIndexState> = new Set(['binary', 'tooLarge', 'unparsed']);
const minSignatureBytes = 8;
const maxSignatureBytes = 1 << 16;

/** Serializes the table of files into buffers, which are written one after the other. */
export function serializeTable(table: FileTable): Buffer[] {
  const header: Header = { folders: [], words: [...table.vocabulary].join('\n'), signed: 0, texts: [] };
  const [facts, signatures, texts]: [Buffer[], Buffer[], Buffer[]] = [[], [], []];
  for (const folder of table.folders) {
    const kept = folder.names.flatMap((_, index) => (isKept(folder.state(index)) ? [index] : []));
    if (kept.length === 0) continue;
    header.folders.push({ path: folder.path, names: kept.map(index => folder.names[index]).join(separator) });
    const numbers = kept.flatMap(index => {
      const { mtimeMs, ctimeMs, size: bytes, ino } = folder.stat(index);
      const state = folder.state(index);
      if (!isIndexed(state)) return [mtimeMs, ctimeMs, bytes, ino, codeOfFileIndexState(state), 0, 0];
      const signature = table.signatures.get(folder.signature(index));
      const start = findNextSignatureOffset(header.signed, signature.length);
      if (start > header.signed) signatures.push(Buffer.alloc(start - header.signed));
      signatures.push(asBytes(signature));
      header.signed = start + signature.length;
      // A row in the cache file contains the length of its trigram signature and no offset, because all signatures are
      // stored one after the other.
      return [mtimeMs, ctimeMs, bytes, ino, codeOfFileIndexState(state), 0, signature.length];
    });
    facts.push(asBytes(Float64Array.from(numbers)));
  }
  for (const [path, { stat, bytes }] of table.texts.entries) {
    const { mtimeMs, ctimeMs, size: length, ino } = stat;
    header.texts.push({ path, stat: { mtimeMs, ctimeMs, size: length, ino }, length: bytes.length });
    texts.push(asBytes(bytes));
  }
  const json = Buffer.from(JSON.stringify(header));
  const jsonLength = Buffer.alloc(4);
  jsonLength.writeUInt32LE(json.length);
  return [jsonLength, json, ...facts, ...signatures, ...texts];
}

function isKept(value: FileIndexState): boolean {
  return isIndexed(value) || lasting.has(value);
}

function asBytes({ buffer, byteOffset, byteLength }: Uint8Array | Float64Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/**
 * Deserializes the table of files. If one length or number is invalid, the whole cache is ignored and the table stays
 * empty.
 */
export function deserializeTable(table: FileTable, bytes: Buffer): void {
  const header = readHeader(bytes);
  if (header === undefined) return;
  const folders = header.folders.map(({ path, names }) => ({ path, names: names.split(separator) }));
  const start = 4 + bytes.readUInt32LE(0);
  const factsEnd = start + sum(folders.map(({ names }) => names.length)) * factBytes;
  const textsStart = factsEnd + header.signed;
  if (textsStart + sum(header.texts.map(({ length }) => length)) !== bytes.length) return;
  const facts = new Float64Array(new Uint8Array(bytes.subarray(start, factsEnd)).buffer);
  if (!numberSignatures(facts, header.signed)) return;
  table.signatures = new TrigramSignatureStore(bytes.subarray(factsEnd, textsStart));
  if (header.words !== '') table.vocabulary.add(header.words.split('\n'));
  let first = 0;
  for (const { path, names } of folders)
    table.enter(path).restore(names, facts.slice(first, (first += names.length * fileTableColumnCount)));
  let at = textsStart;
  for (const { path, stat, length } of header.texts)
    table.texts.keep(path, { stat, bytes: new Uint8Array(bytes.subarray(at, (at += length))) });
}

function readHeader(bytes: Buffer): Header | undefined {
  if (bytes.length < 4 || 4 + bytes.readUInt32LE(0) > bytes.length) return undefined;
  try {
    const header = v.safeParse(Header, JSON.parse(bytes.toString('utf8', 4, 4 + bytes.readUInt32LE(0))));
    return header.success ? header.output : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

/**
 * Computes the offset of each trigram signature from the stored lengths. Returns false if a state or length is invalid.
 */
function numberSignatures(facts: Float64Array, signed: number): boolean {
  let end = 0;
  for (let row = 0; row < facts.length; row += fileTableColumnCount) {
    const known = fileIndexStateNames[facts[row + fileTableColumns.state] ?? 0];
    if (known === undefined) return false;
    if (lasting.has(known)) continue;
    const length = facts[row + fileTableColumns.signature] ?? 0;
    if (!isIndexed(known) || !isSignatureSize(length)) return false;
    const start = findNextSignatureOffset(end, length);
    facts[row + fileTableColumns.signature] = createSignatureReference(start, length);
    end = start + length;
  }
  return end === signed;
}

function isSignatureSize(length: number): boolean {
  return length >= minSignatureBytes && length <= maxSignatureBytes && Number.isInteger(Math.log2(length));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((left, right) => left + right, 0);
}
