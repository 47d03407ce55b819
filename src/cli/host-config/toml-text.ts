import { isObject } from './config-editor.ts';

/** Returns a TOML table with one line for each key. */
export function formatTomlTable(path: readonly string[], value: object): string[] {
  return [
    `[${formatTomlKey(path)}]`,
    ...Object.entries(value).map(([name, member]) => `${formatTomlKey([name])} = ${formatTomlValue(member)}`),
  ];
}

export function formatTomlKey(path: readonly string[]): string {
  return path.map(name => (/^[\w-]+$/.test(name) ? name : stringText(name))).join('.');
}

export function formatTomlValue(value: unknown): string {
  if (typeof value === 'string') return stringText(value);
  if (Array.isArray(value)) return `[${value.map(formatTomlValue).join(', ')}]`;
  if (value instanceof Date) return value.toISOString();
  if (!isObject(value)) return String(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${formatTomlKey([name])} = ${formatTomlValue(member)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** A JSON string is a basic string of TOML, except that TOML also requires an escape for DEL. */
function stringText(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', String.raw`\u007f`);
}
