import { type Budget, TooMuch } from '../budget.ts';
import { type Element, elements } from '../elements.ts';
import type { StatementElement } from './node.ts';

// turndown and the rules recurse. No page is nested like this.
const maxDepth = 300;

export interface OpenElement {
  readonly name: string;
  /** What it is by its name. */
  readonly element: Element | undefined;
  readonly end: End | undefined;
}

/** What is done at the end of an element: a node is closed, anything else knows by itself what to do. */
export type End = StatementElement | (() => void);

/** The elements that are open, and which of them a tag ends. */
export class OpenElements {
  readonly #budget: Budget;
  readonly #open: OpenElement[] = [];

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  get depth(): number {
    return this.#open.length;
  }

  push(name: string, element: Element | undefined, end: End | undefined): void {
    this.#open.push({ name, element, end });
  }

  pop(): OpenElement | undefined {
    return this.#open.pop();
  }

  refuseDepth(): void {
    if (this.#open.length >= maxDepth) throw new TooMuch('the elements are nested too deeply');
  }

  /** How many stay open where an element begins: a paragraph, an item, a cell may have no end tag of their own. */
  depthBefore({ isBlock, kind, ends, inside }: Element): number {
    let depth = this.#open.length;
    const last = this.#open[depth - 1];
    if (last === undefined) return depth;
    if ((isBlock && last.name === 'p') || (kind === 'HEADING' && last.element?.kind === kind)) depth--;
    if (ends === undefined) return depth;
    let at = this.#open.length - 1;
    for (; at >= 0; at--) {
      const { name, element } = this.#open[at] ?? last;
      if (ends.has(name)) depth = at;
      else if (element?.scope !== undefined || (element?.kind !== undefined && inside?.includes(element.kind))) break;
    }
    this.#budget.climbed.spend(this.#open.length - at);
    return depth;
  }

  /** How many stay open behind an end tag; undefined when it ends none. */
  depthAfter(name: string): number | undefined {
    const known = elements.get(name);
    const isPart = known?.inside !== undefined || known?.kind === 'TABLE';
    let at = this.#open.length - 1;
    let isFound = false;
    for (; at >= 0; at--) {
      isFound = this.#open[at]?.name === name;
      if (isFound) break;
      const scope = this.#open[at]?.element?.scope;
      if (isPart ? this.#open[at]?.name === 'table' : scope === 'all' || (scope === 'items' && known?.kind === 'LI'))
        break;
    }
    this.#budget.climbed.spend(this.#open.length - at);
    return isFound ? at : undefined;
  }
}
