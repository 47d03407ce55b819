import * as v from 'valibot';
import { acceptConvertibleTypes } from '../../../toolset/argument.ts';
import { defineTool } from '../../../toolset/toolset.ts';
import { parseIsoDate, parseRangeEnd } from '../match/dates.ts';
import {
  KindArgument,
  MatchArgument,
  pageArguments,
  parseFileKind,
  parseMatchMode,
  QueryText,
  readOnlyAnnotations,
  ScopeArgument,
  SinceArgument,
  UntilArgument,
} from '../query/arguments.ts';
import type { FinderLoader } from '../query/finder.ts';
import { SearchResultSchema } from '../text.ts';
import { runSearchTool } from './run-search-tool.ts';

export const search = defineTool({
  name: 'search',
  title: 'Search files',
  description:
    "Finds the user's files by their contents and names: texts, source code, PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, HTML, RTF, mail. " +
    'Ask with two to five words that stand in the file or its name, in the language of the file; not with a whole question. ' +
    'Files that contain the query as a phrase come alone, newest first. If there are none, files that contain all words in contents, file or folder names; then most words, other forms and spellings: "matched" and "notes" state which. ' +
    'Quotation marks ask for the exact phrase only; there are no operators. Case, accents and line breaks make no difference. ' +
    'Use kind, since and until instead of words such as "photo" or "last week"; excerpts shows where the words stand. ' +
    'Hidden files, node_modules and *.noindex are searched only if the scope is inside one. ' +
    'When "truncated" is true, ask again with a larger offset; when "timedOut" is true, repeat the same call: it continues.',
  input: v.strictObject({
    query: QueryText,
    scope: ScopeArgument,
    match: MatchArgument,
    kind: KindArgument,
    since: SinceArgument,
    until: UntilArgument,
    excerpts: v.optional(
      v.pipe(
        v.boolean(),
        acceptConvertibleTypes(),
        v.description(
          'Whether to show where each file contains the phrase or a word of it: line or page, and the text around',
        ),
      ),
    ),
    ...pageArguments,
  }),
  output: SearchResultSchema,
  annotations: readOnlyAnnotations,
  async handler({ query: text, match, kind, since, until, excerpts, ...asked }, load: FinderLoader, call) {
    return await runSearchTool(load, 'search', asked, call, () => ({
      text,
      excerpts,
      match: parseMatchMode(match, 'search: "match"'),
      kind: kind === undefined ? undefined : parseFileKind(kind, 'search: "kind"'),
      sinceMs: since === undefined ? undefined : parseIsoDate(since, 'search: "since"'),
      untilMs: until === undefined ? undefined : parseRangeEnd(until, 'search: "until"'),
    }));
  },
});
