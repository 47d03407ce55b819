import type { Budget } from '../unreadable.ts';
import { Lexer, type PdfValue, Word } from './syntax.ts';

/** What the codes of a font stand for, as the font itself says it. */
export interface CharacterMap {
  texts: ReadonlyMap<number, string>;
  /** How many bytes a code has: the lengths that occur, with their ranges. */
  ranges: readonly { length: number; low: number; high: number }[];
}

const maxRange = 65_536;

export function readCharacterMap(content: Buffer, budget: Budget): CharacterMap {
  const texts = new Map<number, string>();
  const ranges: { length: number; low: number; high: number }[] = [];
  const lexer = new Lexer(content, budget);
  let operands: PdfValue[] = [];
  for (let value = lexer.next(false); value !== undefined; value = lexer.next(false)) {
    if (!(value instanceof Word)) {
      operands.push(value);
      continue;
    }
    if (value.word === 'endcodespacerange') readRanges(operands, ranges);
    else if (value.word === 'endbfchar') readCharacters(operands, texts);
    else if (value.word === 'endbfrange') readCharacterRanges(operands, texts, budget);
    operands = [];
  }
  return { texts, ranges };
}

function readRanges(operands: readonly PdfValue[], ranges: { length: number; low: number; high: number }[]): void {
  for (let index = 0; index + 1 < operands.length; index += 2) {
    const [low, high] = [operands[index], operands[index + 1]];
    if (!Buffer.isBuffer(low) || !Buffer.isBuffer(high) || low.length === 0 || low.length > 4) continue;
    ranges.push({ length: low.length, low: codeOf(low), high: codeOf(high) });
  }
}

function readCharacters(operands: readonly PdfValue[], texts: Map<number, string>): void {
  for (let index = 0; index + 1 < operands.length; index += 2) {
    const [code, text] = [operands[index], operands[index + 1]];
    if (Buffer.isBuffer(code) && Buffer.isBuffer(text)) texts.set(codeOf(code), utf16(text));
  }
}

function readCharacterRanges(operands: readonly PdfValue[], texts: Map<number, string>, budget: Budget): void {
  for (let index = 0; index + 2 < operands.length; index += 3) {
    const [low, high, target] = [operands[index], operands[index + 1], operands[index + 2]];
    if (!Buffer.isBuffer(low) || !Buffer.isBuffer(high)) continue;
    const [first, last] = [codeOf(low), Math.min(codeOf(high), codeOf(low) + maxRange)];
    const textAt = Buffer.isBuffer(target) ? rising(target) : undefined;
    for (let code = first; code <= last; code++) {
      budget.step();
      if (Array.isArray(target)) {
        const item = target[code - first];
        if (Buffer.isBuffer(item)) texts.set(code, utf16(item));
      } else if (textAt !== undefined) texts.set(code, textAt(code - first));
    }
  }
}

/** Texts whose last character is further and further on; some programs have one range for all there is, from U+0000 on. */
function rising(bytes: Buffer): (by: number) => string {
  const characters = Array.from(units(bytes));
  const last = characters.pop()?.codePointAt(0);
  const others = withoutNul(characters.join(''));
  return by => {
    const code = (last ?? Number.POSITIVE_INFINITY) + by;
    return code > 0x10ffff ? '' : others + (code === 0 ? '' : String.fromCodePoint(code));
  };
}

export function codeOf(bytes: Buffer): number {
  let code = 0;
  for (const byte of bytes) code = code * 256 + byte;
  return code;
}

export function utf16(bytes: Buffer): string {
  return withoutNul(units(bytes));
}

function units(bytes: Buffer): string {
  if (bytes.length === 1) return bytes.toString('latin1');
  return Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)))
    .swap16()
    .toString('utf16le');
}

function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}

/** The bytes of a text outside of the pages' contents. */
export function textString(bytes: Buffer): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return utf16(bytes.subarray(2));
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return bytes.toString('utf8', 3);
  return bytes.toString('latin1').replace(/[\p{Cc}\u00a0]/gu, unlikeLatin1);
}

/** What PDF's own encoding of such texts has from 0x18, and from 0x80 on. */
const accentsAlone = '˘ˇˆ˙˝˛˚˜';
const docSigns = '•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž\0€';

function unlikeLatin1(character: string): string {
  const code = character.charCodeAt(0);
  const unlike = code < 0x80 ? accentsAlone[code - 0x18] : docSigns[code - 0x80];
  return unlike === '\0' ? '' : (unlike ?? character);
}

/** Names of glyphs, from 0x20 on, as the standard encoding of Latin text has them. */
const ascii = `space exclam quotedbl numbersign dollar percent ampersand quoteright parenleft parenright asterisk plus comma
hyphen period slash zero one two three four five six seven eight nine colon semicolon less equal greater question at A B C D
E F G H I J K L M N O P Q R S T U V W X Y Z bracketleft backslash bracketright asciicircum underscore quoteleft a b c d e f
g h i j k l m n o p q r s t u v w x y z braceleft bar braceright asciitilde`;

/** Other names, each followed by what it stands for. What differs by an accent or is a capital follows from these. */
const others = `quotesingle ' grave \` exclamdown ¡ cent ¢ sterling £ fraction / yen ¥ florin ƒ section § currency ¤ quotedblleft “
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

/** What the names of letters with a mark end in; some marks have a sign of their own by that name. */
const marks: readonly (readonly [name: string, mark: string, sign?: string])[] = [
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
const marksBySign = new Map(marks.map(([, mark, sign]) => [sign, mark]));

/** Two texts, the second drawn over the end of the first, where that makes a letter with a mark; in either order. */
export function drawnOver(below: string, above: string): readonly [below: string, above: string] | undefined {
  const [last, first] = [lastOf(below), firstOf(above)];
  const [mark, later] = [marksBySign.get(last), marksBySign.get(first)];
  const [under, over] = [below.slice(0, -last.length), above.slice(first.length)];
  if (mark !== undefined && isLetter.test(first)) return [under, withMark(first, mark) + over];
  if (later !== undefined && isLetter.test(last)) return [under + withMark(last, later), over];
  return undefined;
}

const isLetter = /^\p{L}$/u;

function withMark(letter: string, mark: string): string {
  const base = letter === 'ı' ? 'i' : letter === 'ȷ' ? 'j' : letter;
  return (base + mark).normalize('NFC');
}

function firstOf(text: string): string {
  return String.fromCodePoint(text.codePointAt(0) ?? 0);
}

function lastOf(text: string): string {
  return /[\ud800-\udbff]?[^]$/.exec(text.slice(-2))?.[0] ?? '';
}

/** Capitals from afii10017 on; the small letters follow 48 further on. */
const cyrillic = 'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯҐЂЃЄЅІЇЈЉЊЋЌЎ';

export type GlyphNames = ReadonlyMap<string, string>;

export function createGlyphNames(): GlyphNames {
  const names = new Map<string, string>();
  ascii.split(/\s/).forEach((name, index) => names.set(name, String.fromCharCode(0x20 + index)));
  const words = others.split(/ |\n/);
  for (let index = 0; index + 1 < words.length; index += 2) names.set(words[index] ?? '', words[index + 1] ?? '');
  for (const [name, , sign] of marks) if (sign !== undefined) names.set(name, sign);
  names.set('quoteright', '’').set('quoteleft', '‘');
  return names;
}

/** What a glyph of that name shows; undefined when the name does not say. */
export function glyphText(name: string, names: GlyphNames): string | undefined {
  const known = names.get(name);
  if (known !== undefined) return known;
  const code = /^(?:uni([0-9A-F]{4})|u([0-9A-F]{4,6}))/.exec(name);
  if (code !== null) return characterOf(Number.parseInt(code[1] ?? code[2] ?? '', 16));
  const dot = name.indexOf('.');
  if (dot > 0) return glyphText(name.slice(0, dot), names);
  if (name.includes('_')) return ligature(name.split('_'), names);
  return letterOf(name, names) ?? markedLetter(name, names) ?? numberedLetter(name);
}

/** The capital of what a name in small letters stands for has that name with a capital. */
function letterOf(name: string, names: GlyphNames): string | undefined {
  if (name.length === 1) return name;
  const letter = names.get(name) ?? names.get(name.charAt(0).toLowerCase() + name.slice(1))?.toUpperCase();
  return letter !== undefined && isLetter.test(letter) ? letter : undefined;
}

/** Letters of Vietnamese have up to two marks. */
function markedLetter(name: string, names: GlyphNames, mayHaveTwo = true): string | undefined {
  const [ending = '', mark = ''] = marks.find(([each]) => name.endsWith(each)) ?? [];
  if (mark === '') return undefined;
  const rest = name.slice(0, -ending.length);
  const letter = letterOf(rest, names) ?? (mayHaveTwo ? markedLetter(rest, names, false) : undefined);
  return letter === undefined ? undefined : withMark(letter, mark);
}

/** Letters whose names are the numbers of a register: Cyrillic and Hebrew. */
function numberedLetter(name: string): string | undefined {
  const number = Number(/^afii(\d{5})$/.exec(name)?.[1]);
  if (number >= 57_664 && number <= 57_690) return String.fromCharCode(0x5d0 + number - 57_664);
  return cyrillic[number - 10_017] ?? cyrillic[number - 10_065]?.toLowerCase();
}

function ligature(parts: readonly string[], names: GlyphNames): string | undefined {
  const texts = parts.map(part => (part.includes('_') ? undefined : glyphText(part, names)));
  return texts.includes(undefined) ? undefined : texts.join('');
}

function characterOf(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

const macRoman =
  'ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u00a0ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\0ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ';
const standard =
  "¡¢£⁄¥ƒ§¤'“«‹›ﬁﬂ\0–†‡·\0¶•‚„”»…‰\0¿\0`´ˆ˜¯˘˙¨\0˚¸\0˝˛ˇ—\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0Æ\0ª\0\0\0\0ŁØŒº\0\0\0\0\0æ\0\0\0ı\0\0łøœß";
const winAnsi = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ';

export function encodedCharacter(encoding: string | undefined, code: number): string {
  if (code < 0x80) return code < 0x20 ? '' : String.fromCharCode(code);
  if (encoding === 'MacRomanEncoding') return (macRoman[code - 0x80] ?? '').replace('\0', '');
  if (encoding === 'StandardEncoding') return code < 0xa1 ? '' : (standard[code - 0xa1] ?? '').replace('\0', '');
  return code < 0xa0 ? (winAnsi[code - 0x80] ?? '').replace('\0', '') : String.fromCharCode(code);
}
