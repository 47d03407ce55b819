import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSkippedFileCounts } from '../../../src/toolsets/files/access/skip.ts';
import { searchAndCountExcluded } from '../../../src/toolsets/files/query/excluded-hits.ts';
import type { SearchRequest, SearchResultPage } from '../../../src/toolsets/files/query/protocol.ts';
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
const nothing: SearchResultPage = {
  files: [],
  isTruncated: false,
  hitCount: 0,
  isTimedOut: false,
  engine: 'scan',
  skipped: createSkippedFileCounts(),
  isFromBefore: false,
  explanation: {
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
  },
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
