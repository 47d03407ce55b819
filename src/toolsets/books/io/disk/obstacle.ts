import type { Failure } from '../../../../failure.ts';
import { metadataFolder } from '../../model/key.ts';
import { refusal, storageFailure } from '../../model/refusal.ts';

/** What stands where a plain file or folder should be. Paths are those from the library's folder on. */
export function linkRefusal(path: string): Failure {
  return obstacle(path, 'is a symbolic link; links are never followed', 'Put the file or folder itself there.');
}

export function kindRefusal(path: string): Failure {
  return obstacle(
    path,
    'is something else than it should be: a folder where a file belongs, a file where a folder belongs, a pipe or a device',
    'Use another path, or move what is there.',
  );
}

export function caseRefusal(path: string): Failure {
  const reason = 'exists with other capitals, and this file system sees no difference';
  return obstacle(path, reason, 'Spell it as list_books and glob_search show it.');
}

function obstacle(path: string, reason: string, suggestion: string): Failure {
  const message = `${path} ${reason}.`;
  if (path !== metadataFolder && !path.startsWith(`${metadataFolder}/`)) {
    return refusal('InvalidPathError', message, { path, suggestion });
  }
  // Nobody has asked for this path: it is where the library keeps its books, and only its owner can put it right.
  return storageFailure('UNAVAILABLE', message, {
    path,
    suggestion: 'The user has to remove it; what is needed there is made anew.',
  });
}
