import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSkippedFileCounts } from '../../../src/toolsets/files/access/skip.ts';
import { searchAndCountExcluded } from '../../../src/toolsets/files/query/excluded-hits.ts';
import type { SearchRequest, SearchResultPage, SearchStageReport } from '../../../src/toolsets/files/query/protocol.ts';
import { startCallTimeControl } from '../../../src/toolsets/files/workers/control.ts';

const request: SearchRequest = {
  kind: 'find',
  scope: '/root/folder',
  root: '/root',
  query: { text: 'lease', phrase: 'lease', kind: 'pdf', sinceMs: 1 },
  page: { offset: 0, limit: 10 },
  excerpts: false,
  externalHits: [],
};
const explanation: SearchStageReport = {
  stage: 'nothing',
  isPartial: false,
  isQuoted: false,
  where: 'any',
  hitCount: 0,
  isByName: false,
  hasMore: false,
  words: ['lease'],
  optional: [],
  ignored: [],
  closest: [],
  missing: [],
  corrections: [],
  operators: [],
  kinds: [],
  asksForTime: false,
  isListRequest: false,
  named: [],
};
const nothing: SearchResultPage = {
  files: [],
  isTruncated: false,
  hitCount: 0,
  isTimedOut: false,
  engine: 'scan',
  skipped: createSkippedFileCounts(),
  isFromBefore: false,
  explanation,
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Returns the duration of each search of a call. All searches but the first one run until their time limit. */
async function measureSearches(timeoutMs: number): Promise<number[]> {
  const durations: number[] = [];
  const call = searchAndCountExcluded(
    request,
    startCallTimeControl(timeoutMs, () => {}),
    async (_, control) => {
      const start = performance.now();
      if (durations.length > 0) await control.over;
      durations.push(Math.round(performance.now() - start));
      return { ...nothing, isTimedOut: control.isTimedOut };
    },
  );
  await vi.advanceTimersByTimeAsync(timeoutMs);
  await call;
  return durations;
}

test('the searches without filters after an empty result take less than 10 s in total if the call may take 10 minutes', async () => {
  expect(await measureSearches(600_000)).toEqual([0, 3333, 2222, 1481, 988]);
});

test('each search without a filter takes at most a third of the remaining time of a short call', async () => {
  expect(await measureSearches(900)).toEqual([0, 300, 200, 133, 89]);
});

/** Returns the result of a call and the requests of its searches. `answer` returns the result of each search. */
async function runCall(
  given: SearchRequest,
  answer: (count: number) => Partial<SearchResultPage>,
): Promise<{ found: SearchResultPage; requests: SearchRequest[] }> {
  const requests: SearchRequest[] = [];
  const control = startCallTimeControl(60_000, () => {});
  const found = await searchAndCountExcluded(given, control, async asked => {
    requests.push(asked);
    return { ...nothing, ...answer(requests.length) };
  });
  control.settle();
  return { found, requests };
}

const explained = (stage: SearchStageReport['stage'], hasMore = false): Pick<SearchResultPage, 'explanation'> => ({
  explanation: { ...explanation, stage, hasMore },
});

describe('a search with filters', () => {
  test.each<[string, Partial<SearchRequest>, Partial<SearchResultPage>, searches: number]>([
    ['found nothing', {}, {}, 5],
    ['found only similar words', {}, explained('similar'), 5],
    ['found all words', {}, explained('words'), 1],
    ['found the phrase', {}, explained('phrase'), 1],
    ['had no words', {}, { explanation: undefined }, 1],
    ['exceeded its time limit', {}, { isTimedOut: true }, 1],
    ['was for a later page', { page: { offset: 1, limit: 10 } }, {}, 1],
    ['had no filters', { scope: '/root', query: { text: 'lease' } }, {}, 1],
  ])('is repeated without filters only if its result is weak: the search %s', async (_, change, answer, searches) => {
    const { found, requests } = await runCall({ ...request, ...change }, () => answer);
    expect(requests).toHaveLength(searches);
    expect(found).toEqual({ ...nothing, ...answer });
  });

  test('is repeated without each filter, without both dates, and without all filters', async () => {
    const query = { text: 'lease', phrase: 'lease', kind: 'pdf', match: 'name', sinceMs: 1, untilMs: 2 } as const;
    const { requests } = await runCall({ ...request, query, excerpts: true }, () => ({}));
    const common = { ...request, excerpts: false, page: { offset: 0, limit: 100 } };
    const { sinceMs: _, untilMs: __, ...undated } = query;
    const { kind: ___, ...untyped } = query;
    const { match: ____, ...anywhere } = query;
    expect(requests).toEqual([
      { ...request, query, excerpts: true },
      { ...common, query: undated },
      { ...common, query: untyped },
      { ...common, query: anywhere },
      { ...common, query, scope: '/root' },
      { ...common, query: { text: 'lease', phrase: 'lease' }, scope: '/root' },
    ]);
  });

  test.each<[Partial<SearchRequest>, (readonly string[])[]]>([
    [{ scope: '/root', query: { text: 'lease', kind: 'pdf' } }, [['kind']]],
    [{ scope: '/root', query: { text: 'lease', untilMs: 0 } }, [['until']]],
    [{ scope: '/root', query: { text: 'lease', sinceMs: 0, untilMs: 0 } }, [['since', 'until']]],
    [{ query: { text: 'lease' } }, [['scope']]],
    [
      { query: { text: 'lease', match: 'content', sinceMs: 0 } },
      [['since'], ['match'], ['scope'], ['since', 'match', 'scope']],
    ],
  ])('reports the filters that exclude files: %j', async (change, groups) => {
    const { requests } = await runCall({ ...request, ...change }, () => ({}));
    expect(requests).toHaveLength(1 + groups.length);
    for (const [index, filters] of groups.entries()) {
      const { found } = await runCall({ ...request, ...change }, count =>
        count === index + 2 ? { hitCount: 7, ...explained('words') } : {},
      );
      expect(found.explanation?.excluded).toEqual({ filters, hitCount: 7, hasMore: false });
    }
  });

  test.each<[first: SearchStageReport['stage'], Partial<SearchResultPage>, excluded: object | undefined]>([
    ['nothing', { hitCount: 0, ...explained('phrase') }, undefined],
    ['nothing', { hitCount: 1, ...explained('nothing') }, undefined],
    ['nothing', { hitCount: 1, explanation: undefined }, undefined],
    ['nothing', { hitCount: 1, ...explained('similar') }, { hitCount: 1, hasMore: false }],
    ['similar', { hitCount: 1, ...explained('similar') }, undefined],
    ['similar', { hitCount: 2, ...explained('words') }, { hitCount: 2, hasMore: false }],
    ['similar', { hitCount: 2, ...explained('phrase', true) }, { hitCount: 2, hasMore: true }],
    ['nothing', { hitCount: 2, isTruncated: true, ...explained('words') }, { hitCount: 2, hasMore: true }],
    ['nothing', { hitCount: 2, isTimedOut: true, ...explained('words') }, { hitCount: 2, hasMore: true }],
  ])('in the stage "%s" counts only better results: %o', async (stage, better, excluded) => {
    const { found } = await runCall({ ...request, scope: '/root', query: { text: 'lease', kind: 'pdf' } }, count =>
      count === 1 ? explained(stage) : better,
    );
    expect(found.explanation?.excluded).toEqual(excluded && { filters: ['kind'], ...excluded });
  });

  test('is not repeated after the call was cancelled, and a repetition ends with the call', async () => {
    const control = startCallTimeControl(60_000, () => {});
    const states: boolean[] = [];
    const search = async (_: SearchRequest, limited: { isOver: boolean }): Promise<SearchResultPage> => {
      if (states.length === 1) control.cancel();
      await Promise.resolve();
      states.push(limited.isOver);
      return nothing;
    };
    await searchAndCountExcluded(request, control, search);
    expect(states).toEqual([false, true]);
  });
});
