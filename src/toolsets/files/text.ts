import * as v from 'valibot';
import type { StructuredAnswer } from '../../toolset.ts';
import type { Found } from './io/threads/catalogue-messages.ts';
import type { Attributes } from './io/threads/reader-messages.ts';
import type { Page } from './model/page.ts';
import { type Row, toRow } from './model/row.ts';
import { nothingSkipped, type Skipped } from './model/skip.ts';

const count = v.pipe(v.number(), v.integer());

/** What the searches answer, as programs see it. */
export const FoundShape = v.strictObject({
  results: v.array(
    v.strictObject({
      _path: v.string(),
      kMDItemContentModificationDate: v.string(),
      kMDItemContentType: v.string(),
      kMDItemDisplayName: v.string(),
      kMDItemFSSize: count,
    }),
  ),
  truncated: v.pipe(v.boolean(), v.description('Whether there are more results: ask again with a larger offset')),
  offset: count,
  limit: count,
  engine: v.picklist(['scan', 'index', 'mdfind']),
  timedOut: v.optional(v.pipe(v.boolean(), v.description('The time ran out: there may be results that are missing'))),
  skipped: v.optional(
    v.pipe(
      v.strictObject({
        hidden: v.optional(count),
        generated: v.optional(count),
        links: v.optional(count),
        tooLarge: v.optional(count),
        unreadable: v.optional(count),
        unparsed: v.optional(count),
        unvisited: v.optional(count),
      }),
      v.description(
        'What was not looked at: hidden entries, node_modules and *.noindex, links, texts over 50 MB, what may not be read, documents without readable text, folders beyond 200,000 entries',
      ),
    ),
  ),
});

export type FoundShape = v.InferInput<typeof FoundShape>;

/** The text is the bare list; the object also says how complete it is. */
export function foundAnswer(
  found: Found,
  { offset, limit }: Page,
  show: (path: string) => string,
): StructuredAnswer<FoundShape> {
  const results: Row[] = found.files.map(file => toRow({ ...file, path: show(file.path) }));
  const skipped = countedOnly(found.skipped);
  return {
    text: JSON.stringify(results),
    structured: {
      results,
      truncated: found.isTruncated,
      offset,
      limit,
      engine: found.engine,
      ...(found.isTimedOut && { timedOut: true }),
      ...(Object.keys(skipped).length > 0 && { skipped }),
    },
  };
}

function countedOnly(skipped: Skipped): Partial<Skipped> {
  return Object.fromEntries(Object.entries({ ...nothingSkipped(), ...skipped }).filter(([, number]) => number > 0));
}

/** What is known of one file; keys are sorted, because the text is compared as it stands. */
export const AttributesShape = v.record(
  v.string(),
  v.union([v.string(), v.number(), v.array(v.unknown()), v.record(v.string(), v.unknown())]),
);

export function attributesAnswer(attributes: Attributes): StructuredAnswer<Attributes> {
  const sorted = Object.fromEntries(Object.entries(attributes).sort(([left], [right]) => (left < right ? -1 : 1)));
  return { text: JSON.stringify(sorted), structured: sorted };
}
