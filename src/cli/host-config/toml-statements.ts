import { parse } from 'smol-toml';
import type { TextRange } from './config-editor.ts';

/** A table header or a key of a TOML text, with its complete lines. */
export interface TomlStatement extends TextRange {
  kind: 'table' | 'array' | 'key';
  /** The path from the root of the file, as names. */
  path: readonly string[];
  /** The path of the table above a key. */
  header: readonly string[];
  value: TextRange;
}

export interface TomlScan {
  statements: TomlStatement[];
  comments: TextRange[];
  /** The literals in the values: strings, numbers and dates. */
  literals: (TextRange & { path: readonly string[] })[];
}

const token =
  /[ \t\r]+|\n|#[^\n]*|"""(?:[^\\]|\\[^])*?"{3,5}|'''[^]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[[\]{}=.,]|[^\s#"'[\]{}=.,]+/y;
const nesting: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };

interface Token extends TextRange {
  word: string;
}

/**
 * Finds the table headers and keys of a valid TOML text with their offsets, because the parser smol-toml does not
 * return offsets.
 */
export function scanToml(source: string): TomlScan {
  const scan: TomlScan = { statements: [], comments: [], literals: [] };
  let header: readonly string[] = [];
  let tokens: Token[] = [];
  let equals = -1;
  let depth = 0;
  for (const part of [...tokensOf(source), { word: '\n', from: source.length, to: source.length }]) {
    if (part.word.startsWith('#')) scan.comments.push(part);
    else if (part.word !== '\n') {
      if (part.word === '=' && equals === -1) equals = tokens.length;
      // Brackets are counted only after an equals sign, because only a value can continue on the next line, and not a
      // table header.
      if (equals !== -1) depth += nesting[part.word] ?? 0;
      tokens.push(part);
    } else if (depth === 0) {
      header = addStatement(scan, source, { tokens, equals }, header);
      [tokens, equals] = [[], -1];
    }
  }
  return scan;
}

/** Adds the statement that consists of these tokens. Returns the table to which the next keys belong. */
function addStatement(
  scan: TomlScan,
  source: string,
  { tokens, equals }: { tokens: readonly Token[]; equals: number },
  header: readonly string[],
): readonly string[] {
  const [first, last] = [tokens[0], tokens.at(-1)];
  if (first === undefined || last === undefined) return header;
  const isHeader = equals === -1;
  const names = tokens.slice(0, isHeader ? tokens.length : equals).filter(({ word }) => !/^[[\].]$/.test(word));
  const path = [...(isHeader ? [] : header), ...names.map(({ word }) => nameOf(word))];
  const newline = source.indexOf('\n', last.to);
  scan.statements.push({
    kind: isHeader ? (tokens[1]?.word === '[' ? 'array' : 'table') : 'key',
    path,
    header,
    from: source.lastIndexOf('\n', first.from) + 1,
    to: newline === -1 ? source.length : newline + 1,
    value: { from: tokens[equals + 1]?.from ?? last.to, to: last.to },
  });
  if (isHeader) return path;
  addLiterals(scan, tokens.slice(equals + 1), path);
  return header;
}

/** Adds the literals of a value. The path of a literal in an inline table ends with its key. */
function addLiterals(scan: TomlScan, value: readonly Token[], path: readonly string[]): void {
  let inner = path;
  for (const [index, { word, from, to }] of value.entries()) {
    if (value[index + 1]?.word === '=') inner = [...path, nameOf(word)];
    else if (!/^(?:[[\]{}=,]|true|false)$/.test(word)) scan.literals.push({ from, to, path: inner });
  }
}

function nameOf(word: string): string {
  if (!/^["']/.test(word)) return word;
  return word.includes('\\') ? (Object.keys(parse(`${word} = 1`))[0] ?? '') : word.slice(1, -1);
}

/** Yields the tokens of a TOML text without white space. */
function* tokensOf(source: string): Generator<Token> {
  for (token.lastIndex = 0; token.lastIndex < source.length; ) {
    const from = token.lastIndex;
    const word = token.exec(source)?.[0] ?? source.slice(from);
    const to = from + word.length;
    token.lastIndex = to;
    if (!/^[ \t\r]/.test(word)) yield { word, from, to };
  }
}
