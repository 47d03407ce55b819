import * as v from 'valibot';
import { treatEmptyStringAsAbsent } from '../../../toolset/argument.ts';
import { defineTool } from '../../../toolset/toolset.ts';
import type { JudgeContext } from '../io/context.ts';
import { createInvalidArgumentFailure } from '../model/argument.ts';
import { isCalendarDay, utcDayOf } from '../model/date.ts';
import { addNote, formatPendingProblem } from '../text.ts';
import { presentProblem } from './present-problem.ts';

export const getDailyChallenge = defineTool({
  name: 'get_daily_challenge',
  title: 'Get daily challenge',
  description:
    "Returns LeetCode's daily problem with its statement, for today or a past date. Days are UTC days: " +
    "leetcode.cn switches to the next problem at 16:00 UTC, so pass tomorrow's UTC date for cn after that. " +
    'If the result says that the problem is being fetched, call again after the stated time.',
  input: v.strictObject({
    domain: v.optional(
      v.pipe(
        v.picklist(['com', 'cn']),
        treatEmptyStringAsAbsent(),
        v.description('com: leetcode.com (default), cn: leetcode.cn'),
      ),
    ),
    date: v.optional(v.pipe(v.string(), v.description('YYYY-MM-DD, from 2020-04-01 on; default: today in UTC'))),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async handler({ domain = 'com', date = utcDayOf(new Date()) }, context: JudgeContext, call) {
    if (!isCalendarDay(date)) {
      throw createInvalidArgumentFailure(
        `"date" must be a calendar day in the form YYYY-MM-DD, got ${JSON.stringify(date.slice(0, 40))}`,
      );
    }
    const daily = await context.api.daily(domain, date, call.signal);
    if (daily.problem === undefined) return formatPendingProblem(domain, date, daily.retryAfterSeconds);
    return addNote(await presentProblem(daily.problem, context, call), daily.note);
  },
});
