/** Tag names as numbers, which avoids a string for each tag: a number holds eight of 95 characters. */
export const maxNameLength = 8;
export const alphabetSize = 96;
export const unknownName = -1;

function encodeName(name: string): number {
  return Array.from(name).reduce((number, letter) => number * alphabetSize + letter.charCodeAt(0) - 0x20, 0);
}

/** Elements that do not separate words. */
export const inline: ReadonlySet<number> = new Set(
  'a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd mark q rb rp rt ruby s samp small span strong strike sub sup tt u var wbr'
    .split(' ')
    .map(encodeName),
);
/** `rt` is the reading above a word, `rp` the brackets for browsers without ruby. */
export const ruby = {
  text: encodeName('rt'),
  bracket: encodeName('rp'),
  base: encodeName('rb'),
  all: encodeName('ruby'),
} as const;
export const rubyTags: ReadonlySet<number> = new Set(Object.values(ruby));
/** SVG text, and a part of it that can have its own position. */
export const svgText = { text: encodeName('text'), part: encodeName('tspan') } as const;
/** Elements whose content is never shown. */
export const hiddenContent: ReadonlySet<number> = new Set(['script', 'style', 'template'].map(encodeName));
export const styleSheet = encodeName('style');
