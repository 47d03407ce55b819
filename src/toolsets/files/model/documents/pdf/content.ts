import type { PdfFile } from './file.ts';
import { type Font, readFont } from './font.ts';
import { createGlyphNames, type GlyphNames } from './glyphs.ts';
import { type Dict, Lexer, Name, type PdfValue, Word } from './syntax.ts';

type Matrix = readonly [number, number, number, number, number, number];

const identity: Matrix = [1, 0, 0, 1, 0, 0];
const maxFormDepth = 12;
const maxOperands = 200;
/** In parts of the font's size: a wider gap parts words, a higher one parts lines. */
const [wordGap, lineGap, backGap] = [0.16, 0.5, 0.6];

interface State {
  matrix: Matrix;
  font: Font | undefined;
  size: number;
  characterGap: number;
  blankGap: number;
  scale: number;
  leading: number;
}

/** Where the last text ended, in the space of the page. */
interface Place {
  x: number;
  y: number;
  size: number;
}

/** Reads the text of pages in the order in which it is shown. */
export class ContentReader {
  readonly #file: PdfFile;
  readonly #fonts = new Map<Dict, Font>();
  readonly #names: GlyphNames = createGlyphNames();
  readonly #pieces: string[] = [];
  readonly #maxLength: number;
  #length = 0;
  #last: Place | undefined;

  constructor(file: PdfFile, maxLength: number) {
    this.#file = file;
    this.#maxLength = maxLength;
  }

  get text(): string {
    return this.#pieces.join('');
  }

  page(content: Buffer, resources: Dict | undefined): void {
    this.#last = undefined;
    this.#run(content, resources, identity, 0);
  }

  endPage(): void {
    this.#add('\f');
  }

  #run(content: Buffer, resources: Dict | undefined, start: Matrix, depth: number): void {
    const lexer = new Lexer(content, this.#file.budget);
    const saved: State[] = [];
    let state: State = { matrix: start, font: undefined, size: 1, characterGap: 0, blankGap: 0, scale: 1, leading: 0 };
    let [line, text] = [identity, identity];
    let operands: PdfValue[] = [];

    const number = (index: number): number => {
      const value = operands[index];
      return typeof value === 'number' ? value : 0;
    };
    const move = (x: number, y: number): void => {
      line = multiply([1, 0, 0, 1, x, y], line);
      text = line;
    };
    const show = (value: PdfValue | undefined): void => {
      if (Buffer.isBuffer(value)) text = this.#show(value, state, text);
    };

    for (let value = lexer.next(false); value !== undefined; value = lexer.next(false)) {
      if (!(value instanceof Word)) {
        if (operands.length < maxOperands) operands.push(value);
        continue;
      }
      switch (value.word) {
        case 'BT':
          [line, text] = [identity, identity];
          break;
        case 'Tf': {
          const [name] = operands;
          state.font = name instanceof Name ? this.#font(resources, name.name) : undefined;
          state.size = number(1);
          break;
        }
        case 'Td':
          move(number(0), number(1));
          break;
        case 'TD':
          state.leading = -number(1);
          move(number(0), number(1));
          break;
        case 'Tm':
          line = [number(0), number(1), number(2), number(3), number(4), number(5)];
          text = line;
          break;
        case 'T*':
          move(0, -state.leading);
          break;
        case 'Tc':
          state.characterGap = number(0);
          break;
        case 'Tw':
          state.blankGap = number(0);
          break;
        case 'Tz':
          state.scale = number(0) / 100;
          break;
        case 'TL':
          state.leading = number(0);
          break;
        case 'Tj':
          show(operands[0]);
          break;
        case "'":
          move(0, -state.leading);
          show(operands[0]);
          break;
        case '"':
          state.blankGap = number(0);
          state.characterGap = number(1);
          move(0, -state.leading);
          show(operands[2]);
          break;
        case 'TJ': {
          const [items] = operands;
          for (const item of Array.isArray(items) ? items : []) {
            if (typeof item === 'number')
              text = multiply([1, 0, 0, 1, (-item / 1000) * state.size * state.scale, 0], text);
            else show(item);
          }
          break;
        }
        case 'q':
          if (saved.length < 1000) saved.push({ ...state });
          break;
        case 'Q':
          state = saved.pop() ?? state;
          break;
        case 'cm':
          state.matrix = multiply([number(0), number(1), number(2), number(3), number(4), number(5)], state.matrix);
          break;
        case 'Do': {
          const [name] = operands;
          if (name instanceof Name) this.#form(resources, name.name, state.matrix, depth);
          break;
        }
        case 'BI':
          skipInlineImage(lexer);
          break;
        default:
      }
      operands = [];
    }
  }

  /** Writes what is shown, with a blank or a line end where it stands apart; gives the place behind it. */
  #show(bytes: Buffer, state: State, start: Matrix): Matrix {
    const { font, size, characterGap, blankGap, scale } = state;
    if (font === undefined) return start;
    const shown = font.show(bytes);
    this.#file.budget.step();
    const place = multiply(start, state.matrix);
    // Within one text only its start can stand apart from what was before.
    if (shown.text.trim() !== '') this.#separate(place, size);
    this.#add(shown.text);
    const advance = (shown.width * size + shown.codes * characterGap + shown.blanks * blankGap) * scale;
    const behind = multiply([1, 0, 0, 1, advance, 0], start);
    const [, , , , x, y] = multiply(behind, state.matrix);
    if (shown.text !== '') this.#last = { x, y, size: sizeOf(place, size) };
    return behind;
  }

  #separate([a, b, c, d, x, y]: Matrix, size: number): void {
    const { x: lastX, y: lastY, size: lastSize } = this.#last ?? { x, y, size: 0 };
    if (this.#last === undefined) return;
    const length = Math.hypot(a, b) || 1;
    const along = ((x - lastX) * a + (y - lastY) * b) / length;
    const across = Math.abs((y - lastY) * a - (x - lastX) * b) / length;
    const unit = Math.max(sizeOf([a, b, c, d, x, y], size), lastSize * 0.5, 1e-6);
    if (across > lineGap * unit) this.#add('\n');
    else if (along > wordGap * unit || along < -backGap * unit) this.#add(' ');
  }

  #add(text: string): void {
    if (text === '') return;
    this.#pieces.push(text);
    this.#length += text.length;
    if (this.#length > this.#maxLength) throw new RangeError('the document has too much text');
  }

  #font(resources: Dict | undefined, name: string): Font | undefined {
    const dict = this.#file.dict(this.#file.dict(resources?.get('Font'))?.get(name));
    if (dict === undefined) return undefined;
    const known = this.#fonts.get(dict);
    if (known !== undefined) return known;
    const font = readFont(this.#file, dict, this.#names);
    this.#fonts.set(dict, font);
    return font;
  }

  #form(resources: Dict | undefined, name: string, matrix: Matrix, depth: number): void {
    const file = this.#file;
    const form = file.dict(file.dict(resources?.get('XObject'))?.get(name));
    if (form === undefined || depth >= maxFormDepth || file.name(form.get('Subtype')) !== 'Form') return;
    const content = file.content(form);
    if (content === undefined) return;
    const own = file.array(form.get('Matrix')).map(item => file.number(item) ?? 0);
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = own;
    this.#run(content, file.dict(form.get('Resources')) ?? resources, multiply([a, b, c, d, e, f], matrix), depth + 1);
  }
}

function multiply(left: Matrix, right: Matrix): Matrix {
  const [a, b, c, d, e, f] = left;
  const [g, h, i, j, k, l] = right;
  return [a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + l];
}

/** How high the letters are on the page. */
function sizeOf([, , c, d]: Matrix, size: number): number {
  return Math.abs(size) * Math.hypot(c, d);
}

/** The bytes of a picture in the middle of a content stream are not to be read as operators. */
function skipInlineImage(lexer: Lexer): void {
  const { bytes } = lexer;
  const data = bytes.indexOf('ID', lexer.position);
  if (data === -1) return;
  for (let at = bytes.indexOf('EI', data + 2); at !== -1; at = bytes.indexOf('EI', at + 2)) {
    const [before, after] = [bytes[at - 1] ?? 32, bytes[at + 2] ?? 32];
    if (before <= 32 && after <= 32) {
      lexer.position = at + 2;
      return;
    }
  }
  lexer.position = bytes.length;
}
