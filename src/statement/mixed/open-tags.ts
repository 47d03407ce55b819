interface OpenTag {
  readonly name: string;
  /** The number of columns by which the line of the start tag is indented. */
  readonly indent: number;
}

// In CommonMark a line that starts with four columns of white space is code.
const codeIndent = 4;
const maxIndent = 200;
const maxOpen = 100;

/** Tracks the elements that are open at the current position of the scan. Their end tags follow later. */
export class OpenTagTracker {
  readonly #text: string;
  readonly #open: OpenTag[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** True while the scan is inside an element. */
  get isInside(): boolean {
    return this.#open.length > 0;
  }

  /** True while the scan is inside an element whose line is indented like code. */
  get isIndented(): boolean {
    return this.#indent >= codeIndent;
  }

  get #indent(): number {
    return this.#open.at(-1)?.indent ?? 0;
  }

  /** Updates the open elements for the tag at an offset. */
  read(name: string, at: number, isOpen: boolean): void {
    if (isOpen) this.#enter(name, at);
    else if (this.#open.at(-1)?.name === name) this.#open.pop();
    else if (this.#open.some(element => element.name === name)) {
      while (this.#open.pop()?.name !== name);
    }
  }

  /**
   * An element at the start of a line has the indentation of that line. Any other element has the indentation of its
   * parent.
   */
  #enter(name: string, at: number): void {
    const before = this.#text.slice(Math.max(0, at - maxIndent), at);
    const blanks = /(?:^|\n)[ \t]*$/.test(before) ? (/[ \t]*$/.exec(before)?.[0] ?? '') : undefined;
    const indent = blanks?.replaceAll('\t', '    ').length ?? this.#indent;
    if (this.#open.length < maxOpen) this.#open.push({ name, indent });
  }
}
