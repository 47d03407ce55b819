import { type ConversionBudget, ConversionBudgetExceeded } from '../budget.ts';
import { type ElementProperties, elementTable } from '../elements.ts';
import type { StatementElement } from './node.ts';

// turndown and its rules are recursive, so that the depth is limited. No real page is nested this deeply.
const maxDepth = 300;

/**
 * An end tag of these elements does not close a block that began inside of them, as in a browser. Text behind the end
 * tag of deleted text would look deleted in such a block, so that `s` and `del` are missing.
 */
const textElements: ReadonlySet<string> = new Set(
  'a b big code em font i ins kbd mark nobr samp small span strong sub sup tt u var'.split(' '),
);

export interface OpenElement {
  readonly name: string;
  /** The properties of the element come from the table of elements. They are undefined for an unknown name. */
  readonly element: ElementProperties | undefined;
  readonly end: ElementCloseAction | undefined;
  /** True if the end tag was read while a block inside of the element was open. The element ends with this block. */
  hasEndTag?: boolean;
}

/** The action at the end of an element: it closes a node of the tree, or calls a function. */
export type ElementCloseAction = StatementElement | (() => void);

/** This stack contains the open elements and decides which of them a tag closes. */
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
    if (isForeign(name)) this.#foreignDepth++;
  }

  pop(): OpenElement | undefined {
    const ended = this.#open.pop();
    if (ended !== undefined && isForeign(ended.name)) this.#foreignDepth--;
    return ended;
  }

  refuseDepth(): void {
    if (this.#open.length >= maxDepth) throw new ConversionBudgetExceeded('the elements are nested too deeply');
  }

  /**
   * Returns the number of elements that stay open when an element begins. It closes others implicitly, because `p`,
   * `li`, `td` and others may lack end tags.
   */
  depthBefore({ isBlock, kind, ends, inside }: ElementProperties): number {
    let depth = this.#open.length;
    const last = this.#open[depth - 1];
    if (last === undefined) return depth;
    if ((isBlock && last.name === 'p') || (kind === 'HEADING' && last.element?.kind === kind)) depth--;
    return ends === undefined ? depth : this.#depthOfEnded(ends, inside, depth);
  }

  /** Returns the depth of the outermost open element that the new element closes, up to the limit of the search. */
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

  /** Returns whether the innermost open element has had its end tag already. */
  get hasEndTag(): boolean {
    return this.#open.at(-1)?.hasEndTag === true;
  }

  /**
   * Returns the number of elements that stay open after an end tag. Returns undefined if the tag matches no open
   * element, or if its element is a text element that contains an open block. `closesBlocks` is true in hidden text and
   * formulas, so that no visible text is lost behind them.
   */
  depthAfter(name: string, closesBlocks: boolean): number | undefined {
    let at = this.#open.length - 1;
    if (this.#open[at]?.name === name) return at;
    const known = elementTable.get(name);
    const canContainBlock = !closesBlocks && textElements.has(name);
    let hasBlock = false;
    let isFound = false;
    for (; at >= 0; at--) {
      isFound = this.#open[at]?.name === name;
      if (isFound) break;
      if (stopsSearch(this.#open[at], known)) break;
      hasBlock ||= canContainBlock && this.#open[at]?.element?.isBlock === true;
    }
    this.#budget.searched.spend(this.#open.length - at);
    const found = isFound ? this.#open[at] : undefined;
    if (found !== undefined && hasBlock) found.hasEndTag = true;
    return found === undefined || hasBlock ? undefined : at;
  }
}

function isForeign(name: string): boolean {
  return name === 'svg' || name === 'math';
}

/** Returns whether an open element stops the search for the start tag of an end tag. */
function stopsSearch(open: OpenElement | undefined, known: ElementProperties | undefined): boolean {
  if (known?.inside !== undefined || known?.kind === 'TABLE') return open?.name === 'table';
  const scope = open?.element?.scope;
  return scope === 'all' || (scope === 'items' && known?.kind === 'LI');
}
