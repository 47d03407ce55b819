import type { StatementLanguage } from '../model/language.ts';
import type { Api } from './api.ts';

/** The context that the handlers of all tools share. */
export interface JudgeContext {
  api: Api;
  /** True if `api.status` requires a token that is not configured. */
  isTokenMissing: boolean;
  language: StatementLanguage;
  /** If true, the tool get_problem also returns rating, contest and "paid only". */
  hasExtras: boolean;
}
