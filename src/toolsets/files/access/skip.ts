import path from 'node:path';
import { extensionOf } from '../../../documents/file-type.ts';

/** The reason why the name of a file or folder excludes it from searches. */
export type SkipReason = 'hidden' | 'generated';

/** Returns the reason why a file or folder with this name is skipped, or undefined if it is searched. */
export function skipReasonOfName(name: string): SkipReason | undefined {
  if (name.startsWith('.')) return 'hidden';
  return name === 'node_modules' || name.endsWith('.noindex') ? 'generated' : undefined;
}

/**
 * The numbers of files and folders that a search skipped. The search result contains them, so that a client does not
 * conclude that the skipped files have no match.
 */
export interface SkippedFileCounts {
  /** The number of hidden files and folders. */
  hidden: number;
  /** The number of entries named `node_modules` or `*.noindex`. */
  generated: number;
  /** The number of symbolic links, which are never followed. */
  links: number;
  tooLarge: number;
  /** The number of files whose contents are only in cloud storage. Reading them would download them. */
  online: number;
  unreadable: number;
  /** The number of documents whose text cannot be extracted. */
  unparsed: number;
  /** The number of documents of whose text many characters are missing. */
  partly: number;
  /** The number of archives that did not match by name. They are not unpacked. */
  archives: number;
  /** The number of folders that were not listed before the time limit. */
  unvisited: number;
  unread: number;
}

export interface SkippedFiles extends SkippedFileCounts {
  /** The number of documents in `unparsed`, by file extension. */
  unparsedExtensions: Record<string, number>;
  /** The names of the first skipped entries for some of the reasons, in alphabetical order. */
  names: Partial<Record<keyof SkippedFileCounts, readonly string[]>>;
}

const maxNames = 3;

function noCounts(): SkippedFileCounts {
  return {
    hidden: 0,
    generated: 0,
    links: 0,
    tooLarge: 0,
    online: 0,
    unreadable: 0,
    unparsed: 0,
    partly: 0,
    archives: 0,
    unvisited: 0,
    unread: 0,
  };
}

export function createSkippedFileCounts(): SkippedFiles {
  return { ...noCounts(), unparsedExtensions: {}, names: {} };
}

/** Counts a skipped file or folder. Notes name the first entries that are counted with a name. */
export function countSkipped(skipped: Partial<SkippedFiles>, reason: keyof SkippedFileCounts, name?: string): void {
  skipped[reason] = (skipped[reason] ?? 0) + 1;
  if (name === undefined) return;
  const before = skipped.names?.[reason] ?? [];
  const last = before[maxNames - 1];
  if (last === undefined || name < last) skipped.names = { ...skipped.names, [reason]: firstNames([...before, name]) };
}

export function countUnparsedFile(skipped: SkippedFiles, file: string): void {
  const name = path.basename(file);
  countSkipped(skipped, 'unparsed', name);
  addExtension(skipped.unparsedExtensions, extensionOf(name), 1);
}

function firstNames(names: readonly string[]): string[] {
  return [...new Set(names)].sort().slice(0, maxNames);
}

export function sumSkippedFiles(...all: readonly Partial<SkippedFiles>[]): SkippedFiles {
  const sum = createSkippedFileCounts();
  let reason: keyof SkippedFileCounts;
  for (reason in noCounts()) {
    const names: string[] = [];
    for (const one of all) {
      sum[reason] += one[reason] ?? 0;
      names.push(...(one.names?.[reason] ?? []));
    }
    if (names.length > 0) sum.names[reason] = firstNames(names);
  }
  for (const { unparsedExtensions = {} } of all)
    for (const [extension, count] of Object.entries(unparsedExtensions))
      addExtension(sum.unparsedExtensions, extension, count);
  return sum;
}

/**
 * Adds to the count of a file extension. Only own properties of the object are read, because an extension can have the
 * name of an inherited property such as `constructor`.
 */
function addExtension(counts: Record<string, number>, extension: string, count: number): void {
  counts[extension] = (Object.hasOwn(counts, extension) ? (counts[extension] ?? 0) : 0) + count;
}
