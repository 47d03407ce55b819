import type { ResourceLink, StructuredAnswer } from '../../toolset.ts';
import { storageFailure } from './model/refusal.ts';

/** Clients built on the common library hang up on a message of more than 10 MiB. */
export const maxAnswerBytes = 9.5 * 1024 * 1024;

/** What a value takes on the wire: once as an object, and once more as text, whose escapes are escaped again. */
export function wireBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value)) + Buffer.byteLength(JSON.stringify(JSON.stringify(value, null, 2)));
}

/** An object, as text and as itself. `advice` is for one who gets an answer that is too large. */
export function objectAnswer<const Structured>(
  structured: Structured,
  { links, advice }: { links?: readonly ResourceLink[]; advice?: string } = {},
): StructuredAnswer<Structured> {
  refuseTooLarge(structured, advice);
  return { text: JSON.stringify(structured, null, 2), structured, ...(links !== undefined && { links }) };
}

/** A list: the text is the list, the object wraps it, because there MCP asks for an object. */
export function listAnswer<Item>(result: Item[]): StructuredAnswer<{ result: Item[] }> {
  refuseTooLarge(result, 'Ask for less at a time: one book, one type, a narrower pattern, fewer results.');
  return { text: JSON.stringify(result, null, 2), structured: { result } };
}

function refuseTooLarge(value: unknown, suggestion: string | undefined): void {
  const bytes = wireBytes(value);
  if (bytes <= maxAnswerBytes) return;
  const megabytes = Math.round(bytes / 1024 / 1024);
  throw storageFailure('TOO_LARGE', `The answer would have ${megabytes} MiB, more than clients take.`, {
    ...(suggestion !== undefined && { suggestion }),
  });
}

/** The instant as it is written everywhere: UTC, to the millisecond. */
export function instant(ms: number | Date): string {
  return new Date(ms).toISOString();
}
