import { expect, test } from 'vitest';
import { statementMarkdown } from '../../src/statement/index.ts';
import { hostileInputs } from './hostile.mjs';

// This test checks only the length and that no error occurs. growth.test.ts counts the steps, and the benchmarks
// measure the time, because no test may depend on a clock.
const bytes = 256 * 1024;
/**
 * The budget limits the Markdown, and plain text is not longer than its page. The output is therefore not longer than
 * this.
 */
const mostWritten = 5 * 1024 * 1024;
const link = 'https://judge.example/problems/4/a';

test.each(hostileInputs)(
  'statementMarkdown converts the hostile page $name to Markdown or plain text without an error',
  ({ content }) => {
    const answer = statementMarkdown(content(bytes), link);
    expect(answer.length).toBeLessThan(mostWritten);
  },
);
