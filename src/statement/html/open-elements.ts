import { type ConversionBudget, ConversionBudgetExceeded } from '../budget.ts';
import { type ElementProperties, elementTable } from '../elements.ts';
import type { StatementElement } from './node.ts';
import { isForeignRoot } from './non-tags.ts';

// turndown and its rules are recursive, so that the depth of the tree is limited. No real page is nested this deeply.
const maxDepth = 300;

/**
 * An end tag of these elements does not close a block that began inside the element, as in a browser. `s` and `del` are
 * missing here, because the text after their end tag would still look deleted in such a block.
 */
const textElements: ReadonlySet<string> = new Set(
  'a b big code em font i ins kbd mark nobr samp small span strong sub sup tt u var'.split(' '),
);

export interface OpenElement {
  readonly name: string;
  /** The properties of the element come from the table of elements. They are undefined for an unknown name. */
  readonly element: ElementProperties | undefined;
  readonly end: ElementCloseAction | undefined;
  /**
   * True if the parser found the end tag while a block inside the element was open. The element ends together with this
   * block.
   */
  hasEndTag?: boolean;
}

/** The action at the end of an element: it closes a node of the tree, or calls a function. */
export type ElementCloseAction = StatementElement | (() => void);

/** A stack of the open elements. It decides which open elements a tag closes. */
export class OpenElements {
  readonly #budget: ConversionBudget;
  readonly #open: OpenElement[] = [];
  #foreignDepth = 0;

  constructor(budget: ConversionBudget) {
    this.#budget = budget;
  }

  get depth(): number {
    return this.#open.length;
  }

  /** Returns whether an <svg> or <math> element is open. */
  get isInForeignContent(): boolean {
    return this.#foreignDepth > 0;
  }

  push(name: string, element: ElementProperties | undefined, end: ElementCloseAction | undefined): void {
    this.#open.push({ name, element, end });
    if (isForeignRoot(name)) this.#foreignDepth++;
  }

  pop(): OpenElement | undefined {
    const ended = this.#open.pop();
    if (ended !== undefined && isForeignRoot(ended.name)) this.#foreignDepth--;
    return ended;
  }

  refuseDepth(): void {
    if (this.#open.length >= maxDepth) throw new ConversionBudgetExceeded('the elements are nested too deeply');
  }

  /**
   * Returns the number of elements that stay open when a new element begins. The new element closes others implicitly,
   * because elements such as `p`, `li` and `td` may have no end tag.
   */
  depthBefore({ isBlock, kind, ends, inside }: ElementProperties): number {
    let depth = this.#open.length;
    const last = this.#open[depth - 1];
    if (last === undefined) return depth;
    if ((isBlock && last.name === 'p') || (kind === 'HEADING' && last.element?.kind === kind)) depth--;
    return ends === undefined ? depth : this.#depthOfEnded(ends, inside, depth);
  }

  /**
   * Returns the depth of the outermost open element that a new element closes. The number of compared elements is
   * limited.
   */
  #depthOfEnded(ends: ReadonlySet<string>, inside: ElementProperties['inside'], unchanged: number): number {
    let depth = unchanged;
    let at = this.#open.length - 1;
    for (; at >= 0; at--) {
      const open = this.#open[at];
      const element = open?.element;
      if (open !== undefined && ends.has(open.name)) depth = at;
      else if (element?.scope !== undefined || (element?.kind !== undefined && inside?.includes(element.kind))) break;
    }
    this.#budget.searched.spend(this.#open.length - at);
    return depth;
  }

  /** Returns whether the parser has already found the end tag of the innermost open element. */
  get hasEndTag(): boolean {
    return this.#open.at(-1)?.hasEndTag === true;
  }

  /**
   * Returns the number of elements that stay open after an end tag. Returns undefined if no open element has this name,
   * or if a block is open inside a text element such as <b>. With `closesBlocks`, the tag of a text element also closes
   * blocks, so that no visible text after them is lost.
   */
  depthAfter(name: string, closesBlocks: boolean): number | undefined {
    let at = this.#open.length - 1;
    if (this.#open[at]?.name === name) return at;
    const known = elementTable.get(name);
    const canContainBlock = !closesBlocks && textElements.has(name);
    let hasBlock = false;
    let found: OpenElement | undefined;
    for (; at >= 0; at--) {
      const open = this.#open[at];
      if (open?.name === name) found = open;
      if (found !== undefined || stopsSearch(open, known)) break;
      hasBlock ||= canContainBlock && open?.element?.isBlock === true;
    }
    this.#budget.searched.spend(this.#open.length - at);
    if (found !== undefined && hasBlock) found.hasEndTag = true;
    return found === undefined || hasBlock ? undefined : at;
  }
}

/** Returns whether an open element limits the search for the start tag that belongs to an end tag. */
function stopsSearch(open: OpenElement | undefined, known: ElementProperties | undefined): boolean {
  if (known?.inside !== undefined || known?.kind === 'TABLE') return open?.name === 'table';
  const scope = open?.element?.scope;
  return scope === 'all' || (scope === 'items' && known?.kind === 'LI');
}
