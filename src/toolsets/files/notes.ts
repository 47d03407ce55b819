import type { SearchStageReport } from './query/protocol.ts';

/**
 * Creates the notes of a search result. They explain how the results were found if no file contains the phrase, which
 * searches were tried if there are no results, and which other files have a fitting name.
 */
export function createSearchNotes(explanation: SearchStageReport, show: (path: string) => string): string[] {
  const { stage, closest, named, operators } = explanation;
  const notes = [
    stage === 'phrase' ? undefined : resultNote(explanation),
    stage !== 'phrase' && !explanation.isQuoted && wordNote(explanation),
    stage === 'similar' && correctionNote(explanation),
    closest.length > 0 &&
      `Closest files, with only a few of the words: ${closest.map(({ path, words }) => `${show(path)} (${quote(words)})`).join(', ')}.`,
    named.length > 0 && `Not in this list, but named so: ${named.map(show).join(', ')}.`,
    stage !== 'phrase' &&
      operators.length > 0 &&
      `There are no operators: ${operators.join(', ')} was read as plain text.`,
    stage !== 'phrase' && argumentNote(explanation),
    excludedNote(explanation),
  ];
  return notes.filter(note => note !== undefined && note !== false);
}

function resultNote(explanation: SearchStageReport): string | undefined {
  const { stage, hitCount, hasMore, isPartial, isByName, where, words } = explanation;
  const files = `${hasMore ? 'at least ' : ''}${hitCount} ${hitCount === 1 ? 'file' : 'files'}`;
  const [has, matches] = hitCount === 1 ? ['has', 'matches'] : ['have', 'match'];
  if (stage === 'nothing') return emptyNote(explanation);
  if (isPartial)
    return `No file that was read so far contains the phrase. These ${files} match its words (${quote(words)}), mostly by name; ask the same again for a complete answer.`;
  if (stage === 'words')
    return `No file ${where === 'name' ? 'name ' : ''}contains the phrase; ${files} ${has} all its words in ${isByName && where === 'any' ? 'file or folder names' : placeNames[where]}: ${quote(words)}.`;
  if (words.length === 1)
    return `No file contains ${quote(words)}; ${files} ${matches} it in another form or spelling, or in part.`;
  return `No file contains the phrase, or all its words (${quote(words)}); ${files} ${matches} most of them, in other forms or spellings.`;
}

const placeNames = { any: 'contents, file names or folder names', content: 'contents', name: 'file names' };

function emptyNote({ isQuoted, isPartial, words, where }: SearchStageReport): string | undefined {
  // This note is omitted, because another note already states that the time limit has passed.
  if (isPartial) return undefined;
  if (isQuoted)
    return 'No file contains this exact phrase. Quotation marks ask for the phrase only: ask without them to search its words too.';
  return `Nothing found. Tried in ${placeNames[where]}: the phrase, all words (${quote(words)}), most of them, their other forms and similar spellings. Try fewer or other words, in the language of the files, another folder, recent_files or search_by_kind.`;
}

/** Returns a note with the number of files that match if some arguments of the search are omitted. */
function excludedNote({ excluded }: SearchStageReport): string | undefined {
  if (excluded === undefined) return undefined;
  const { filters, hitCount, hasMore } = excluded;
  const files = `${hasMore ? 'at least ' : ''}${hitCount} ${hitCount === 1 ? 'file matches' : 'files match'}`;
  const hasDates = filters.includes('since') || filters.includes('until');
  const notes = [
    `Without ${filters.join(' and ')}, ${files}.`,
    hasDates &&
      'since and until compare the date of modification: write a date that stands in a document into the query.',
    filters.includes('scope') && 'Use the root folder as the scope.',
  ];
  return notes.filter(note => note !== false).join(' ');
}

const maxIgnored = 16;

/** Returns a note on the optional words of the query, which a result need not contain. */
function wordNote({ optional, ignored }: SearchStageReport): string | undefined {
  const rest = ignored.length > maxIgnored ? ` and ${ignored.length - maxIgnored} more` : '';
  const parts = [
    optional.length > 0 && `Not required: ${quote(optional)}.`,
    ignored.length > 0 && `Ignored, mostly as very common words: ${quote(ignored.slice(0, maxIgnored))}${rest}.`,
  ].filter(part => part !== false);
  return parts.length === 0 ? undefined : parts.join(' ');
}

function correctionNote({ corrections, missing }: SearchStageReport): string | undefined {
  const parts = [
    corrections.length > 0 &&
      `Read ${corrections.map(([word, readAs]) => `"${word}" as ${quote(readAs, ' or ')}`).join(', ')}.`,
    missing.length > 0 && `Missing in the first result: ${quote(missing)}.`,
  ].filter(part => part !== false);
  return parts.length === 0 ? undefined : parts.join(' ');
}

/** Returns a note that names the exact arguments if words of the query mean a kind of file or a time. */
function argumentNote({ kinds, asksForTime, isListRequest }: SearchStageReport): string | undefined {
  const parts = [
    kinds.length > 0 && `kind (${kinds.join(', ')})`,
    asksForTime && 'since and until (ISO 8601 dates)',
  ].filter(part => part !== false);
  if (parts.length === 0) return undefined;
  return isListRequest
    ? `The words only ask for a kind or a time. To list such files, use query "*", match "name", ${parts.join(', ')}.`
    : `To ask for a kind or a time exactly, use ${parts.join(' and ')}.`;
}

function quote(words: readonly string[], separator = ', '): string {
  return words.map(word => `"${word}"`).join(separator);
}
