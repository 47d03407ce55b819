import { decodeHTML } from 'entities/decode';
import { isAllowedAddress, toAbsoluteAddress } from '../address.ts';
import { findFirstIndexAtOrAfter } from '../offsets.ts';
import { type LinkDestination, parseLinkDestination } from './link-destination.ts';

/** A replacement in a paragraph, with offsets in its content. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Definition {
  readonly start: number;
  readonly end: number;
  readonly label: string;
  readonly tail: LinkDestination;
}

interface Opener {
  readonly start: number;
  readonly end: number;
}

const definitionLabel = /[ \t]*\[((?:[^\\[\]]|\\.){1,999})\]:/sy;
const referenceLabel = /\[((?:[^\\[\]]|\\.){0,999})\]/sy;
const autolink = /<([a-z][a-z0-9+.-]{1,31}:)([^<>\0-\x20\x7f]*)>/iy;
const htmlTag = /<[a-z][a-z0-9-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?>/iy;
const special = /[\\`<[\]]|!\[/g;
const backtickRun = /`+/g;
const escape = /\\([!-/:-@[-`{-~])/g;
/**
 * In most statements `[i](j)` is a function call. Only a target that looks like an address is therefore treated as a
 * link.
 */
const relativeAddress = /^[^\s:]*[/.#?]/;
const maxTag = 2000;

/** Stores the labels of link reference definitions whose address is rejected. */
export class RejectedLinkDefinitions {
  readonly #rejected = new Set<string>();
  readonly #allowed = new Set<string>();

  read(paragraph: string): void {
    for (const { label, tail } of definitionsOf(paragraph)) {
      (isAllowedAddress(addressOf(tail)) ? this.#allowed : this.#rejected).add(label);
    }
  }

  /**
   * Returns whether references with this label lose their address, because the address of its definition is rejected.
   */
  isRejected(label: string): boolean {
    if (this.#rejected.size === 0) return false;
    const name = normalized(label);
    return this.#rejected.has(name) && !this.#allowed.has(name);
  }
}

/** Returns the edits that give every link of a paragraph an allowed address, in order. */
export function findLinkEdits(
  paragraph: string,
  hasHtml: boolean,
  base: string | undefined,
  definitions: RejectedLinkDefinitions,
): TextEdit[] {
  const reader = new LinkReader(paragraph, hasHtml, base, definitions);
  return reader.read().sort((one, other) => one.start - other.start);
}

/** Returns the address of a link after decoding, as a renderer uses it. */
function addressOf({ address }: LinkDestination): string {
  return decodeHTML(address.replace(escape, '$1'));
}

function normalized(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase();
}

function definitionsOf(paragraph: string): Definition[] {
  const found: Definition[] = [];
  let start = 0;
  for (;;) {
    definitionLabel.lastIndex = start;
    const match = definitionLabel.exec(paragraph);
    const label = match?.[1] ?? '';
    if (match === null || label.trim() === '') return found;
    const tail = parseLinkDestination(paragraph, definitionLabel.lastIndex, 'line');
    if (tail === undefined) return found;
    found.push({ start, end: tail.end, label: normalized(label), tail });
    start = tail.end;
  }
}

class LinkReader {
  readonly #text: string;
  readonly #hasHtml: boolean;
  readonly #base: string | undefined;
  readonly #definitions: RejectedLinkDefinitions;
  readonly #edits: TextEdit[] = [];
  readonly #openers: Opener[] = [];
  /** Contains the offsets of the runs of backticks, indexed by their length. */
  #runs: Map<number, number[]> | undefined;

  constructor(text: string, hasHtml: boolean, base: string | undefined, definitions: RejectedLinkDefinitions) {
    this.#text = text;
    this.#hasHtml = hasHtml;
    this.#base = base;
    this.#definitions = definitions;
  }

  read(): TextEdit[] {
    const marks = new RegExp(special);
    for (const { start, end, tail } of definitionsOf(this.#text)) {
      marks.lastIndex = end;
      const lastCharacter = this.#text[end - 1] === '\n' ? end - 1 : end;
      if (!isAllowedAddress(addressOf(tail))) this.#edits.push({ start, end: lastCharacter, text: '' });
      else this.#resolve(tail);
    }
    for (let match = marks.exec(this.#text); match !== null; match = marks.exec(this.#text)) {
      marks.lastIndex = this.#after(match[0], match.index);
    }
    return this.#edits;
  }

  /** Parses the syntax that starts at a marker character and returns the offset after it. */
  #after(mark: string, at: number): number {
    switch (mark) {
      case '\\':
        return at + 2;
      case '`':
        return this.#afterCode(at);
      case '<':
        return this.#afterAutolink(at);
      case ']':
        return this.#afterBracket(at);
      default:
        this.#openers.push({ start: at, end: at + mark.length });
        return at + mark.length;
    }
  }

  /** Skips a code span, because it contains no links. A code span does not extend across cells of a table. */
  #afterCode(at: number): number {
    let start = at;
    while (this.#text[start] === '`') start++;
    this.#runs ??= runsOf(this.#text);
    const places = this.#runs.get(start - at) ?? [];
    const close = places[findFirstIndexAtOrAfter(places, start)];
    if (close === undefined) return start;
    return this.#text.slice(start, close).includes('|') ? start : close + start - at;
  }

  #afterAutolink(at: number): number {
    autolink.lastIndex = at;
    const [all, start = '', rest = ''] = autolink.exec(this.#text) ?? [];
    if (all === undefined) return this.#afterTag(at);
    const end = at + all.length;
    if (isAllowedAddress(start)) return end;
    // `<std::string>` is a type in code without backticks, not an autolink, so that its `<` is escaped.
    if (rest.startsWith(':')) this.#edits.push({ start: at, end: at + 1, text: '\\<' });
    else this.#edits.push({ start: at, end, text: '' });
    return end;
  }

  #afterTag(at: number): number {
    if (!this.#hasHtml) return at + 1;
    htmlTag.lastIndex = 0;
    const tag = htmlTag.exec(this.#text.slice(at, at + maxTag))?.[0];
    return at + (tag?.length ?? 1);
  }

  #afterBracket(at: number): number {
    const opener = this.#openers.pop();
    const tail = this.#text[at + 1] === '(' ? parseLinkDestination(this.#text, at + 2, 'parenthesis') : undefined;
    if (tail === undefined) return opener === undefined ? at + 1 : this.#afterReference(opener, at);
    if (isAllowedAddress(addressOf(tail))) {
      if (opener !== undefined) this.#resolve(tail);
      return at + 1;
    }
    if (opener === undefined) this.#edits.push({ start: at + 1, end: tail.end, text: '' });
    else this.#unlink(opener, at, tail.end);
    return tail.end;
  }

  #afterReference(opener: Opener, at: number): number {
    referenceLabel.lastIndex = at + 1;
    const [all = '', written = ''] = referenceLabel.exec(this.#text) ?? [];
    const end = at + 1 + all.length;
    if (written !== '') {
      if (!this.#definitions.isRejected(written)) return at + 1;
      this.#unlink(opener, at, end);
      return end;
    }
    if (!this.#definitions.isRejected(this.#text.slice(opener.end, Math.min(at, opener.end + 1000)))) return at + 1;
    this.#unlink(opener, at, end);
    return end;
  }

  /** Removes the address of a link or an image and keeps its text. */
  #unlink({ start, end }: Opener, at: number, tailEnd: number): void {
    this.#edits.push({ start, end, text: '' });
    const isPicture = end - start === 2;
    const isEmpty = this.#text.slice(end, at).trim() === '';
    this.#edits.push({ start: at, end: tailEnd, text: isPicture && isEmpty ? '(picture)' : '' });
  }

  #resolve(tail: LinkDestination): void {
    if (this.#base === undefined || !relativeAddress.test(tail.address)) return;
    const address = toAbsoluteAddress(addressOf(tail), this.#base);
    if (address !== undefined && address !== tail.address) {
      this.#edits.push({ start: tail.addressStart, end: tail.addressEnd, text: address });
    }
  }
}

function runsOf(text: string): Map<number, number[]> {
  const runs = new Map<number, number[]>();
  for (const { 0: run, index } of text.matchAll(backtickRun)) {
    const places = runs.get(run.length);
    if (places === undefined) runs.set(run.length, [index]);
    else places.push(index);
  }
  return runs;
}
