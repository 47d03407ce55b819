import { NotEditableError } from './edit-json.ts';

const opening = '# oj-mcp begin: written by --install, removed by --uninstall';
const closing = '# oj-mcp end';
/** This note means that the file had no final line break, so that an uninstallation restores this. */
const unended = ' (the file had no final line break)';

/** Appends a marked block, or replaces the marked block of an earlier installation. */
export function setBlock(source: string, table: string, block: string): string {
  const rest = removeBlock(source, table);
  requireFree(rest, table.split('.'));
  const eol = rest.includes('\r\n') ? '\r\n' : '\n';
  const isEnded = rest === '' || rest.endsWith('\n');
  const first = isEnded ? opening : `${eol}${opening}${unended}`;
  return rest + [first, ...block.split('\n'), closing, ''].join(eol);
}

/**
 * Removes the marked block. All other bytes stay unchanged. A program that appends a table before the final comment of
 * the file writes into the block, so tables of other names stay.
 */
export function removeBlock(source: string, table: string): string {
  const from = source.indexOf(opening);
  if (from === -1) return source;
  const end = source.indexOf(closing, from);
  if (end === -1) throw new NotEditableError(`the file has "${opening}" without "${closing}"`);
  const newline = source.indexOf('\n', end);
  const before = source.slice(0, from);
  const block = source.slice(from, end);
  const foreign = block.search(otherTable(table));
  const after = (foreign === -1 ? '' : block.slice(foreign)) + (newline === -1 ? '' : source.slice(newline + 1));
  const isEnded = after !== '' || !source.startsWith(unended, from + opening.length);
  return (isEnded ? before : before.replace(/\r?\n$/, '')) + after;
}

/** Matches a header of a table that is neither this table nor in it. */
function otherTable(table: string): RegExp {
  return new RegExp(String.raw`^[ \t]*\[(?!${table.replaceAll('.', String.raw`\.`)}[\].])`, 'm');
}

export function hasBlock(source: string): boolean {
  return source.includes(opening);
}

const token =
  /[ \t\r]+|\n|#.*|"""(?:[^\\]|\\[^])*?"{3,5}|'''[^]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[[\]{}=.,]|[^\s#"'[\]{}=.,]+/y;

/** Rejects a text that is not TOML, or that defines the table in any notation: a second definition would break the file. */
function requireFree(source: string, table: readonly string[]): void {
  for (const { path, isKey } of definitionsIn(source)) {
    const isTable = table.every((name, index) => path[index] === name);
    const isParent = isKey && path.every((name, index) => table[index] === name);
    if (isTable || isParent) {
      throw new NotEditableError(`the file has ${path.join('.')}, which --install has not written: remove it first`);
    }
  }
}

/** Yields the tables and keys of a TOML text, and skips the values. */
function* definitionsIn(source: string): Generator<{ path: string[]; isKey: boolean }> {
  let header: string[] = [];
  let path: string[] = [];
  let state: 'key' | 'header' | 'value' = 'key';
  let depth = 0;
  for (const { word, line } of tokensOf(source)) {
    if (state === 'value') {
      depth += nesting[word] ?? 0;
      if (isEnd(word) && depth <= 0) [state, path, depth] = ['key', [], 0];
      else if (word === '') throw invalid(line);
    } else if (isEnd(word)) requireNoRest(path, state, line);
    else if (state === 'key' && word === '=') {
      yield { path: [...header, ...path], isKey: true };
      state = 'value';
    } else if (state === 'header' && word === ']') {
      header = path;
      yield { path, isKey: false };
      state = 'value';
    } else if (word === '[' && path.length === 0) state = 'header';
    else if (word !== '.') path = [...path, word.replace(/^(["'])(.*)\1$/, '$2')];
  }
}

/** Rejects a line that ends in a key or in a header. */
function requireNoRest(path: readonly string[], state: string, line: number): void {
  if (path.length > 0 || state === 'header') throw invalid(line);
}

const nesting: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };

function isEnd(word: string): boolean {
  return word === '\n' || word === '';
}

/** Yields the tokens of a TOML text without white space and comments. An empty token marks the end of the text. */
function* tokensOf(source: string): Generator<{ word: string; line: number }> {
  let line = 1;
  for (token.lastIndex = 0; token.lastIndex < source.length; ) {
    const at = token.lastIndex;
    const word = token.exec(source)?.[0];
    if (word === undefined) throw invalid(line);
    token.lastIndex = at + word.length;
    if (!/^[ \t\r#]/.test(word)) yield { word, line };
    line += word.split('\n').length - 1;
  }
  yield { word: '', line };
}

function invalid(line: number): NotEditableError {
  return new NotEditableError(`the file is not valid TOML: see line ${line}`);
}
