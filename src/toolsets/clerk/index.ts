import { defineToolset } from '../../toolset.ts';
import { add } from './tools/add.ts';
import { formatCurrency } from './tools/format-currency.ts';
import { validateDate } from './tools/validate-date.ts';

export const clerk = defineToolset({
  name: 'clerk',
  summary: 'Exact sums, currency through PICTURE clauses, dates',
  instructions:
    'Numbers that must be right: add sums exactly, format_currency prints amounts of money, validate_date checks YYYYMMDD.',
  isDefault: false,
  flags: {},
  settings: () => undefined,
  open: () => undefined,
  maxTextBytes: 0,
  tools: [add, formatCurrency, validateDate],
});
