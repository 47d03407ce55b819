import { Failure } from '../../../failure.ts';

/** Which part of all results is wanted. */
export interface Page {
  offset: number;
  limit: number;
}

export const defaultLimit = 100;
export const maxLimit = 1000;

/** A limit out of range is moved into it, not refused; NaN stands for what was no whole number. */
export function readPage(
  { limit, offset }: { limit?: number | undefined; offset?: number | undefined },
  tool: string,
): Page {
  for (const [name, value] of Object.entries({ limit, offset })) {
    if (Number.isNaN(value)) throw new Failure('argument', `${tool}: "${name}" must be a whole number`);
  }
  return {
    limit: Math.min(maxLimit, Math.max(1, limit ?? defaultLimit)),
    offset: Math.max(0, offset ?? 0),
  };
}

/** How many results have to be known to fill the page and to say whether there are more. */
export function neededResults({ offset, limit }: Page): number {
  return offset + limit + 1;
}
