import { defineToolset } from '../../toolset/toolset.ts';

export const clerk = defineToolset({
  name: 'clerk',
  summary: 'Exact sums, currency through PICTURE clauses, dates',
  instructions:
    'Numbers that must be right, by a clerk trained on COBOL: add sums exactly, format_currency prints amounts of money, validate_date checks YYYYMMDD.',
  isDefault: false,
  flags: {},
  settings: () => undefined,
  maxTextBytes: 0,
  load: async () => await import('packed:src/toolsets/clerk/tools/index.ts'),
});
