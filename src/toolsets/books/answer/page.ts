import * as v from 'valibot';
import type { ResourceLink, StructuredResult } from '../../../toolset/toolset.ts';
import { CountField } from '../model/arguments.ts';
import { createStorageFailure } from '../model/refusal.ts';

/** Clients that use the common MCP library disconnect if a message has more than 10 MiB. */
const maxAnswerBytes = 9.5 * 1024 * 1024;
/** These bytes are reserved for the frame of a list and its notes. */
const frameBytes = 65_536;
/** Hosts store longer results in a file and do not show them to the model. */
const maxListCharacters = 50_000;
/** Published by the tools with long results: hosts store only longer ones in a file. They accept no larger number. */
export const longResultMetadata = { 'anthropic/maxResultSizeChars': 500_000 };

/**
 * Returns the approximate size of a JSON value in a message, which contains it as an object and as text with escaped
 * quotes.
 */
function wireBytes(json: string): number {
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json));
}

/** Formats an instant in UTC with milliseconds. */
export function formatInstant(ms: number | Date): string {
  return new Date(ms).toISOString();
}

interface AnswerExtras {
  links?: readonly ResourceLink[];
  notes?: readonly string[];
  /** The suggestion in the error for a result that is too large. */
  advice?: string;
}

/** Creates a result with an object as text and as structured content. */
export function createObjectResult<const Structured>(
  structured: Structured,
  company: AnswerExtras = {},
): StructuredResult<Structured> {
  const { links, notes, advice } = company;
  const text = JSON.stringify(structured);
  refuseTooLarge(wireBytes(text), advice);
  return { text, structured, ...(links !== undefined && { links }), ...(notes !== undefined && { notes }) };
}

function refuseTooLarge(bytes: number, suggestion: string | undefined): void {
  if (bytes <= maxAnswerBytes) return;
  const megabytes = Math.round(bytes / 1024 / 1024);
  throw createStorageFailure('TOO_LARGE', `The result would have ${megabytes} MiB, more than clients accept.`, {
    ...(suggestion !== undefined && { suggestion }),
  });
}

/** The requested page size. Without a limit, the page has a readable length. */
export interface PageSize {
  limit?: number | undefined;
  /** True for a complete list, up to the limit of a message. */
  isWhole?: boolean;
}

/** The items of one page. Each item is serialized once. */
export class ResultListPage<Item> {
  readonly items: Item[] = [];
  readonly #texts: string[] = [];
  readonly #limit: number;
  readonly #maxCharacters: number;
  #characters = 0;
  #count = 0;
  #bytes = frameBytes;
  /** The size of the last item in a message. */
  #lastBytes = 0;

  constructor({ limit, isWhole = false }: PageSize) {
    this.#limit = limit ?? Number.POSITIVE_INFINITY;
    this.#maxCharacters = isWhole || limit !== undefined ? Number.POSITIVE_INFINITY : maxListCharacters;
  }

  /** Adds an item. Returns false if the page is full. */
  add(item: Item): boolean {
    const text = JSON.stringify(item);
    if (!this.#hasRoom(text)) return false;
    this.#count++;
    this.items.push(item);
    this.#texts.push(text);
    this.#characters += text.length + separatorCharacters;
    this.#bytes += this.#lastBytes;
    return true;
  }

  hasRoomFor(item: Item): boolean {
    return this.#hasRoom(JSON.stringify(item));
  }

  #hasRoom(text: string): boolean {
    if (this.items.length >= this.#limit) return false;
    if (this.#characters + text.length + separatorCharacters > this.#maxCharacters) return false;
    this.#lastBytes = wireBytes(text) + 2 * separatorCharacters;
    return this.#bytes + this.#lastBytes <= maxAnswerBytes;
  }

  /** Adds a final item, for which space is reserved. */
  addLast(item: Item): void {
    this.items.push(item);
    this.#texts.push(JSON.stringify(item));
  }

  /** The number of items without the final item. */
  get count(): number {
    return this.#count;
  }

  get text(): string {
    return `[${this.#texts.join(',')}]`;
  }
}

/** The length of a comma. */
const separatorCharacters = 1;

/** In the worst case a control character takes 6 bytes in an object and 7 bytes in its text form. */
const mostBytesPerByte = 13;

/** Returns whether an item with a text of this size is too large for any response. */
export function exceedsResponseLimit(item: unknown, textBytes: number): boolean {
  if (textBytes * mostBytesPerByte + frameBytes < maxAnswerBytes) return false;
  return wireBytes(JSON.stringify(item)) + frameBytes > maxAnswerBytes;
}

/**
 * Fills a page by the cursor rule of every list: items come in the order of their cursors, and `after` is the cursor of
 * the last item that was shown. Returns this cursor if the page is full before the end of the list.
 */
export async function fillListPage<Item>(
  page: ResultListPage<Item>,
  items: AsyncIterable<readonly [cursor: string, item: Item]> | Iterable<readonly [cursor: string, item: Item]>,
  after = '',
): Promise<string | undefined> {
  let last = after;
  for await (const [cursor, item] of items) {
    if (!page.add(item)) return last;
    last = cursor;
  }
  return undefined;
}

interface PageSummary {
  /** The total number of items, if it is known. */
  total?: number | undefined;
  /** The plural noun for the items in the note. */
  what: string;
  /** The cursor of the next page. */
  next?: string | undefined;
  /** The name of the argument for the page size. */
  moreBy?: string;
  notes?: readonly string[];
}

/** The result fields that describe the rest of a list. */
export const listPageFields = { total: v.optional(CountField), next_after: v.optional(v.string()) };

interface ListHalf<Item> {
  result: Item[];
  total?: number;
  next_after?: string;
}

/**
 * Creates a list result. The text is the list, and the structured content wraps the list in an object, because MCP
 * requires an object.
 */
export function createListResult<Item>(
  page: ResultListPage<Item>,
  rest: PageSummary,
): StructuredResult<ListHalf<Item>> {
  const { total, next } = rest;
  const notes = [...(next === undefined ? [] : [createNextPageNote(page.count, rest)]), ...(rest.notes ?? [])];
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

export function createOtherFilesNote(count: number): string[] {
  if (count === 0) return [];
  const files = count === 1 ? '1 file beside the lessons is' : `${count} files beside the lessons are`;
  return [`${files} not Markdown and not in this answer; glob_search lists them.`];
}

/** Creates a note that states how to get the next page. */
export function createNextPageNote(shown: number, { total, what, next, moreBy = 'limit' }: PageSummary): string {
  const all = total === undefined ? '' : ` of ${total}`;
  return `These are ${shown}${all} ${what}, and not the last: call again with "after": ${JSON.stringify(next)} for the next ones, and with "${moreBy}" for more at once.`;
}
