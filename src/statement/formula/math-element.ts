import type { Attributes } from '../html/attributes.ts';

/** An element of a formula with its name in MathML. The name `drawn` denotes text without a known structure. */
export interface MathElement {
  readonly name: string;
  readonly children: MathElement[];
  readonly attributes: Attributes;
  text: string;
}

/** An element of a formula in the HTML that KaTeX or MathJax renders. */
export interface RenderedElement {
  readonly name: string;
  readonly classes: readonly string[];
  readonly style: string;
  readonly children: RenderedElement[];
  readonly text: string;
}

export function createMathElement(
  name: string,
  children: MathElement[],
  text = '',
  attributes: Attributes = {},
): MathElement {
  return { name, children, text, attributes };
}

export function createRenderedElement(
  name: string,
  { class: className = '', style = '' }: Attributes,
): RenderedElement {
  return { name, classes: className.split(/\s+/), style, children: [], text: '' };
}

export function createRenderedText(text: string): RenderedElement {
  return { name: '', classes: [], style: '', children: [], text };
}
