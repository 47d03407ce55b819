import { Failure } from '../../../../errors/failure.ts';
import type { ProblemCollection } from './collection.ts';

const restartHint = 'The user can restart oj-mcp to load the new content.';

function changedSentence(file: string): string {
  return `${file} has changed since the server was started.`;
}

/**
 * Creates the error for a file that was changed in place, because the stored offsets of its records are not valid any
 * more.
 */
export function createChangedCollectionFailure(file: string): Failure {
  return new Failure('upstream', changedSentence(file), { hint: restartHint });
}

export function isChangedCollectionFailure({ hint }: Failure): boolean {
  return hint === restartHint;
}

/** Creates the error that the backend returns for an unknown problem, with a hint from the collection. */
export function createProblemNotFoundFailure(collection: ProblemCollection, detail: string, hint: string): Failure {
  return new Failure('upstream', `[404] Not Found: ${detail}`, {
    status: 404,
    hint: addHintAboutChangedFile(collection, hint),
  });
}

/**
 * Adds a note if a file of the collection has changed, because the requested problem may have been added after the
 * start.
 */
export function addHintAboutChangedFile(collection: ProblemCollection, hint: string): string {
  const file = collection.changedFile();
  return file === undefined ? hint : `${changedSentence(file)} ${restartHint} ${hint}`;
}
