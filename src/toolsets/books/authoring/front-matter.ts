import { parseLiteral } from './literal.ts';

/** The scalar values in a YAML front matter block. Nested values are omitted, because no used setting has them. */
export type FrontMatter = Readonly<Record<string, string | number | boolean>>;

const block = /^\ufeff?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;
const maxBlockCharacters = 64 * 1024;

export function readFrontMatter(markdown: string): FrontMatter {
  const [, text = ''] = block.exec(markdown.slice(0, maxBlockCharacters)) ?? [];
  return readScalars(text);
}

/** Parses `key: value` lines without indentation, as in `_category_.yml` and front matter. */
export function readScalars(yaml: string): FrontMatter {
  const values: Record<string, string | number | boolean> = {};
  for (const line of yaml.split(/\r?\n/)) {
    const [, key, raw = ''] = /^([A-Za-z_][\w-]*):[ \t]+(\S.*)$/.exec(line) ?? [];
    if (key !== undefined) values[key] = scalarOf(raw.trim());
  }
  return values;
}

function scalarOf(raw: string): string | number | boolean {
  if (/^(['"]).*\1$/.test(raw)) {
    const value = parseLiteral(raw);
    return typeof value === 'string' ? value : raw;
  }
  const text = raw.replace(/\s+#.*$/, '');
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

/** Returns the title of a page: the title in its front matter, or else its first heading. */
export function titleOf(markdown: string): string | undefined {
  const { sidebar_label: label, title } = readFrontMatter(markdown);
  const named = label ?? title;
  if (named !== undefined) return String(named);
  const body = markdown.replace(block, '');
  const [, heading] = /^#[ \t]+(.+?)[ \t]*#*[ \t]*$/m.exec(body.slice(0, maxBlockCharacters)) ?? [];
  return heading;
}
