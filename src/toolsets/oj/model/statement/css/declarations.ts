/** The properties of a style that can take a text off the page or make a mark of it, with their values. */
export type Declarations = ReadonlyMap<string, string>;

const readProperties: ReadonlySet<string> = new Set(
  'display visibility content-visibility opacity font-size font color -webkit-text-fill-color background background-color background-image transform scale translate rotate zoom filter clip-path clip position left right top bottom margin-left margin-right margin-top text-indent padding-left width height max-width max-height overflow overflow-x overflow-y animation animation-name vertical-align white-space text-decoration text-decoration-line list-style list-style-type font-weight font-style'.split(
    ' ',
  ),
);
/** A longer value says nothing that is understood here; with it the patterns that read values stay cheap. */
const maxValue = 300;
const cssEscape = /\\(?:([\da-f]{1,6})\s?|([^\n]))/gi;

export interface Declaration {
  readonly value: string;
  readonly isImportant: boolean;
}

/** Reads declarations in order; a later one replaces an earlier one unless only that is important. */
export function parseDeclarations(style: string): Map<string, Declaration> {
  const found = new Map<string, Declaration>();
  for (const declaration of withoutComments(style).split(';')) {
    const colon = declaration.indexOf(':');
    if (colon === -1) continue;
    const property = plain(declaration.slice(0, colon));
    if (!readProperties.has(property)) continue;
    const written = plain(declaration.slice(colon + 1));
    const mark = written.indexOf('!');
    const isImportant = mark !== -1 && written.slice(mark + 1).trim() === 'important';
    if (!isImportant && found.get(property)?.isImportant === true) continue;
    const value = mark === -1 ? written : written.slice(0, mark).trim();
    found.set(property, { value: value.slice(0, maxValue), isImportant });
  }
  return found;
}

/** As in CSS a comment without an end runs to the end. */
export function withoutComments(css: string): string {
  let start = css.indexOf('/*');
  if (start === -1) return css;
  const parts: string[] = [];
  let done = 0;
  while (start !== -1) {
    parts.push(css.slice(done, start));
    const end = css.indexOf('*/', start + 2);
    done = end === -1 ? css.length : end + 2;
    start = css.indexOf('/*', done);
  }
  parts.push(css.slice(done));
  return parts.join(' ');
}

/** In small letters, without escapes, with single blanks. */
function plain(text: string): string {
  const read = text.includes('\\') ? text.replace(cssEscape, unescaped) : text;
  return read.replace(/\s+/g, ' ').trim().toLowerCase();
}

function unescaped(_: string, hex: string | undefined, character: string | undefined): string {
  if (hex === undefined) return character ?? '';
  const codePoint = Number.parseInt(hex, 16);
  return codePoint > 0x10ffff ? '' : String.fromCodePoint(codePoint);
}
