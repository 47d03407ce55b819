import { diff3Merge } from 'node-diff3';

export interface MergeResult {
  /** The merged text. It contains conflict markers where both authors changed the same lines. */
  content: string;
  conflicts: number;
}

/** Limits the pairs of equal lines in texts that are merged, because the comparison takes time for each pair. */
const maxEqualPairs = 2_000_000;

interface Region {
  ok?: string[];
  conflict?: { a: string[]; b: string[] };
}

/**
 * Merges two texts that were made from the same text, line by line like `git merge-file`. Returns undefined for texts
 * with too many repeated lines. A line end is part of its line, so that every byte is kept.
 */
export function mergeTexts(
  mine: string,
  base: string,
  theirs: string,
  maxPairs = maxEqualPairs,
): MergeResult | undefined {
  const [ours, origin, others] = [linesOf(mine), linesOf(base), linesOf(theirs)];
  if (equalPairs(ours, origin) + equalPairs(others, origin) > maxPairs) return undefined;
  const parts: string[] = [];
  let conflicts = 0;
  const regions: Region[] = diff3Merge(ours, origin, others, { excludeFalseConflicts: true });
  for (const { ok, conflict } of regions) {
    if (ok !== undefined) parts.push(...ok);
    if (conflict === undefined) continue;
    conflicts++;
    parts.push(...marked(conflict.a, conflict.b));
  }
  return { content: parts.join(''), conflicts };
}

function equalPairs(one: readonly string[], other: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const line of one) counts.set(line, (counts.get(line) ?? 0) + 1);
  return other.reduce((sum, line) => sum + (counts.get(line) ?? 0), 0);
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function marked(mine: readonly string[], theirs: readonly string[]): string[] {
  return ['<<<<<<< yours\n', ...ended(mine), '=======\n', ...ended(theirs), '>>>>>>> library\n'];
}

/** Adds a missing line end, because a conflict marker must be on its own line. */
function ended(lines: readonly string[]): string[] {
  return lines.map(line => (line.endsWith('\n') ? line : `${line}\n`));
}
