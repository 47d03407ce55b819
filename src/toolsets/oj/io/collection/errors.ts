import { Failure } from '../../../../errors/failure.ts';

/** Creates the error of the backend for an unknown problem, with a hint from the collection. */
export function problemNotFoundFailure(detail: string, hint: string): Failure {
  return new Failure('upstream', `[404] Not Found: ${detail}`, { status: 404, hint });
}
