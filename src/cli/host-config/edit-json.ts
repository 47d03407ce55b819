import { isDeepStrictEqual } from 'node:util';
import { createScanner, type Node, type ParseError, parseTree, visit } from 'jsonc-parser';
import {
  applyConfigEdits,
  type ConfigEditor,
  isObject,
  lineBreakOf,
  lineNumberAt,
  NotEditableError,
  type TextRange,
} from './config-editor.ts';

// The values of the const enum SyntaxKind, which does not exist at runtime.
const [openBraceKind, closeBraceKind, openBracketKind, closeBracketKind, commaKind, endKind] = [1, 2, 3, 4, 5, 17];

/** Limits the depth of a file, because the parser is recursive and deeper files would exceed the stack. */
const maxDepth = 500;

export const jsonConfigEditor: ConfigEditor = {
  parse: source => (source.trim() === '' ? {} : valueOf(parseObject(source))),
  read: readJsonProperty,
  set: setMembers,
  remove: removeJsonProperty,
  hiddenRanges(source, isShown) {
    const ranges: TextRange[] = [];
    if (source.trim() === '') return ranges;
    parseObject(source);
    visit(source, {
      onComment: (offset, length) => ranges.push({ from: offset + 2, to: offset + length }),
      onLiteralValue(value, offset, length, _line, _column, path) {
        const isSecret = value !== null && typeof value !== 'boolean' && !isShown(path());
        if (isSecret) ranges.push({ from: offset, to: offset + length });
      },
    });
    return ranges;
  },
};

/** Returns the value at a path of property names, or undefined if a property is missing. */
export function readJsonProperty(source: string, path: readonly string[]): unknown {
  if (source.trim() === '') return undefined;
  let node: Node | undefined = parseObject(source);
  for (const name of path) node = node?.type === 'object' ? propertyOf(source, node, name)?.children?.[1] : undefined;
  if (node === undefined) return undefined;
  if (path.length > 0) requireUnique(source, node);
  return valueOf(node);
}

/**
 * Sets only the properties of an object that differ, so that the layout and the comments of the other properties stay.
 */
function setMembers(source: string, path: readonly string[], value: object): string {
  const present = readJsonProperty(source, path);
  if (!isObject(present)) return setJsonProperty(source, path, value);
  let edited = source;
  for (const name of Object.keys(present)) if (!(name in value)) edited = removeJsonProperty(edited, [...path, name]);
  for (const [name, member] of Object.entries(value)) {
    if (isDeepStrictEqual(present[name], member)) continue;
    const inner = [...path, name];
    edited = isObject(member) ? setMembers(edited, inner, member) : setJsonProperty(edited, inner, member);
  }
  return edited;
}

/** Sets the property at a path. All bytes stay unchanged except the property and one comma before it. */
export function setJsonProperty(source: string, path: readonly string[], value: unknown): string {
  if (source.trim() === '') return `${JSON.stringify(nested(path, value), null, 2)}\n`;
  let node = parseObject(source);
  for (const [index, name] of path.entries()) {
    const property = propertyOf(source, node, name);
    const rest = path.slice(index + 1);
    const child = property?.children?.[1];
    if (property === undefined || child === undefined) {
      return insertInto(source, node, `${JSON.stringify(name)}: `, nested(rest, value));
    }
    if (rest.length === 0) {
      const text = formatted(source, value, lineIndent(source, property.offset));
      return applyConfigEdits(source, [{ from: child.offset, to: child.offset + child.length, text }]);
    }
    if (child.type !== 'object') throw new NotEditableError(`the file has ${name}, which is not an object`);
    node = child;
  }
  return source;
}

/** Removes the property at a path and its comma, which reverts `setJsonProperty`. */
export function removeJsonProperty(source: string, path: readonly string[]): string {
  let node: Node | undefined = parseObject(source);
  for (const name of path.slice(0, -1)) node = node && propertyOf(source, node, name)?.children?.[1];
  const property = node && propertyOf(source, node, path.at(-1) ?? '');
  if (node === undefined || property === undefined) return source;
  const siblings = node.children ?? [];
  const before = siblings[siblings.indexOf(property) - 1];
  return removeMember(source, property, before);
}

/** Writes an empty object or array with the white space that it has in another text. A value with a comment stays. */
export function copyBlankValue(source: string, name: string, from: string): string {
  const [node, model] = [source, from].map(text => propertyOf(text, parseObject(text), name)?.children?.[1]);
  if (node === undefined || model === undefined) return source;
  const end = node.offset + node.length;
  if (!/^.\s*.$/.test(source.slice(node.offset, end))) return source;
  return source.slice(0, node.offset) + from.slice(model.offset, model.offset + model.length) + source.slice(end);
}

/** Appends an item to an array. If the property with the array is missing, it is created. */
export function appendJsonItem(source: string, name: string, value: unknown): string {
  const array = arrayOf(source, name);
  return array === undefined ? setJsonProperty(source, [name], [value]) : insertInto(source, array, '', value);
}

/** Removes the items of an array for which a condition is true. The function reverts `appendJsonItem`. */
export function removeJsonItems(source: string, name: string, isRemoved: (item: unknown) => boolean): string {
  const items = arrayOf(source, name)?.children ?? [];
  const index = items.findLastIndex(item => isRemoved(valueOf(item)));
  const item = items[index];
  return item === undefined ? source : removeJsonItems(removeMember(source, item, items[index - 1]), name, isRemoved);
}

function arrayOf(source: string, name: string): Node | undefined {
  const node = source.trim() === '' ? undefined : propertyOf(source, parseObject(source), name)?.children?.[1];
  if (node !== undefined && node.type !== 'array')
    throw new NotEditableError(`the file has ${name}, which is not an array`);
  return node;
}

function parseObject(source: string): Node {
  requireShallow(source);
  const errors: ParseError[] = [];
  const root = parseTree(source, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) {
    throw new NotEditableError(`the file is not valid JSON: see line ${lineNumberAt(source, first.offset)}`);
  }
  if (root?.type !== 'object') throw new NotEditableError('the file does not contain a JSON object');
  return root;
}

function requireShallow(source: string): void {
  const scanner = createScanner(source, true);
  let depth = 0;
  for (let kind: number = scanner.scan(); kind !== endKind; kind = scanner.scan()) {
    if (kind === openBraceKind || kind === openBracketKind) depth++;
    else if (kind === closeBraceKind || kind === closeBracketKind) depth--;
    if (depth > maxDepth) {
      const line = lineNumberAt(source, scanner.getTokenOffset());
      throw new NotEditableError(`the file is nested deeper than ${maxDepth} levels: see line ${line}`);
    }
  }
}

function propertyOf(source: string, node: Node, name: string): Node | undefined {
  if (node.type !== 'object')
    throw new NotEditableError('the file has an array or a value where an object is required');
  const [property, second] = (node.children ?? []).filter(({ children }) => children?.[0]?.value === name);
  if (property !== undefined && second !== undefined) throw duplicateError(source, name, property, second);
  return property;
}

/** Throws an error for an object that contains a name twice, because programs do not agree on which value counts. */
function requireUnique(source: string, node: Node): void {
  const found = new Map<unknown, Node>();
  for (const child of node.children ?? []) {
    const name: unknown = child.children?.[0]?.value;
    const first = child.type === 'property' ? found.get(name) : undefined;
    if (first !== undefined) throw duplicateError(source, String(name), first, child);
    found.set(name, child);
    requireUnique(source, child);
  }
}

function duplicateError(source: string, name: string, first: Node, second: Node): NotEditableError {
  const lines = `lines ${lineNumberAt(source, first.offset)} and ${lineNumberAt(source, second.offset)}`;
  return new NotEditableError(`the file has ${JSON.stringify(name)} twice (${lines}): remove one of them`);
}

function valueOf(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(valueOf);
  if (node.type !== 'object') return node.value;
  return Object.fromEntries(
    (node.children ?? []).flatMap(({ children: [key, value] = [] }) =>
      key === undefined || value === undefined ? [] : [[String(key.value), valueOf(value)]],
    ),
  );
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
}

/**
 * Inserts a member at the end of an object or array and keeps the layout of the file. `label` is the name of a new
 * property.
 */
function insertInto(source: string, node: Node, label: string, value: unknown): string {
  const last = node.children?.at(-1);
  const closing = node.offset + node.length - 1;
  const trailing = last && commaBehind(source, endOf(last));
  const comma = trailing === undefined ? '' : ',';
  const lineStart = source.lastIndexOf('\n', closing - 1) + 1;
  const isOwnLine = source.slice(lineStart, closing).trim() === '' && lineStart > node.offset;
  if (last !== undefined && !isOwnLine) {
    // The item gets the indentation that a replacement would give it, so that a repeated installation changes nothing.
    const at = trailing ?? endOf(last);
    const member = label + formatted(source, value, lineIndent(source, at)) + comma;
    return applyConfigEdits(source, [{ from: at, to: at, text: `${trailing === undefined ? ',' : ''} ${member}` }]);
  }
  const eol = lineBreakOf(source);
  const outer = lineIndent(source, isOwnLine ? closing : node.offset);
  const inner = outer + indentUnit(source);
  const member = inner + label + formatted(source, value, inner) + comma + eol;
  if (!isOwnLine) return applyConfigEdits(source, [{ from: closing, to: closing, text: eol + member + outer }]);
  const separator =
    last === undefined || trailing !== undefined ? [] : [{ from: endOf(last), to: endOf(last), text: ',' }];
  return applyConfigEdits(source, [...separator, { from: lineStart, to: lineStart, text: member }]);
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

/** Removes a property or item, and its whole line if the line contains nothing else. */
function removeMember(source: string, member: Node, before: Node | undefined): string {
  const behind = commaBehind(source, endOf(member));
  const previous = behind === undefined && before !== undefined ? commaBehind(source, endOf(before)) : undefined;
  let from = member.offset;
  let to = behind ?? endOf(member);
  const lineStart = source.lastIndexOf('\n', from - 1) + 1;
  const newline = source.indexOf('\n', to);
  const isAlone =
    newline !== -1 && source.slice(lineStart, from).trim() === '' && source.slice(to, newline).trim() === '';
  if (isAlone) [from, to] = [lineStart, newline + 1];
  else while (/[ \t]/.test(source[from - 1] ?? '')) from--;
  const edits = previous === undefined ? [] : [{ from: previous - 1, to: previous, text: '' }];
  return applyConfigEdits(source, [...edits, { from, to, text: '' }]);
}

/** Returns the offset after the next comma, if only white space and comments precede the comma. */
function commaBehind(source: string, at: number): number | undefined {
  const scanner = createScanner(source, true);
  scanner.setPosition(at);
  const kind: number = scanner.scan();
  return kind === commaKind ? scanner.getTokenOffset() + 1 : undefined;
}

function formatted(source: string, value: unknown, indent: string): string {
  return JSON.stringify(value, null, indentUnit(source))
    .split('\n')
    .join(lineBreakOf(source) + indent);
}

function lineIndent(source: string, offset: number): string {
  const lineStart = source.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(source.slice(lineStart, offset))?.[0] ?? '';
}

/** Returns the indentation of the first indented line. */
function indentUnit(source: string): string {
  return /\n([ \t]+)["/]/.exec(source)?.[1] ?? '  ';
}
