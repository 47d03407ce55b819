import { createHash } from 'node:crypto';

interface Header {
  folders: { path: string; names: string }[];
  signed: number;
  texts: { length: number }[];
}

const magicLength = 'oj-mcp files cache 10\n'.length;
const headLength = magicLength + 32;

function partsOf(whole: Buffer): [header: Header, rest: Buffer] {
  const end = headLength + 4 + whole.readUInt32LE(headLength);
  return [JSON.parse(whole.toString('utf8', headLength + 4, end)), whole.subarray(end)];
}

/** Creates a cache file with the same first line, a correct hash, and other contents. */
function sealed(whole: Buffer, content: Buffer): Buffer {
  return Buffer.concat([whole.subarray(0, magicLength), createHash('sha256').update(content).digest(), content]);
}

function joined(whole: Buffer, header: unknown, rest: Buffer): Buffer {
  const json = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  return sealed(whole, Buffer.concat([length, json, rest]));
}

/** Creates cache files with correct hashes, whose contents this program would not write. */
export function forgedCaches(whole: Buffer): (readonly [name: string, bytes: Buffer])[] {
  const [header, rest] = partsOf(whole);
  const [folder] = header.folders;
  const withNames = (names: string[]): unknown => ({ ...header, folders: [{ ...folder, names: names.join('/') }] });
  const withLength = (length: number): unknown => ({
    ...header,
    texts: header.texts.map(text => ({ ...text, length })),
  });
  const withSignature = (value: number): Buffer => {
    const copy = Buffer.from(rest);
    copy.writeDoubleLE(value, 48);
    return joined(whole, header, copy);
  };
  return [
    ['nothing', sealed(whole, Buffer.alloc(0))],
    ['a huge header', sealed(whole, Buffer.from('ffffffff7b7d', 'hex'))],
    ['no JSON', joined(whole, 'lazy', rest)],
    ['another header', joined(whole, { files: [] }, rest)],
    ['more names than numbers', joined(whole, withNames(Array(1e5).fill('a.txt')), rest)],
    ['a huge text', joined(whole, withLength(1e15), rest)],
    ['a text of no length', joined(whole, withLength(-1), rest)],
    ['a signature of an odd size', withSignature(37)],
    ['a huge signature', withSignature(2 ** 50)],
    ['a signature that is no number', withSignature(Number.NaN)],
    [
      'more signatures than files',
      joined(whole, { ...header, signed: header.signed + 8 }, Buffer.concat([rest, Buffer.alloc(8)])),
    ],
    ['fewer signatures than files', joined(whole, { ...header, signed: header.signed - 8 }, rest.subarray(0, -8))],
    ['signatures of no size', joined(whole, { ...header, signed: -8 }, rest)],
    ['something behind it', joined(whole, header, Buffer.concat([rest, Buffer.alloc(1)]))],
  ];
}

/** Creates a cache file whose entries are valid, but in which the texts of documents are not compressed data. */
export function withDamagedTexts(whole: Buffer): Buffer {
  const [header, rest] = partsOf(whole);
  const count = header.texts.reduce((sum, { length }) => sum + length, 0);
  return joined(whole, header, Buffer.concat([rest.subarray(0, rest.length - count), Buffer.alloc(count, 0xff)]));
}
