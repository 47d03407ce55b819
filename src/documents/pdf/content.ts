import { decodeTextString } from './characters.ts';
import type { PdfFile } from './file.ts';
import { type PdfFont, readPdfFont } from './font.ts';
import { createGlyphNames, type GlyphNames } from './glyphs.ts';
import {
  convertToVisualOrder,
  identityMatrix,
  multiplyMatrices,
  PdfPageText,
  shiftMatrix,
  type TransformMatrix,
} from './page-text.ts';
import { type PdfDictionary, PdfKeyword, PdfLexer, PdfName, type PdfValue } from './syntax.ts';

const maxFormDepth = 12;
const maxOperands = 200;
const maxSaved = 1000;

interface State {
  matrix: TransformMatrix;
  font: PdfFont | undefined;
  size: number;
  characterGap: number;
  blankGap: number;
  scale: number;
  leading: number;
}

/** A part of a page with a marked-content tag can have an `ActualText`, which replaces the text of its glyphs. */
interface Replacement {
  text: string;
  isPlaced: boolean;
}

/** Extracts the text of PDF content streams in the order of their operators. */
export class PdfContentReader {
  readonly file: PdfFile;
  readonly page: PdfPageText;
  /** This text replaces the glyphs until the end of the current marked content. */
  replacement: Replacement | undefined;
  codes = 0;
  unreadableCodes = 0;
  readonly #fonts = new Map<PdfDictionary, PdfFont>();
  readonly #names: GlyphNames = createGlyphNames();

  constructor(file: PdfFile, maxLength: number) {
    this.file = file;
    this.page = new PdfPageText(maxLength);
  }

  read(
    content: Buffer,
    resources: PdfDictionary | undefined,
    matrix: TransformMatrix = identityMatrix,
    depth = 0,
  ): void {
    new ContentStream(this, content, resources, matrix, depth).run();
  }

  /** Reads a form XObject or an appearance stream of a PDF. Both have their own resources. */
  form(form: PdfDictionary, inherited: PdfDictionary | undefined, matrix: TransformMatrix, depth: number): void {
    const { file } = this;
    if (depth >= maxFormDepth) return;
    const content = file.content(form);
    if (content === undefined) return;
    const own = file.array(form.get('Matrix')).map(item => file.number(item) ?? 0);
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = own;
    const resources = file.dict(form.get('Resources')) ?? inherited;
    this.read(content, resources, multiplyMatrices([a, b, c, d, e, f], matrix), depth + 1);
  }

  font(resources: PdfDictionary | undefined, name: string): PdfFont | undefined {
    const dict = this.file.dict(this.file.dict(resources?.get('Font'))?.get(name));
    if (dict === undefined) return undefined;
    let font = this.#fonts.get(dict);
    if (font === undefined) this.#fonts.set(dict, (font = readPdfFont(this.file, dict, this.#names)));
    return font;
  }
}

type Operator = (stream: ContentStream) => void;

/** Maps the PDF operators that show text or change its position to functions. Other operators only draw. */
const operators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['BT', stream => stream.begin(identityMatrix)],
  ['Tf', stream => stream.useFont()],
  ['Td', stream => stream.move(stream.number(0), stream.number(1))],
  ['TD', stream => stream.moveLine(stream.number(0), stream.number(1))],
  ['Tm', stream => stream.begin(stream.matrix())],
  ['T*', stream => stream.nextLine()],
  ['Tc', stream => void (stream.state.characterGap = stream.number(0))],
  ['Tw', stream => void (stream.state.blankGap = stream.number(0))],
  ['Tz', stream => void (stream.state.scale = stream.number(0) / 100)],
  ['TL', stream => void (stream.state.leading = stream.number(0))],
  ['Tj', stream => stream.show(stream.operands[0])],
  ["'", stream => stream.showNext(stream.operands[0])],
  [
    '"',
    stream => {
      [stream.state.blankGap, stream.state.characterGap] = [stream.number(0), stream.number(1)];
      stream.showNext(stream.operands[2]);
    },
  ],
  ['TJ', stream => stream.showAll()],
  ['q', stream => stream.save()],
  ['Q', stream => stream.restore()],
  ['cm', stream => void (stream.state.matrix = multiplyMatrices(stream.matrix(), stream.state.matrix))],
  ['Do', stream => stream.draw()],
  ['BMC', stream => stream.mark(undefined)],
  ['BDC', stream => stream.mark(stream.operands[1])],
  ['EMC', stream => stream.endMark()],
  ['BI', stream => stream.lexer.skipImage()],
]);

/** Interprets the operators of one PDF content stream. */
class ContentStream {
  readonly lexer: PdfLexer;
  state: State;
  operands: PdfValue[] = [];
  readonly #reader: PdfContentReader;
  readonly #resources: PdfDictionary | undefined;
  readonly #depth: number;
  readonly #saved: State[] = [];
  /** A stack with the `ActualText` of each open marked content, or undefined if the text is not used. */
  readonly #marks: (Replacement | undefined)[] = [];
  #line = identityMatrix;
  #text = identityMatrix;

  constructor(
    reader: PdfContentReader,
    content: Buffer,
    resources: PdfDictionary | undefined,
    matrix: TransformMatrix,
    depth: number,
  ) {
    this.lexer = new PdfLexer(content, reader.file.budget);
    this.state = { matrix, font: undefined, size: 1, characterGap: 0, blankGap: 0, scale: 1, leading: 0 };
    this.#reader = reader;
    this.#resources = resources;
    this.#depth = depth;
  }

  run(): void {
    const { lexer } = this;
    for (let value = lexer.next(false); value !== undefined; value = lexer.next(false)) {
      if (value instanceof PdfKeyword) {
        operators.get(value.keyword)?.(this);
        this.operands = [];
      } else if (this.operands.length < maxOperands) this.operands.push(value);
    }
    while (this.#marks.length > 0) this.endMark();
  }

  number(index: number): number {
    const value = this.operands[index];
    return typeof value === 'number' ? value : 0;
  }

  matrix(): TransformMatrix {
    return [this.number(0), this.number(1), this.number(2), this.number(3), this.number(4), this.number(5)];
  }

  begin(line: TransformMatrix): void {
    [this.#line, this.#text] = [line, line];
  }

  move(x: number, y: number): void {
    this.begin(shiftMatrix(this.#line, x, y));
  }

  /** Moves to the next line and sets the line distance for the following lines. */
  moveLine(x: number, y: number): void {
    this.state.leading = -y;
    this.move(x, y);
  }

  nextLine(): void {
    this.move(0, -this.state.leading);
  }

  save(): void {
    if (this.#saved.length < maxSaved) this.#saved.push({ ...this.state });
  }

  restore(): void {
    this.state = this.#saved.pop() ?? this.state;
  }

  useFont(): void {
    const [name] = this.operands;
    this.state.font = name instanceof PdfName ? this.#reader.font(this.#resources, name.name) : undefined;
    this.state.size = this.number(1);
  }

  draw(): void {
    const { file } = this.#reader;
    const [name] = this.operands;
    if (!(name instanceof PdfName)) return;
    const form = file.dict(file.dict(this.#resources?.get('XObject'))?.get(name.name));
    if (form === undefined || file.name(form.get('Subtype')) !== 'Form') return;
    this.#reader.form(form, this.#resources, this.state.matrix, this.#depth);
  }

  showAll(): void {
    const [items] = this.operands;
    const { size, scale, font } = this.state;
    for (const item of Array.isArray(items) ? items : []) {
      if (typeof item !== 'number') this.show(item);
      else if (font?.isVertical === true) this.#text = shiftMatrix(this.#text, 0, (-item / 1000) * size);
      else this.#text = shiftMatrix(this.#text, (-item / 1000) * size * scale, 0);
    }
  }

  showNext(value: PdfValue | undefined): void {
    this.nextLine();
    this.show(value);
  }

  show(value: PdfValue | undefined): void {
    const { font, size, matrix } = this.state;
    const reader = this.#reader;
    if (font === undefined || !Buffer.isBuffer(value)) return;
    const shown = font.show(value);
    reader.file.budget.step();
    reader.codes += shown.codes;
    if (reader.replacement === undefined) reader.unreadableCodes += shown.unreadable;
    const from = multiplyMatrices(this.#text, matrix);
    const [x, y] = this.#advance(font, shown);
    this.#text = shiftMatrix(this.#text, x, y);
    const to = multiplyMatrices(this.#text, matrix);
    const { replacement } = reader;
    if (replacement !== undefined && (replacement.isPlaced || replacement.text === '')) reader.page.extend(to);
    else reader.page.show(replacement?.text ?? shown.text, from, to, size * font.scale);
    if (replacement !== undefined) replacement.isPlaced = true;
  }

  #advance(font: PdfFont, { width, codes, blanks }: ReturnType<PdfFont['show']>): readonly [x: number, y: number] {
    const { size, characterGap, blankGap, scale } = this.state;
    const gaps = codes * characterGap + blanks * blankGap;
    // In vertical writing each glyph advances by the font size, because few fonts define other advances.
    return font.isVertical ? [0, -codes * size + gaps] : [(width * size + gaps) * scale, 0];
  }

  mark(properties: PdfValue | undefined): void {
    const reader = this.#reader;
    const { file } = reader;
    const dict =
      properties instanceof PdfName
        ? file.dict(file.dict(this.#resources?.get('Properties'))?.get(properties.name))
        : file.dict(properties);
    const actual = file.resolve(dict?.get('ActualText'));
    // The `ActualText` of a marked part is ignored if an enclosing part has an `ActualText` too.
    const counts = Buffer.isBuffer(actual) && reader.replacement === undefined;
    const replacement = counts ? { text: convertToVisualOrder(decodeTextString(actual)), isPlaced: false } : undefined;
    if (replacement !== undefined) reader.replacement = replacement;
    this.#marks.push(replacement);
  }

  endMark(): void {
    const replacement = this.#marks.pop();
    if (replacement === undefined) return;
    const reader = this.#reader;
    const { font, size, matrix } = this.state;
    const here = multiplyMatrices(this.#text, matrix);
    if (!replacement.isPlaced) reader.page.show(replacement.text, here, here, size * (font?.scale ?? 1));
    reader.replacement = undefined;
  }
}
