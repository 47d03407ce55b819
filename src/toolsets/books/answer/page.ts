import * as v from 'valibot';
import type { ResourceLink, StructuredResult } from '../../../toolset/toolset.ts';
import { type AssetFields, mimeTypeOf } from '../model/asset.ts';
import { assetHome } from '../model/path.ts';
import { storageFailure } from '../model/refusal.ts';

/** Clients built on the common library hang up on a message of more than 10 MiB. */
const maxAnswerBytes = 9.5 * 1024 * 1024;
/** What is around a list, and the sentences that go with it. */
const frameBytes = 65_536;
/** More than this hosts put aside instead of showing it to the model. */
const maxListCharacters = 50_000;
/** Tells hosts that long answers of a tool are meant; they take no larger number. */
export const longAnswerCharacters = 500_000;

/** What a JSON text takes on the wire, about: once as an object, and once more as text, whose escapes are escaped again. */
function wireBytes(json: string): number {
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json));
}

/** The instant as it is written everywhere: UTC, to the millisecond. */
export function instant(ms: number | Date): string {
  return new Date(ms).toISOString();
}

interface AnswerExtras {
  links?: readonly ResourceLink[];
  notes?: readonly string[];
  /** For one who gets an answer that is too large. */
  advice?: string;
}

/** An object, as text and as itself. */
export function objectAnswer<const Structured>(
  structured: Structured,
  company: AnswerExtras = {},
): StructuredResult<Structured> {
  const { links, notes, advice } = company;
  const text = JSON.stringify(structured, null, 2);
  refuseTooLarge(wireBytes(text), advice);
  return { text, structured, ...(links !== undefined && { links }), ...(notes !== undefined && { notes }) };
}

function refuseTooLarge(bytes: number, suggestion: string | undefined): void {
  if (bytes <= maxAnswerBytes) return;
  const megabytes = Math.round(bytes / 1024 / 1024);
  throw storageFailure('TOO_LARGE', `The answer would have ${megabytes} MiB, more than clients take.`, {
    ...(suggestion !== undefined && { suggestion }),
  });
}

/** How much of a list is wanted: without a limit, as much as a reader takes in. */
export interface PageSize {
  limit?: number | undefined;
  /** Whole, whatever it has, as far as it gets through. */
  isWhole?: boolean;
  /** How deep in the answer the list is: 1 is a list by itself. */
  depth?: number;
}

/** The part of a list that goes into one answer. Every item is turned into text once. */
export class Page<Item> {
  readonly items: Item[] = [];
  readonly #texts: string[] = [];
  readonly #limit: number;
  readonly #depth: number;
  readonly #maxCharacters: number;
  #characters = 0;
  #count = 0;
  #bytes = frameBytes;
  /** Of the item that was looked at last. */
  #lastBytes = 0;

  constructor({ limit, isWhole = false, depth = 1 }: PageSize) {
    this.#depth = depth;
    this.#limit = limit ?? Number.POSITIVE_INFINITY;
    this.#maxCharacters = isWhole || limit !== undefined ? Number.POSITIVE_INFINITY : maxListCharacters;
  }

  /** Takes an item in; false when there is no room for it, and that is the end of the page. */
  add(item: Item): boolean {
    const text = textIn(item, this.#depth);
    if (!this.#hasRoom(text)) return false;
    this.#count++;
    this.items.push(item);
    this.#texts.push(text);
    this.#characters += text.length + separatorCharacters;
    this.#bytes += this.#lastBytes;
    return true;
  }

  hasRoomFor(item: Item): boolean {
    return this.#hasRoom(textIn(item, this.#depth));
  }

  #hasRoom(text: string): boolean {
    if (this.items.length >= this.#limit) return false;
    if (this.#characters + text.length + separatorCharacters > this.#maxCharacters) return false;
    this.#lastBytes = wireBytes(text) + 2 * separatorCharacters;
    return this.#bytes + this.#lastBytes <= maxAnswerBytes;
  }

  /** A last word, for which there is always room. */
  addLast(item: Item): void {
    this.items.push(item);
    this.#texts.push(textIn(item, this.#depth));
  }

  /** How many there are, without a last word. */
  get count(): number {
    return this.#count;
  }

  get text(): string {
    return this.#texts.length === 0 ? '[]' : `[\n  ${this.#texts.join(',\n  ')}\n]`;
  }
}

/** What stands between two items, at most. */
const separatorCharacters = 8;

function textIn(item: unknown, depth: number): string {
  return JSON.stringify(item, null, 2).replaceAll('\n', `\n${'  '.repeat(depth)}`);
}

/** Of a control character 6 bytes in an object, and 7 in a text of one. */
const mostBytesPerByte = 13;

/** Whether no answer has room for an item with a text of so many bytes. */
export function isTooLong(item: unknown, textBytes: number): boolean {
  if (textBytes * mostBytesPerByte + frameBytes < maxAnswerBytes) return false;
  return wireBytes(JSON.stringify(item, null, 2)) + frameBytes > maxAnswerBytes;
}

interface PageSummary {
  /** How many there are in all, if that is known. */
  total?: number | undefined;
  /** What they are, for the sentence. */
  what: string;
  /** Where the next page begins: after this one. */
  next?: string | undefined;
  /** The argument that brings more at once. */
  moreBy?: string;
  notes?: readonly string[];
}

/** What an answer says of the rest of its list. */
export const pageFields = { total: v.optional(v.number()), next_after: v.optional(v.string()) };

interface ListHalf<Item> {
  result: Item[];
  total?: number;
  next_after?: string;
}

/** A list: the text is the list, the object wraps it, because there MCP asks for an object, and says what is missing. */
export function listAnswer<Item>(page: Page<Item>, rest: PageSummary): StructuredResult<ListHalf<Item>> {
  const { total, next } = rest;
  const notes = [...(next === undefined ? [] : [pageNote(page.count, rest)]), ...(rest.notes ?? [])];
  return {
    text: page.text,
    structured: {
      result: page.items,
      ...(total !== undefined && { total }),
      ...(next !== undefined && { next_after: next }),
    },
    ...(notes.length > 0 && { notes }),
  };
}

/** Says that this is not all, and how to get the rest. */
export function pageNote(shown: number, { total, what, next, moreBy = 'limit' }: PageSummary): string {
  const all = total === undefined ? '' : ` of ${total}`;
  return `These are ${shown}${all} ${what}, and not the last: call again with "after": ${JSON.stringify(next)} for the next ones, and with "${moreBy}" for more at once.`;
}

/** An asset as answers tell of it. */
export function describeAsset(
  { key, size, modified }: { key: string; size: number; modified: Date },
  url: string,
  agent: string | undefined,
): AssetFields {
  // books/<book>/static/<folder>/<name>
  const [, , , directory = '', ...rest] = key.split('/');
  const filename = rest.join('/');
  return {
    cdn_url: url,
    file_size: size,
    mime_type: mimeTypeOf(filename),
    upload_timestamp: instant(modified),
    ...(agent !== undefined && { uploaded_by_agent_id: agent }),
    asset_type: directory === 'images' ? assetHome('images') : directory,
    filename,
    path: key,
  };
}
