/** The glyph names of StandardEncoding for the codes from 0x20 on. */
const asciiNames = `space exclam quotedbl numbersign dollar percent ampersand quoteright parenleft parenright asterisk plus comma
hyphen period slash zero one two three four five six seven eight nine colon semicolon less equal greater question at A B C D
E F G H I J K L M N O P Q R S T U V W X Y Z bracketleft backslash bracketright asciicircum underscore quoteleft a b c d e f
g h i j k l m n o p q r s t u v w x y z braceleft bar braceright asciitilde`;

/** Maps other glyph names to characters. The names of capitals and accented letters are derived from this table. */
const otherNames = `quotesingle ' grave \` exclamdown ¡ cent ¢ sterling £ fraction / yen ¥ florin ƒ section § currency ¤ quotedblleft “
guillemotleft « guilsinglleft ‹ guilsinglright › fi fi fl fl ff ff ffi ffi ffl ffl endash – dagger † daggerdbl ‡
periodcentered · paragraph ¶ bullet • quotesinglbase ‚ quotedblbase „ quotedblright ” guillemotright » ellipsis …
perthousand ‰ questiondown ¿ emdash — AE Æ ordfeminine ª OE Œ ordmasculine º ae æ dotlessi ı dotlessj ȷ lslash ł
oslash ø oe œ germandbls ß longs ſ eng ŋ ij ij IJ IJ hbar ħ tbar ŧ dcroat đ dmacron đ onesuperior ¹ logicalnot ¬ mu µ trademark ™ onehalf ½
plusminus ± onequarter ¼ divide ÷ brokenbar ¦ degree ° thorn þ threequarters ¾ twosuperior ² registered ® minus − eth ð
onethird ⅓ twothirds ⅔ oneeighth ⅛ threeeighths ⅜ fiveeighths ⅝ seveneighths ⅞ multiply × threesuperior ³ copyright ©
Euro € nbspace \u00a0 sfthyphen - hyphenchar - nonbreakingspace \u00a0 visiblespace ␣ alpha α beta β gamma γ
delta δ epsilon ε epsilon1 ε zeta ζ eta η theta θ theta1 ϑ iota ι kappa κ lambda λ nu ν xi ξ omicron ο pi π rho ρ sigma σ
sigma1 ς tau τ upsilon υ phi φ phi1 ϕ chi χ psi ψ omega ω omega1 ϖ arrowright → arrowleft ← arrowup ↑ arrowdown ↓
arrowboth ↔ arrowdblright ⇒ arrowdblleft ⇐ arrowdblboth ⇔ lessequal ≤ greaterequal ≥ notequal ≠ infinity ∞ summation ∑
product ∏ integral ∫ radical √ partialdiff ∂ gradient ∇ element ∈ notelement ∉ emptyset ∅ intersection ∩ union ∪
propersubset ⊂ propersuperset ⊃ reflexsubset ⊆ reflexsuperset ⊇ similar ∼ congruent ≅ approxequal ≈ equivalence ≡
proportional ∝ perpendicular ⊥ angle ∠ angleleft 〈 angleright 〉 logicaland ∧ logicalor ∨ universal ∀ existential ∃
therefore ∴ suchthat ∋ circleplus ⊕ circlemultiply ⊗ dotmath ⋅ asteriskmath ∗ prime ′ minute ′ second ″ lozenge ◊
checkmark ✓ aleph ℵ weierstrass ℘ quotereversed ‛`;

/**
 * Each row contains the end of a glyph name such as `eacute`, the combining accent and, for some accents, the character
 * of the accent alone.
 */
const accents: readonly (readonly [name: string, accent: string, sign?: string])[] = [
  ['dieresistonos', '\u0308\u0301'],
  ['tonos', '\u0301', '΄'],
  ['acute', '\u0301', '´'],
  ['grave', '\u0300', '`'],
  ['circumflex', '\u0302', 'ˆ'],
  ['dieresis', '\u0308', '¨'],
  ['tilde', '\u0303', '˜'],
  ['ring', '\u030a', '˚'],
  ['caron', '\u030c', 'ˇ'],
  ['breve', '\u0306', '˘'],
  ['macron', '\u0304', '¯'],
  ['ogonek', '\u0328', '˛'],
  ['cedilla', '\u0327', '¸'],
  ['commaaccent', '\u0326'],
  ['dotaccent', '\u0307', '˙'],
  ['hungarumlaut', '\u030b', '˝'],
  ['horn', '\u031b'],
  ['dotbelow', '\u0323'],
  ['hookabove', '\u0309'],
];
const accentsByCharacter = new Map(accents.map(([, accent, sign]) => [sign, accent]));

/**
 * Combines a letter and an accent that is drawn over it. The two can have either order. Returns the two new texts, or
 * undefined.
 */
export function combineAccent(below: string, above: string): readonly [below: string, above: string] | undefined {
  const [last, first] = [lastOf(below), firstOf(above)];
  const [accent, later] = [accentsByCharacter.get(last), accentsByCharacter.get(first)];
  const [under, over] = [below.slice(0, -last.length), above.slice(first.length)];
  if (accent !== undefined && isLetter.test(first)) return [under, withAccent(first, accent) + over];
  if (later !== undefined && isLetter.test(last)) return [under + withAccent(last, later), over];
  return undefined;
}

const isLetter = /^\p{L}$/u;

function withAccent(letter: string, accent: string): string {
  const base = letter === 'ı' ? 'i' : letter === 'ȷ' ? 'j' : letter;
  return (base + accent).normalize('NFC');
}

function firstOf(text: string): string {
  return String.fromCodePoint(text.codePointAt(0) ?? 0);
}

function lastOf(text: string): string {
  return /[\ud800-\udbff]?[^]$/.exec(text.slice(-2))?.[0] ?? '';
}

/** The capital letters of the glyph names from afii10017 on. The numbers of the small letters are 48 higher. */
const cyrillic = 'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯҐЂЃЄЅІЇЈЉЊЋЌЎ';

/** Returns the text of a character code, or '' if the code is unknown. */
export type GlyphDecoder = (code: number, bytes: Buffer) => string;

export type GlyphNames = ReadonlyMap<string, string>;

export function createGlyphNames(): GlyphNames {
  const names = new Map<string, string>();
  asciiNames.split(/\s/).forEach((name, index) => names.set(name, String.fromCharCode(0x20 + index)));
  const words = otherNames.split(/ |\n/);
  for (let index = 0; index < words.length; index += 2) names.set(words[index] ?? '', words[index + 1] ?? '');
  for (const [name, , sign] of accents) if (sign !== undefined) names.set(name, sign);
  names.set('quoteright', '’').set('quoteleft', '‘');
  return names;
}

/** Returns the text of a glyph name, or undefined if the name is unknown. */
export function textOfGlyph(name: string, names: GlyphNames): string | undefined {
  const known = names.get(name);
  if (known !== undefined) return known;
  const code = /^(?:uni([0-9A-F]{4})|u([0-9A-F]{4,6}))/.exec(name);
  if (code !== null) return characterOf(Number.parseInt(code[1] ?? code[2] ?? '', 16));
  const dot = name.indexOf('.');
  if (dot > 0) return textOfGlyph(name.slice(0, dot), names);
  if (name.includes('_')) return ligature(name.split('_'), names);
  return letterOf(name, names) ?? accentedLetter(name, names) ?? numberedLetter(name);
}

/** Returns the letter of a glyph name. The name of a capital letter starts with a capital, such as `Alpha`. */
function letterOf(name: string, names: GlyphNames): string | undefined {
  if (name.length === 1) return name;
  const letter = names.get(name) ?? names.get(name.charAt(0).toLowerCase() + name.slice(1))?.toUpperCase();
  return letter !== undefined && isLetter.test(letter) ? letter : undefined;
}

/** Returns the accented letter of a glyph name. Vietnamese letters have up to two accents. */
function accentedLetter(name: string, names: GlyphNames, mayHaveTwo = true): string | undefined {
  const [ending = '', accent = ''] = accents.find(([each]) => name.endsWith(each)) ?? [];
  if (accent === '') return undefined;
  const rest = name.slice(0, -ending.length);
  const letter = letterOf(rest, names) ?? (mayHaveTwo ? accentedLetter(rest, names, false) : undefined);
  return letter === undefined ? undefined : withAccent(letter, accent);
}

/** Returns the Cyrillic or Hebrew letter of a name such as afii10017. */
function numberedLetter(name: string): string | undefined {
  const number = Number(/^afii(\d{5})$/.exec(name)?.[1]);
  if (number >= 57_664 && number <= 57_690) return String.fromCharCode(0x5d0 + number - 57_664);
  return cyrillic[number - 10_017] ?? cyrillic[number - 10_065]?.toLowerCase();
}

function ligature(parts: readonly string[], names: GlyphNames): string | undefined {
  const texts = parts.map(part => textOfGlyph(part, names));
  return texts.includes(undefined) ? undefined : texts.join('');
}

function characterOf(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
