import { createCipheriv } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { rc4 } from '../../src/documents/rc4.ts';
import { compound, excelRecord, narrowText, readOfficeText, uint16, uint32, workbookStart } from './compound.ts';
import { zip } from './zip.ts';

const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const salt = hex('000102030405060708090a0b0c0d0e0f');
const cell = Buffer.alloc(6);
const label = (text: string): Buffer => excelRecord(0x0204, cell, narrowText(text));
const filePass = (...body: readonly Buffer[]): Buffer => excelRecord(0x002f, ...body);
const xorBody = uint32(0x9a0a_b359);

test('rc4 generates the first key stream of RFC 6229', () => {
  expect(rc4(hex('0102030405'), Buffer.alloc(16)).toString('hex')).toBe('b2396305f03dc027ccc3524a0a1118a8');
});

/** Encrypts the bodies of all records after BOF and FILEPASS. `encryptAt` gets the offset of a byte in the workbook. */
function encryptBodies(
  records: readonly Buffer[],
  encryptAt: (byte: number, at: number, recordLength: number) => number,
): Buffer {
  let start = 0;
  const encrypted = records.map((record, index) => {
    const isPlain = index < 2;
    const base = start;
    start += record.length;
    return record.map((byte, at) => (at < 4 || isPlain ? byte : encryptAt(byte, base + at, record.length - 4)));
  });
  return Buffer.concat(encrypted);
}

// The keys, verifiers and the XOR array were computed by a program in Python from the default password and this salt.
describe('extractText of a workbook that is encrypted with the default password', () => {
  const rc4Header = (bits: number): Buffer => Buffer.concat([uint32(0, 0, 0x6801, 0x8004, bits, 1, 0, 0), uint16(0)]);
  const cryptoApi = (bits: number, verifier: string): Buffer => {
    const header = rc4Header(bits);
    const [number, hash] = [hex(verifier.slice(0, 32)), hex(verifier.slice(32))];
    return Buffer.concat([
      uint16(1),
      uint16(2),
      uint16(2),
      uint32(4, header.length),
      header,
      uint32(16),
      salt,
      number,
      uint32(20),
      hash,
    ]);
  };
  const weakKeys = ['ac2a7b17240000000000000000000000', 'f5648bfcf20000000000000000000000'];
  const weakVerifier = 'bc0606fb68c921f8ef09aa4b1091facba39158377977ad737cd5412d4628c95f94f2794e';

  test.each([
    [
      'RC4',
      Buffer.concat([
        uint16(1),
        uint16(1),
        uint16(1),
        salt,
        hex('75893a71a012720e88b0c355190404ef7952c14f1ebd3eec4903dea40b7cc250'),
      ]),
      ['e0f0f3ab5b2c55a6fff6d99ae30691fb', 'cdb235c584cc3283c74f3970baac0043'],
    ],
    ['RC4 CryptoAPI with 40 bits', cryptoApi(40, weakVerifier), weakKeys],
    ['RC4 CryptoAPI without a key size', cryptoApi(0, weakVerifier), weakKeys],
    [
      'RC4 CryptoAPI with 128 bits',
      cryptoApi(128, 'd450d6e1a56ca0ad1f5f1dbdb383757502d09feac72b2b48ed3d4117812c077ce90f780e'),
      ['ac2a7b172474c79c0b1292e558dfd9b1', 'f5648bfcf2dc15ff7dd417b6af542bcb'],
    ],
  ])('decrypts %s, also in the second block of 1024 bytes', (_, body, keys) => {
    const streams = keys.map(key => rc4(hex(key), Buffer.alloc(1024)));
    const records = [
      workbookStart,
      filePass(body),
      label('first'),
      excelRecord(0x00e5, Buffer.alloc(1000)),
      label('second'),
    ];
    const workbook = encryptBodies(records, (byte, at) => byte ^ (streams[at >> 10]?.[at & 1023] ?? 0));
    expect(workbook.includes('first')).toBe(false);
    expect(readOfficeText(compound({ Workbook: workbook }), 'xls')).toBe('first\nsecond');
    const other = Buffer.concat([body.subarray(0, -1), Buffer.of((body.at(-1) ?? 0) ^ 1)]);
    const locked = Buffer.concat([workbookStart, filePass(other), label('visible')]);
    expect(readOfficeText(compound({ Workbook: locked }), 'xls')).toBeUndefined();
  });

  const xorArray = hex('876b9ae21ee305621e699660986e9404');
  const obfuscate = (byte: number, at: number, length: number): number =>
    (((byte >> 3) | (byte << 5)) & 0xff) ^ (xorArray[(at + length) & 15] ?? 0);

  test.each([
    ['Excel 97', workbookStart, [uint16(0), xorBody], 'Workbook', narrowText('hidden')],
    [
      'Excel 95',
      excelRecord(0x0809, uint16(0x0500), uint16(5)),
      [xorBody],
      'Book',
      Buffer.concat([uint16(6), Buffer.from('hidden')]),
    ],
  ] as const)('decrypts XOR obfuscation of %s', (_, start, body, name, text) => {
    const records = [start, filePass(...body), excelRecord(0x0204, cell, text)];
    expect(readOfficeText(compound({ [name]: encryptBodies(records, obfuscate) }), 'xls')).toBe('hidden');
  });

  test('decrypts a text that continues in the next record', () => {
    const records = [
      workbookStart,
      filePass(uint16(0), xorBody),
      excelRecord(0x00fc, uint32(1, 1), uint16(5), [0], Buffer.from('fir')),
      excelRecord(0x003c, [0], Buffer.from('st')),
    ];
    expect(readOfficeText(compound({ Workbook: encryptBodies(records, obfuscate) }), 'xls')).toBe('first');
  });

  test('returns undefined for XOR obfuscation with another password, and for a second FILEPASS record', () => {
    const read = (...records: readonly Buffer[]): string | undefined =>
      readOfficeText(compound({ Workbook: encryptBodies(records, obfuscate) }), 'xls');
    const known = filePass(uint16(0), xorBody);
    expect(read(workbookStart, filePass(uint16(0), uint32(0xcc1a_514a)), label('x'))).toBeUndefined();
    expect(read(workbookStart, known, label('x'))).toBe('x');
    expect(read(workbookStart, known, label('x'), known)).toBeUndefined();
  });
});

describe('extractText of a newer Office file that is encrypted with the default password', () => {
  const key = hex('a8174295e8b270d10580d3578390fd5e');
  const encrypt = (bytes: Buffer): Buffer => {
    const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false);
    return cipher.update(Buffer.concat([bytes, Buffer.alloc((16 - (bytes.length % 16)) % 16)]));
  };
  const header = uint32(0x24, 0, 0x660e, 0x8004, 128, 24, 0, 0);
  const hash = Buffer.concat([hex('ca148d05e875bcb8cce4fd2c2c720bfd2e64753b'), Buffer.alloc(12)]);
  const verifier = (bytes: string): Buffer =>
    Buffer.concat([uint32(16), salt, encrypt(hex(bytes)), uint32(20), encrypt(hash)]);
  const info = (bytes: string, version = 2): Buffer =>
    Buffer.concat([uint16(3), uint16(version), uint32(0x24, header.length), header, verifier(bytes)]);
  const right = '101112131415161718191a1b1c1d1e1f';
  const seal = (content: Buffer): Buffer => Buffer.concat([uint32(content.length, 0), encrypt(content)]);
  const letter = zip({ 'word/document.xml': '<w:document><w:p><w:t>sealed letter</w:t></w:p></w:document>' });

  test.each(['docx', 'doc'])('decrypts a document with the extension %s', extension => {
    const file = compound({ EncryptionInfo: info(right), EncryptedPackage: seal(letter) });
    expect(readOfficeText(file, extension)?.trim()).toBe('sealed letter');
  });

  test.each([
    ['another password', info(right.replace('1f', '1e')), seal(letter)],
    ['an unknown version of the encryption', info(right, 4), seal(letter)],
    ['a content that is not a zip file', info(right), seal(Buffer.from('MZ'))],
    ['truncated encryption information', info(right).subarray(0, 40), seal(letter)],
    ['truncated content', info(right), seal(letter).subarray(0, 5)],
  ])('returns undefined for %s', (_, EncryptionInfo, EncryptedPackage) => {
    expect(readOfficeText(compound({ EncryptionInfo, EncryptedPackage }), 'docx')).toBeUndefined();
  });
});

test('extractText reads an old workbook with the extension of a newer format', () => {
  expect(readOfficeText(compound({ Workbook: Buffer.concat([workbookStart, label('old')]) }), 'xlsx')).toBe('old');
});
