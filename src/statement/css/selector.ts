import type { Attributes } from '../html/attributes.ts';

/** The properties of an element that selectors test. */
export interface SelectableElement {
  readonly name: string;
  readonly attributes: Attributes;
  readonly classes: ReadonlySet<string>;
  readonly previous: SelectableElement | undefined;
  /** The position of the element among its siblings starts at 1. It is 0 if the siblings are unknown. */
  readonly index: number;
}

/** An element that is compared with a CSS selector. Its ancestors are the first elements of the array `path`. */
export interface SelectorCandidate {
  readonly element: SelectableElement | undefined;
  readonly path: readonly SelectableElement[];
  /** The number of ancestors of the element. */
  readonly at: number;
  readonly spend: () => void;
}

export type ElementTest = (candidate: SelectorCandidate) => boolean;

export interface CompoundSelector {
  readonly tests: readonly ElementTest[];
  /** This character states the relation between the previous compound selector and this one. */
  readonly combinator: ' ' | '>' | '+' | '~';
}

export interface Selector {
  readonly compounds: readonly CompoundSelector[];
  /** https://www.w3.org/TR/selectors-4/#specificity-rules, as one number. */
  readonly specificity: number;
  /** The selector matches elements with this id, class or name: `#x`, `.x`, `x` or `*`. */
  readonly key: string;
  /** True if the selector depends on content after the element, which is unknown when the element begins. */
  readonly isUncertain: boolean;
}

/**
 * Returns whether the selector matches the last element of the path. The other elements of the path are its ancestors.
 */
export function matchesSelector(selector: Selector, path: readonly SelectableElement[], spend: () => void): boolean {
  const at = path.length - 1;
  return matchesSelectorFrom(selector.compounds, selector.compounds.length - 1, { element: path[at], path, at, spend });
}

export function matchesSelectorFrom(
  compounds: readonly CompoundSelector[],
  index: number,
  candidate: SelectorCandidate,
): boolean {
  const compound = compounds[index];
  candidate.spend();
  if (compound === undefined || candidate.element === undefined) return false;
  if (!compound.tests.every(test => test(candidate))) return false;
  if (index === 0) return true;
  for (const next of related(candidate, compound.combinator)) {
    if (matchesSelectorFrom(compounds, index - 1, next)) return true;
  }
  return false;
}

/**
 * Yields the elements that a combinator relates to a candidate: its ancestors, its parent or its preceding siblings.
 */
function* related(
  candidate: SelectorCandidate,
  combinator: CompoundSelector['combinator'],
): Generator<SelectorCandidate> {
  const { path } = candidate;
  if (combinator === '+' || combinator === '~') {
    for (let { previous } = candidate.element ?? {}; previous !== undefined; { previous } = previous) {
      yield { ...candidate, element: previous };
      if (combinator === '+') return;
    }
    return;
  }
  for (let at = candidate.at - 1; at >= 0; at--) {
    yield { ...candidate, element: path[at], at };
    if (combinator === '>') return;
  }
}
