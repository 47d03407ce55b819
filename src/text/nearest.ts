/**
 * Returns the candidate with the smallest edit distance from a mistyped name, if the distance is small enough for a
 * suggestion.
 */
export function findNearestName(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.slice(0, 64).toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Returns the number of insertions, deletions, substitutions and transpositions (Damerau-Levenshtein distance). */
function editDistance(left: string, right: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwap = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const costs = [
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        isSwap ? (beforePrevious[column - 2] ?? 0) + 1 : Infinity,
      ];
      current.push(Math.min(...costs));
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[right.length] ?? 0;
}
