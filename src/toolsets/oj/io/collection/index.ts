import type { StatementLanguage } from '../../model/language.ts';
import type { Api } from '../api.ts';
import { createCollectionApi } from './collection-api.ts';
import { openCollection } from './open-collection.ts';

export { openDemoApi } from './demo.ts';

/** Creates the API that serves the problems of --problems. Throws a Failure if the collection is invalid. */
export function openProblemCollection(paths: readonly string[], language: StatementLanguage): Api {
  return createCollectionApi(openCollection(paths), language);
}
