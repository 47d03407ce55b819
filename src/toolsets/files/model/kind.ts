import { Failure } from '../../../failure.ts';
import { excerpt } from './excerpt.ts';
import { type Kind, kinds } from './file-type.ts';

/** The six kinds are known in any case. */
export function readKind(text: string, what: string): Kind {
  const kind = kinds.find(known => known === text.toLowerCase());
  if (kind !== undefined) return kind;
  throw new Failure('argument', `${what} must be one of ${kinds.join(', ')}, got ${JSON.stringify(excerpt(text))}`);
}
