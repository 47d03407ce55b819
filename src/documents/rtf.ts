import { decodeWithLabel, TextDecoderCache } from './encoding/decode.ts';

/** These RTF destinations contain no document text. */
const hiddenDestinations = new Set(
  'fonttbl colortbl stylesheet listtable listoverridetable rsidtbl generator pict objdata themedata colorschememapping latentstyles datastore xmlnstbl mmathPr filetbl revtbl fldinst template private1 operator company bkmkstart bkmkend pntxta pntxtb sp atnid atnauthor atntime atnref atndate atnparent'.split(
    ' ',
  ),
);
/** These RTF destinations contain text outside of the main text: notes, comments, text boxes and properties. */
const sideDestinations = new Set('info footnote annotation shpinst shptxt'.split(' '));
const characters: Readonly<Record<string, string>> = {
  par: '\n',
  line: '\n',
  sect: '\n',
  page: '\n',
  row: '\n',
  cell: '\n',
  nestcell: '\n',
  title: '\n',
  subject: '\n',
  author: '\n',
  keywords: '\n',
  doccomm: '\n',
  tab: '\t',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  emdash: '—',
  endash: '–',
  bullet: '•',
  emspace: ' ',
  enspace: ' ',
  '~': '\u00a0',
  _: '\u2011',
};
const charsets: Readonly<Record<number, string>> = {
  77: 'macintosh',
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gb18030',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
};
const codePages: Readonly<Record<number, string>> = {
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gb18030',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  65001: 'utf-8',
};

interface Group {
  isHidden: boolean;
  /** True if the parent group of the RTF file is hidden. */
  isParentHidden: boolean;
  pieces: string[];
  /**
   * The number of fallback characters after each RTF control word `\u`. Old programs show them instead of the Unicode
   * character.
   */
  skip: number;
  font: number | undefined;
}

const token = /\\(?:'([0-9a-fA-F]{2})|([a-zA-Z]{1,32})(-?\d{1,10})? ?|([^a-zA-Z]))|([{}])|[\r\n]+|([^\\{}\r\n]+)/gy;

/** Extracts the text of an RTF file. Returns undefined for other content. */
export function extractRtfText(bytes: Buffer): string | undefined {
  const source = bytes.toString('latin1');
  if (!/^\s*\{\s*\\rtf/.test(source)) return undefined;
  return new RtfReader().read(source);
}

class RtfReader {
  readonly #pieces: string[] = [];
  /** The text of notes, comments, text boxes and document properties. The result contains it after the main text. */
  readonly #sideTexts: string[] = [];
  readonly #fonts = new Map<number, string>();
  readonly #groups: Group[] = [];
  readonly #decoders = new TextDecoderCache();
  #group: Group = { isHidden: false, isParentHidden: false, pieces: this.#pieces, skip: 1, font: undefined };
  /** The number of open groups that are ignored, because they exceed the depth limit. */
  #ignoredDepth = 0;
  #codePage = 'windows-1252';
  #isFontTable = false;
  #bytes: number[] = [];
  /** The number of fallback characters that are still to be skipped. */
  #fallbackLeft = 0;

  read(source: string): string {
    token.lastIndex = 0;
    for (let match = token.exec(source); match !== null; match = token.exec(source)) {
      const [, hex, word, number, symbol, brace, text] = match;
      if (hex !== undefined) this.#byte(Number.parseInt(hex, 16));
      else if (text !== undefined) this.#text(text);
      else if (brace !== undefined) this.#brace(brace);
      else if (symbol === '*') this.#group.isHidden = true;
      else if (symbol !== undefined) this.#symbol(symbol);
      else if (word === 'bin') token.lastIndex += Math.max(0, Number(number ?? 0));
      else if (word !== undefined) this.#word(word, number === undefined ? undefined : Number(number));
    }
    this.#flush();
    return [...this.#pieces, ...this.#sideTexts].join('');
  }

  #brace(brace: string): void {
    this.#flush();
    this.#fallbackLeft = 0;
    if (brace === '{') {
      if (this.#groups.length === maxDepth) this.#ignoredDepth++;
      else {
        this.#groups.push(this.#group);
        this.#group = { ...this.#group, isParentHidden: this.#group.isHidden };
      }
    } else if (this.#ignoredDepth > 0) this.#ignoredDepth--;
    else {
      this.#group = this.#groups.pop() ?? this.#group;
      if (this.#groups.length <= 1) this.#isFontTable = false;
    }
  }

  #word(word: string, number: number | undefined): void {
    this.#flush();
    if (word === 'u' && number !== undefined) {
      this.#add(String.fromCharCode(number & 0xffff));
      this.#fallbackLeft = this.#group.skip;
    } else if (!this.#isSetting(word, number))
      this.#add(Object.hasOwn(characters, word) ? (characters[word] ?? '') : '');
  }

  /** Applies a control word for encodings, fonts or destinations. Returns false for any other control word. */
  #isSetting(word: string, number: number | undefined): boolean {
    if (word === 'uc') this.#group.skip = number ?? 1;
    else if (word === 'ansicpg' && number !== undefined) this.#codePage = codePages[number] ?? `windows-${number}`;
    else if (word === 'f') this.#group.font = number;
    else if (word === 'fcharset') this.#setCharset(number ?? 0);
    else if (word === 'mac') this.#codePage = 'macintosh';
    else if (sideDestinations.has(word)) this.#beginSideText();
    else if (hiddenDestinations.has(word)) {
      this.#group.isHidden = true;
      if (word === 'fonttbl') this.#isFontTable = true;
    } else return false;
    return true;
  }

  #setCharset(number: number): void {
    const charset = charsets[number];
    const { font } = this.#group;
    if (this.#isFontTable && font !== undefined && charset !== undefined) this.#fonts.set(font, charset);
  }

  #beginSideText(): void {
    this.#group.isHidden = this.#group.isParentHidden;
    this.#group.pieces = this.#sideTexts;
    this.#add('\n');
  }

  #symbol(symbol: string): void {
    if (symbol === '\n' || symbol === '\r') this.#add('\n');
    else if ('\\{}'.includes(symbol)) this.#text(symbol);
    else this.#add(characters[symbol] ?? '');
  }

  #byte(byte: number): void {
    if (this.#fallbackLeft > 0) this.#fallbackLeft--;
    else if (!this.#group.isHidden) this.#bytes.push(byte);
  }

  #text(text: string): void {
    const shown = text.slice(Math.min(this.#fallbackLeft, text.length));
    this.#fallbackLeft -= text.length - shown.length;
    if (this.#group.isHidden || shown === '') return;
    // The bytes are collected until a character is complete, because the second byte of a character can be an ASCII
    // character such as a brace.
    if (this.#bytes.length > 0 || /[\x80-\xff]/.test(shown))
      this.#bytes.push(...Buffer.from(shown.slice(0, maxRun), 'latin1'));
    else this.#add(shown);
    if (shown.length > maxRun && this.#bytes.length > 0) this.#text(shown.slice(maxRun));
  }

  #add(text: string): void {
    if (text === '' || this.#group.isHidden) return;
    this.#flush();
    this.#group.pieces.push(text);
  }

  #flush(): void {
    if (this.#bytes.length === 0) return;
    const bytes = Buffer.from(this.#bytes);
    this.#bytes = [];
    const { font } = this.#group;
    const encoding = (font === undefined ? undefined : this.#fonts.get(font)) ?? this.#codePage;
    this.#group.pieces.push(decodeWithLabel(encoding, bytes, this.#decoders));
  }
}

/** Groups are nested at most this deeply. Real documents have far fewer levels. */
const maxDepth = 1000;
/** `Array.push` gets at most this number of arguments at once, because more arguments could exceed the stack. */
const maxRun = 10_000;
