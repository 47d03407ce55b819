import { allEscapes, escapesOfCommonDecoders } from './escape-sequence.ts';
import { minSecretFragmentLength, SecretFragmentSet } from './gram-set.ts';
import { TextWindow } from './text-window.ts';

export type RedactFunction = (text: string) => string;

/** The redactor of a server without secrets. Its results need not be searched for secrets. */
export const redactNothing: RedactFunction = text => text;

/** Counts the characters that a redactor tests, including those of decoded copies of a text. */
export interface RedactionWorkCounter {
  characters: number;
}

/** A text is processed in parts of this length, so that the memory use does not depend on the length of the text. */
const partLength = 32_768;
/**
 * The length by which consecutive parts of a text overlap. Eight characters of a secret are therefore always inside one
 * part, even if each of them was escaped three times.
 */
const sharedLength = 2048;
/** The maximum number of times that an escaped character is decoded. */
const maxDecodings = 3;

const replacement = '[redacted]';

/**
 * Creates a function that redacts every part of a secret with at least eight characters, also if it is escaped as in
 * URLs, JSON, Markdown or HTML, or split by invisible characters. The text is compared unchanged and after each of
 * three decodings. The number of steps is linear in the length of the text.
 */
export function createRedactor(
  secrets: readonly string[],
  work: RedactionWorkCounter = { characters: 0 },
): RedactFunction {
  if (secrets.every(secret => secret.length < minSecretFragmentLength)) return redactNothing;
  let scanner: Scanner | undefined;
  return text => {
    if (text.length < minSecretFragmentLength) return text;
    scanner ??= new Scanner(secrets, work);
    return scanner.redact(text);
  };
}

class Scanner {
  readonly #grams = new SecretFragmentSet();
  readonly #work: RedactionWorkCounter;
  readonly #source = new TextWindow(partLength);
  readonly #decoded = [new TextWindow(partLength), new TextWindow(partLength)] as const;

  constructor(secrets: readonly string[], work: RedactionWorkCounter) {
    this.#work = work;
    for (const secret of secrets) this.#addSecret(secret);
  }

  /**
   * A replaced part may have completed or hidden an escape sequence next to it, so that the result is searched once
   * more.
   */
  redact(text: string): string {
    const redacted = this.#redactOnce(text);
    return redacted !== text && this.#source.hasEscapes ? this.#redactOnce(redacted) : redacted;
  }

  #redactOnce(text: string): string {
    const marks = new Marks(text.length);
    let at = 0;
    this.#source.length = 0;
    this.#source.hasEscapes = false;
    for (;;) {
      at = this.#source.fill(text, at);
      this.#markPart(marks);
      if (at === text.length) return marks.applyTo(text);
      this.#source.keepLast(sharedLength);
    }
  }

  /**
   * Adds a secret. Its decoded forms are added too, because a secret may contain the characters of an escape sequence.
   */
  #addSecret(secret: string): void {
    let reading = new TextWindow(secret.length);
    reading.fill(secret, 0);
    this.#grams.addAll(reading.units, reading.length);
    for (let round = 0; round < maxDecodings && reading.hasEscapes; round++) {
      const decoded = new TextWindow(secret.length);
      decoded.decode(reading, allEscapes);
      this.#grams.addAll(decoded.units, decoded.length);
      reading = decoded;
    }
  }

  #markPart(marks: Marks): void {
    const source = this.#source;
    this.#mark(source, marks);
    if (!source.hasEscapes) return;
    const kinds = this.#markDecoded(source, allEscapes, maxDecodings, marks);
    // Two kinds of escape sequences can hide each other: a truncated `%4` and a plain `1` after it are decoded as
    // one character. Therefore the text is also decoded as each common decoder does it.
    const decoders = new Set(escapesOfCommonDecoders.map(decoder => decoder & kinds));
    for (const decoder of decoders) {
      if (decoder !== 0 && decoder !== kinds) this.#markDecoded(source, decoder, maxDecodings, marks);
    }
  }

  /**
   * Decodes the text repeatedly, marks the secrets, and returns the kinds of escape sequences that the text contains.
   */
  #markDecoded(source: TextWindow, kinds: number, decodings: number, marks: Marks): number {
    let [reading, target, spare] = [source, ...this.#decoded];
    let all = 0;
    for (let round = 0; round < decodings && reading.hasEscapes; round++) {
      this.#work.characters += reading.length;
      const found = target.decode(reading, kinds);
      if (found === 0) break;
      all |= found;
      this.#mark(target, marks);
      [reading, target, spare] = [target, spare, target];
    }
    return all;
  }

  #mark(reading: TextWindow, marks: Marks): void {
    const { units, starts, length } = reading;
    this.#work.characters += length;
    this.#grams.findAll(units, length, (from, to) => marks.add(starts[from] ?? 0, starts[to] ?? 0));
  }
}

const start = 2;
const inside = 1;

/** Collects the ranges of a text that are redacted, and merges overlapping ranges. */
class Marks {
  readonly #length: number;
  #marks: Uint8Array | undefined;

  constructor(length: number) {
    this.#length = length;
  }

  add(from: number, to: number): void {
    this.#marks ??= new Uint8Array(this.#length);
    if (this.#marks[from] === 0) this.#marks[from] = start;
    this.#marks.fill(inside, from + 1, to);
  }

  applyTo(text: string): string {
    const marks = this.#marks;
    if (marks === undefined) return text;
    const parts: string[] = [];
    let kept = 0;
    for (let from = marks.indexOf(start); from !== -1; from = marks.indexOf(start, kept)) {
      parts.push(text.slice(kept, from), replacement);
      kept = from + 1;
      while (marks[kept] === inside) kept++;
    }
    parts.push(text.slice(kept));
    return parts.join('');
  }
}
