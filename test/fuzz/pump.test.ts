import { expect, test } from 'vitest';
import { has } from '../support/toolsets.ts';
import { pump } from './pump.mjs';

// The test measures CPU time in a child process and uses the minimum of several runs, because other processes can only
// make it slower.
test('every reader of external input has a test case, and its CPU time is linear in the length of repeated input', async () => {
  const slow: object[] = [];
  const unread: string[] = [];
  let count = 0;
  const code = await pump(['quick'], line => {
    if ('unread' in line) unread.push(...line.unread);
    else {
      count++;
      if (!line.isLinear) slow.push(line);
    }
  });
  expect({ code, slow, unread }).toEqual({ code: 0, slow: [], unread: [] });
  // The cases of a toolset are deleted together with it.
  expect(count).toBeGreaterThan(has('oj', 'books', 'files', 'clerk') ? 1000 : 300);
});
