import { byteAt } from '../bytes.ts';

/**
 * This file guesses the legacy encoding of a text that is not UTF-8. Each candidate encoding decodes a sample. The
 * score of each decoded character depends on its frequency in a language and on the class of the previous character.
 */

/**
 * The guess divides languages into three groups by their letters. `latin` has single accented letters between ASCII
 * letters, `own` has words of non-ASCII letters, and `wide` has thousands of characters.
 */
type Script = 'latin' | 'own' | 'wide';

/**
 * Each line has the format `encoding[,encoding…]=letters[,letters…]`: labels of TextDecoder, and for each language its
 * non-ASCII letters, most frequent first.
 */
const families: Readonly<Record<Script, string>> = {
  latin: `windows-1252,macintosh=’“”‘–—…é,éèàêçùîôûëïâœ,üäöß,íóáéñúü¿¡,ãçáéíóõêâúàô,èàùòìé,åäöøæé,íáðéöóþúýæ
    windows-1250,iso-8859-2=łąężóśćńź,íáéěřčžýšůúňťďó,áíéčšžýúľťôňäóďĺŕ,áéöóőíüúű,čšžćđ,ăîâşţ
    windows-1257=ėšųžįąčęū,āīēšņļžūķčģ
    windows-1254=ışüğöçİâ`,
  own: `windows-1251,koi8-r,iso-8859-5,ibm866=оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё
    windows-1251,koi8-u=оаниівертскулдмпязьбгчхйцжїєшющфґ
    windows-1253,iso-8859-7=αοιετσνηυρπκμλςωάίδέόγήθχβύφξζώψ
    windows-1255=יוהלארבתשמנםדקעחפכןגסצזטךףץ
    windows-1256,iso-8859-6=اليمونرتبةعدسفهكقأحجشطصىخذثئزضظ
    windows-874=านรอกเงมยลวดทสต่้ะี์ปบคัหแิจพุชขใไูโผ็ซภณฟถธ`,
  wide: `shift_jis,euc-jp=のいにはをたがでてとしれさるなかもすらりこうーンスト、。ルくきんっまけめよつあえおそわアイクラリシドフレタジ日本人一大年出中国会東行事者時分生上同地自間方業部長
    gb18030=的一是，。不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实
    big5=的一是，。不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實
    euc-kr=이다는의에을가고하지한은로를사기도어서아리나대자시인해그정수있과일들만보라부것여제니주게전요거으면스적구상장안소유되무된와원같당신오말년모비세우`,
};

interface Family {
  script: Script;
  encodings: readonly string[];
  languages: readonly string[];
}

function familiesOf(script: Script): Family[] {
  return families[script].split(/\s+/).map(row => {
    const [encodings = [], letters = []] = row.split('=').map(list => list.split(','));
    return { script, encodings, languages: letters };
  });
}

/** These characters occur in all languages, so that they do not help to guess the encoding. */
const neutral = /[\u00a0‘’‚“”„–—…€°§«»©®™·•´±²³½×¹º¼¾¢£¥]/u;
const wideSigns = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uff60]/u;

/** Each score is the logarithm of a probability, so that scores can be added. */
const scores = {
  neutral: -4,
  unexpected: -10,
  impossible: -15,
  rareWideSign: -9.5,
  upperCase: -1.5,
  upperInWord: -4,
  /**
   * `afterAscii` is the score of a non-ASCII letter after an ASCII letter, `afterOther` its score after another
   * non-ASCII letter. Both depend on the group of the language.
   */
  afterAscii: { latin: -0.1, own: -6, wide: -0.5 },
  afterOther: { latin: -2.5, own: -0.02, wide: -0.02 },
} as const;

const sampleBytes = 6000;

/** Returns the label of the most likely encoding. The default is windows-1252. */
export function guessEncoding(bytes: Buffer): string {
  const sample = takeSample(bytes);
  const pairs = countPairs(sample);
  let best = { encoding: 'windows-1252', score: Number.NEGATIVE_INFINITY };
  for (const { script, encodings, languages } of (['latin', 'own', 'wide'] as const).flatMap(familiesOf)) {
    for (const encoding of encodings) {
      const occurrences = script === 'wide' ? readWide(sample, encoding) : readPairs(pairs, encoding);
      if (occurrences === undefined) continue;
      // Windows-1252 gets a bonus, because most files without a byte order mark are in Western languages.
      const prior = encoding === 'windows-1252' ? 2 : 0;
      for (const letters of languages) {
        const score = likelihood(occurrences, letters, script) + prior;
        if (score > best.score) best = { encoding, score };
      }
    }
  }
  return best.encoding;
}

/**
 * Copies the bytes above 0x7f and up to two ASCII bytes after each one. Longer ASCII parts do not help to guess the
 * encoding.
 */
function takeSample(bytes: Buffer): Buffer {
  const sample = Buffer.alloc(sampleBytes);
  let [filled, quiet] = [0, 0];
  for (let at = 0; at < bytes.length && filled < sampleBytes; at++) {
    const byte = byteAt(bytes, at);
    quiet = byte < 0x80 ? quiet + 1 : 0;
    // Up to two bytes below 0x80 are kept, because the second byte of a character can be below 0x80 in some encodings.
    if (quiet <= 2) sample[filled++] = byte;
    else if (quiet === 3) sample[filled++] = 0x0a;
  }
  return sample.subarray(0, filled);
}

/** The types of the character before a non-ASCII character. */
type Preceding = 'lower' | 'upper' | 'otherLower' | 'otherUpper' | 'none';

/** Counts how often a non-ASCII character follows a character of the type `before`. */
interface Occurrence {
  character: string;
  before: Preceding;
  count: number;
}

class Occurrences {
  readonly #known = new Map<string, Occurrence>();

  add(character: string, before: Preceding, count: number): void {
    const key = before + character;
    const known = this.#known.get(key);
    if (known === undefined) this.#known.set(key, { character, before, count });
    else known.count += count;
  }

  get all(): Occurrence[] {
    return [...this.#known.values()];
  }
}

/**
 * Decodes the bytes. Returns undefined if they are invalid in this encoding or if Node does not support it. The option
 * `stream` allows a sample that ends within a character, and avoids that some Node versions decode windows-1252 as
 * latin1.
 */
function decoded(bytes: Uint8Array, encoding: string, fatal: boolean): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal }).decode(bytes, { stream: true });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_ENCODING_'))) throw error;
    return undefined;
  }
}

function readWide(sample: Buffer, encoding: string): Occurrence[] | undefined {
  const text = decoded(sample, encoding, true);
  if (text === undefined) return undefined;
  const occurrences = new Occurrences();
  let previous = '';
  for (const character of text) {
    if (character.charCodeAt(0) >= 0x80) occurrences.add(character, classOf(previous), 1);
    previous = character;
  }
  return occurrences.all;
}

/** A byte above 0x7f, the previous byte, and the number of times that this pair occurs. */
type Pair = readonly [before: number, byte: number, count: number];

function countPairs(sample: Buffer): Pair[] {
  const counts = new Uint16Array(1 << 16);
  const found: number[] = [];
  let before = 0x0a;
  for (let at = 0; at < sample.length; at++) {
    const byte = byteAt(sample, at);
    const pair = (before << 8) | byte;
    if (byte >= 0x80 && counts[pair] === 0) found.push(pair);
    counts[pair] = (counts[pair] ?? 0) + 1;
    before = byte;
  }
  return found.map(pair => [pair >> 8, pair & 0xff, counts[pair] ?? 0]);
}

/**
 * Counts characters from pairs of bytes. A pair determines the character if the encoding has one byte per character.
 */
function readPairs(pairs: readonly Pair[], encoding: string): Occurrence[] | undefined {
  const table = tableOf(encoding);
  if (table === undefined) return undefined;
  const occurrences = new Occurrences();
  for (const [before, byte, count] of pairs) {
    const character = table.characters[byte] ?? '';
    if (character === '\ufffd') return undefined;
    occurrences.add(character, table.classes[before] ?? 'none', count);
  }
  return occurrences.all;
}

interface Table {
  characters: readonly string[];
  classes: readonly Preceding[];
}

/** Caches the decoding tables of encodings with one byte per character. */
const singleByteTables = new Map<string, Table | undefined>();

function tableOf(encoding: string): Table | undefined {
  if (!singleByteTables.has(encoding)) singleByteTables.set(encoding, createTable(encoding));
  return singleByteTables.get(encoding);
}

const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);

function createTable(encoding: string): Table | undefined {
  const text = decoded(everyByte, encoding, false);
  if (text === undefined) return undefined;
  const characters = Array.from(text);
  return { characters, classes: characters.map(classOf) };
}

function classOf(character: string): Preceding {
  if (/[a-z]/.test(character)) return 'lower';
  if (/[A-Z]/.test(character)) return 'upper';
  if (/\p{Ll}/u.test(character)) return 'otherLower';
  return /\p{L}/u.test(character) ? 'otherUpper' : 'none';
}

function likelihood(occurrences: readonly Occurrence[], letters: string, script: Script): number {
  const ranks = new Map(Array.from(letters, (letter, rank) => [letter, rank]));
  const harmonic = Math.log(ranks.size + 1) + 0.6;
  let score = 0;
  for (const { character, before, count } of occurrences)
    score += count * letterScore(character, before, ranks, harmonic, script);
  return score;
}

function letterScore(
  character: string,
  before: Preceding,
  ranks: ReadonlyMap<string, number>,
  harmonic: number,
  script: Script,
): number {
  const lower = character.toLowerCase();
  const rank = ranks.get(character) ?? ranks.get(lower);
  if (rank === undefined) {
    if (script === 'wide') return wideSigns.test(character) ? scores.rareWideSign : scores.impossible;
    if (neutral.test(character)) return scores.neutral;
    return /[\u0080-\u009f\ue000-\uf8ff\ufffd]/.test(character) ? scores.impossible : scores.unexpected;
  }
  let score = -Math.log((rank + 1.5) * harmonic);
  if (character !== lower && !ranks.has(character)) {
    score += scores.upperCase;
    if (before === 'lower' || before === 'otherLower') score += scores.upperInWord;
  }
  if (before === 'lower' || before === 'upper') score += scores.afterAscii[script];
  else if (before !== 'none') score += scores.afterOther[script];
  return score;
}
