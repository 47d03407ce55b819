import { add } from './add.ts';
import { formatCurrency } from './format-currency.ts';
import { validateDate } from './validate-date.ts';

/** In the order in which clients list them. */
export const tools = [add, formatCurrency, validateDate];
