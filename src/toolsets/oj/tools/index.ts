import { ignoreExpectedError } from '../../../log/bug.ts';
import type { Api } from '../io/api.ts';
import { openBackend } from '../io/backend.ts';
import type { JudgeContext } from '../io/context.ts';
import { warmConverter } from '../io/converter.ts';
import type { Provider, Settings } from '../settings.ts';
import { findSimilarProblems } from './find-similar-problems.ts';
import { getDailyChallenge } from './get-daily-challenge.ts';
import { getPlatformStatus } from './get-platform-status.ts';
import { getProblem } from './get-problem.ts';
import { getSamples } from './get-samples.ts';
import { listProblems } from './list-problems.ts';
import { listTags } from './list-tags.ts';
import { resolveProblem } from './resolve-problem.ts';

export async function open({ provider, language, hasExtras }: Settings): Promise<JudgeContext> {
  return { api: await openProvider(provider), language, hasExtras };
}

async function openProvider(provider: Provider): Promise<Api> {
  // An error is ignored here, because the conversion of the statement throws it again.
  if (provider.kind === 'backend') return openBackend(provider, () => void warmConverter().catch(ignoreExpectedError));
  const { openDemo, openProblems } = await import('packed:src/toolsets/oj/io/collection/index.ts');
  return provider.kind === 'demo' ? openDemo() : openProblems(provider.paths);
}

export async function close({ api }: JudgeContext): Promise<void> {
  api.close?.();
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
  getSamples,
];
