import { expect, test } from 'vitest';
import { createNextLessonNumber } from '../../../src/toolsets/books/model/path.ts';

test.each([
  [[], '01'],
  [['content/01-A/01-a.md'], '02'],
  [['content/01-A/01-a.md', 'content/01-A/02-b.md'], '03'],
  [['content/01-A/07-a.md', 'content/01-A/02-b.md'], '08'],
  [['content/01-A/09-B/01-a.md'], '10'],
  [['content/01-A/98-a.md'], '99'],
  [['content/01-A/99-a.md'], '99'],
  [['content/01-A/3-a.md', 'content/01-A/100-b.md', 'content/01-A/README.md'], '01'],
  [['content/02-B/05-a.md'], '01'],
])('the next lesson number in a folder is one above the highest two-digit number: %j', (paths, expected) => {
  expect(createNextLessonNumber(paths)('content/01-A')).toBe(expected);
});
