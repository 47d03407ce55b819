import { isDeepStrictEqual } from 'node:util';
import { parse, TomlError } from 'smol-toml';
import {
  applyConfigEdits,
  type ConfigEdit,
  type ConfigEditor,
  isObject,
  lineBreakOf,
  lineNumberAt,
  NotEditableError,
  type TextRange,
} from './config-editor.ts';
import { scanToml, type TomlStatement } from './toml-statements.ts';
import { formatTomlKey, formatTomlTable, formatTomlValue } from './toml-text.ts';

const opening = '# oj-mcp begin: written by --install, removed by --uninstall';
const closing = '# oj-mcp end';
/**
 * This comment is written into a file that had no line break at its end, so that --uninstall can restore the original
 * bytes.
 */
const unended = ' (the file had no final line break)';

export const tomlConfigEditor: ConfigEditor = {
  parse: parseToml,
  read: (source, path) =>
    path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), parseToml(source)),
  set(source, path, value) {
    const present = tomlConfigEditor.read(source, path);
    return present === undefined ? appendTable(source, path, value) : setMembers(source, path, present, value);
  },
  remove: removeTable,
  hiddenRanges(source, isShown) {
    parseToml(source);
    const { comments, literals } = scanToml(source);
    return [
      ...comments.filter(comment => !isMarker(source, comment)).map(({ from, to }) => ({ from: from + 1, to })),
      ...literals.filter(({ path }) => !isShown(path)),
    ];
  },
};

function parseToml(source: string): unknown {
  try {
    return plain(parse(source, { integersAsBigInt: 'asNeeded', maxDepth: 500 }));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '') ?? '';
    throw new NotEditableError(`the file is not valid TOML: see line ${error.line} (${reason})`);
  }
}

/**
 * Converts the tables that the parser returns, which have no prototype, to ordinary objects, so that they can be
 * compared.
 */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
}

/** Appends the TOML table between two marker comments. */
function appendTable(source: string, path: readonly string[], value: object): string {
  const eol = lineBreakOf(source);
  const isEnded = source === '' || source.endsWith('\n');
  const first = isEnded ? opening : `${eol}${opening}${unended}`;
  const edited = source + [first, ...formatTomlTable(path, value), closing, ''].join(eol);
  if (isReadable(edited, path)) return edited;
  const line = lineNumberAt(
    source,
    scanToml(source).statements.find(({ path: [name] }) => name === path[0])?.from ?? 0,
  );
  throw new NotEditableError(
    `line ${line} defines ${path[0]} in a notation that cannot be extended: write each server as a table [${path[0]}.NAME]`,
  );
}

function isReadable(source: string, path: readonly string[]): boolean {
  try {
    return tomlConfigEditor.read(source, path) !== undefined;
  } catch (error) {
    if (!(error instanceof NotEditableError)) throw error;
    return false;
  }
}

function setMembers(source: string, path: readonly string[], present: unknown, value: object): string {
  requireTable(source, path);
  return changeMembers(source, path, isObject(present) ? present : {}, value);
}

/** Removes the members that `value` does not contain, and sets those that differ. */
function changeMembers(
  source: string,
  path: readonly string[],
  present: Readonly<Record<string, unknown>>,
  value: object,
): string {
  let edited = source;
  for (const name of Object.keys(present))
    if (!(name in value)) edited = applyConfigEdits(edited, removalOf(edited, [...path, name]));
  for (const [name, member] of Object.entries(value)) {
    if (!isDeepStrictEqual(present[name], member)) edited = setMember(edited, [...path, name], present[name], member);
  }
  return edited;
}

/**
 * Sets a key. A table that no header defines, such as [mcp_servers.oj.env], has no place of its own, so that its
 * members are set one by one.
 */
function setMember(source: string, path: readonly string[], present: unknown, value: unknown): string {
  const { statements } = scanToml(source);
  const key = statements.find(statement => statement.kind === 'key' && isDeepStrictEqual(statement.path, path));
  if (key !== undefined) return applyConfigEdits(source, [{ ...key.value, text: formatTomlValue(value) }]);
  if (isObject(present) && isObject(value)) return changeMembers(source, path, present, value);
  return insertKey(source, statements, path, value);
}

/** Inserts a key after the last key of its table. */
function insertKey(
  source: string,
  statements: readonly TomlStatement[],
  path: readonly string[],
  value: unknown,
): string {
  const table = path.slice(0, -1);
  const isIn = ({ kind, header }: TomlStatement): boolean => kind === 'key' && isDeepStrictEqual(header, table);
  const before =
    statements.findLast(isIn) ??
    statements.find(statement => statement.kind === 'table' && isDeepStrictEqual(statement.path, table)) ??
    statements.findLast(statement => isBelow(statement.path, table));
  if (before === undefined) return source;
  const header = before.kind === 'key' ? before.header : before.path;
  const indent = /^[ \t]*/.exec(source.slice(before.from))?.[0] ?? '';
  const line = `${indent}${formatTomlKey(path.slice(header.length))} = ${formatTomlValue(value)}`;
  const isEnded = source[before.to - 1] === '\n';
  const text = isEnded ? line + lineBreakOf(source) : lineBreakOf(source) + line;
  return applyConfigEdits(source, [{ from: before.to, to: before.to, text }]);
}

/** Throws an error for a server entry without a table header of its own, because its keys can be in several tables. */
function requireTable(source: string, path: readonly string[]): void {
  const { statements } = scanToml(source);
  const own = statements.filter(statement => isBelow(statement.path, path));
  const isPlain = own.some(({ kind, path: name }) => kind === 'table' && name.length === path.length);
  const odd = own.find(({ kind, header }) => kind === 'array' || (kind === 'key' && !isBelow(header, path)));
  if (isPlain && odd === undefined) return;
  const parent = statements.find(({ path: [name] }) => name === path[0]);
  const line = lineNumberAt(source, (odd ?? own[0] ?? parent)?.from ?? 0);
  throw new NotEditableError(
    `line ${line} defines ${formatTomlKey(path)} without a table of its own: write it as the table [${formatTomlKey(path)}]`,
  );
}

/**
 * Removes the TOML table of this server with its sub-tables and comments. Another program may have inserted its own
 * table between our marker comments, so that only the statements of this table are removed.
 */
function removeTable(source: string, path: readonly string[]): string {
  if (tomlConfigEditor.read(source, path) === undefined) return source;
  const edits = removalOf(source, path);
  if (edits.length === 0)
    throw new NotEditableError(`${formatTomlKey(path)} is part of an inline table: remove it by hand`);
  const markers = scanToml(source).comments.filter(comment => isMarker(source, comment));
  for (const { from, to } of markers) {
    const isInside = edits.some(edit => edit.from <= from && to <= edit.to);
    const end = source[to] === '\n' ? to + 1 : to;
    if (!isInside) edits.push({ from: source.lastIndexOf('\n', from) + 1, to: end, text: '' });
  }
  const rest = applyConfigEdits(source, edits);
  const hadNoEnd = markers.some(({ from }) => source.startsWith(opening + unended, from));
  const isLast = Math.max(...edits.map(({ to }) => to)) === source.length;
  return hadNoEnd && isLast ? rest.replace(/\r?\n$/, '') : rest;
}

/** Returns the edits that remove a key, or a table with its keys and sub-tables. */
function removalOf(source: string, path: readonly string[]): ConfigEdit[] {
  const { statements } = scanToml(source);
  const isOwn = (statement?: TomlStatement): boolean => statement !== undefined && isBelow(statement.path, path);
  return statements.flatMap((statement, index) => {
    const next = statements[index + 1];
    // Lines between two statements of this table are comments that belong to it.
    const to = next !== undefined && isOwn(next) ? next.from : statement.to;
    return isOwn(statement) ? [{ from: statement.from, to, text: '' }] : [];
  });
}

/** Returns whether a comment is a line that an installation has written. */
function isMarker(source: string, { from }: TextRange): boolean {
  const line = source.slice(source.lastIndexOf('\n', from) + 1, from);
  return line.trim() === '' && (source.startsWith(opening, from) || source.startsWith(closing, from));
}

function isBelow(path: readonly string[], table: readonly string[]): boolean {
  return table.every((name, index) => path[index] === name);
}
