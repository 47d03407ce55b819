import * as v from 'valibot';
import { defineTool } from '../../../toolset.ts';
import type { FinderDoor } from '../io/door.ts';
import { annotations, pageEntries, Query, Scope } from '../model/arguments.ts';
import { readPage } from '../model/page.ts';
import { FoundShape, foundAnswer } from '../text.ts';

export const search = defineTool({
  name: 'search',
  title: 'Search file contents',
  description:
    "Finds the user's files that contain a phrase, newest first: texts, source code, PDF, Word, Excel, PowerPoint, OpenDocument, EPUB. " +
    'Contents only, not names. Upper and lower case, diacritics and line breaks make no difference; several words are one phrase, any part of a word matches. ' +
    'Use it to find notes, papers or solutions by what is written in them. ' +
    'Hidden files, node_modules and *.noindex are passed over unless the scope is inside one; "skipped" tells what was not searched. ' +
    'When "truncated" is true, ask again with a larger offset; when "timedOut" is true, narrow the scope.',
  input: v.strictObject({
    query: Query,
    scope: Scope,
    ...pageEntries,
  }),
  output: FoundShape,
  annotations,
  async handler({ query, scope, ...paging }, door: FinderDoor, call) {
    const finder = await door.finder();
    const place = await finder.roots.folder(scope, 'search: "scope"');
    const page = readPage(paging, 'search');
    const found = await finder.search(place, query, page, call);
    return foundAnswer(found, page, finder.shownBelow(place));
  },
});
