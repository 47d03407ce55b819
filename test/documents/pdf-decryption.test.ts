import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { readPdf } from '../../src/documents/pdf/document.ts';
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
