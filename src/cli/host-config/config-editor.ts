/** Thrown if the configuration file is not valid, or if its structure differs from the one that the host uses. */
export class NotEditableError extends Error {
  /** The next step for a user who installs the server, if it is another one than to correct the file. */
  readonly remedy: string | undefined;

  constructor(message: string, remedy?: string) {
    super(message);
    this.remedy = remedy;
  }
}

/** A part of a text, as its start and end offset. */
export interface TextRange {
  from: number;
  to: number;
}

export interface ConfigEdit extends TextRange {
  text: string;
}

/** The path to a value: the names of properties and the indexes of arrays. */
export type ConfigValuePath = readonly (string | number)[];

/**
 * Reads and edits one format of configuration files. All bytes stay unchanged except those of the edited value. The
 * functions throw NotEditableError.
 */
export interface ConfigEditor {
  /** Returns the whole content as plain data. */
  parse(content: string): unknown;
  /** Returns the value at a path. Throws an error if the file defines the path twice. */
  read(content: string, path: readonly string[]): unknown;
  /** Sets the properties of an object that differ from the current ones. `value` is the complete new object. */
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
