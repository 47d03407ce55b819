import { extensionOf } from '../../../documents/file-type.ts';

/** The reason why an entry is not searched. */
export type SkipReason = 'hidden' | 'generated';

/** Returns the reason why an entry is skipped because of its name. */
export function skipReasonOf(name: string): SkipReason | undefined {
  if (name.startsWith('.')) return 'hidden';
  return name === 'node_modules' || name.endsWith('.noindex') ? 'generated' : undefined;
}

/**
 * The numbers of entries that a search left out. They prevent that an empty result claims that these entries were
 * searched.
 */
export interface SkipCounts {
  /** The number of hidden files and folders. */
  hidden: number;
  /** The number of entries named `node_modules` or `*.noindex`. */
  generated: number;
  /** The number of symbolic links, which are never followed. */
  links: number;
  tooLarge: number;
  /** The number of placeholder files in cloud folders. Reading them would download them. */
  online: number;
  unreadable: number;
  /** The number of documents whose text cannot be extracted. */
  unparsed: number;
  /** The numbers of folders that were not listed and files that were not read before the time limit. */
  unvisited: number;
  unread: number;
}

export interface SkippedFiles extends SkipCounts {
  /** The documents in `unparsed`, counted by the extension of their names. */
  unparsedExtensions: Record<string, number>;
}

function noCounts(): SkipCounts {
  return {
    hidden: 0,
    generated: 0,
    links: 0,
    tooLarge: 0,
    online: 0,
    unreadable: 0,
    unparsed: 0,
    unvisited: 0,
    unread: 0,
  };
}

export function createSkipCounts(): SkippedFiles {
  return { ...noCounts(), unparsedExtensions: {} };
}

export function countUnparsedFile(skipped: SkippedFiles, name: string): void {
  skipped.unparsed++;
  addExtension(skipped.unparsedExtensions, extensionOf(name), 1);
}

export function sumSkippedFiles(...all: readonly Partial<SkippedFiles>[]): SkippedFiles {
  const sum = createSkipCounts();
  let reason: keyof SkipCounts;
  for (reason in noCounts()) for (const one of all) sum[reason] += one[reason] ?? 0;
  for (const { unparsedExtensions = {} } of all)
    for (const [extension, count] of Object.entries(unparsedExtensions))
      addExtension(sum.unparsedExtensions, extension, count);
  return sum;
}

/** Adds to the count of an extension. A file can have any extension, such as `constructor`. */
function addExtension(counts: Record<string, number>, extension: string, count: number): void {
  counts[extension] = (Object.hasOwn(counts, extension) ? (counts[extension] ?? 0) : 0) + count;
}
