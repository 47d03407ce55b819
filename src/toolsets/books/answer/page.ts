import * as v from 'valibot';
import type { ResourceLink, StructuredResult } from '../../../toolset/toolset.ts';
import { CountField } from '../model/arguments.ts';
import { createStorageFailure } from '../model/refusal.ts';

/** Clients with the common MCP library disconnect when a message has more than 10 MiB. */
const maxAnswerBytes = 9.5 * 1024 * 1024;
/** The number of bytes that are reserved for the notes and for the JSON around the list. */
const frameBytes = 65_536;
/**
 * A page of a list has at most this number of characters, because hosts store a longer result in a file and do not show
 * it to the model.
 */
const maxListCharacters = 50_000;
/**
 * Tools with long results publish this size, so that a host stores only results above it in a file. Hosts accept no
 * larger number.
 */
export const maxResultSizeMetadata = { 'anthropic/maxResultSizeChars': 500_000 };

/**
 * Returns the approximate size of a JSON value in a response. The response contains the value twice: as an object, and
 * as text with escaped quotation marks.
 */
function wireBytes(json: string): number {
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json));
}

/** Formats a time as ISO 8601 in UTC with milliseconds. */
export function formatIsoTime(ms: number | Date): string {
  return new Date(ms).toISOString();
}

interface AnswerExtras {
  links?: readonly ResourceLink[];
  notes?: readonly string[];
  /** The suggestion in the error message if the result is too large. */
  advice?: string;
}

/** Creates a tool result that contains an object both as text and as structured content. */
export function createObjectResult<const Structured>(
  structured: Structured,
  { advice: suggestion, ...extras }: AnswerExtras = {},
): StructuredResult<Structured> {
  const text = JSON.stringify(structured);
  const bytes = wireBytes(text);
  if (bytes <= maxAnswerBytes) return { text, structured, ...extras };
  const message = `The result would have ${Math.round(bytes / 1024 / 1024)} MiB, more than clients accept.`;
  throw createStorageFailure('TOO_LARGE', message, { suggestion });
}

/** The page size that the caller requested. Without a limit, the page has a length that hosts show to the model. */
export interface PageSize {
  limit?: number | undefined;
  /** True if all items must be on one page. The page then ends only at the size limit of a response. */
  isWhole?: boolean;
}

/** Collects the items of one page. Each item is serialized once. */
export class ResultListPage<Item> {
  readonly items: Item[] = [];
  readonly #texts: string[] = [];
  readonly #limit: number;
  readonly #maxCharacters: number;
  #characters = 0;
  #bytes = frameBytes;
  /** The number of items on the page without the reserved last item. */
  count = 0;

  constructor({ limit, isWhole = false }: PageSize) {
    this.#limit = limit ?? Number.POSITIVE_INFINITY;
    this.#maxCharacters = isWhole || limit !== undefined ? Number.POSITIVE_INFINITY : maxListCharacters;
  }

  /** Adds an item. Returns false if the page is full. */
  add(item: Item): boolean {
    const text = JSON.stringify(item);
    const bytes = this.#roomFor(text);
    if (bytes === undefined) return false;
    this.count++;
    this.items.push(item);
    this.#texts.push(text);
    this.#characters += text.length + separatorCharacters;
    this.#bytes += bytes;
    return true;
  }

  hasRoomFor(item: Item): boolean {
    return this.#roomFor(JSON.stringify(item)) !== undefined;
  }

  /** Returns the size of an item in the response, or undefined if the page is full. */
  #roomFor(text: string): number | undefined {
    if (this.items.length >= this.#limit) return undefined;
    if (this.#characters + text.length + separatorCharacters > this.#maxCharacters) return undefined;
    const bytes = wireBytes(text) + 2 * separatorCharacters;
    return this.#bytes + bytes <= maxAnswerBytes ? bytes : undefined;
  }

  /** Adds the final item of the list, for which space is reserved. */
  addLast(item: Item): void {
    this.items.push(item);
    this.#texts.push(JSON.stringify(item));
  }

  get text(): string {
    return `[${this.#texts.join(',')}]`;
  }
}

/** The length of the comma between two items of a JSON array. */
const separatorCharacters = 1;

/**
 * A byte of text takes at most this number of bytes in a response: a control character takes 6 bytes in the object and
 * 7 in its text form.
 */
const mostBytesPerByte = 13;

/** Returns whether an item with this number of text bytes is too large for any response. */
export function exceedsResponseLimit(item: unknown, textBytes: number): boolean {
  if (textBytes * mostBytesPerByte + frameBytes < maxAnswerBytes) return false;
  return wireBytes(JSON.stringify(item)) + frameBytes > maxAnswerBytes;
}

/**
 * Fills a page with the items of a list in the order of their cursors. If the list has more items, returns the cursor
 * of the last item on the page, which the next call passes as `after`.
 */
export async function fillListPage<Item>(
  page: ResultListPage<Item>,
  items: AsyncIterable<Item> | readonly Item[],
  cursorOf: (item: Item) => string,
  after = '',
): Promise<string | undefined> {
  const isFull = Array.isArray(items) ? !items.every(item => page.add(item)) : await isFullAfter(page, items);
  if (!isFull) return undefined;
  const last = page.items.at(-1);
  return last === undefined ? after : cursorOf(last);
}

/** Adds items until one does not fit. Returns whether one did not fit. */
async function isFullAfter<Item>(page: ResultListPage<Item>, items: AsyncIterable<Item> | readonly Item[]) {
  for await (const item of items) if (!page.add(item)) return true;
  return false;
}

interface PageSummary {
  /** The total number of items in the list, if it is known. */
  total?: number | undefined;
  /** The plural noun for the items in a note, such as "files". */
  what: string;
  /** The cursor at which the next page starts. */
  next?: string | undefined;
  /** The name of the argument that requests a larger page. */
  moreBy?: string;
  notes?: readonly string[];
}

/** The fields of a result that state whether a list has more items, and where the next page starts. */
export const listPageFields = { total: v.optional(CountField), next_after: v.optional(v.string()) };

interface ListHalf<Item> {
  result: Item[];
  total?: number;
  next_after?: string;
}

/**
 * Creates the result of a tool that returns a list. Its text is the list. Its structured content is an object with the
 * list, because MCP requires an object.
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

/** Creates the note that states how to request the next page. */
export function createNextPageNote(shown: number, { total, what, next, moreBy = 'limit' }: PageSummary): string {
  const all = total === undefined ? '' : ` of ${total}`;
  return `These are ${shown}${all} ${what}, and not the last: call again with "after": ${JSON.stringify(next)} for the next ones, and with "${moreBy}" for more at once.`;
}
