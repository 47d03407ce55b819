import { findSimilarProblems } from './find-similar-problems.ts';
import { getDailyChallenge } from './get-daily-challenge.ts';
import { getPlatformStatus } from './get-platform-status.ts';
import { getProblem } from './get-problem.ts';
import { listProblems } from './list-problems.ts';
import { listTags } from './list-tags.ts';
import { resolveProblem } from './resolve-problem.ts';

export { openApi as open } from '../io/api.ts';
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
