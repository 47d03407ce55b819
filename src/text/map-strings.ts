/**
 * Replaces each string in a value, including the keys of objects. A number becomes a string if its digits are replaced.
 * Returns the same object if nothing changes.
 */
export function mapStrings(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value);
  if (typeof value === 'number') return withDigitsReplaced(value, replace);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => mapStrings(item, replace));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const entries = Object.entries(value).map(([key, part]: [string, unknown]) => [key, part] as const);
  const replaced = entries.map(([key, part]) => [replace(key), mapStrings(part, replace)] as const);
  const isSame = replaced.every(([key, part], index) => key === entries[index]?.[0] && part === entries[index][1]);
  return isSame ? value : Object.fromEntries(replaced);
}

function withDigitsReplaced(value: number, replace: (text: string) => string): number | string {
  const digits = String(value);
  const replaced = replace(digits);
  return replaced === digits ? value : replaced;
}
