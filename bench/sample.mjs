// Statistics of measurements.

/** Returns a quantile between 0 and 1, or undefined without values. */
export function quantile(values, share) {
  const sorted = values.filter(value => value !== undefined).sort((a, b) => a - b);
  if (sorted.length === 0) return undefined;
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)];
  return below + (sorted[Math.ceil(position)] - below) * (position - Math.floor(position));
}

/** Rotates the order in each round, so that no candidate always runs after the same one. */
export function rotated(items, round) {
  const shift = round % items.length;
  return [...items.slice(shift), ...items.slice(0, shift)];
}
