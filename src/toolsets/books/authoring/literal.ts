/** A value that a JavaScript literal in a configuration file can have. */
export type JavaScriptLiteral =
  | string
  | number
  | boolean
  | null
  | readonly JavaScriptLiteral[]
  | { readonly [key: string]: JavaScriptLiteral };

const maxDepth = 64;

/**
 * Parses a JavaScript literal: JSON with comments, single quotes, keys without quotes and trailing commas. Returns
 * undefined for all other code, such as calls and variables. No code is executed.
 */
export function parseJavaScriptLiteral(source: string): JavaScriptLiteral | undefined {
  const reader = new Reader(source);
  try {
    const value = reader.value(0);
    return reader.isAtEnd() ? value : undefined;
  } catch (error) {
    if (error instanceof NotALiteral) return undefined;
    throw error;
  }
}

/**
 * Parses the literal that a configuration module exports by `module.exports = …` or `export default …`. The export can
 * also name a constant.
 */
export function parseExportedLiteral(source: string): JavaScriptLiteral | undefined {
  const direct = /(?:^|\n)\s*(?:module\.exports\s*=|export\s+default)\s*/.exec(source);
  if (direct === null) return parseJavaScriptLiteral(source);
  const rest = source.slice(direct.index + direct[0].length);
  const name = /^([A-Za-z_$][\w$]*)\s*;?\s*$/.exec(rest)?.[1];
  if (name === undefined) return parsePrefix(rest);
  const declaration = new RegExp(`(?:const|let|var)\\s+${name.replaceAll('$', '\\$')}\\b[^=;\\n]*=\\s*`).exec(source);
  return declaration === null ? undefined : parsePrefix(source.slice(declaration.index + declaration[0].length));
}

function parsePrefix(source: string): JavaScriptLiteral | undefined {
  try {
    return new Reader(source).value(0);
  } catch (error) {
    if (error instanceof NotALiteral) return undefined;
    throw error;
  }
}

class NotALiteral extends Error {}

const blank = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const word = /[A-Za-z_$][\w$]*/y;
const number = /-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const words: Readonly<Record<string, JavaScriptLiteral>> = { true: true, false: false, null: null, undefined: null };

class Reader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  isAtEnd(): boolean {
    this.#take(blank);
    return this.#take(/;?\s*$/y) !== undefined;
  }

  value(depth: number): JavaScriptLiteral {
    this.#take(blank);
    const first = this.#source[this.#at];
    if (depth > maxDepth) throw new NotALiteral();
    if (first === '{') return this.#object(depth);
    if (first === '[') return this.#array(depth);
    if (first === '"' || first === "'" || first === '`') return this.#string(first);
    const digits = this.#take(number);
    if (digits !== undefined) return Number(digits);
    const name = this.#take(word) ?? '';
    const value = Object.hasOwn(words, name) ? words[name] : undefined;
    if (value === undefined) throw new NotALiteral();
    return value;
  }

  #array(depth: number): JavaScriptLiteral {
    const items: JavaScriptLiteral[] = [];
    this.#at++;
    while (!this.#takeSign(']')) {
      items.push(this.value(depth + 1));
      if (!this.#takeSign(',') && !this.#isNext(']')) throw new NotALiteral();
    }
    return items;
  }

  #object(depth: number): JavaScriptLiteral {
    const entries: [string, JavaScriptLiteral][] = [];
    this.#at++;
    while (!this.#takeSign('}')) {
      const first = this.#source[this.#at];
      const key = first === '"' || first === "'" ? this.#string(first) : (this.#take(word) ?? this.#take(number));
      if (key === undefined || !this.#takeSign(':')) throw new NotALiteral();
      entries.push([key, this.value(depth + 1)]);
      if (!this.#takeSign(',') && !this.#isNext('}')) throw new NotALiteral();
    }
    return Object.fromEntries(entries);
  }

  #string(quote: string): string {
    const expression = quote === '"' ? /"((?:[^"\\\n]|\\.)*)"/y : /(['`])((?:(?!\1)[^\\]|\\.)*)\1/y;
    const text = this.#take(expression);
    if (text === undefined || (quote === '`' && text.includes('${'))) throw new NotALiteral();
    return text.slice(1, -1).replace(/\\(u[0-9a-fA-F]{4}|[\s\S])/g, (_, escape: string) => unescaped(escape));
  }

  #isNext(sign: string): boolean {
    this.#take(blank);
    return this.#source[this.#at] === sign;
  }

  #takeSign(sign: string): boolean {
    const isNext = this.#isNext(sign);
    if (isNext) this.#at++;
    return isNext;
  }

  #take(expression: RegExp): string | undefined {
    expression.lastIndex = this.#at;
    const text = expression.exec(this.#source)?.[0];
    if (text !== undefined) this.#at += text.length;
    return text;
  }
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', 0: '\0' };

function unescaped(escape: string): string {
  if (escape.length === 5) return String.fromCharCode(Number.parseInt(escape.slice(1), 16));
  return escapes[escape] ?? escape;
}
