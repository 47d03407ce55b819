import * as v from 'valibot';
import { firstSignature } from '../../model/search/signature.ts';
import { content, type Folder, fieldCount } from './folder.ts';
import type { Tree } from './tree.ts';

const size = v.pipe(v.number(), v.integer(), v.minValue(0));

/** What stands before the numbers of the files, their signatures and the texts, one behind the other. */
const Header = v.strictObject({
  folders: v.array(v.strictObject({ path: v.string(), names: v.array(v.string()) })),
  texts: v.array(
    v.strictObject({
      path: v.string(),
      stat: v.strictObject({ mtimeMs: v.number(), ctimeMs: v.number(), size: v.number(), ino: v.number() }),
      length: size,
    }),
  ),
});
type Header = v.InferOutput<typeof Header>;

/** The state of a file, and what is known of it: instead of the number of a signature its size, which stands further behind. */
const factCount = fieldCount - 1;
const factBytes = factCount * Float64Array.BYTES_PER_ELEMENT;

/** Files of which only that is known have no signature and never will. */
const lasting: ReadonlySet<number> = new Set([content.binary, content.tooLarge, content.unparsed]);
const minSignatureBytes = 8;
const maxSignatureBytes = 1 << 15;

/** What is worth keeping of a tree, in pieces that are to be written one after the other. */
export function packTree(tree: Tree): Buffer[] {
  const header: Header = { folders: [], texts: [] };
  const [facts, signatures, texts]: [Buffer[], Buffer[], Buffer[]] = [[], [], []];
  for (const folder of tree.folders) {
    const kept = folder.names.flatMap((_, index) => (isKept(folder.content(index)) ? [index] : []));
    if (kept.length === 0) continue;
    header.folders.push({ path: folder.path, names: kept.map(index => folder.names[index] ?? '') });
    const numbers = kept.flatMap(index => {
      const { mtimeMs, ctimeMs, size: bytes, ino } = folder.stat(index);
      const value = folder.content(index);
      if (value < firstSignature) return [mtimeMs, ctimeMs, bytes, ino, value];
      const signature = tree.signatures.get(value);
      signatures.push(asBytes(signature));
      return [mtimeMs, ctimeMs, bytes, ino, firstSignature + signature.length];
    });
    facts.push(asBytes(Float64Array.from(numbers)));
  }
  for (const [path, { stat, bytes }] of tree.texts.entries) {
    const { mtimeMs, ctimeMs, size: length, ino } = stat;
    header.texts.push({ path, stat: { mtimeMs, ctimeMs, size: length, ino }, length: bytes.length });
    texts.push(asBytes(bytes));
  }
  const json = Buffer.from(JSON.stringify(header));
  const jsonLength = Buffer.alloc(4);
  jsonLength.writeUInt32LE(json.length);
  return [jsonLength, json, ...facts, ...signatures, ...texts];
}

function isKept(value: number): boolean {
  return value >= firstSignature || lasting.has(value);
}

function asBytes({ buffer, byteOffset, byteLength }: Uint8Array | Float64Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Takes over what was kept. All of it or nothing: a tree is not touched by what does not fit in every length and number. */
export function unpackTree(tree: Tree, bytes: Buffer): void {
  const header = readHeader(bytes);
  if (header === undefined) return;
  const start = 4 + bytes.readUInt32LE(0);
  const fileCount = sum(header.folders.map(({ names }) => names.length));
  const factsEnd = start + fileCount * factBytes;
  if (factsEnd > bytes.length) return;
  const values = Array.from({ length: fileCount }, (_, file) =>
    bytes.readDoubleLE(start + file * factBytes + factBytes - 8),
  );
  if (!values.every(value => lasting.has(value) || isSignatureSize(value - firstSignature))) return;
  const textsStart = factsEnd + sum(values.map(signatureSize));
  if (textsStart + sum(header.texts.map(({ length }) => length)) !== bytes.length) return;
  fillFolders(tree, header, bytes.subarray(start, factsEnd), bytes.subarray(factsEnd, textsStart));
  let at = textsStart;
  for (const { path, stat, length } of header.texts)
    tree.texts.keep(path, { stat, bytes: Uint8Array.from(bytes.subarray(at, (at += length))) });
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

function isSignatureSize(length: number): boolean {
  return length >= minSignatureBytes && length <= maxSignatureBytes && Number.isInteger(Math.log2(length));
}

function signatureSize(value: number): number {
  return Math.max(0, value - firstSignature);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((left, right) => left + right, 0);
}

function fillFolders(tree: Tree, { folders }: Header, facts: Buffer, signatures: Buffer): void {
  let [at, signed] = [0, 0];
  for (const { path, names } of folders) {
    const folder: Folder = tree.enter(path);
    folder.list({}, names, tree.signatures);
    for (let index = 0; index < names.length; index++, at += factBytes) {
      const [mtimeMs = 0, ctimeMs = 0, bytes = 0, ino = 0, value = 0] = Array.from({ length: factCount }, (_, field) =>
        facts.readDoubleLE(at + field * 8),
      );
      const length = signatureSize(value);
      const known = length === 0 ? value : tree.signatures.add(signatures.subarray(signed, (signed += length)));
      folder.learn(index, known, { mtimeMs, ctimeMs, size: bytes, ino }, tree.signatures);
    }
  }
}
