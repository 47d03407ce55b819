import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { rc4 } from '../rc4.ts';
import type { PdfDictionary, PdfValue } from './syntax.ts';

/** A PDF file encrypts its strings with one of these methods, and its streams with the same method or another one. */
type Method = 'none' | 'rc4' | 'aes';

/** Decrypts a string or stream that belongs to one PDF object. */
type Decrypt = (bytes: Buffer, object: number, generation: number) => Buffer;

/**
 * Decrypts the strings and streams of a document with an empty user password. Such a document is encrypted only to
 * restrict printing or editing.
 */
export interface PdfDecryption {
  string: Decrypt;
  stream: Decrypt;
}

/** The function of a PDF file that the decryption needs: it resolves references in the encryption dictionary. */
interface Values {
  resolve(value: PdfValue | undefined): PdfValue | undefined;
}

const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');

/**
 * Creates the decryption for the empty password. Returns undefined if a password is needed or the method is unknown.
 */
export function createPdfDecryption(file: Values, dict: PdfDictionary, id: Buffer): PdfDecryption | undefined {
  const number = (key: string): number | undefined => {
    const value = file.resolve(dict.get(key));
    return typeof value === 'number' ? value : undefined;
  };
  const bytes = (key: string): Buffer => {
    const value = file.resolve(dict.get(key));
    return Buffer.isBuffer(value) ? value : Buffer.alloc(0);
  };
  const [version = 0, revision = 0] = [number('V'), number('R')];
  const user = bytes('U');
  const methodOf = (key: string): Method => filterMethod(file, dict, key);
  if (version === 5) {
    const key = aes256Key(user, bytes('UE'), revision);
    if (key === undefined) return undefined;
    const decrypt = (method: Method): Decrypt => (method === 'none' ? whole : data => aes(key, data));
    return { string: decrypt(methodOf('StrF')), stream: decrypt(methodOf('StmF')) };
  }
  if (version !== 1 && version !== 2 && version !== 4) return undefined;
  const length = version === 1 ? 5 : Math.min(16, Math.max(5, (number('Length') ?? (version === 4 ? 128 : 40)) >> 3));
  const isMetadataClear = file.resolve(dict.get('EncryptMetadata')) === false;
  const key = legacyKey(bytes('O'), number('P') ?? 0, id, revision, length, isMetadataClear);
  if (!isUserKey(key, user, id, revision)) return undefined;
  const decrypt = (method: Method): Decrypt => {
    if (method === 'none') return whole;
    return (data, object, generation) => {
      const own = objectKey(key, object, generation, method === 'aes');
      return method === 'aes' ? aes(own, data) : rc4(own, data);
    };
  };
  if (version < 4) return { string: decrypt('rc4'), stream: decrypt('rc4') };
  return { string: decrypt(methodOf('StrF')), stream: decrypt(methodOf('StmF')) };
}

function whole(bytes: Buffer): Buffer {
  return bytes;
}

function filterMethod(file: Values, dict: PdfDictionary, key: string): Method {
  const name = nameOf(file.resolve(dict.get(key)));
  const filters = file.resolve(dict.get('CF'));
  const filter = filters instanceof Map && name !== undefined ? file.resolve(filters.get(name)) : undefined;
  const method = filter instanceof Map ? nameOf(file.resolve(filter.get('CFM'))) : undefined;
  return method === 'V2' ? 'rc4' : method === 'AESV2' || method === 'AESV3' ? 'aes' : 'none';
}

function nameOf(value: PdfValue | undefined): string | undefined {
  return typeof value === 'object' && value !== null && 'name' in value ? value.name : undefined;
}

function md5(...parts: readonly Buffer[]): Buffer {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function legacyKey(
  owner: Buffer,
  permissions: number,
  id: Buffer,
  revision: number,
  length: number,
  isMetadataClear: boolean,
): Buffer {
  const allowed = Buffer.alloc(4);
  allowed.writeInt32LE(permissions | 0);
  const clear = revision >= 4 && isMetadataClear ? Buffer.alloc(4, 0xff) : Buffer.alloc(0);
  let key = md5(padding, owner.subarray(0, 32), allowed, id, clear).subarray(0, length);
  if (revision >= 3) for (let round = 0; round < 50; round++) key = md5(key).subarray(0, length);
  return key;
}

/** Returns whether the key fits the empty user password. */
function isUserKey(key: Buffer, user: Buffer, id: Buffer, revision: number): boolean {
  if (revision < 3) return rc4(key, padding).equals(user.subarray(0, 32));
  let check = rc4(key, md5(padding, id));
  for (let round = 1; round <= 19; round++)
    check = rc4(
      key.map(byte => byte ^ round),
      check,
    );
  return check.equals(user.subarray(0, 16));
}

function objectKey(key: Buffer, object: number, generation: number, isAes: boolean): Buffer {
  const numbers = Buffer.alloc(5);
  numbers.writeUIntLE(object & 0xffffff, 0, 3);
  numbers.writeUInt16LE(generation & 0xffff, 3);
  const salt = isAes ? Buffer.from('sAlT') : Buffer.alloc(0);
  return md5(key, numbers, salt).subarray(0, Math.min(16, key.length + 5));
}

/**
 * Returns the AES-256 key of the PDF file. The file stores this key encrypted with another key, which is derived from
 * the password.
 */
function aes256Key(user: Buffer, encrypted: Buffer, revision: number): Buffer | undefined {
  if (user.length < 48 || encrypted.length < 32) return undefined;
  const hash = revision >= 6 ? strongHash : (salt: Buffer) => createHash('sha256').update(salt).digest();
  if (!hash(user.subarray(32, 40)).equals(user.subarray(0, 32))) return undefined;
  const decipher = createDecipheriv('aes-256-cbc', hash(user.subarray(40, 48)), Buffer.alloc(16)).setAutoPadding(false);
  return Buffer.concat([decipher.update(encrypted.subarray(0, 32)), decipher.final()]);
}

/** Computes the hash of algorithm 2.B in ISO 32000-2 for the empty password. It takes 64 to 287 rounds. */
function strongHash(salt: Buffer): Buffer {
  let key = createHash('sha256').update(salt).digest();
  for (let round = 0, last = 0; round < 64 || last > round - 32; round++) {
    const repeated = Buffer.concat(Array.from({ length: 64 }, () => key));
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32)).setAutoPadding(false);
    const mixed = cipher.update(repeated);
    const sum = mixed.subarray(0, 16).reduce((total, byte) => total + byte, 0) % 3;
    key = createHash(['sha256', 'sha384', 'sha512'][sum] ?? 'sha256')
      .update(mixed)
      .digest();
    last = mixed.at(-1) ?? 0;
  }
  return key.subarray(0, 32);
}

function aes(key: Buffer, bytes: Buffer): Buffer {
  const blocks = bytes.subarray(16, bytes.length - (bytes.length % 16));
  if (bytes.length < 32) return Buffer.alloc(0);
  const decipher = createDecipheriv(`aes-${key.length * 8}-cbc`, key, bytes.subarray(0, 16)).setAutoPadding(false);
  const clear = Buffer.concat([decipher.update(blocks), decipher.final()]);
  const filled = clear.at(-1) ?? 0;
  return filled >= 1 && filled <= 16 ? clear.subarray(0, clear.length - filled) : clear;
}
