import { createScanner, type Node, type ParseError, parseTree } from 'jsonc-parser';

/** Thrown if the file is not JSON, or if its structure differs from the structure that the host uses. */
export class NotEditableError extends Error {}

const commaKind = 5; // SyntaxKind.CommaToken, a const enum that does not exist at run time

interface Edit {
  from: number;
  to: number;
  text: string;
}

/** Returns the value at a path of property names, or undefined if a property is missing. */
export function readProperty(source: string, path: readonly string[]): unknown {
  if (source.trim() === '') return undefined;
  let node: Node | undefined = parseObject(source);
  for (const name of path) node = node?.type === 'object' ? propertyOf(node, name)?.children?.[1] : undefined;
  return node === undefined ? undefined : valueOf(node);
}

/** Sets the property at a path. All bytes stay unchanged except the property and one comma before it. */
export function setProperty(source: string, path: readonly string[], value: unknown): string {
  if (source.trim() === '') return `${JSON.stringify(nested(path, value), null, 2)}\n`;
  let node = parseObject(source);
  for (const [index, name] of path.entries()) {
    const property = propertyOf(node, name);
    const rest = path.slice(index + 1);
    const child = property?.children?.[1];
    if (property === undefined || child === undefined) {
      return insertInto(source, node, `${JSON.stringify(name)}: `, nested(rest, value));
    }
    if (rest.length === 0) {
      const text = formatted(source, value, lineIndent(source, property.offset));
      return apply(source, [{ from: child.offset, to: child.offset + child.length, text }]);
    }
    if (child.type !== 'object') throw new NotEditableError(`the file has ${name}, which is not an object`);
    node = child;
  }
  return source;
}

/** Removes the property at a path and its comma. It reverts `setProperty`. */
export function removeProperty(source: string, path: readonly string[]): string {
  let node: Node | undefined = parseObject(source);
  for (const name of path.slice(0, -1)) node = node && propertyOf(node, name)?.children?.[1];
  const property = node && propertyOf(node, path.at(-1) ?? '');
  if (node === undefined || property === undefined) return source;
  const siblings = node.children ?? [];
  const before = siblings[siblings.indexOf(property) - 1];
  return removeMember(source, property, before);
}

/** Appends an item to the array of a property, and creates a missing array. */
export function appendItem(source: string, name: string, value: unknown): string {
  const array = arrayOf(source, name);
  return array === undefined ? setProperty(source, [name], [value]) : insertInto(source, array, '', value);
}

/** Removes the items of the array of a property that meet a condition. It reverts `appendItem`. */
export function removeItems(source: string, name: string, isRemoved: (item: unknown) => boolean): string {
  const items = arrayOf(source, name)?.children ?? [];
  const index = items.findLastIndex(item => isRemoved(valueOf(item)));
  const item = items[index];
  return item === undefined ? source : removeItems(removeMember(source, item, items[index - 1]), name, isRemoved);
}

function arrayOf(source: string, name: string): Node | undefined {
  const node = source.trim() === '' ? undefined : propertyOf(parseObject(source), name)?.children?.[1];
  if (node !== undefined && node.type !== 'array')
    throw new NotEditableError(`the file has ${name}, which is not an array`);
  return node;
}

function parseObject(source: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(source, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) {
    const line = source.slice(0, first.offset).split('\n').length;
    throw new NotEditableError(`the file is not valid JSON: see line ${line}`);
  }
  if (root?.type !== 'object') throw new NotEditableError('the file does not contain a JSON object');
  return root;
}

function propertyOf(node: Node, name: string): Node | undefined {
  if (node.type !== 'object') throw new NotEditableError('the file has an array or a value where an object belongs');
  // The last one of several properties with the same name is used, as in JSON.parse.
  return node.children?.findLast(({ children }) => children?.[0]?.value === name);
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

/** Inserts a member at the end of an object or array and keeps its layout. `label` is the name of a property. */
function insertInto(source: string, node: Node, label: string, value: unknown): string {
  const last = node.children?.at(-1);
  const closing = node.offset + node.length - 1;
  const trailing = last && commaBehind(source, endOf(last));
  const comma = trailing === undefined ? '' : ',';
  const lineStart = source.lastIndexOf('\n', closing - 1) + 1;
  const isOwnLine = source.slice(lineStart, closing).trim() === '' && lineStart > node.offset;
  if (last !== undefined && !isOwnLine) {
    // The item gets the indentation that a later replacement would give it, so that a repeated installation changes
    // nothing.
    const at = trailing ?? endOf(last);
    const member = label + formatted(source, value, lineIndent(source, at)) + comma;
    return apply(source, [{ from: at, to: at, text: `${trailing === undefined ? ',' : ''} ${member}` }]);
  }
  const eol = eolOf(source);
  const outer = lineIndent(source, isOwnLine ? closing : node.offset);
  const inner = outer + indentUnit(source);
  const member = inner + label + formatted(source, value, inner) + comma + eol;
  if (!isOwnLine) return apply(source, [{ from: closing, to: closing, text: eol + member + outer }]);
  const separator =
    last === undefined || trailing !== undefined ? [] : [{ from: endOf(last), to: endOf(last), text: ',' }];
  return apply(source, [...separator, { from: lineStart, to: lineStart, text: member }]);
}

function eolOf(source: string): string {
  return source.includes('\r\n') ? '\r\n' : '\n';
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
  return apply(source, [...edits, { from, to, text: '' }]);
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
    .join(eolOf(source) + indent);
}

function lineIndent(source: string, offset: number): string {
  const lineStart = source.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(source.slice(lineStart, offset))?.[0] ?? '';
}

/** Returns the indentation of the first indented line. */
function indentUnit(source: string): string {
  return /\n([ \t]+)["/]/.exec(source)?.[1] ?? '  ';
}

function apply(source: string, edits: readonly Edit[]): string {
  const pieces: string[] = [];
  let copied = 0;
  for (const { from, to, text } of edits.toSorted((one, other) => one.from - other.from)) {
    pieces.push(source.slice(copied, from), text);
    copied = to;
  }
  return pieces.join('') + source.slice(copied);
}
