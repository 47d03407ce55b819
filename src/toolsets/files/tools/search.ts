import * as v from 'valibot';
import { loose } from '../../../toolset/argument.ts';
import { defineTool } from '../../../toolset/toolset.ts';
import { readDate, readUntil } from '../match/dates.ts';
import {
  annotations,
  KindEntry,
  MatchEntry,
  pageEntries,
  QueryText,
  readKind,
  readMatch,
  Scope,
  Since,
  Until,
} from '../query/arguments.ts';
import type { LazyFinder } from '../query/finder.ts';
import { FoundShape } from '../text.ts';
import { findIn } from './find-in.ts';

export const search = defineTool({
  name: 'search',
  title: 'Search files',
  description:
    "Finds the user's files that contain a phrase, newest first: texts, source code, PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, HTML, RTF, mail. " +
    'Contents only, unless match says "name" or "any". Upper and lower case, diacritics and line breaks make no difference; several words are one phrase, any part of a word matches. ' +
    'Use it to find notes, papers or solutions by what is written in them, or files by name; excerpts shows where the phrase stands. ' +
    'Hidden files, node_modules and *.noindex are passed over unless the scope is inside one; "skipped" and "notes" tell what was not searched. ' +
    'When "truncated" is true, ask again with a larger offset; when "timedOut" is true, ask the same again to get further.',
  input: v.strictObject({
    query: QueryText,
    scope: Scope,
    match: MatchEntry,
    kind: KindEntry,
    since: Since,
    until: Until,
    excerpts: v.optional(
      v.pipe(
        v.boolean(),
        loose(),
        v.description('Whether to show where each file holds the phrase: line or page, and the words around it'),
      ),
    ),
    ...pageEntries,
  }),
  output: FoundShape,
  annotations,
  async handler({ query: text, match, kind, since, until, excerpts, ...asked }, load: LazyFinder, call) {
    return await findIn(load, 'search', asked, call, () => ({
      text,
      excerpts,
      match: readMatch(match, 'search: "match"'),
      kind: kind === undefined ? undefined : readKind(kind, 'search: "kind"'),
      sinceMs: since === undefined ? undefined : readDate(since, 'search: "since"'),
      untilMs: until === undefined ? undefined : readUntil(until, 'search: "until"'),
    }));
  },
});
