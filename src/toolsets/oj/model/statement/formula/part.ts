import type { Attributes } from '../html/reader.ts';

/** An element of a formula, named as in MathML; `drawn` is text as it was found. */
export interface Part {
  readonly name: string;
  readonly children: Part[];
  readonly attributes: Attributes;
  text: string;
}

export function part(name: string, children: Part[], text = '', attributes: Attributes = {}): Part {
  return { name, children, text, attributes };
}
