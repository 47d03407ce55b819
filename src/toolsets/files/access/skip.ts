/** Why something below a folder is not searched. */
export type SkipReason = 'hidden' | 'generated';

/** What is left out of a walk by its name. */
export function skipReason(name: string): SkipReason | undefined {
  if (name.startsWith('.')) return 'hidden';
  return name === 'node_modules' || name.endsWith('.noindex') ? 'generated' : undefined;
}

/** What was left out, so that "nothing found" is never said of what nobody looked at. */
export interface Skipped {
  /** Hidden files and folders. */
  hidden: number;
  /** `node_modules` and `*.noindex`. */
  generated: number;
  /** They are never followed. */
  links: number;
  tooLarge: number;
  /** Placeholders in cloud folders: reading them would fetch them. */
  online: number;
  unreadable: number;
  /** Documents whose text cannot be read. */
  unparsed: number;
  /** Folders that were not listed, and files that were not read, when the time was up. */
  unvisited: number;
  unread: number;
}

export function noneSkipped(): Skipped {
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

export function addSkipped(...all: readonly Partial<Skipped>[]): Skipped {
  const sum = noneSkipped();
  let reason: keyof Skipped;
  for (reason in sum) for (const one of all) sum[reason] += one[reason] ?? 0;
  return sum;
}
