/** Returns the index of the first offset in a sorted array that is not less than `from`. */
export function findFirstIndexAtOrAfter(places: readonly number[], from: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns whether one of the sorted offsets is in a range. */
export function hasOffsetInRange(places: readonly number[], from: number, to: number): boolean {
  return (places[findFirstIndexAtOrAfter(places, from)] ?? Infinity) < to;
}
