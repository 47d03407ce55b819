import * as v from 'valibot';
import type { ResourceLink, StructuredResult } from '../../../toolset/toolset.ts';
import { Count } from '../model/arguments.ts';
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

/** An instant in UTC with milliseconds. */
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
  const text = JSON.stringify(structured);
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
}

/** The part of a list that goes into one answer. Every item is turned into text once. */
export class Page<Item> {
  readonly items: Item[] = [];
  readonly #texts: string[] = [];
  readonly #limit: number;
  readonly #maxCharacters: number;
  #characters = 0;
  #count = 0;
  #bytes = frameBytes;
  /** Of the item that was looked at last. */
  #lastBytes = 0;

  constructor({ limit, isWhole = false }: PageSize) {
    this.#limit = limit ?? Number.POSITIVE_INFINITY;
    this.#maxCharacters = isWhole || limit !== undefined ? Number.POSITIVE_INFINITY : maxListCharacters;
  }

  /** Takes an item in; false when there is no room for it, and that is the end of the page. */
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

  /** A last word, for which there is always room. */
  addLast(item: Item): void {
    this.items.push(item);
    this.#texts.push(JSON.stringify(item));
  }

  /** How many there are, without a last word. */
  get count(): number {
    return this.#count;
  }

  get text(): string {
    return `[${this.#texts.join(',')}]`;
  }
}

/** The comma between two items. */
const separatorCharacters = 1;

/** Of a control character 6 bytes in an object, and 7 in a text of one. */
const mostBytesPerByte = 13;

/** Whether no answer has room for an item with a text of so many bytes. */
export function isTooLong(item: unknown, textBytes: number): boolean {
  if (textBytes * mostBytesPerByte + frameBytes < maxAnswerBytes) return false;
  return wireBytes(JSON.stringify(item)) + frameBytes > maxAnswerBytes;
}

/**
 * The cursor rule of every list: items come in the order of their cursors, and `after` is the cursor of the last item
 * that was shown. Returns it if the page is full before the end of the list.
 */
export async function fillPage<Item>(
  page: Page<Item>,
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
export const pageFields = { total: v.optional(Count), next_after: v.optional(v.string()) };

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

export function otherFilesNote(count: number): string[] {
  if (count === 0) return [];
  const files = count === 1 ? '1 file beside the lessons is' : `${count} files beside the lessons are`;
  return [`${files} not Markdown and not in this answer; glob_search lists them.`];
}

/** Says that this is not all, and how to get the rest. */
export function pageNote(shown: number, { total, what, next, moreBy = 'limit' }: PageSummary): string {
  const all = total === undefined ? '' : ` of ${total}`;
  return `These are ${shown}${all} ${what}, and not the last: call again with "after": ${JSON.stringify(next)} for the next ones, and with "${moreBy}" for more at once.`;
}
