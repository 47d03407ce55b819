import { extensionOf } from '../../../documents/file-type.ts';

/** The reason why an entry is not searched. */
export type SkipReason = 'hidden' | 'generated';

/** Returns why an entry is skipped because of its name. */
export function skipReason(name: string): SkipReason | undefined {
  if (name.startsWith('.')) return 'hidden';
  return name === 'node_modules' || name.endsWith('.noindex') ? 'generated' : undefined;
}

/** The number of entries that a search left out, so that an empty answer does not claim that they were searched. */
export interface SkipCounts {
  /** Hidden files and folders. */
  hidden: number;
  /** `node_modules` and `*.noindex`. */
  generated: number;
  /** Symbolic links, which are never followed. */
  links: number;
  tooLarge: number;
  /** Placeholders of cloud folders: reading them would download them. */
  online: number;
  unreadable: number;
  /** Documents whose text cannot be read. */
  unparsed: number;
  /** Folders that were not listed and files that were not read at the time limit. */
  unvisited: number;
  unread: number;
}

export interface Skipped extends SkipCounts {
  /** The documents in `unparsed` by the extension of their names. */
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

export function noneSkipped(): Skipped {
  return { ...noCounts(), unparsedExtensions: {} };
}

export function countUnparsed(skipped: Skipped, name: string): void {
  skipped.unparsed++;
  addExtension(skipped.unparsedExtensions, extensionOf(name), 1);
}

export function addSkipped(...all: readonly Partial<Skipped>[]): Skipped {
  const sum = noneSkipped();
  let reason: keyof SkipCounts;
  for (reason in noCounts()) for (const one of all) sum[reason] += one[reason] ?? 0;
  for (const { unparsedExtensions = {} } of all)
    for (const [extension, count] of Object.entries(unparsedExtensions))
      addExtension(sum.unparsedExtensions, extension, count);
  return sum;
}

/** Files can have any extension, such as `constructor`. */
function addExtension(counts: Record<string, number>, extension: string, count: number): void {
  counts[extension] = (Object.hasOwn(counts, extension) ? (counts[extension] ?? 0) : 0) + count;
}
