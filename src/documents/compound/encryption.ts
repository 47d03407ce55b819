import { createDecipheriv, createHash } from 'node:crypto';
import { byteAt } from '../bytes.ts';
import { rc4 } from '../rc4.ts';
import type { CompoundFile } from './file.ts';

/**
 * Excel encrypts a workbook with this password if only its structure is protected. Every program opens such a workbook
 * without a question.
 */
const defaultPassword = 'VelvetSweatshop';
const passwordBytes = Buffer.from(defaultPassword, 'utf16le');
/** The key and the verifier of the default password (MS-OFFCRYPTO 2.3.7.1), and the key's bytes. */
const xorVerifier = 0x9a0a_b359;
const xorKey = [0x59, 0xb3] as const;
/** The bytes that hide a workbook: the password and one byte of padding, combined with the key (MS-OFFCRYPTO 2.3.7.2). */
const xorBytes = Buffer.from(`${defaultPassword}\xbb`, 'latin1').map((byte, index) =>
  rotateLeft(byte ^ (xorKey[index & 1] ?? 0), 2),
);
const workbookBlockBytes = 1024;
const packageRounds = 50_000;
const packageKeyBits: ReadonlySet<number> = new Set([128, 192, 256]);

/**
 * Decrypts the records of a workbook of Excel 5 to 2003 (MS-XLS 2.2.10) with the default password. Returns undefined if
 * the workbook has another password. `filePass` is the body of the FILEPASS record.
 */
export function decryptWorkbook(workbook: Buffer, filePass: Buffer): Buffer | undefined {
  if (filePass.length === 4 || filePass.readUInt16LE(0) === 0) {
    if (filePass.readUInt32LE(filePass.length - 4) !== xorVerifier) return undefined;
    return replaceBodies(
      workbook,
      (at, length) => rotateLeft(byteAt(workbook, at), 3) ^ byteAt(xorBytes, (at + length) & 15),
    );
  }
  const keyOf = createRc4Keys(filePass.subarray(2));
  if (keyOf === undefined) return undefined;
  const clear = Buffer.alloc(workbook.length);
  for (let at = 0; at < workbook.length; at += workbookBlockBytes)
    rc4(keyOf(at / workbookBlockBytes), workbook.subarray(at, at + workbookBlockBytes)).copy(clear, at);
  return replaceBodies(workbook, at => byteAt(clear, at));
}

/** Copies a workbook and replaces the bodies of its records. Their types and lengths are not encrypted. */
function replaceBodies(workbook: Buffer, newByteAt: (at: number, recordLength: number) => number): Buffer {
  const out = Buffer.from(workbook);
  for (let at = 0, end = 0; at + 4 <= out.length; at = end) {
    const length = workbook.readUInt16LE(at + 2);
    end = at + 4 + length;
    for (let index = at + 4; index < Math.min(end, out.length); index++) out[index] = newByteAt(index, length);
  }
  return out;
}

/** Returns the key of each block of a workbook, or undefined if the password is not the default password. */
function createRc4Keys(info: Buffer): ((block: number) => Buffer) | undefined {
  if (info.readUInt16LE(2) === 1) {
    const start = Buffer.concat([digest('md5', passwordBytes).subarray(0, 5), info.subarray(4, 20)]);
    const base = digest('md5', ...Array.from({ length: 16 }, () => start)).subarray(0, 5);
    const keyOf = (block: number): Buffer => digest('md5', base, uint32(block));
    return isVerified('md5', rc4(keyOf(0), info.subarray(20, 52))) ? keyOf : undefined;
  }
  const { bits, salt, verifier } = readEncryptionInfo(info);
  const base = digest('sha1', salt, passwordBytes);
  const keyOf = (block: number): Buffer => {
    const key = digest('sha1', base, uint32(block)).subarray(0, bits / 8);
    // A key of 40 bits is extended with zeros.
    return key.length === 5 ? Buffer.concat([key], 16) : key;
  };
  return isVerified('sha1', rc4(keyOf(0), verifier)) ? keyOf : undefined;
}

/**
 * Decrypts a newer Office file (ECMA-376 standard encryption, MS-OFFCRYPTO 2.3.4) with the default password. Returns
 * undefined if the compound file contains no such file, or if it has another password.
 */
export function decryptPackage(file: CompoundFile): Buffer | undefined {
  const info = file.stream('EncryptionInfo');
  const content = file.stream('EncryptedPackage');
  if (info === undefined || content === undefined || info.readUInt16LE(2) !== 2) return undefined;
  const { bits, salt, verifier } = readEncryptionInfo(info);
  if (!packageKeyBits.has(bits)) return undefined;
  let hash = digest('sha1', salt, passwordBytes);
  for (let round = 0; round < packageRounds; round++) hash = digest('sha1', uint32(round), hash);
  hash = digest('sha1', hash, uint32(0));
  const expand = (fill: number): Buffer =>
    digest('sha1', Buffer.from(Array.from({ length: 64 }, (_, at) => fill ^ byteAt(hash, at))));
  const key = Buffer.concat([expand(0x36), expand(0x5c)]).subarray(0, bits / 8);
  const decrypt = (bytes: Buffer): Buffer => {
    const decipher = createDecipheriv(`aes-${bits}-ecb`, key, null).setAutoPadding(false);
    return decipher.update(bytes.subarray(0, bytes.length & ~15));
  };
  if (!isVerified('sha1', decrypt(verifier))) return undefined;
  return decrypt(content.subarray(8)).subarray(0, content.readUIntLE(0, 6));
}

/** Reads the size of the key, the salt and the encrypted verifier with its hash (MS-OFFCRYPTO 2.3.2 and 2.3.3). */
function readEncryptionInfo(info: Buffer): { bits: number; salt: Buffer; verifier: Buffer } {
  const header = info.subarray(12);
  const rest = header.subarray(info.readUInt32LE(8));
  return {
    bits: header.readUInt32LE(16) || 40,
    salt: rest.subarray(4, 20),
    verifier: Buffer.concat([rest.subarray(20, 36), rest.subarray(40, 72)]),
  };
}

/** Returns whether the decrypted verifier, a random number of 16 bytes, fits the hash that follows it. */
function isVerified(algorithm: 'md5' | 'sha1', clear: Buffer): boolean {
  const hash = digest(algorithm, clear.subarray(0, 16));
  return hash.equals(clear.subarray(16, 16 + hash.length));
}

function digest(algorithm: 'md5' | 'sha1', ...parts: readonly Buffer[]): Buffer {
  const hash = createHash(algorithm);
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function rotateLeft(byte: number, bits: number): number {
  return ((byte << bits) | (byte >> (8 - bits))) & 0xff;
}
