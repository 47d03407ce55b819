// Statistics of measurements.

/** Returns the quantile `share` (0 to 1) of the values, or undefined if there are none. */
export function quantile(values, share) {
  const sorted = values.filter(value => value !== undefined).sort((a, b) => a - b);
  if (sorted.length === 0) return undefined;
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)];
  return below + (sorted[Math.ceil(position)] - below) * (position - Math.floor(position));
}

/** Rotates the order of the items in each round, so that no server always runs after the same other server. */
export function rotated(items, round) {
  const shift = round % items.length;
  return [...items.slice(shift), ...items.slice(0, shift)];
}
