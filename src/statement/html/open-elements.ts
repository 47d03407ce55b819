import { type ConversionBudget, ConversionBudgetExceeded } from '../budget.ts';
import { type ElementProperties, elementTable } from '../elements.ts';
import type { StatementElement } from './node.ts';

// turndown and its rules are recursive, so that the depth is limited. No real page is nested this deeply.
const maxDepth = 300;

export interface OpenElement {
  readonly name: string;
  /** The properties of the element come from the table of elements. They are undefined for an unknown name. */
  readonly element: ElementProperties | undefined;
  readonly end: ElementCloseAction | undefined;
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

  /**
   * Returns the number of elements that stay open after an end tag, or undefined if the tag matches no open element.
   */
  depthAfter(name: string): number | undefined {
    let at = this.#open.length - 1;
    if (this.#open[at]?.name === name) return at;
    const known = elementTable.get(name);
    let isFound = false;
    for (; at >= 0; at--) {
      isFound = this.#open[at]?.name === name;
      if (isFound) break;
      if (stopsSearch(this.#open[at], known)) break;
    }
    this.#budget.searched.spend(this.#open.length - at);
    return isFound ? at : undefined;
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
