import { findSimilarProblems } from './find-similar-problems.ts';
import { getDailyChallenge } from './get-daily-challenge.ts';
import { getPlatformStatus } from './get-platform-status.ts';
import { getProblem } from './get-problem.ts';
import { listProblems } from './list-problems.ts';
import { listTags } from './list-tags.ts';
import { resolveProblem } from './resolve-problem.ts';

/** In the order in which clients list them. */
export const tools = [
  getDailyChallenge,
  getProblem,
  findSimilarProblems,
  resolveProblem,
  getPlatformStatus,
  listProblems,
  listTags,
];
