import type { ElementProperties } from '../elements.ts';

/** A tag, a comment or an entity in a Markdown text. The scan ignores code. */
export interface ScannedTag {
  readonly kind: 'open' | 'close' | 'comment' | 'entity';
  readonly name: string;
  readonly element: ElementProperties | undefined;
  readonly start: number;
  readonly end: number;
  readonly hasAttributes: boolean;
  /** True inside a TeX formula, in which no character needs an escape. */
  readonly isInFormula: boolean;
  partner: ScannedTag | undefined;
}

/** Pairs each start tag with its end tag. */
export function pairTags(tags: readonly ScannedTag[]): void {
  const open = new Map<string, ScannedTag[]>();
  for (const tag of tags) {
    if (tag.kind === 'open' && tag.element?.isVoid !== true) {
      const others = open.get(tag.name);
      if (others === undefined) open.set(tag.name, [tag]);
      else others.push(tag);
    }
    if (tag.kind !== 'close') continue;
    const partner = open.get(tag.name)?.pop();
    if (partner === undefined) continue;
    tag.partner = partner;
    partner.partner = tag;
  }
}

export function filterHtmlTags(text: string, tags: readonly ScannedTag[]): ScannedTag[] {
  const textPattern = /\S/g;
  let nextText = -1;
  return tags.filter(tag => {
    const isReal = isRealTag(text, tag, nextText >= tag.start);
    if (isReal && tag.kind !== 'entity') {
      textPattern.lastIndex = tag.end;
      nextText = textPattern.exec(text)?.index ?? text.length;
    }
    return isReal;
  });
}

/**
 * Returns whether a tag is HTML. Placeholders such as `<n> <m>` and types such as `vector<a>` are not HTML, even if the
 * word in angle brackets is also the name of an HTML element.
 */
function isRealTag(
  text: string,
  { kind, name, element, start, hasAttributes, partner }: ScannedTag,
  isAfterTag: boolean,
): boolean {
  if (element === undefined || partner !== undefined) return true;
  // The end tag of a void element counts as HTML, because browsers ignore `</img>` and read `</br>` as a line break.
  if (kind === 'close') return element.isBlock || element.isVoid;
  if (name === 'br' || name === 'hr' || name === 'wbr' || hasAttributes) return true;
  if (!element.isBlock && !element.isRaw) return false;
  if (isAfterTag || isAtLineStart(text, start)) return true;
  return /[A-Z]/.test(text[start + 1] ?? '') && !/\w/.test(text[start - 1] ?? '');
}

export function isAtLineStart(text: string, at: number): boolean {
  return /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, at - 20), at));
}
