/** Thrown if the file is not valid, or if its structure differs from the structure that the host uses. */
export class NotEditableError extends Error {}

/** Describes a part of a text by its start and end offset. */
export interface TextRange {
  from: number;
  to: number;
}

export interface ConfigEdit extends TextRange {
  text: string;
}

/** The property names, and indexes of arrays, that lead to a value. */
export type ConfigValuePath = readonly (string | number)[];

/** The operations on one file format. They throw NotEditableError. All bytes stay except those of the changed value. */
export interface ConfigEditor {
  /** Returns the whole content as plain data. */
  parse(content: string): unknown;
  /** Returns the value at a path. Rejects a path that the file defines twice. */
  read(content: string, path: readonly string[]): unknown;
  /** Sets the properties of an object that differ from its present ones. `value` is the complete new object. */
  set(content: string, path: readonly string[], value: object): string;
  remove(content: string, path: readonly string[]): string;
  /** Returns the values and comments that must not be printed. */
  hiddenRanges(content: string, isShown: (path: ConfigValuePath) => boolean): TextRange[];
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function applyConfigEdits(source: string, edits: readonly ConfigEdit[]): string {
  const pieces: string[] = [];
  let copied = 0;
  for (const { from, to, text } of edits.toSorted((one, other) => one.from - other.from)) {
    pieces.push(source.slice(copied, from), text);
    copied = to;
  }
  return pieces.join('') + source.slice(copied);
}

/** Returns the number of the line that contains the offset. */
export function lineNumberAt(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length;
}

export function lineBreakOf(source: string): string {
  return source.includes('\r\n') ? '\r\n' : '\n';
}
