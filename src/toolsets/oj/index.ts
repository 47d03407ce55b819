import { defineToolset, type PublishedSettings } from '../../toolset/toolset.ts';
import type { JudgeContext } from './io/context.ts';
import {
  createSettingsWarnings,
  flags,
  listExternalVariables,
  maxTextBytes,
  parseSettings,
  type Settings,
} from './settings.ts';

export const oj = defineToolset({
  name: 'oj',
  summary: 'Problems from online judges: statements, similar ones, the daily challenge',
  instructions:
    'Online-judge problems. A link, slug or id of unknown origin: resolve_problem. A known source and id: get_problem. ' +
    "Today's or a past daily problem: get_daily_challenge. Related problems, by example or by topic: " +
    'find_similar_problems. Which platforms are covered: get_platform_status. Statements are Markdown; exponents read 10^5.',
  published: ({ provider }: Settings, { api }: JudgeContext) =>
    api.sources === undefined ? {} : describeSources(api.sources, provider.kind === 'demo'),
  isDefault: true,
  flags,
  settings: parseSettings,
  variables: listExternalVariables,
  secrets: ({ provider }: Settings) =>
    provider.kind === 'backend' && provider.token !== undefined ? [provider.token] : [],
  notes: ({ provider }: Settings) => [noteOf(provider)],
  warnings: createSettingsWarnings,
  maxTextBytes,
  load: async () => await import('./tools/index.ts'),
});

const maxSourcesLength = 300;

/** Names the sources of a collection, because the descriptions of the arguments name the platforms of a backend. */
function describeSources(sources: readonly string[], isDemo: boolean): PublishedSettings {
  // A source is any text. Control characters, invisible characters and lone surrogates are not published.
  const names = sources.join(', ').replace(/[\p{C}\s]+/gu, ' ');
  const list = names.length > maxSourcesLength ? 'see get_platform_status' : names;
  return {
    instructions: isDemo
      ? `${demoNote} Sources: ${list}.`
      : `The problems, also the daily one, are from the user's files. Sources: ${list}.`,
    arguments: { source: `Here only: ${list}`, source_filter: `Here only: ${list}` },
  };
}

const demoNote = 'This is a demo with invented problems, not those of a real judge.';

function noteOf(provider: Settings['provider']): string {
  if (provider.kind === 'demo') return 'built-in problems: no requests are sent';
  if (provider.kind === 'collection') return `problems of ${provider.paths.join(', ')}: no requests are sent`;
  return `token: ${provider.token === undefined ? 'not configured' : 'configured'}`;
}
