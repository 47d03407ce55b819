import type { Language } from '../model/language.ts';
import type { Api } from './api.ts';

/** What the handlers of the tools share. */
export interface JudgeContext {
  api: Api;
  language: Language;
  /** Whether get_problem shows rating, contest and "paid only". */
  hasExtras: boolean;
}
