import { type Attributes, emptyAttributes } from './html/attributes.ts';

/** The role of a tree node in Markdown. */
export type MarkdownRole =
  | 'PAGE'
  | 'BODY'
  | 'BLOCK'
  | 'JAPANESE'
  | 'ENGLISH'
  | 'SAMPLE'
  | 'CODE'
  | 'FORMULA'
  | 'DISPLAY'
  | 'SUP'
  | 'SUB'
  | 'PICTURE'
  | 'LINK'
  | 'STRONG'
  | 'EM'
  | 'DEL'
  | 'QUOTE'
  | 'ANNOTATION'
  | 'BUTTON'
  | 'HEADING'
  | 'TERM'
  | 'BLOCKQUOTE'
  | 'HORIZONTAL'
  | 'UL'
  | 'OL'
  | 'LI'
  | 'TABLE'
  | 'HEAD'
  | 'ROWS'
  | 'ROW'
  | 'CELL'
  | 'HEADCELL';

/**
 * The way in which literal text is parsed: `sample` and `lines` keep line breaks, and the other types replace them by
 * spaces.
 */
export type LiteralTextKind = 'sample' | 'lines' | 'code' | 'script' | 'tex';

/** The way in which the tree builder processes an element. `node` means that the element becomes a node of the tree. */
type Treatment =
  | 'node'
  | 'hidden'
  | 'style-sheet'
  | 'tex-source'
  | 'formula'
  | 'embedded'
  | 'picture'
  | 'break'
  | 'space'
  | 'checkbox'
  | 'property';

export interface ElementProperties {
  readonly treatment: Treatment;
  /** Undefined if the element has no Markdown of its own and only passes its content to its parent. */
  readonly kind: MarkdownRole | undefined;
  readonly literal: LiteralTextKind | undefined;
  /** True for code in which MathJax renders formulas. MathJax skips the element <code>. */
  readonly hasFormulas: boolean;
  readonly isBlock: boolean;
  /** True if the element has no content and no end tag. */
  readonly isVoid: boolean;
  /** True if the content is text up to the end tag, even if the content looks like tags. */
  readonly isRaw: boolean;
  /**
   * The element limits the search for the start tag that belongs to an end tag: `items` stops the search for `li`,
   * `all` stops every search.
   */
  readonly scope: 'items' | 'all' | undefined;
  /** The names of open elements that this start tag closes implicitly. */
  readonly ends: ReadonlySet<string> | undefined;
  /** The parents that the element requires. Inside any other parent the element becomes a block. */
  readonly inside: readonly MarkdownRole[] | undefined;
  /** The name of the attribute that contains the element's number, or a fixed number such as the level of a heading. */
  readonly number: string | number | undefined;
}

type Properties = Partial<Omit<ElementProperties, 'ends'>> & { readonly ends?: string };

const rows: Properties = { inside: ['TABLE'], ends: 'caption thead tbody tfoot tr td th' };
const cell: Properties = { inside: ['ROW'], scope: 'all', ends: 'td th', number: 'colspan' };

/** The table contains the properties of every element, by its name. A new element needs one word or one line here. */
const table: readonly (readonly [names: string, facts: Properties])[] = [
  ['div p center main section article aside header footer nav hgroup search address', { kind: 'BLOCK' }],
  ['details fieldset figure figcaption form frameset optgroup', { kind: 'BLOCK' }],
  ['dl', { kind: 'BLOCK', scope: 'items' }],
  ['h1', { kind: 'HEADING', number: 1 }],
  ['h2', { kind: 'HEADING', number: 2 }],
  ['h3', { kind: 'HEADING', number: 3 }],
  ['h4', { kind: 'HEADING', number: 4 }],
  ['h5', { kind: 'HEADING', number: 5 }],
  ['h6', { kind: 'HEADING', number: 6 }],
  ['summary legend', { kind: 'TERM' }],
  ['caption', { kind: 'TERM', scope: 'all' }],
  ['blockquote', { kind: 'BLOCKQUOTE' }],
  ['hr', { kind: 'HORIZONTAL', isVoid: true }],
  ['ul menu dir', { kind: 'UL', scope: 'items' }],
  ['ol', { kind: 'OL', scope: 'items', number: 'start' }],
  ['li', { kind: 'LI', number: 'value', ends: 'li' }],
  ['dt', { kind: 'TERM', ends: 'dt dd' }],
  ['dd', { kind: 'LI', ends: 'dt dd' }],
  ['table', { kind: 'TABLE', scope: 'all' }],
  ['thead', { kind: 'HEAD', ...rows }],
  ['tbody', { kind: 'ROWS', ...rows }],
  // The number 1 distinguishes <tfoot> from the other row groups, because it is written after them.
  ['tfoot', { kind: 'ROWS', ...rows, number: 1 }],
  ['tr', { kind: 'ROW', inside: ['TABLE', 'HEAD', 'ROWS'], ends: 'caption tr td th' }],
  ['td', { kind: 'CELL', ...cell }],
  ['th', { kind: 'HEADCELL', ...cell }],
  ['pre listing', { kind: 'SAMPLE', literal: 'sample' }],
  ['xmp plaintext textarea', { kind: 'SAMPLE', literal: 'sample', isRaw: true }],
  ['code', { kind: 'CODE', literal: 'code' }],
  ['tt kbd samp', { kind: 'CODE', literal: 'code', hasFormulas: true }],
  ['var', { kind: 'FORMULA', literal: 'tex' }],
  ['sup', { kind: 'SUP', literal: 'script' }],
  ['sub', { kind: 'SUB', literal: 'script' }],
  ['b strong', { kind: 'STRONG' }],
  // Markdown has no underline, so that underlined text becomes emphasis.
  ['i em u ins dfn cite', { kind: 'EM' }],
  ['del s strike', { kind: 'DEL' }],
  ['q', { kind: 'QUOTE' }],
  ['a', { kind: 'LINK', ends: 'a' }],
  ['rt', { kind: 'ANNOTATION', ends: 'rt rp' }],
  ['button', { kind: 'BUTTON' }],
  ['img image', { kind: 'PICTURE', treatment: 'picture', isVoid: true }],
  ['br', { treatment: 'break', isVoid: true }],
  ['option', { treatment: 'space', ends: 'option' }],
  ['input', { treatment: 'checkbox', isVoid: true }],
  ['math mjx-container', { kind: 'FORMULA', treatment: 'formula' }],
  ['iframe', { treatment: 'embedded', isRaw: true }],
  ['video audio', { treatment: 'embedded' }],
  ['embed', { treatment: 'embedded', isVoid: true }],
  ['style', { treatment: 'style-sheet', isRaw: true }],
  ['script', { treatment: 'hidden', isRaw: true }],
  // A browser with scripting does not render these elements.
  ['title noembed noframes', { treatment: 'hidden', isRaw: true }],
  ['applet canvas clippath colgroup datalist defs desc marker mask metadata noscript', { treatment: 'hidden' }],
  ['pattern symbol template', { treatment: 'hidden' }],
  ['rp', { treatment: 'hidden', ends: 'rt rp' }],
  ['area base col command frame keygen link meta param source track', { treatment: 'hidden', isVoid: true }],
  ['basefont wbr', { isVoid: true }],
  // A browser ignores a second <html> or <body>, also in the middle of a sentence.
  ['dialog html head body abbr acronym bdi bdo big data font label map mark meter nobr object output', {}],
  ['picture progress small span svg time', {}],
  ['ruby select', { scope: 'items' }],
];

const blockKinds: ReadonlySet<MarkdownRole | undefined> = new Set<MarkdownRole | undefined>([
  ...(['BLOCK', 'JAPANESE', 'ENGLISH', 'HEADING', 'TERM', 'BLOCKQUOTE', 'HORIZONTAL', 'SAMPLE', 'DISPLAY'] as const),
  ...(['UL', 'OL', 'LI', 'TABLE', 'HEAD', 'ROWS', 'ROW', 'CELL', 'HEADCELL'] as const),
]);

/** Maps the name of every HTML element to its properties. */
export const elementTable: ReadonlyMap<string, ElementProperties> = new Map(
  table.flatMap(([names, facts]) =>
    names.split(' ').map((name): [string, ElementProperties] => [name, defineElement(facts)]),
  ),
);

export const plainElement = defineElement({});
const typewriter = defineElement({ kind: 'CODE', literal: 'code', hasFormulas: true });
export const strongElement = defineElement({ kind: 'STRONG' });
export const emphasisElement = defineElement({ kind: 'EM' });
export const deletedElement = defineElement({ kind: 'DEL' });
export const sampleElement = defineElement({ kind: 'SAMPLE', literal: 'sample' });
const source = defineElement({ treatment: 'tex-source', isRaw: true });
const formula = defineElement({ kind: 'FORMULA', treatment: 'formula' });
const display = defineElement({ kind: 'DISPLAY', treatment: 'formula' });
const property = defineElement({ treatment: 'property' });
const term = defineElement({ kind: 'TERM' });
const sectionTitle = defineElement({ kind: 'HEADING', number: 3 });

/**
 * Online judges mark elements such as <span> and <div> with classes. The table defines their meaning, and the first
 * match is used.
 */
const classes: readonly (readonly [pattern: RegExp, element: ElementProperties])[] = [
  [/(?:^|\s)katex-display(?:\s|$)|MathJax_Display/, display],
  [/(?:^|\s)(?:katex|MathJax|MathJax_SVG|MathJax_CHTML|mjx-chtml)(?:\s|$)/, formula],
  // A page of AtCoder contains the Japanese and the English text, and a script hides one of them.
  [/^lang-ja$/, defineElement({ kind: 'JAPANESE' })],
  [/^lang-en$/, defineElement({ kind: 'ENGLISH' })],
  [/tex-font-style-tt/, typewriter],
  [/tex-font-style-bf/, strongElement],
  [/tex-font-style-(?:it|underline)/, emphasisElement],
  [/tex-font-style-striked/, deletedElement],
];
const boxClasses: readonly (readonly [pattern: RegExp, element: ElementProperties])[] = [
  [/section-title/, sectionTitle],
  [/property-title/, property],
  [/(?:^|\s)title(?:\s|$)/, term],
  // Kattis shows the two sides of an interaction in separate columns. The info string of the fence states the side.
  [/(?:^|\s)sampleinteraction/, sampleElement],
];

const telling = /katex|MathJax|mjx-|lang-|tex-font-style|title|interaction/;

export function defineElement(facts: Properties): ElementProperties {
  const { treatment = 'node', kind, literal, isVoid = false, isRaw = false, scope, ends, inside, number } = facts;
  const isBlock = blockKinds.has(kind);
  const ended = ends === undefined ? undefined : new Set(ends.split(' '));
  const { hasFormulas = false } = facts;
  return { treatment, kind, literal, hasFormulas, isBlock, isVoid, isRaw, scope, ends: ended, inside, number };
}

export function isBlockKind(kind: MarkdownRole): boolean {
  return blockKinds.has(kind);
}

/** Returns the properties of an element by its name and its class. */
export function findElementProperties(name: string, attributes: Attributes): ElementProperties {
  const named = elementTable.get(name) ?? plainElement;
  if (attributes === emptyAttributes) return named;
  if (named.treatment === 'hidden') return name === 'script' && isTex(attributes) ? source : named;
  if (name === 'font' && /mono|courier|consolas/i.test(attributes['face'] ?? '')) return typewriter;
  const className = attributes['class'];
  if (className === undefined || !telling.test(className) || !isOpenToClasses(named)) return named;
  return elementByClass(name, className) ?? named;
}

function elementByClass(name: string, className: string): ElementProperties | undefined {
  const found = classes.find(([pattern]) => pattern.test(className));
  if (found !== undefined || name !== 'div') return found?.[1];
  return boxClasses.find(([pattern]) => pattern.test(className))?.[1];
}

function isTex({ type }: Attributes): boolean {
  return type?.startsWith('math/tex') === true;
}

function isOpenToClasses({ treatment, kind }: ElementProperties): boolean {
  return treatment === 'node' && (kind === undefined || kind === 'BLOCK');
}
