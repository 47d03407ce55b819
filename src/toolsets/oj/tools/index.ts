import { passOver } from '../../../log/bug.ts';
import { type Api, openApi } from '../io/api.ts';
import { warmConverter } from '../io/converter.ts';
import type { Settings } from '../settings.ts';
import { findSimilarProblems } from './find-similar-problems.ts';
import { getDailyChallenge } from './get-daily-challenge.ts';
import { getPlatformStatus } from './get-platform-status.ts';
import { getProblem } from './get-problem.ts';
import { listProblems } from './list-problems.ts';
import { listTags } from './list-tags.ts';
import { resolveProblem } from './resolve-problem.ts';

export function open(settings: Settings): Api {
  // An error is ignored here: the conversion of the statement throws it again.
  return openApi(settings, () => void warmConverter().catch(passOver));
}
export { check } from '../io/check.ts';

export const tools = [
  getDailyChallenge,
  getProblem,
  findSimilarProblems,
  resolveProblem,
  getPlatformStatus,
  listProblems,
  listTags,
];
