/**
 * Encodes a tag name as a number, which avoids the allocation of a string for each tag. The number contains up to eight
 * characters of an alphabet of 95.
 */
export const maxTagNameLength = 8;
export const tagAlphabetSize = 96;
export const unknownTagName = -1;

function encodeName(name: string): number {
  return Array.from(name).reduce((number, letter) => number * tagAlphabetSize + letter.charCodeAt(0) - 0x20, 0);
}

/** These inline elements do not separate words. */
export const inlineTags: ReadonlySet<number> = new Set(
  'a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd mark q rb rp rt ruby s samp small span strong strike sub sup tt u var wbr'
    .split(' ')
    .map(encodeName),
);
/** In a ruby element, `rt` contains the reading above a word, and `rp` the brackets for browsers without ruby. */
export const rubyTagNames = {
  text: encodeName('rt'),
  bracket: encodeName('rp'),
  base: encodeName('rb'),
  all: encodeName('ruby'),
} as const;
export const rubyTags: ReadonlySet<number> = new Set(Object.values(rubyTagNames));
/** In SVG the element `text` contains text, and its child element `tspan` can have another position. */
export const svgTextTags = { text: encodeName('text'), part: encodeName('tspan') } as const;
/** A page never shows the content of these elements. */
export const hiddenContentTags: ReadonlySet<number> = new Set(['script', 'style', 'template'].map(encodeName));
export const styleTag = encodeName('style');
