import type { Attributes } from './css/visibility.ts';
import type { LiteralKind } from './html/literal.ts';
import type { ElementKind } from './html/node.ts';
import { BLOCK_ELEMENTS, UNSEEN_ELEMENTS } from './names.ts';

/** What becomes of an element: a node of a kind, text taken as it is, or one of the special ways. */
export interface ElementPlan {
  readonly role: 'node' | 'literal' | 'property' | 'unseen' | 'sheet' | 'tex' | 'formula' | 'embedded';
  /** Without a kind only the content counts. */
  readonly kind?: ElementKind;
  readonly isBlock: boolean;
  readonly literal?: LiteralKind;
  readonly number?: number;
}

const PLAIN: ElementPlan = { role: 'node', isBlock: false };
const BLOCK: ElementPlan = { role: 'node', kind: 'BLOCK', isBlock: true };
const UNSEEN: ElementPlan = { role: 'unseen', isBlock: false };
const SHEET: ElementPlan = { role: 'sheet', isBlock: false };
const TEX: ElementPlan = { role: 'tex', isBlock: false };
const FORMULA: ElementPlan = { role: 'formula', isBlock: false };
const DISPLAY: ElementPlan = { role: 'formula', kind: 'DISPLAY', isBlock: false };
const PROPERTY: ElementPlan = { role: 'property', isBlock: false };
const CODE: ElementPlan = { role: 'literal', kind: 'CODE', literal: 'code', isBlock: false };
const SAMPLE: ElementPlan = { role: 'literal', kind: 'SAMPLE', literal: 'sample', isBlock: true };
/** Text whose line breaks show; with blocks in it, it is an ordinary block. */
const LINES: ElementPlan = { role: 'literal', kind: 'BLOCK', literal: 'lines', isBlock: true };
const SUP: ElementPlan = { role: 'literal', kind: 'SUP', literal: 'script', isBlock: false };
const SUB: ElementPlan = { role: 'literal', kind: 'SUB', literal: 'script', isBlock: false };
const STRONG = inline('STRONG');
const EM = inline('EM');
const DEL = inline('DEL');
const TERM = block('TERM');
const SECTION_TITLE = heading(3);

const PLANS: ReadonlyMap<string, ElementPlan> = new Map([
  ...[...BLOCK_ELEMENTS].map((name): [string, ElementPlan] => [name, BLOCK]),
  ...[...UNSEEN_ELEMENTS].map((name): [string, ElementPlan] => [name, UNSEEN]),
  ...[1, 2, 3, 4, 5, 6].map((level): [string, ElementPlan] => [`h${level}`, heading(level)]),
  ...named('pre xmp listing plaintext textarea', SAMPLE),
  ...named('code tt kbd samp', CODE),
  ...named('sup', SUP),
  ...named('sub', SUB),
  ...named('var', { role: 'literal', kind: 'FORMULA', literal: 'tex', isBlock: false }),
  ...named('b strong', STRONG),
  // Markdown has no underline; what a statement underlines it wants to be noticed.
  ...named('i em u ins dfn cite', EM),
  ...named('del s strike', DEL),
  ...named('q', inline('QUOTE')),
  ...named('rt', inline('ANNOTATION')),
  ...named('rp', UNSEEN),
  ...named('button', inline('BUTTON')),
  ...named('a', inline('LINK')),
  ...named('iframe video audio embed', { role: 'embedded', isBlock: false }),
  ...named('img image', inline('PICTURE')),
  ...named('dt summary caption legend', TERM),
  ...named('blockquote', block('BLOCKQUOTE')),
  ...named('hr', block('HORIZONTAL')),
  ...named('ul menu dir', block('UL')),
  ...named('ol', block('OL')),
  ...named('li dd', block('LI')),
  ...named('table', block('TABLE')),
  ...named('thead', block('HEAD')),
  ...named('tbody tfoot', block('ROWS')),
  ...named('tr', block('ROW')),
  ...named('td', block('CELL')),
  ...named('th', block('HEADCELL')),
  ...named('style', SHEET),
  ...named('math mjx-container', FORMULA),
]);

const CODEFORCES_STYLES: readonly [string, ElementPlan][] = [
  ['tex-font-style-tt', CODE],
  ['tex-font-style-bf', STRONG],
  ['tex-font-style-it', EM],
  ['tex-font-style-underline', EM],
  ['tex-font-style-striked', DEL],
];
const NUMBER_ATTRIBUTES: Partial<Record<ElementKind, string>> = {
  OL: 'start',
  LI: 'value',
  CELL: 'colspan',
  HEADCELL: 'colspan',
};
const MATHJAX_CLASS = /(?:^|\s)(?:MathJax|MathJax_SVG|MathJax_CHTML|mjx-chtml)(?:\s|$)/;
const BOX_TITLE = /(?:^|\s)title(?:\s|$)/;
const PREFORMATTED = /white-space\s*:\s*pre\s*(?:;|!|$)/i;
const WRAPPED = /white-space\s*:\s*(?:pre-wrap|pre-line|break-spaces)/i;
const SCRIPT_POSITION = /vertical-align\s*:\s*(super|sub)\b/i;
const STRUCK = /text-decoration(?:-line)?\s{0,9}:[^;]{0,100}line-through/i;
const COUNTER_STYLE = /list-style(?:-type)?\s{0,9}:([^;]{0,100})/i;
const BOLD = /font-weight\s*:\s*(?:bold|[6-9]00)/i;
const ITALIC = /font-style\s*:\s*italic/i;

export function elementPlan(name: string, attributes: Attributes): ElementPlan {
  if (name === 'script') return attributes['type']?.startsWith('math/tex') === true ? TEX : UNSEEN;
  const plan = PLANS.get(name) ?? PLAIN;
  const { class: className, style } = attributes;
  if (name === 'font' && /mono|courier|consolas/i.test(attributes['face'] ?? '')) return CODE;
  const byClass = className === undefined ? plan : planByClass(name, className, plan);
  return style === undefined || byClass !== plan ? byClass : planByStyle(style, plan);
}

function planByStyle(style: string, plan: ElementPlan): ElementPlan {
  if (plan === BLOCK) return PREFORMATTED.test(style) ? SAMPLE : WRAPPED.test(style) ? LINES : BLOCK;
  if (plan !== PLAIN && plan !== STRONG && plan !== EM) return plan;
  if (isStruck(style)) return DEL;
  if (plan !== PLAIN) return plan;
  const raised = raisedPlan(plan, SCRIPT_POSITION.exec(style)?.[1]);
  if (raised !== plan) return raised;
  return BOLD.test(style) ? STRONG : ITALIC.test(style) ? EM : PLAIN;
}

/** A power or an index by its place on the line alone. */
export function raisedPlan(plan: ElementPlan, verticalAlign: string | undefined): ElementPlan {
  if (plan !== PLAIN) return plan;
  return /^super\b/i.test(verticalAlign ?? '') ? SUP : /^sub\b/i.test(verticalAlign ?? '') ? SUB : plan;
}

export function isStruck(style: string): boolean {
  return STRUCK.test(style);
}

function planByClass(name: string, className: string, plan: ElementPlan): ElementPlan {
  if (plan !== PLAIN && plan !== BLOCK) return plan;
  if (className.includes('katex')) {
    if (/(?:^|\s)katex-display(?:\s|$)/.test(className)) return DISPLAY;
    return /(?:^|\s)katex(?:\s|$)/.test(className) ? FORMULA : plan;
  }
  if (className.includes('MathJax_Display')) return DISPLAY;
  if (MATHJAX_CLASS.test(className)) return FORMULA;
  // AtCoder writes both languages on one page and shows the reader's.
  if (className === 'lang-ja') return { ...BLOCK, kind: 'JAPANESE' };
  if (className === 'lang-en') return { ...BLOCK, kind: 'ENGLISH' };
  if (className.includes('tex-font-style-')) {
    return CODEFORCES_STYLES.find(([style]) => className.includes(style))?.[1] ?? plan;
  }
  if (name !== 'div') return plan;
  if (className.includes('section-title')) return SECTION_TITLE;
  if (className.includes('property-title')) return PROPERTY;
  return BOX_TITLE.test(className) ? TERM : plan;
}

function named(names: string, plan: ElementPlan): [string, ElementPlan][] {
  return names.split(' ').map(name => [name, plan]);
}

function inline(kind: ElementKind): ElementPlan {
  return { role: 'node', kind, isBlock: false };
}

function block(kind: ElementKind): ElementPlan {
  return { role: 'node', kind, isBlock: true };
}

function heading(number: number): ElementPlan {
  return { role: 'node', kind: 'HEADING', isBlock: true, number };
}

export function numberOf(kind: ElementKind, attributes: Attributes): number | undefined {
  return wholeNumber(attributes[NUMBER_ATTRIBUTES[kind] ?? '']);
}

/** What the items of a list are counted with where it is not digits: `A`, `a`, `I` or `i`. */
export function counterOf(kind: ElementKind, { type, style }: Attributes): string {
  if (kind !== 'OL') return '';
  const written = COUNTER_STYLE.exec(style ?? '')?.[1] ?? '';
  const [, size, system = ''] = /(lower|upper)-(alpha|latin|roman)/i.exec(written) ?? [];
  if (size !== undefined) {
    const counter = /roman/i.test(system) ? 'i' : 'a';
    return /upper/i.test(size) ? counter.toUpperCase() : counter;
  }
  if (/decimal|none|disc|circle|square/i.test(written)) return '';
  return type !== undefined && /^[aAiI]$/.test(type.trim()) ? type.trim() : '';
}

export function wholeNumber(text: string | undefined): number | undefined {
  if (text === undefined || !/^\s*-?\d{1,9}/.test(text)) return undefined;
  return Number.parseInt(text, 10);
}

export function languageOf({ class: className }: Attributes): string {
  return /(?:^|\s)(?:language-|lang-|brush:\s*)([\w+#-]{1,30})/.exec(className ?? '')?.[1] ?? '';
}
