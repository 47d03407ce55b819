import type { CallContext } from '../../../toolset/toolset.ts';
import { parsePageArguments } from '../query/arguments.ts';
import type { FileFinder, FinderLoader, RequestedQuery } from '../query/finder.ts';
import { createSearchAnswer, type SearchAnswer } from '../text.ts';

interface Asked {
  scope: string;
  limit?: number | undefined;
  offset?: number | undefined;
}

/**
 * Runs one of the three search tools. Errors are reported in a fixed order: first errors of the argument `scope`, then
 * of the page, then of the other arguments.
 */
export async function runSearchTool(
  load: FinderLoader,
  tool: string,
  { scope, ...paging }: Asked,
  call: CallContext,
  readQuery: (finder: FileFinder) => RequestedQuery,
): Promise<SearchAnswer> {
  const finder = await load();
  const place = await finder.roots.folder(scope, `${tool}: "scope"`);
  const page = parsePageArguments(paging, tool);
  const found = await finder.find(place, readQuery(finder), page, call);
  return createSearchAnswer(found, page, finder.timeoutMs, finder.shownBelow(place));
}
