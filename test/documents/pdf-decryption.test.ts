import { createCipheriv, createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createPdfDecryption } from '../../src/documents/pdf/decryption.ts';
import { readPdf } from '../../src/documents/pdf/document.ts';
import { PdfName, type PdfValue } from '../../src/documents/pdf/syntax.ts';
import { rc4 } from '../../src/documents/rc4.ts';
import { assemble, line, stream } from './pdf.ts';

/** The bytes that fill up a password (ISO 32000, 7.6.3.3). */
const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
const owner = Buffer.alloc(32, 0x5a);
const id = Buffer.from('0123456789abcdef');

const md5 = (...parts: readonly Buffer[]): Buffer => createHash('md5').update(Buffer.concat(parts)).digest();
const hex = (bytes: Buffer): string => `<${bytes.toString('hex')}>`;
const number = (value: number, size: number): Buffer => {
  const bytes = Buffer.alloc(size);
  bytes.writeIntLE(value, 0, size);
  return bytes;
};

/**
 * Writes a page whose stream is encrypted with RC4 and the empty password (ISO 32000, algorithms 1 to 5). The stream is
 * the object 4 with this generation.
 */
function encrypted(revision: 2 | 3, keyBytes: number, generation: number, more = ''): Buffer {
  const permissions = -44;
  let key = md5(padding, owner, number(permissions, 4), id).subarray(0, keyBytes);
  if (revision === 3) for (let round = 0; round < 50; round++) key = md5(key).subarray(0, keyBytes);
  let user = rc4(key, revision === 3 ? md5(padding, id) : padding);
  if (revision === 3) {
    for (let round = 1; round < 20; round++)
      user = rc4(
        key.map(byte => byte ^ round),
        user,
      );
    user = Buffer.concat([user, Buffer.alloc(16)]);
  }
  const own = md5(key, number(4, 3), number(generation, 2)).subarray(0, Math.min(16, keyBytes + 5));
  const version = revision === 3 ? `/V 2 /Length ${keyBytes * 8}` : '/V 1';
  const bytes = assemble(
    [
      '<< /Pages 2 0 R >>',
      '<< /Kids [3 0 R] >>',
      `<< /Contents 4 ${generation} R /Resources << /Font << /F1 << /Subtype /Type1 >> >> >> >>`,
      stream('', rc4(own, Buffer.from(line('clear')))),
    ],
    `/Encrypt << /Filter /Standard ${version} /R ${revision} /P ${permissions} /O ${hex(owner)} /U ${hex(user)} ${more} >> /ID [${hex(id)} ${hex(id)}]`,
  );
  return Buffer.from(bytes.toString('latin1').replace('4 0 obj', `4 ${generation} obj`), 'latin1');
}

test.each([
  [2, 5, 0],
  [2, 5, 1],
  [2, 5, 258],
  [3, 5, 0],
  [3, 7, 2],
  [3, 16, 0],
  [3, 16, 513],
] as const)(
  'readPdf decrypts a page of revision %d with a key of %d bytes and the generation %d',
  (revision, keyBytes, generation) => {
    expect(readPdf(encrypted(revision, keyBytes, generation))?.text.trim()).toBe('clear');
  },
);

test('readPdf reads no page of an encrypted file if a part of the key differs', () => {
  for (const [part, other] of [
    ['/P -44', '/P -43'],
    ['5a5a>', '5a5b>'],
    ['/R 3', '/R 2'],
    ['/V 2', '/V 3'],
  ] as const) {
    const bytes = encrypted(3, 16, 0);
    const changed = Buffer.from(bytes.toString('latin1').replace(part, other), 'latin1');
    expect(changed.equals(bytes)).toBe(false);
    expect(readPdf(changed)).toBeUndefined();
  }
});

/** Encrypts with AES-128 and the empty password (revision 4). The initialization vector is zero. */
function sealed(fill: number, blocks: number, object: number): { opened: Buffer; stored: Buffer } {
  const key = md5(padding, owner, number(-44, 4), id);
  let round50 = key;
  for (let round = 0; round < 50; round++) round50 = md5(round50);
  let user = rc4(round50, md5(padding, id));
  for (let round = 1; round < 20; round++)
    user = rc4(
      round50.map(byte => byte ^ round),
      user,
    );
  const name = (text: string): PdfName => new PdfName(text);
  const filter = new Map([['StdCF', new Map([['CFM', name('AESV2')]])]]);
  const dict = new Map<string, PdfValue>([
    ['V', 4],
    ['R', 4],
    ['P', -44],
    ['O', owner],
    ['U', user],
    ['CF', filter],
    ['StmF', name('StdCF')],
    ['StrF', name('Identity')],
  ]);
  const own = md5(round50, number(object, 3), number(0, 2), Buffer.from('sAlT'));
  const cipher = createCipheriv('aes-128-cbc', own, Buffer.alloc(16)).setAutoPadding(false);
  const clear = Buffer.alloc(16 * blocks, fill);
  const stored = Buffer.concat([Buffer.alloc(16), cipher.update(clear)]);
  const decryption = createPdfDecryption({ resolve: value => value }, dict, id);
  expect(decryption?.string(stored, object, 0)).toEqual(stored);
  return { opened: decryption?.stream(stored, object, 0) ?? Buffer.of(1), stored };
}

test.each([
  [0, 32],
  [1, 31],
  [2, 30],
  [15, 17],
  [16, 16],
  [17, 32],
])('createPdfDecryption removes the padding %d of a stream, and %d of 32 bytes stay', (fill, length) => {
  expect(sealed(fill, 2, 4).opened).toEqual(Buffer.alloc(length, fill));
});

test('createPdfDecryption returns no bytes of a stream that is not longer than its initialization vector', () => {
  expect(sealed(1, 0, 4).opened).toEqual(Buffer.alloc(0));
  expect(sealed(1, 1, 4).opened).toEqual(Buffer.alloc(15, 1));
});
