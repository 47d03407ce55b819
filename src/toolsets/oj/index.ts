import { defineToolset } from '../../toolset/toolset.ts';
import { flags, maxTextBytes, type Settings, settings, warnings } from './settings.ts';

export const oj = defineToolset({
  name: 'oj',
  summary: 'Problems from online judges: statements, similar ones, the daily challenge',
  instructions:
    'Online-judge problems. A link, slug or id of unknown origin: resolve_problem. A known source and id: get_problem. ' +
    "Today's or a past daily problem: get_daily_challenge. Related problems, by example or by topic: " +
    'find_similar_problems. Which platforms are covered: get_platform_status. Statements are Markdown; exponents read 10^5.',
  isDefault: true,
  flags,
  settings,
  secrets: ({ token }: Settings) => (token === undefined ? [] : [token]),
  notes: ({ token, isDemo }: Settings) => [
    isDemo
      ? 'built-in problems: no requests are sent'
      : `token: ${token === undefined ? 'not configured' : 'configured'}`,
  ],
  warnings,
  maxTextBytes,
  load: async () => await import('./tools/index.ts'),
});
