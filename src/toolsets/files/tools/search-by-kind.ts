import * as v from 'valibot';
import { defineTool } from '../../../toolset/toolset.ts';
import { pageArguments, parseFileKind, readOnlyAnnotations, ScopeArgument } from '../query/arguments.ts';
import type { FinderLoader } from '../query/finder.ts';
import { SearchResultSchema } from '../text.ts';
import { runSearchTool } from './run-search-tool.ts';

export const searchByKind = defineTool({
  name: 'search_by_kind',
  title: 'Search files by kind',
  description:
    "Lists the user's files of one kind, newest first: document, image, video, audio, pdf or code. " +
    'Documents are what a person reads: texts, office files, web pages, data files, e-books and PDFs; source code is "code". ' +
    'Use it for wishes like "my pictures" or "the PDFs in this folder". When "truncated" is true, ask again with a larger offset.',
  input: v.strictObject({
    kind: v.pipe(
      v.string(),
      v.nonEmpty('must not be empty'),
      v.description('File kind: document, image, video, audio, pdf, code'),
    ),
    scope: ScopeArgument,
    ...pageArguments,
  }),
  output: SearchResultSchema,
  annotations: readOnlyAnnotations,
  async handler({ kind, ...asked }, load: FinderLoader, call) {
    return await runSearchTool(load, 'search_by_kind', asked, call, () => ({
      kind: parseFileKind(kind, 'search_by_kind: "kind"'),
    }));
  },
});
