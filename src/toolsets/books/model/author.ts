import { truncateCharacters } from '../../../text/truncate.ts';
import { reservedUserNameForBook } from './key.ts';
import { refusal } from './refusal.ts';

/** The author name in journal records about changes by other programs. */
export const externalChangeAuthorName = 'external';
/** The author name in journal records about scans, which compare all files with the journal. */
export const scanAuthorName = 'survey';
/** The author name in audit notes of clients that send no name. A change is rejected without a name. */
export const unnamedClientAuthorName = 'unnamed';

/** These author names are reserved for the journal itself. */
const reservedNames: ReadonlySet<string> = new Set([
  'system',
  unnamedClientAuthorName,
  externalChangeAuthorName,
  scanAuthorName,
  reservedUserNameForBook,
]);

export function chooseAuthorName(...names: readonly (string | undefined)[]): string | undefined {
  for (const name of names) {
    // Invisible characters are removed from the author name.
    const tidy = truncateCharacters(name?.replace(/[\p{Cc}\p{Cf}]/gu, '').trim() ?? '', 200);
    if (tidy !== '' && !reservedNames.has(tidy.toLowerCase())) return tidy;
  }
  return undefined;
}

export function requireAuthorName(agent: string | undefined): string {
  if (agent !== undefined) return agent;
  throw refusal('ValidationError', 'A change needs the name of its author, but the client sent no valid name.', {
    suggestion: 'The client must send its name in clientInfo (not "system"), or the user must set --books-agent.',
  });
}
