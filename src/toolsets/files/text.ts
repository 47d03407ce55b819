import * as v from 'valibot';
import { removeInvisibleCharacters } from '../../text/invisible.ts';
import type { StructuredResult } from '../../toolset/toolset.ts';
import type { FileAttributes } from './access/inspect.ts';
import type { SkippedFileCounts, SkippedFiles } from './access/skip.ts';
import { createSearchNotes } from './notes.ts';
import type { SearchResultPage } from './query/protocol.ts';
import { matchReasons, type PageRequest, type SearchResultRow, toSearchResultRow } from './query/results.ts';

const count = v.pipe(v.number(), v.integer());

/** The schema of the structured content of a search result. */
export const SearchResultSchema = v.strictObject({
  results: v.array(
    v.strictObject({
      _path: v.string(),
      excerpt: v.optional(
        v.pipe(
          v.strictObject({ page: v.optional(count), line: v.optional(count), text: v.string() }),
          v.description('The text around the first place of the phrase, with its page, or with its line in plain text'),
        ),
      ),
      kMDItemContentModificationDate: v.string(),
      kMDItemContentType: v.string(),
      kMDItemDisplayName: v.string(),
      kMDItemFSSize: count,
      matched: v.optional(
        v.pipe(v.picklist(matchReasons), v.description('Why a file that does not contain the phrase is a result')),
      ),
    }),
  ),
  truncated: v.pipe(v.boolean(), v.description('Whether there are more results: ask again with a larger offset')),
  offset: count,
  limit: count,
  engine: v.picklist(['scan', 'index', 'mdfind']),
  timedOut: v.optional(v.pipe(v.boolean(), v.description('The time ran out: there may be results that are missing'))),
  skipped: v.optional(
    v.pipe(
      v.strictObject({
        hidden: v.optional(count),
        generated: v.optional(count),
        links: v.optional(count),
        tooLarge: v.optional(count),
        online: v.optional(count),
        unreadable: v.optional(count),
        unparsed: v.optional(count),
        partly: v.optional(count),
        archives: v.optional(count),
        unvisited: v.optional(count),
        unread: v.optional(count),
      }),
      v.description(
        'What was not looked at: hidden entries, node_modules and *.noindex, links, texts over 50 MB, files kept online only, what may not be read, documents without readable text or with a part of it, archives; folders not listed and files not read when the time was up',
      ),
    ),
  ),
});

/** A result names archives only if a search for a text finds at most this number of files. */
const fewHits = 3;

export type SearchAnswer = StructuredResult<v.InferOutput<typeof SearchResultSchema>>;

/**
 * Creates the result of a search tool. The text is the list of files. The structured content and the notes also state
 * whether the search is complete.
 */
export function createSearchAnswer(
  page: SearchResultPage,
  { offset, limit }: PageRequest,
  timeoutMs: number,
  show: (path: string) => string,
): SearchAnswer {
  // Archives explain why a search for a text finds little. Otherwise they are left out, because their number is not useful.
  const isFew = page.explanation !== undefined && page.hitCount <= fewHits && !page.isTruncated;
  const archives = isFew ? page.skipped.archives : 0;
  const found = { ...page, skipped: { ...page.skipped, archives } };
  const invisible = new InvisibleCounter();
  const results = found.files.map(file => visibleRow(toSearchResultRow({ ...file, path: show(file.path) }), invisible));
  const skipped = countedOnly(found.skipped);
  return {
    text: JSON.stringify(results),
    structured: {
      results,
      truncated: found.isTruncated,
      offset,
      limit,
      engine: found.engine,
      ...(found.isTimedOut && { timedOut: true }),
      ...(Object.keys(skipped).length > 0 && { skipped }),
    },
    notes: [...notesOn(found, offset + results.length, timeoutMs, show), ...invisibleNotes(invisible)],
  };
}

/** Removes invisible characters from texts and counts them. */
class InvisibleCounter {
  count = 0;

  clean(text: string): string {
    const visible = removeInvisibleCharacters(text);
    if (visible !== text) this.count += Array.from(text).length - Array.from(visible).length;
    return visible;
  }
}

/**
 * Removes invisible characters from the texts of a result row. The path stays unchanged, because programs open the file
 * by it.
 */
function visibleRow(row: SearchResultRow, invisible: InvisibleCounter): SearchResultRow {
  const { excerpt, kMDItemDisplayName } = row;
  return {
    ...row,
    ...(excerpt && { excerpt: { ...excerpt, text: invisible.clean(excerpt.text) } }),
    kMDItemDisplayName: invisible.clean(kMDItemDisplayName),
  };
}

function invisibleNotes(invisible: InvisibleCounter): string[] {
  return invisible.count === 0
    ? []
    : [
        `${some(invisible.count, 'invisible character was', 'invisible characters were')} removed from excerpts and names.`,
      ];
}

function countedOnly(skipped: SkippedFiles): Partial<SkippedFileCounts> {
  return Object.fromEntries(Object.entries(skipped).filter(([, value]) => typeof value === 'number' && value > 0));
}

/** Returns notes that explain why a result is incomplete and name the next step. */
function notesOn(
  found: SearchResultPage,
  nextOffset: number,
  timeoutMs: number,
  show: (path: string) => string,
): string[] {
  const { skipped, explanation } = found;
  const notes = [
    ...(explanation === undefined ? [] : createSearchNotes(explanation, show)),
    found.isTruncated && `There are more results: ask again with offset ${nextOffset}.`,
    found.isFromBefore &&
      'This page belongs to the answer given before, which was not complete. Ask again without offset to search on.',
    found.hasNoWorkers && noWorkersNote(skipped),
    found.isTimedOut && !found.hasNoWorkers && !found.isFromBefore && timeNote(found, timeoutMs),
    found.isBeyondMemory &&
      'This folder has more files than are remembered: each search reads those beyond again. A narrower scope is faster.',
    found.engine === 'mdfind' &&
      found.files.length > 0 &&
      'Spotlight was asked: what it has not indexed was not looked at. The user can have everything read with --files-engine scan.',
    skipNote(skipped, show),
  ];
  return notes.filter(note => note !== false && note !== undefined);
}

function noWorkersNote({ unread }: SkippedFiles): string {
  return `Not complete: ${some(unread, 'file was', 'files were')} not read, because too many files are open or there is no memory for one more thread. Ask the same again in a moment; if it stays so, the user can raise the limit of open files (ulimit -n).`;
}

function timeNote(
  { skipped: { unvisited, unread }, indexed, proposesCache }: SearchResultPage,
  timeoutMs: number,
): string {
  const left = [
    unvisited > 0 && `${some(unvisited, 'known folder', 'known folders')} not listed`,
    unread > 0 && `${some(unread, 'file', 'files')} not read`,
  ].filter(part => part !== false);
  const rest = left.length === 0 ? '' : ` with ${left.join(' and ')} yet`;
  const coverage = indexed === undefined ? '' : ` ${indexed.percent} % of ${indexed.fileCount} files are indexed.`;
  const cache = proposesCache === true ? ` ${cacheProposal}` : '';
  return `Not complete: the time (${timeoutMs / 1000} s) was up${rest}.${coverage} Ask the same again to go on from there, or narrow the scope; the user can raise --files-timeout-ms.${cache}`;
}

const cacheProposal =
  'With --files-cache DIR the index is kept for the next start: paths, trigrams, words and the texts of documents are stored in that folder.';

/** The name of each group of skipped files, for one file and for several. */
const skipWords: readonly (readonly [keyof SkippedFileCounts, one: string, many: string])[] = [
  ['hidden', 'hidden entry', 'hidden entries'],
  [
    'generated',
    'entry that programs generate (node_modules, *.noindex)',
    'entries that programs generate (node_modules, *.noindex)',
  ],
  ['links', 'link', 'links'],
  ['tooLarge', 'file that is too large', 'files that are too large'],
  ['online', 'file that is kept online only', 'files that are kept online only'],
  [
    'unreadable',
    'entry without permission or with a name that is not UTF-8',
    'entries without permission or with a name that is not UTF-8',
  ],
];

function skipNote(skipped: SkippedFiles, show: (path: string) => string): string | undefined {
  const { unparsed, partly, archives, hidden, generated } = skipped;
  const parts = skipWords
    .filter(([reason]) => skipped[reason] > 0)
    .map(([reason, one, many]) => {
      const names = skipped.names[reason] === undefined ? '' : ` (${listNames(skipped, reason, show)})`;
      return some(skipped[reason], one, many) + names;
    });
  const documents = `${some(unparsed, 'document', 'documents')}${unparsedList(skipped, show)}`;
  const sentences = [
    parts.length > 0 && `Not searched: ${parts.join(', ')}.`,
    archives > 0 && `Not unpacked: ${some(archives, 'archive', 'archives')} (${listNames(skipped, 'archives', show)}).`,
    unparsed > 0 && `Text not readable: ${documents}. Causes: a scan, a password, damage, or a format without reader.`,
    partly > 0 &&
      `Text only partly readable: ${some(partly, 'PDF', 'PDFs')} (${listNames(skipped, 'partly', show)}), because a font does not state its characters.`,
    hidden + generated > 0 &&
      'A hidden or generated folder is searched when it is the scope; a hidden file elsewhere only if the user renames it.',
  ].filter(sentence => sentence !== false);
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

/** Returns the first names of the entries that were skipped for a reason. */
function listNames(skipped: SkippedFiles, reason: keyof SkippedFileCounts, show: (path: string) => string): string {
  const names = (skipped.names[reason] ?? []).map(show);
  return [...names, ...(skipped[reason] > names.length ? ['…'] : [])].join(', ');
}

const maxListedExtensions = 5;

/**
 * Returns the most frequent extensions and the first names of documents whose text could not be extracted, such as
 * ` (7 .pdf, 2 .pages: letter.pdf, plan.pages, scan.pdf, …)`.
 */
function unparsedList(skipped: SkippedFiles, show: (path: string) => string): string {
  const sorted = Object.entries(skipped.unparsedExtensions).sort(
    ([left, leftCount], [right, rightCount]) => rightCount - leftCount || (left < right ? -1 : 1),
  );
  const listed = sorted
    .slice(0, maxListedExtensions)
    .map(([extension, number]) => `${number} ${extension === '' ? 'without extension' : `.${extension}`}`);
  const others = sorted.length > maxListedExtensions ? ', …' : '';
  return listed.length === 0 ? '' : ` (${listed.join(', ')}${others}: ${listNames(skipped, 'unparsed', show)})`;
}

function some(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** The schema for the attributes of a file. The keys are sorted, so that equal attributes yield equal text. */
export const AttributesSchema = v.record(
  v.string(),
  v.union([v.string(), v.number(), v.array(v.unknown()), v.record(v.string(), v.unknown())]),
);

export function createAttributesAnswer(attributes: FileAttributes): StructuredResult<FileAttributes> {
  const invisible = new InvisibleCounter();
  const sorted = Object.fromEntries(
    Object.entries(attributes)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, value]) => [name, visibleAttributes.has(name) ? visibleValue(value, invisible) : value]),
  );
  return { text: JSON.stringify(sorted), structured: sorted, notes: invisibleNotes(invisible) };
}

/**
 * Invisible characters are removed only from these attributes, because people read them. The name and the path of the
 * file stay unchanged.
 */
const visibleAttributes: ReadonlySet<string> = new Set(
  ['DisplayName', 'Title', 'Album', 'Authors', 'Keywords'].map(name => `kMDItem${name}`),
);

function visibleValue(value: AttributeValue, invisible: InvisibleCounter): AttributeValue {
  if (typeof value === 'string') return invisible.clean(value);
  return Array.isArray(value) ? value.map((item: AttributeValue) => visibleValue(item, invisible)) : value;
}

type AttributeValue = FileAttributes[string];
