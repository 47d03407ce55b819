import type { Api } from '../api.ts';
import { createCollectionApi } from './collection-api.ts';
import { openCollection } from './open-collection.ts';

export { openDemo } from './demo.ts';

/** Serves the problems of --problems; throws a Failure if the collection is invalid. */
export function openProblems(paths: readonly string[]): Api {
  return createCollectionApi(openCollection(paths));
}
