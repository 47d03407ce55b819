import type { LiteralText } from './literal.ts';
import type { ElementKind, StatementElement } from './node.ts';

export interface LiteralFrame {
  readonly role: 'literal';
  readonly literal: LiteralText;
  readonly kind: ElementKind;
  language: string;
}

/** What an open element of the page has become, for when it is closed. */
export type Frame =
  | { readonly role: 'none' | 'script' | 'edge' | 'line' | 'sheet' | 'formula' | 'property' }
  | { readonly role: 'tex'; readonly isDisplay: boolean }
  | { readonly role: 'element'; readonly node: StatementElement }
  | LiteralFrame;

export const NONE: Frame = { role: 'none' };
export const FORMULA: Frame = { role: 'formula' };
