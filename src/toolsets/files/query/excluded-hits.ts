import { type CallTimeControl, startCallTimeControl, type TimedCallControl } from '../workers/control.ts';
import type { ExcludedHits, SearchFilterName, SearchRequest, SearchResultPage, SearchStageReport } from './protocol.ts';

type Search = (request: SearchRequest, control: CallTimeControl) => Promise<SearchResultPage>;

/** The stages of a search, ordered from the worst result to the best. */
const stages: readonly SearchStageReport['stage'][] = ['nothing', 'similar', 'words', 'phrase'];
/** A result page of this size is sufficient to show whether many files match. */
const page = { offset: 0, limit: 100 };
/** The additional searches of a call take at most this time, also if the call may take minutes. */
const maxAdditionalMs = 10_000;

/**
 * Runs a search. If its result is empty or weak, searches again without one of its filters, then without all of them,
 * and adds the number of files that match better. Each of these searches takes at most a third of the remaining time of
 * the call, or of the time for additional searches.
 */
export async function searchAndCountExcluded(
  request: SearchRequest,
  control: CallTimeControl,
  search: Search,
): Promise<SearchResultPage> {
  const found = await search(request, control);
  const { explanation } = found;
  const isWeak = explanation?.stage === 'nothing' || explanation?.stage === 'similar';
  if (!isWeak || found.isTimedOut || request.page.offset > 0) return found;
  const reservedMs = Math.max(0, control.remainingMs - maxAdditionalMs);
  for (const filters of filterGroups(request)) {
    if (control.isOver) break;
    const limited = startCallTimeControl((control.remainingMs - reservedMs) / 3, () => {});
    void control.over.then(() => limited.cancel());
    const excluded = await countHits(without(request, filters), limited, search, explanation.stage);
    if (excluded !== undefined)
      return { ...found, explanation: { ...explanation, excluded: { filters, ...excluded } } };
  }
  return found;
}

/**
 * Returns the groups of filters that are removed in turn: each filter alone, but both dates together, and finally all
 * of them.
 */
function filterGroups({ query, scope, root }: SearchRequest): SearchFilterName[][] {
  const dates = (['since', 'until'] as const).filter(name => query[`${name}Ms`] !== undefined);
  const others = (['kind', 'match'] as const).filter(name => query[name] !== undefined);
  const groups = [dates, ...others.map(name => [name]), scope === root ? [] : (['scope'] as const)];
  const present = groups.filter(names => names.length > 0).map(names => [...names]);
  return present.length > 1 ? [...present, present.flat()] : present;
}

function without(request: SearchRequest, filters: readonly SearchFilterName[]): SearchRequest {
  const has = (name: SearchFilterName): boolean => filters.includes(name);
  const { kind, match, sinceMs, untilMs, ...words } = request.query;
  const query = {
    ...words,
    ...(!has('kind') && { kind }),
    ...(!has('match') && { match }),
    ...(!has('since') && { sinceMs }),
    ...(!has('until') && { untilMs }),
  };
  return { ...request, query, scope: has('scope') ? request.root : request.scope, page, excerpts: false };
}

/**
 * Returns the number of files that a request finds. Returns undefined if its result is not better than the given stage.
 */
async function countHits(
  request: SearchRequest,
  control: TimedCallControl,
  search: Search,
  stage: SearchStageReport['stage'],
): Promise<Omit<ExcludedHits, 'filters'> | undefined> {
  try {
    const { explanation, hitCount, isTruncated, isTimedOut } = await search(request, control);
    if (hitCount === 0 || stages.indexOf(explanation?.stage ?? 'nothing') <= stages.indexOf(stage)) return undefined;
    return { hitCount, hasMore: isTruncated || isTimedOut || explanation?.hasMore === true };
  } finally {
    control.settle();
  }
}
