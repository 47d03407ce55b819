import { decodeText, decodeWithLabel, TextDecoderCache } from '../encoding/decode.ts';
import { extractHtmlText } from '../html/text.ts';
import { extractRtfText } from '../rtf.ts';
import type { CompoundEntry, CompoundFile } from './file.ts';
import { decompressRtf } from './rtf-compression.ts';

/**
 * Maps properties of a message (MS-OXPROPS) to their numbers. The extracted text contains the properties in the order
 * of this table.
 */
const shownProperties = {
  subject: '0037',
  senderName: '0c1a',
  senderAddress: '0c1f',
  to: '0e04',
  cc: '0e03',
  bcc: '0e02',
} as const;
const body = { plain: '1000', rtf: '1009', html: '1013' } as const;
const attachment = { longName: '3707', name: '3704', message: '3701' } as const;
/**
 * The numbers of the value types of Outlook properties: a string in a code page, a string in UTF-16, bytes, a storage.
 */
const [codePageType, unicodeType, binaryType, storageType] = ['001e', '001f', '0102', '000d'];

const maxDepth = 20;
const maxStorages = 2000;

/**
 * Extracts subject, addresses, body and names of attachments of an Outlook message, and the text of attached messages.
 */
export function extractOutlookText(file: CompoundFile): string | undefined {
  const reader = new MessageReader(file);
  reader.readMessage(file.root, 0);
  return reader.pieces.length === 0 ? undefined : reader.pieces.join('\n');
}

class MessageReader {
  readonly pieces: string[] = [];
  readonly #file: CompoundFile;
  readonly #decoders = new TextDecoderCache();
  #storages = 0;

  constructor(file: CompoundFile) {
    this.#file = file;
  }

  readMessage(storage: CompoundEntry | undefined, depth: number): void {
    if (depth > maxDepth || this.#storages++ > maxStorages) return;
    const entries = new Map(this.#file.children(storage).map(entry => [entry.name.toLowerCase(), entry]));
    for (const property of Object.values(shownProperties)) this.#add(this.#text(entries, property));
    this.#add(this.#body(entries));
    for (const [name, entry] of entries) {
      if (name.startsWith('__attach_version1.0_')) this.#readAttachment(entry, depth);
      else if (name.startsWith('__recip_version1.0_')) this.#readRecipient(entry);
    }
  }

  #readAttachment(storage: CompoundEntry, depth: number): void {
    const entries = new Map(this.#file.children(storage).map(entry => [entry.name.toLowerCase(), entry]));
    this.#add(this.#text(entries, attachment.longName) ?? this.#text(entries, attachment.name));
    const message = entries.get(streamName(attachment.message, storageType));
    if (message !== undefined) this.readMessage(message, depth + 1);
  }

  #readRecipient(storage: CompoundEntry): void {
    if (this.#storages++ > maxStorages) return;
    const entries = new Map(this.#file.children(storage).map(entry => [entry.name.toLowerCase(), entry]));
    this.#add(this.#text(entries, '3001'));
    this.#add(this.#text(entries, '3003'));
  }

  #body(entries: ReadonlyMap<string, CompoundEntry>): string | undefined {
    const plain = this.#text(entries, body.plain);
    if (plain !== undefined && plain.trim() !== '') return plain;
    const html = entries.get(streamName(body.html, binaryType));
    if (html !== undefined)
      return extractHtmlText(decodeText(this.#file.read(html), this.#decoders).bytes.toString('utf8'));
    const rtf = entries.get(streamName(body.rtf, binaryType));
    const unpacked = rtf && decompressRtf(this.#file.read(rtf));
    return unpacked && extractRtfText(unpacked);
  }

  #text(entries: ReadonlyMap<string, CompoundEntry>, property: string): string | undefined {
    const unicode = entries.get(streamName(property, unicodeType));
    if (unicode !== undefined) return this.#file.read(unicode).toString('utf16le');
    const other = entries.get(streamName(property, codePageType));
    return other && decodeWithLabel(undefined, this.#file.read(other), this.#decoders);
  }

  #add(text: string | undefined): void {
    const shown = text?.replaceAll('\0', '').replace(/\r\n?/g, '\n');
    if (shown !== undefined && shown.trim() !== '') this.pieces.push(shown);
  }
}

function streamName(property: string, type: string | undefined): string {
  return `__substg1.0_${property}${type}`;
}
