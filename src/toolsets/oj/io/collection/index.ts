import type { StatementLanguage } from '../../model/language.ts';
import type { Api } from '../api.ts';
import { createProblemCollectionApi } from './collection-api.ts';
import { openCollectionFiles } from './open-collection.ts';

export { openDemoApi } from './demo.ts';

/** Creates the API that serves the problems of --problems. Throws a Failure if the collection is invalid. */
export function openProblemCollection(paths: readonly string[], language: StatementLanguage): Api {
  return createProblemCollectionApi(openCollectionFiles(paths), language);
}
