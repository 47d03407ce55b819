import { expect, test } from 'vitest';
import { statementMarkdown } from '../../src/statement/index.ts';
import { hostileInputs } from './hostile.mjs';

// What it costs is counted in statement-growth.test.ts and measured by the bench: no test asks a clock.
const bytes = 256 * 1024;
/** Nobody writes more than the budget, and plain text is no longer than its page. */
const mostWritten = 5 * 1024 * 1024;
const link = 'https://judge.example/problems/4/a';

test.each(hostileInputs)(
  'statementMarkdown converts the hostile page $name to Markdown or plain text without an error',
  ({ content }) => {
    const answer = statementMarkdown(content(bytes), link);
    expect(answer.length).toBeLessThan(mostWritten);
  },
);
