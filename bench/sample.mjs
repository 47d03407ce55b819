// Figures out of many measurements.

/** A quantile between 0 and 1 of what was measured; undefined when nothing was. */
export function quantile(values, share) {
  const sorted = values.filter(value => value !== undefined).sort((a, b) => a - b);
  if (sorted.length === 0) return undefined;
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)];
  return below + (sorted[Math.ceil(position)] - below) * (position - Math.floor(position));
}

/** The candidates in another order each round, so that none always runs behind the same one. */
export function rotated(items, round) {
  const shift = round % items.length;
  return [...items.slice(shift), ...items.slice(0, shift)];
}
