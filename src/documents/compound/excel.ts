import { byteAt } from '../bytes.ts';
import { decodeWithLabel, TextDecoderCache } from '../encoding/decode.ts';
import { CellDateFinder } from '../office/cell-dates.ts';
import { UnreadableError } from '../unreadable.ts';
import { decryptWorkbook } from './encryption.ts';
import { decodeExcelCharacters, ExcelRecordCursor } from './excel-cursor.ts';
import type { CompoundFile } from './file.ts';

/** The numbers of the record types in an Excel file (MS-XLS 2.3). */
const type = {
  codePage: 0x0042,
  continue: 0x003c,
  filePass: 0x002f,
  header: 0x0014,
  footer: 0x0015,
  sheet: 0x0085,
  multipleNumbers: 0x00bd,
  richLabel: 0x00d6,
  sharedTexts: 0x00fc,
  textBox: 0x01b6,
  note: 0x001c,
  number: 0x0203,
  label: 0x0204,
  result: 0x0207,
  smallNumber: 0x027e,
  oldLabel: 0x0004,
  oldNumber: 0x0003,
  oldInteger: 0x0002,
  format: 0x041e,
  style: 0x00e0,
  date1904: 0x0022,
} as const;
const bofTypes: ReadonlySet<number> = new Set([0x0009, 0x0209, 0x0409, 0x0809]);
const unicodeVersion = 0x0600;
/** In Excel 2, a cell starts with three bytes of attributes in place of the number of its style. */
const excel2Version = 0x0009;
/** The numbers of formula records: of Excel 2 and of Excel 5 to 2003, of Excel 3, and of Excel 4. */
const formulaTypes: ReadonlySet<number> = new Set([0x0006, 0x0206, 0x0406]);

/** Returns whether the bytes are a workbook of Excel 2 to 4, which is not inside a compound file. */
export function isOldExcelWorkbook(bytes: Buffer): boolean {
  return bytes.length > 8 && bofTypes.has(bytes.readUInt16LE(0)) && bytes.readUInt16LE(2) <= 16;
}

/** Extracts the names of sheets, the texts and the numbers of a workbook. */
export function extractExcelText(file: CompoundFile, storage = file.root): string | undefined {
  const workbook = file.stream('Workbook', storage) ?? file.stream('Book', storage);
  return workbook && extractWorkbookText(workbook);
}

export function extractWorkbookText(workbook: Buffer): string {
  return new WorkbookReader(workbook).read();
}

class WorkbookReader {
  #bytes: Buffer;
  #isDecrypted = false;
  readonly #pieces: string[] = [];
  readonly #decoders = new TextDecoderCache();
  readonly #dates = new CellDateFinder();
  /** Undefined before the first BOF record. A sheet can state another version, but it has the format of the workbook. */
  #version: number | undefined;
  #codePage = 'windows-1252';
  #position = 0;
  readonly #handlers: ReadonlyMap<number, (body: Buffer) => void> = new Map<number, (body: Buffer) => void>([
    [type.filePass, body => this.#decrypt(body)],
    [type.codePage, body => this.#setCodePage(body)],
    [type.sharedTexts, body => readSharedTexts(this.#takeContinued(body)).forEach(text => this.#add(text))],
    [type.sheet, body => this.#add(this.#shortText(body.subarray(6)))],
    [type.header, body => this.#readHeader(body)],
    [type.footer, body => this.#readHeader(body)],
    [type.label, body => this.#add(this.#text(body.subarray(6)))],
    [type.richLabel, body => this.#add(this.#text(body.subarray(6)))],
    [type.oldLabel, body => this.#add(this.#shortText(body.subarray(7)))],
    [type.result, body => this.#add(this.#text(body))],
    // Since Excel 97 the text of a comment is stored in a text box.
    [type.note, body => this.#add(this.#isUnicode ? '' : this.#text(body.subarray(4)))],
    [type.format, body => this.#readFormat(body)],
    [type.style, body => this.#dates.addStyle(body.length >= 4 ? body.readUInt16LE(2) : 0)],
    [type.date1904, body => void (this.#dates.is1904 = body[0] === 1)],
    [type.textBox, body => this.#add(readTextBox(this.#takeContinued(body)))],
  ]);

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  read(): string {
    const bytes = this.#bytes;
    while (this.#position + 4 <= bytes.length) {
      const kind = bytes.readUInt16LE(this.#position);
      const body = this.#takeRecord();
      if (bofTypes.has(kind)) this.#readStart(kind, body);
      else this.#readRecord(kind, body);
    }
    return this.#pieces.join('\n');
  }

  #takeRecord(): Buffer {
    const start = this.#position + 4;
    const end = start + this.#bytes.readUInt16LE(this.#position + 2);
    this.#position = end;
    return this.#bytes.subarray(start, end);
  }

  /** Returns the CONTINUE records after the current record and skips them. */
  #takeContinued(first: Buffer): Buffer[] {
    const parts = [first];
    while (this.#position + 4 <= this.#bytes.length && this.#bytes.readUInt16LE(this.#position) === type.continue)
      parts.push(this.#takeRecord());
    return parts;
  }

  #readStart(kind: number, body: Buffer): void {
    const stated = body.length >= 2 ? body.readUInt16LE(0) : unicodeVersion;
    this.#version ??= kind === 0x0809 ? stated : kind;
  }

  #decrypt(filePass: Buffer): void {
    // A damaged workbook can have many of these records, and each decryption reads the whole workbook.
    const clear = this.#isDecrypted ? undefined : decryptWorkbook(this.#bytes, filePass);
    if (clear === undefined) throw new UnreadableError('the workbook is encrypted');
    this.#bytes = clear;
    this.#isDecrypted = true;
  }

  get #isUnicode(): boolean {
    return (this.#version ?? unicodeVersion) === unicodeVersion;
  }

  #readRecord(kind: number, body: Buffer): void {
    const handle = this.#handlers.get(kind);
    if (handle === undefined) this.#readNumbers(kind, body);
    else handle(body);
  }

  #readHeader(body: Buffer): void {
    const text = this.#isUnicode ? this.#text(body) : this.#shortText(body);
    this.#add(text.replace(/&(?:"[^"]*"|\d+|[A-Z])/g, ' '));
  }

  #readNumbers(kind: number, body: Buffer): void {
    if (kind === type.number && body.length >= 14) this.#addCell(body, 4, body.readDoubleLE(6));
    else if (kind === type.oldNumber && body.length >= 15) this.#addNumber(body.readDoubleLE(7));
    else if (kind === type.oldInteger && body.length >= 9) this.#addNumber(body.readUInt16LE(7));
    else if (kind === type.smallNumber && body.length >= 10) this.#addCell(body, 4, smallNumber(body.readInt32LE(6)));
    else if (formulaTypes.has(kind)) this.#addFormulaResult(body);
    else if (kind === type.multipleNumbers)
      for (let at = 6; at + 6 <= body.length; at += 6) this.#addCell(body, at - 2, smallNumber(body.readInt32LE(at)));
  }

  #setCodePage(body: Buffer): void {
    if (body.length >= 2) this.#codePage = codePageOf(body.readUInt16LE(0));
  }

  #add(text: string): void {
    if (text !== '') this.#pieces.push(text);
  }

  #readFormat(body: Buffer): void {
    if (body.length < 4) return;
    const code = body.subarray(2);
    this.#dates.addFormat(body.readUInt16LE(0), this.#isUnicode ? this.#text(code) : this.#shortText(code));
  }

  /**
   * Adds the number of a cell. If the cell's style is a date format, the date is added too. `style` is the offset of
   * the style in the record.
   */
  #addCell(body: Buffer, style: number, value: number): void {
    this.#addNumber(value);
    this.#add(this.#dates.textOf(body.readUInt16LE(style), value));
  }

  #addFormulaResult(body: Buffer): void {
    const at = this.#version === excel2Version ? 7 : 6;
    if (body.length < at + 8) return;
    // A result that is no number, such as a text or an error, is NaN here and therefore not added.
    if (at === 7) this.#addNumber(body.readDoubleLE(at));
    else this.#addCell(body, 4, body.readDoubleLE(at));
  }

  #addNumber(value: number): void {
    if (Number.isFinite(value)) this.#pieces.push(String(Number(value.toPrecision(15))));
  }

  /** Decodes a string with a length field of two bytes. */
  #text(body: Buffer): string {
    if (body.length < 2) return '';
    const length = body.readUInt16LE(0);
    if (!this.#isUnicode) return this.#decode(body.subarray(2, 2 + length));
    return unicodeText(body, length, 2);
  }

  /** Decodes a string with a length field of one byte. */
  #shortText(body: Buffer): string {
    const length = byteAt(body, 0);
    return this.#isUnicode ? unicodeText(body, length, 1) : this.#decode(body.subarray(1, 1 + length));
  }

  #decode(bytes: Buffer): string {
    return decodeWithLabel(this.#codePage, bytes, this.#decoders);
  }
}

function codePageOf(number: number): string {
  switch (number) {
    case 932:
      return 'shift_jis';
    case 936:
      return 'gb18030';
    case 949:
      return 'euc-kr';
    case 950:
      return 'big5';
    case 10_000:
    case 32_768:
      return 'macintosh';
    default:
      return number >= 1250 && number <= 1258 ? `windows-${number}` : 'windows-1252';
  }
}

/**
 * Decodes a compressed number of Excel. Its 30 bits are an integer or the high half of a double. If the lowest bit is
 * set, the number is divided by 100.
 */
function smallNumber(bits: number): number {
  const bytes = Buffer.alloc(8);
  bytes.writeInt32LE(bits & ~3, 4);
  const value = (bits & 2) === 0 ? bytes.readDoubleLE(0) : bits >> 2;
  return (bits & 1) === 0 ? value : value / 100;
}

/**
 * Decodes the characters of a string after a byte of flags. If the lowest flag is set, each character has two bytes.
 */
function unicodeText(body: Buffer, length: number, at: number): string {
  const flags = byteAt(body, at);
  const skipped = ((flags & 8) === 0 ? 0 : 2) + ((flags & 4) === 0 ? 0 : 4);
  return decodeExcelCharacters(body, at + 1 + skipped, length, (flags & 1) !== 0);
}

/**
 * Decodes the table of strings that all sheets share. A string can continue in another record. If it is split between
 * two characters, a new byte of flags follows.
 */
function readSharedTexts(parts: readonly Buffer[]): string[] {
  const cursor = new ExcelRecordCursor(parts);
  cursor.skip(8);
  const texts: string[] = [];
  while (!cursor.isAtEnd) {
    const length = cursor.readNumber(2);
    const flags = cursor.readNumber(1);
    const runs = (flags & 8) === 0 ? 0 : cursor.readNumber(2);
    const extraBytes = (flags & 4) === 0 ? 0 : cursor.readNumber(4);
    texts.push(cursor.readCharacters(length, (flags & 1) !== 0));
    cursor.skip(4 * runs + extraBytes);
  }
  return texts;
}

/** Decodes the characters of a text box or comment, which are stored in the following CONTINUE records. */
function readTextBox([body, ...parts]: readonly Buffer[]): string {
  if (body === undefined || body.length < 12) return '';
  const cursor = new ExcelRecordCursor(parts);
  return cursor.readCharacters(body.readUInt16LE(10), (cursor.readNumber(1) & 1) !== 0);
}
