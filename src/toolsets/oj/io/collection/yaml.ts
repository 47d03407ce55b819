/** Problem packages use only this subset of YAML: strings, lists of strings and one level of maps. */
export type YamlValue = string | readonly string[] | Readonly<Record<string, string>>;

const entryPattern = /^([\w.-]+)[ \t]*:(?:[ \t]+(.*))?$/;

/** Parses the top-level fields of a `problem.yaml`. Unsupported lines are ignored. */
export function readProblemYaml(text: string): Map<string, YamlValue> {
  const fields = new Map<string, YamlValue>();
  const lines = text.split(/\r?\n/);
  for (let at = 0; at < lines.length; ) {
    const [, key, value = ''] = entryPattern.exec(lines[at] ?? '') ?? [];
    at++;
    if (key === undefined) continue;
    const start = at;
    while (at < lines.length && /^(?:[ \t]|-[ \t]|-$|$)/.test(lines[at] ?? '')) at++;
    fields.set(key, readValue(withoutComment(value), lines.slice(start, at)));
  }
  return fields;
}

function readValue(value: string, block: readonly string[]): YamlValue {
  if (/^[|>]/.test(value))
    return block
      .map(line => line.trim())
      .join(value.startsWith('|') ? '\n' : ' ')
      .trim();
  if (/^\[.*\]$/.test(value))
    return value
      .slice(1, -1)
      .split(',')
      .map(scalar)
      .filter(item => item !== '');
  if (value !== '') return scalar(value);
  const items = block.map(line => /^[ \t]*-[ \t]+(.*)$/.exec(line)?.[1]).filter(item => item !== undefined);
  if (items.length > 0) return items.map(item => scalar(withoutComment(item)));
  const pairs = block.map(line => entryPattern.exec(line.trim())).filter(match => match !== null);
  return Object.fromEntries(pairs.map(([, key = '', item = '']) => [key, scalar(withoutComment(item))]));
}

function withoutComment(value: string): string {
  return /^["']/.test(value) ? value : value.replace(/(?:^|[ \t])#.*$/, '').trimEnd();
}

function scalar(text: string): string {
  const value = text.trim();
  const [, single] = /^'((?:[^']|'')*)'/.exec(value) ?? [];
  if (single !== undefined) return single.replaceAll("''", "'");
  const [, double] = /^"((?:[^"\\]|\\.)*)"/.exec(value) ?? [];
  return double === undefined
    ? value
    : double.replace(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped));
}
