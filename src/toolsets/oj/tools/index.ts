import { ignoreExpectedError } from '../../../log/bug.ts';
import type { CheckResult } from '../../../toolset/toolset.ts';
import type { Api } from '../io/api.ts';
import type { JudgeContext } from '../io/context.ts';
import { warmUpConverter } from '../io/converter.ts';
import { loadApiOnFirstCall } from '../io/deferred-api.ts';
import type { StatementLanguage } from '../model/language.ts';
import type { ProblemSource, Settings } from '../settings.ts';
import { findSimilarProblems } from './find-similar-problems.ts';
import { getDailyChallenge } from './get-daily-challenge.ts';
import { getPlatformStatus } from './get-platform-status.ts';
import { getProblem } from './get-problem.ts';
import { getSamples } from './get-samples.ts';
import { listProblems } from './list-problems.ts';
import { listTags } from './list-tags.ts';
import { resolveProblem } from './resolve-problem.ts';

export async function createContext({ provider, language, hasExtras }: Settings): Promise<JudgeContext> {
  const isTokenMissing = provider.kind === 'backend' && provider.token === undefined;
  return { api: await openProvider(provider, language), isTokenMissing, language, hasExtras };
}

async function openProvider(provider: ProblemSource, language: StatementLanguage): Promise<Api> {
  if (provider.kind === 'backend') {
    return loadApiOnFirstCall(async () => {
      const { openBackend } = await import('packed:src/toolsets/oj/io/backend.ts');
      // The converter is loaded while the response is pending. If loading fails, the error is ignored here, because the
      // conversion of the statement throws it again.
      return openBackend(provider, () => void warmUpConverter().catch(ignoreExpectedError));
    });
  }
  if (provider.kind === 'demo') {
    const api = loadApiOnFirstCall(async () => (await loadCollections()).openDemoApi());
    return { ...api, sources: demoSources };
  }
  return (await loadCollections()).openProblemCollection(provider.paths, language);
}

/** The sources of the built-in problems, which are loaded at the first call. */
const demoSources = ['lantern', 'orchard', 'quarry'];

const loadCollections = async () => await import('packed:src/toolsets/oj/io/collection/index.ts');

export async function closeContext({ api }: JudgeContext): Promise<void> {
  api.close?.();
}

export async function* checkSetup(
  settings: Settings,
  context: JudgeContext,
  signal: AbortSignal,
): AsyncGenerator<CheckResult> {
  const checks = await import('packed:src/toolsets/oj/io/check.ts');
  yield* checks.checkProblemSource(settings, context, signal);
}

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
