import { expect, test } from 'vitest';
import { hostileInputs } from '../../../bench/hostile.mjs';
import { statementMarkdown } from '../../../src/toolsets/oj/model/statement/index.ts';

// What the counted steps do not see: patterns that go back, strings that are copied, lists that are searched. What is
// linear takes 4 times the CPU for 4 times the text, what is quadratic 16 times. No time is asked for, and a busy
// machine is no failure: only the ratio counts, of the least CPU of both, and there are further tries.
const smallBytes = 64 * 1024;
const factor = 4;
const tooMuch = 10;
const tries = 4;
/** What costs less than this needs no second look: 16 times that, at 1 MiB, would still be no harm. */
const harmlessMs = 50;
const link = 'https://judge.example/problems/4/a';

test.each(hostileInputs)('four times as much of "$name" costs no more than ten times the CPU', ({ content }) => {
  const large = content(factor * smallBytes);
  let most = cpuMsOf(large);
  if (most < harmlessMs) return;
  const small = content(smallBytes);
  let least = Infinity;
  for (let round = 0; round < tries; round++) {
    // As much work as the other side, so that neither is colder code.
    for (let turn = 0; turn < factor; turn++) least = Math.min(least, cpuMsOf(small));
    if (most <= tooMuch * least) return;
    most = Math.min(most, cpuMsOf(large));
  }
  expect(most / least).toBeLessThanOrEqual(tooMuch);
});

function cpuMsOf(content: string): number {
  const before = process.cpuUsage();
  statementMarkdown(content, link, 102_400);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
