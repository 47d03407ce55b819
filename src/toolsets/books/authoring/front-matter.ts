import { parseJavaScriptLiteral } from './literal.ts';

/**
 * The scalar values in the YAML front matter of a page. Nested values are ignored, because the import uses no nested
 * setting.
 */
export type FrontMatter = Readonly<Record<string, string | number | boolean>>;

const block = /^\ufeff?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;
const maxBlockCharacters = 64 * 1024;

export function parseFrontMatter(markdown: string): FrontMatter {
  const [, text = ''] = block.exec(markdown.slice(0, maxBlockCharacters)) ?? [];
  return parseYamlScalars(text);
}

/**
 * Parses the scalar values of YAML keys that are not indented. The values can be plain, quoted or several lines long.
 */
export function parseYamlScalars(yaml: string): FrontMatter {
  const values: Record<string, string | number | boolean> = {};
  let key: string | undefined;
  let lines: string[] = [];
  const finish = (): void => {
    const value = key === undefined ? undefined : valueOf(lines);
    if (key !== undefined && value !== undefined) values[key] = value;
  };
  for (const line of yaml.split(/\r?\n/)) {
    if (/^(?:[ \t]|$)/.test(line)) {
      lines.push(line);
      continue;
    }
    finish();
    const [, name, first = ''] = /^([A-Za-z_][\w-]*):(?:[ \t]+(.*))?$/.exec(line) ?? [];
    key = name;
    lines = [first];
  }
  finish();
  return values;
}

/**
 * Parses the lines of one YAML value. The first line is the text after the key. Returns undefined for a list, a map and
 * a missing value.
 */
function valueOf([first = '', ...rest]: readonly string[]): string | number | boolean | undefined {
  if (/^[|>][-+\d]*[ \t]*(?:#.*)?$/.test(first)) return blockText(rest, first.startsWith('|') ? '\n' : ' ');
  const lines = [first, ...rest].map(line => line.trim()).filter(line => line !== '' && !line.startsWith('#'));
  const [start] = lines;
  if (start === undefined) return undefined;
  // A nested list or map is not a scalar value. It starts on the line after its key.
  if (first.trim() === '' && /^(?:- |[^'"]*:(?: |$))/.test(`${start} `)) return undefined;
  return scalarOf(lines.join(' '));
}

/** Returns the text of a YAML block scalar. Its line breaks are kept, or joined into paragraphs. */
function blockText(lines: readonly string[], separator: '\n' | ' '): string {
  const indentOf = (line: string): number => line.length - line.trimStart().length;
  const indent = Math.min(...lines.filter(line => line.trim() !== '').map(indentOf));
  const paragraphs = lines.map(line => line.slice(indent));
  if (separator === '\n') return paragraphs.join('\n').trimEnd();
  return paragraphs
    .map(line => (line === '' ? '\n' : `${line} `))
    .join('')
    .replaceAll(' \n', '\n')
    .trimEnd();
}

function scalarOf(raw: string): string | number | boolean {
  const [, single] = /^'((?:[^']|'')*)'[ \t]*(?:#.*)?$/.exec(raw) ?? [];
  if (single !== undefined) return single.replaceAll("''", "'");
  const [, double] = /^("(?:[^"\\]|\\.)*")[ \t]*(?:#.*)?$/.exec(raw) ?? [];
  if (double !== undefined) {
    const value = parseJavaScriptLiteral(double);
    return typeof value === 'string' ? value : raw;
  }
  const text = raw.replace(/[ \t]#.*$/, '').trimEnd();
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

/** Returns the title of a page from its front matter or, if there is none, from its first heading. */
export function titleOfPage(markdown: string): string | undefined {
  const { sidebar_label: label, title } = parseFrontMatter(markdown);
  const named = label ?? title;
  if (named !== undefined) return String(named);
  const body = markdown.replace(block, '');
  const [, heading] = /^#[ \t]+(.+?)[ \t]*#*[ \t]*$/m.exec(body.slice(0, maxBlockCharacters)) ?? [];
  return heading;
}

/**
 * Returns the first heading of any level. It is the title of a page that only the table of contents of the folder
 * names.
 */
export function firstHeadingOf(markdown: string): string | undefined {
  return /^#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$/m.exec(markdown.slice(0, maxBlockCharacters))?.[1];
}
