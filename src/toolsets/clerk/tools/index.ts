import { add } from './add.ts';
import { formatCurrency } from './format-currency.ts';
import { validateDate } from './validate-date.ts';

export function createContext(): undefined {}

export const tools = [add, formatCurrency, validateDate];
