import * as v from 'valibot';
import { defaultLimit, maxLimit } from './page.ts';

/** The arguments the searches share. No bounds in the schema: a limit out of range is moved into it. */
export const Scope = v.pipe(
  v.string(),
  v.nonEmpty('must not be empty'),
  v.description('Absolute path of the folder to search, with all below it'),
);

export const pageEntries = {
  limit: v.optional(
    v.pipe(
      v.number(),
      v.integer('must be a whole number'),
      v.description(`Maximum results (default ${defaultLimit}, max ${maxLimit})`),
    ),
  ),
  offset: v.optional(
    v.pipe(
      v.number(),
      v.integer('must be a whole number'),
      v.description('Results to pass over, for the next page (default 0)'),
    ),
  ),
};

export const annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;
