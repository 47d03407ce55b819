import { decodeWindows1252 } from './encoding/decode.ts';

/**
 * These tags separate words. Their names are compared without a namespace prefix. Other tags, such as a change of font,
 * can occur inside a word.
 */
const separatingTags = new Set([
  'p',
  'br',
  'cr',
  'tab',
  'ptab',
  'tc',
  'tr',
  'h',
  's',
  'line-break',
  'table-cell',
  'si',
  'c',
  'pt',
  'row',
  'title',
  'list-item',
]);

/** Extracts the text of XML in one pass. */
export function extractXmlText(markup: string): string {
  const pieces: string[] = [];
  for (let at = 0; at < markup.length; ) {
    const open = markup.indexOf('<', at);
    const stop = open === -1 ? markup.length : open;
    if (stop > at) pieces.push(unescapeMarkup(markup.slice(at, stop)));
    if (open === -1) break;
    const special = specials.find(({ start }) => markup.startsWith(start, open));
    const close = special === undefined ? findTagEnd(markup, open) : markup.indexOf(special.end, open);
    if (close === -1) break;
    if (special === undefined) {
      const tag = tagName(markup, open + 1);
      if (separatingTags.has(tag.slice(tag.indexOf(':') + 1))) pieces.push('\n');
    } else if (special.isText) pieces.push(markup.slice(open + special.start.length, close));
    at = close + (special?.end.length ?? 1);
  }
  return pieces.join('');
}

/** A comment can contain a ">", and so can other markup with these delimiters. */
const specials = [
  { start: '<!--', end: '-->', isText: false },
  { start: '<![CDATA[', end: ']]>', isText: true },
  { start: '<?', end: '?>', isText: false },
];

/**
 * Returns the offset of the ">" that ends a tag, and ignores ">" in quoted values. A quote that is not closed, or does
 * not start a value, is ignored.
 */
export function findTagEnd(markup: string, open: number): number {
  if (markup.startsWith('<!', open)) return declarationEnd(markup, open);
  let isValueNext = false;
  // The loop compares character codes instead of strings, because it takes most of the time that a page needs.
  for (let at = open + 1; at < markup.length; at++) {
    const code = markup.charCodeAt(at);
    if (code === 0x3e) return at;
    if (isValueNext && (code === 0x22 || code === 0x27)) {
      const close = markup.indexOf(code === 0x22 ? '"' : "'", at + 1);
      if (close === -1) return markup.indexOf('>', at);
      at = close;
    }
    if (code > 0x20) isValueNext = code === 0x3d;
  }
  return -1;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}

/** Limits the search for the end of a document type declaration. */
const maxDeclarationLength = 10_000;

/** Returns the end offset of a declaration. A document type can contain declarations in brackets. */
function declarationEnd(markup: string, open: number): number {
  const declaration = markup.slice(open, open + maxDeclarationLength);
  const whole = /^<![^>[]*\[[^]*?\]\s*>/.exec(declaration);
  return whole === null ? markup.indexOf('>', open) : open + whole[0].length - 1;
}

function tagName(markup: string, start: number): string {
  const first = markup.charCodeAt(start) === 0x2f ? start + 1 : start;
  let stop = first;
  for (; stop < first + 40; stop++) {
    const code = markup.charCodeAt(stop);
    if (code === 0x3e || code === 0x2f || isBlank(code)) break;
  }
  return markup.slice(first, stop);
}

/** Returns the text of the first element with this name. The namespace prefix is ignored. */
export function findElementText(markup: string, name: string): string | undefined {
  const open = new RegExp(`<(?:\\w+:)?${name}(?:\\s[^<>]*)?>`).exec(markup);
  if (open === null) return undefined;
  const start = open.index + open[0].length;
  const close = markup.indexOf('</', start);
  const text = unescapeMarkup(markup.slice(start, close === -1 ? start : close)).trim();
  return text === '' ? undefined : text;
}

const latinNames =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
const greekNames =
  'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho  Sigma Tau Upsilon Phi Chi Psi Omega';
const otherNames =
  'amp & lt < gt > quot " apos \' mdash — ndash – hellip … rsquo ’ lsquo ‘ rdquo ” ldquo “ sbquo ‚ bdquo „ euro € trade ™ bull • minus − prime ′ Prime ″ larr ← rarr → uarr ↑ darr ↓ harr ↔ le ≤ ge ≥ ne ≠ asymp ≈ infin ∞ sum ∑ prod ∏ radic √ part ∂ int ∫ isin ∈ cap ∩ cup ∪ sub ⊂ sup ⊃ and ∧ or ∨ forall ∀ exist ∃ empty ∅ nabla ∇ lsaquo ‹ rsaquo › OElig Œ oelig œ Scaron Š scaron š Yuml Ÿ dagger † Dagger ‡ permil ‰ sigmaf ς hyphen ‐ dash ‐ check ✓';
/** Maps names of HTML 5 character references to ASCII characters. */
const asciiNames =
  'excl ! num # dollar $ percnt % lpar ( rpar ) ast * midast * plus + comma , period . sol / colon : semi ; equals = quest ? commat @ lsqb [ lbrack [ bsol \\ rsqb ] rbrack ] Hat ^ lowbar _ grave ` lcub { lbrace { verbar | vert | rcub } rbrace }';

/**
 * Maps the character references of HTML 4 to characters. The regular expression `accentedName` matches the references
 * of accented letters.
 */
const namedCharacters: ReadonlyMap<string, string> = createNamedCharacters();

function createNamedCharacters(): Map<string, string> {
  const names = new Map<string, string>();
  latinNames.split(' ').forEach((name, index) => names.set(name, String.fromCharCode(0xa0 + index)));
  greekNames.split(' ').forEach((name, index) => {
    names.set(name, String.fromCharCode(0x391 + index)).set(name.toLowerCase(), String.fromCharCode(0x3b1 + index));
  });
  const pairs = `${otherNames} ${asciiNames}`.split(' ');
  for (let index = 0; index < pairs.length; index += 2) names.set(pairs[index] ?? '', pairs[index + 1] ?? '');
  for (const [name, code] of [
    ['thinsp', 0x2009],
    ['ensp', 0x2002],
    ['emsp', 0x2003],
    ['zwnj', 0x200c],
    ['zwj', 0x200d],
    ['Tab', 0x09],
    ['NewLine', 0x0a],
  ] as const)
    names.set(name, String.fromCharCode(code));
  return names;
}

/** Browsers accept these references without a semicolon, even before letters. */
const withoutSemicolon: ReadonlySet<string> = new Set([...latinNames.split(' '), 'amp', 'lt', 'gt', 'quot']);
const maxBareLength = 6;

function unescapeBare(written: string): string {
  for (let end = Math.min(written.length, 1 + maxBareLength); end > 2; end--) {
    const name = written.slice(1, end);
    if (withoutSemicolon.has(name)) return `${namedCharacters.get(name) ?? ''}${written.slice(end)}`;
  }
  return written;
}

/**
 * Matches the references of accented letters, such as `&eacute;`. The accent is dropped, because a search ignores
 * accents.
 */
const accentedName = /^([A-Za-z])(?:acute|grave|circ|uml|tilde|ring|cedil|caron|ogon|macr|breve|dot|dblac)$/;

export function unescapeMarkup(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w{1,12}));?/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined)
        return whole.endsWith(';')
          ? (namedCharacters.get(name) ?? accentedName.exec(name)?.[1] ?? unescapeBare(whole))
          : unescapeBare(whole);
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      // HTML 5 decodes the numbers 0x80 to 0x9f as windows-1252.
      if (code >= 0x80 && code < 0xa0) return decodeWindows1252(Buffer.of(code));
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
    },
  );
}

/** Returns the values of attributes in single or double quotes. */
export function findAttributeValues(markup: string, pattern: RegExp): string {
  const values = markup.matchAll(pattern);
  return Array.from(values, ([, double, single]) => unescapeMarkup(double ?? single ?? '')).join('\n');
}

/** Removes elements with their contents. */
export function removeElements(markup: string, names: readonly string[]): string {
  return splitAtElements(markup, names).rest;
}

/** Splits markup into alternating parts outside and inside of the named elements. */
export function splitAtElements(markup: string, names: readonly string[]): { rest: string; inside: string } {
  let rest = markup;
  const inside: string[] = [];
  for (const name of names) {
    const pieces: string[] = [];
    let at = 0;
    for (let open = findStartTag(rest, name, 0); open !== -1; open = findStartTag(rest, name, at)) {
      pieces.push(rest.slice(at, open));
      const end = findTagEnd(rest, open);
      const close = end !== -1 && rest[end - 1] === '/' ? end + 1 : rest.indexOf(`</${name}>`, open);
      at = close === -1 ? rest.length : close;
      inside.push(rest.slice(open, at));
    }
    rest = pieces.length === 0 ? rest : pieces.join('') + rest.slice(at);
  }
  return { rest, inside: inside.join('\n') };
}

/** Returns the offset of the next start tag with this name, or -1 if there is none. */
export function findStartTag(markup: string, name: string, from: number): number {
  for (let at = markup.indexOf(`<${name}`, from); at !== -1; at = markup.indexOf(`<${name}`, at + name.length)) {
    if (' \t\r\n/>'.includes(markup.charAt(at + name.length + 1))) return at;
  }
  return -1;
}
