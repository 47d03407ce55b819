import { Decoders, decodeAs } from './encoding/decode.ts';

/** Destinations without document text. */
const unseen = new Set(
  'fonttbl colortbl stylesheet listtable listoverridetable rsidtbl generator pict objdata themedata colorschememapping latentstyles datastore xmlnstbl mmathPr filetbl revtbl fldinst template private1 operator company bkmkstart bkmkend pntxta pntxtb sp atnid atnauthor atntime atnref atndate atnparent'.split(
    ' ',
  ),
);
/** Destinations with side text: notes, comments and text boxes. */
const asides = new Set('info footnote annotation shpinst shptxt'.split(' '));
const signs: Readonly<Record<string, string>> = {
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
  isUnseen: boolean;
  /** Whether the parent group is hidden. */
  isWithinUnseen: boolean;
  pieces: string[];
  /** The number of fallback characters after \u. */
  skip: number;
  font: number | undefined;
}

const token = /\\(?:'([0-9a-fA-F]{2})|([a-zA-Z]{1,32})(-?\d{1,10})? ?|([^a-zA-Z']))|([{}])|[\r\n]+|([^\\{}\r\n]+)/gy;

/** Extracts the text of an RTF file; returns undefined for other content. */
export function rtfText(bytes: Buffer): string | undefined {
  const source = bytes.toString('latin1');
  if (!/^\s*\{\s*\\rtf/.test(source.slice(0, 100))) return undefined;
  return new RtfReader().read(source);
}

class RtfReader {
  readonly #pieces: string[] = [];
  /** The text of notes, comments, text boxes and document properties, which follows the main text. */
  readonly #asides: string[] = [];
  readonly #fonts = new Map<number, string>();
  readonly #groups: Group[] = [];
  readonly #decoders = new Decoders();
  #group: Group = { isUnseen: false, isWithinUnseen: false, pieces: this.#pieces, skip: 1, font: undefined };
  /** The number of open groups beyond the depth limit. */
  #beyond = 0;
  #codePage = 'windows-1252';
  #isFontTable = false;
  #bytes: number[] = [];
  /** The number of fallback characters to skip. */
  #repeated = 0;

  read(source: string): string {
    token.lastIndex = 0;
    for (let match = token.exec(source); match !== null; match = token.exec(source)) {
      const [, hex, word, number, symbol, brace, text] = match;
      if (hex !== undefined) this.#byte(Number.parseInt(hex, 16));
      else if (text !== undefined) this.#text(text);
      else if (brace !== undefined) this.#brace(brace);
      else if (symbol === '*') this.#group.isUnseen = true;
      else if (symbol !== undefined) this.#symbol(symbol);
      else if (word === 'bin') token.lastIndex += Math.max(0, Number(number ?? 0));
      else if (word !== undefined) this.#word(word, number === undefined ? undefined : Number(number));
    }
    this.#flush();
    return [...this.#pieces, ...this.#asides].join('');
  }

  #brace(brace: string): void {
    this.#flush();
    this.#repeated = 0;
    if (brace === '{') {
      if (this.#groups.length === maxDepth) this.#beyond++;
      else {
        this.#groups.push(this.#group);
        this.#group = { ...this.#group, isWithinUnseen: this.#group.isUnseen };
      }
    } else if (this.#beyond > 0) this.#beyond--;
    else {
      this.#group = this.#groups.pop() ?? this.#group;
      if (this.#groups.length <= 1) this.#isFontTable = false;
    }
  }

  #word(word: string, number: number | undefined): void {
    if (word === 'u' && number !== undefined) {
      this.#flush();
      this.#add(String.fromCharCode(number & 0xffff));
      this.#repeated = this.#group.skip;
      return;
    }
    this.#flush();
    if (word === 'uc') this.#group.skip = number ?? 1;
    else if (word === 'ansicpg' && number !== undefined) this.#codePage = codePages[number] ?? `windows-${number}`;
    else if (word === 'f') this.#group.font = number;
    else if (word === 'fcharset' && this.#isFontTable && this.#group.font !== undefined) {
      const charset = charsets[number ?? 0];
      if (charset !== undefined) this.#fonts.set(this.#group.font, charset);
    } else if (word === 'mac') this.#codePage = 'macintosh';
    else if (asides.has(word)) this.#beginAside();
    else if (unseen.has(word)) {
      this.#group.isUnseen = true;
      if (word === 'fonttbl') this.#isFontTable = true;
    } else this.#add(Object.hasOwn(signs, word) ? (signs[word] ?? '') : '');
  }

  #beginAside(): void {
    this.#group.isUnseen = this.#group.isWithinUnseen;
    this.#group.pieces = this.#asides;
    this.#add('\n');
  }

  #symbol(symbol: string): void {
    if (symbol === '\n' || symbol === '\r') this.#add('\n');
    else if ('\\{}'.includes(symbol)) this.#text(symbol);
    else this.#add(signs[symbol] ?? '');
  }

  #byte(byte: number): void {
    if (this.#repeated > 0) this.#repeated--;
    else if (!this.#group.isUnseen) this.#bytes.push(byte);
  }

  #text(text: string): void {
    const seen = text.slice(Math.min(this.#repeated, text.length));
    this.#repeated -= text.length - seen.length;
    if (this.#group.isUnseen || seen === '') return;
    // The second byte of a character can be ASCII.
    if (this.#bytes.length > 0 || /[\x80-\xff]/.test(seen))
      this.#bytes.push(...Buffer.from(seen.slice(0, maxRun), 'latin1'));
    else this.#add(seen);
    if (seen.length > maxRun && this.#bytes.length > 0) this.#text(seen.slice(maxRun));
  }

  #add(text: string): void {
    if (text === '' || this.#group.isUnseen) return;
    this.#flush();
    this.#group.pieces.push(text);
  }

  #flush(): void {
    if (this.#bytes.length === 0) return;
    const bytes = Buffer.from(this.#bytes);
    this.#bytes = [];
    const { font } = this.#group;
    const encoding = (font === undefined ? undefined : this.#fonts.get(font)) ?? this.#codePage;
    this.#group.pieces.push(decodeAs(encoding, bytes, this.#decoders));
  }
}

/** Far above the nesting of real documents. */
const maxDepth = 1000;
/** A safe number of arguments for one function call. */
const maxRun = 10_000;
