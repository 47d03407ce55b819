import * as v from 'valibot';
import { defineTool } from '../../../toolset/toolset.ts';
import { parseIsoDate } from '../match/dates.ts';
import { pageArguments, readOnlyAnnotations, ScopeArgument } from '../query/arguments.ts';
import type { FinderLoader } from '../query/finder.ts';
import { SearchResultSchema } from '../text.ts';
import { runSearchTool } from './run-search-tool.ts';

export const recentFiles = defineTool({
  name: 'recent_files',
  title: 'Recent files',
  description:
    "Lists the user's files that were modified since a date, newest first; the last seven days when no date is given. " +
    'Use it for wishes like "what did I work on this week". When "truncated" is true, ask again with a larger offset.',
  input: v.strictObject({
    scope: ScopeArgument,
    since: v.optional(
      v.fallback(
        v.pipe(
          v.string(),
          v.description(
            'ISO 8601 date; files modified then or later (default: 7 days ago). A date alone is midnight in UTC',
          ),
        ),
        // A value that is not a string becomes a string here and is rejected later, because errors of the argument
        // `scope` are reported first.
        given => JSON.stringify(given?.value),
      ),
    ),
    ...pageArguments,
  }),
  output: SearchResultSchema,
  annotations: readOnlyAnnotations,
  async handler({ since, ...asked }, load: FinderLoader, call) {
    return await runSearchTool(load, 'recent_files', asked, call, finder => ({
      sinceMs: since === undefined ? finder.weekAgo() : parseIsoDate(since, 'recent_files: "since"'),
    }));
  },
});
