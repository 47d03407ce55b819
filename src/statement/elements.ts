import type { Declarations } from './css/sheet.ts';
import { type Attributes, noAttributes } from './html/attributes.ts';

/** What a node of the tree is to Markdown. */
export type Kind =
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

/** How text is read that Markdown shows as it is; line breaks show in a sample and in lines. */
export type LiteralKind = 'sample' | 'lines' | 'code' | 'script' | 'tex';

/** What else may become of an element than a node around its content. */
type Way =
  | 'node'
  | 'unseen'
  | 'sheet'
  | 'source'
  | 'formula'
  | 'embedded'
  | 'picture'
  | 'break'
  | 'apart'
  | 'box'
  | 'property';

export interface Element {
  readonly way: Way;
  /** Without a kind only the content counts. */
  readonly kind: Kind | undefined;
  readonly literal: LiteralKind | undefined;
  readonly isBlock: boolean;
  /** Has no content and no end tag. */
  readonly isVoid: boolean;
  /** Its content is text up to its end tag, whatever it looks like. */
  readonly isRaw: boolean;
  /** Where the look for what a tag ends stops: at a list that of an item, at a cell or table any. */
  readonly scope: 'items' | 'all' | undefined;
  /** The open elements that end where this one begins, when their own end tags are missing. */
  readonly ends: ReadonlySet<string> | undefined;
  /** What it must stand in; anywhere else it is a block. */
  readonly inside: readonly Kind[] | undefined;
  /** The attribute with its number, or the number itself: the level of a heading. */
  readonly number: string | number | undefined;
}

type Facts = Partial<Omit<Element, 'ends'>> & { readonly ends?: string };

const rows: Facts = { inside: ['TABLE'], ends: 'caption thead tbody tfoot tr td th' };
const cell: Facts = { inside: ['ROW'], scope: 'all', ends: 'td th', number: 'colspan' };

/** All that is known of an element by its name: a new one is a line, or a word in a line. */
const table: readonly (readonly [names: string, facts: Facts])[] = [
  ['html body div p center main section article aside header footer nav hgroup search address', { kind: 'BLOCK' }],
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
  ['tbody tfoot', { kind: 'ROWS', ...rows }],
  ['tr', { kind: 'ROW', inside: ['TABLE', 'HEAD', 'ROWS'], ends: 'caption tr td th' }],
  ['td', { kind: 'CELL', ...cell }],
  ['th', { kind: 'HEADCELL', ...cell }],
  ['pre listing', { kind: 'SAMPLE', literal: 'sample' }],
  ['xmp plaintext textarea', { kind: 'SAMPLE', literal: 'sample', isRaw: true }],
  ['code tt kbd samp', { kind: 'CODE', literal: 'code' }],
  ['var', { kind: 'FORMULA', literal: 'tex' }],
  ['sup', { kind: 'SUP', literal: 'script' }],
  ['sub', { kind: 'SUB', literal: 'script' }],
  ['b strong', { kind: 'STRONG' }],
  // Markdown has no underline; what a statement underlines it wants to be noticed.
  ['i em u ins dfn cite', { kind: 'EM' }],
  ['del s strike', { kind: 'DEL' }],
  ['q', { kind: 'QUOTE' }],
  ['a', { kind: 'LINK', ends: 'a' }],
  ['rt', { kind: 'ANNOTATION', ends: 'rt rp' }],
  ['button', { kind: 'BUTTON' }],
  ['img image', { kind: 'PICTURE', way: 'picture', isVoid: true }],
  ['br', { way: 'break', isVoid: true }],
  ['option', { way: 'apart', ends: 'option' }],
  ['input', { way: 'box', isVoid: true }],
  ['math mjx-container', { kind: 'FORMULA', way: 'formula' }],
  ['iframe', { way: 'embedded', isRaw: true }],
  ['video audio', { way: 'embedded' }],
  ['embed', { way: 'embedded', isVoid: true }],
  ['style', { way: 'sheet', isRaw: true }],
  ['script', { way: 'unseen', isRaw: true }],
  // A browser with scripting does not paint these.
  ['title noembed noframes', { way: 'unseen', isRaw: true }],
  ['applet canvas clippath colgroup datalist defs desc marker mask metadata noscript', { way: 'unseen' }],
  ['pattern symbol template', { way: 'unseen' }],
  ['rp', { way: 'unseen', ends: 'rt rp' }],
  ['area base col command frame keygen link meta param source track', { way: 'unseen', isVoid: true }],
  ['basefont wbr', { isVoid: true }],
  ['dialog head abbr acronym bdi bdo big data font label map mark meter nobr object output', {}],
  ['picture progress small span svg time', {}],
  ['ruby select', { scope: 'items' }],
];

const blockKinds: ReadonlySet<Kind | undefined> = new Set<Kind | undefined>([
  ...(['BLOCK', 'JAPANESE', 'ENGLISH', 'HEADING', 'TERM', 'BLOCKQUOTE', 'HORIZONTAL', 'SAMPLE', 'DISPLAY'] as const),
  ...(['UL', 'OL', 'LI', 'TABLE', 'HEAD', 'ROWS', 'ROW', 'CELL', 'HEADCELL'] as const),
]);

/** Every element of HTML, by its name. */
export const elements: ReadonlyMap<string, Element> = new Map(
  table.flatMap(([names, facts]) => names.split(' ').map((name): [string, Element] => [name, define(facts)])),
);

const plain = define({});
const code = define({ kind: 'CODE', literal: 'code' });
const sup = define({ kind: 'SUP', literal: 'script' });
const sub = define({ kind: 'SUB', literal: 'script' });
const strong = define({ kind: 'STRONG' });
const em = define({ kind: 'EM' });
const del = define({ kind: 'DEL' });
const sample = define({ kind: 'SAMPLE', literal: 'sample' });
/** Text whose line breaks show; with blocks in it, it is an ordinary block. */
const lines = define({ kind: 'BLOCK', literal: 'lines' });
const source = define({ way: 'source', isRaw: true });
const formula = define({ kind: 'FORMULA', way: 'formula' });
const display = define({ kind: 'DISPLAY', way: 'formula' });
const property = define({ way: 'property' });
const term = define({ kind: 'TERM' });
const sectionTitle = define({ kind: 'HEADING', number: 3 });

/** What the judges' own classes make of an element that is only text or a block by its name; the first that fits. */
const classes: readonly (readonly [pattern: RegExp, element: Element])[] = [
  [/(?:^|\s)katex-display(?:\s|$)|MathJax_Display/, display],
  [/(?:^|\s)(?:katex|MathJax|MathJax_SVG|MathJax_CHTML|mjx-chtml)(?:\s|$)/, formula],
  // AtCoder writes both languages on one page and shows the reader's.
  [/^lang-ja$/, define({ kind: 'JAPANESE' })],
  [/^lang-en$/, define({ kind: 'ENGLISH' })],
  [/tex-font-style-tt/, code],
  [/tex-font-style-bf/, strong],
  [/tex-font-style-(?:it|underline)/, em],
  [/tex-font-style-striked/, del],
];
const boxClasses: readonly (readonly [pattern: RegExp, element: Element])[] = [
  [/section-title/, sectionTitle],
  [/property-title/, property],
  [/(?:^|\s)title(?:\s|$)/, term],
];

const telling = /katex|MathJax|mjx-|lang-|tex-font-style|title/;

function define(facts: Facts): Element {
  const { way = 'node', kind, literal, isVoid = false, isRaw = false, scope, ends, inside, number } = facts;
  const ended = ends === undefined ? undefined : new Set(ends.split(' '));
  return { way, kind, literal, isBlock: blockKinds.has(kind), isVoid, isRaw, scope, ends: ended, inside, number };
}

export function isBlockKind(kind: Kind): boolean {
  return blockKinds.has(kind);
}

/** What an element is by its name, and by a class that says more. */
export function elementOf(name: string, attributes: Attributes): Element {
  const named = elements.get(name) ?? plain;
  if (attributes === noAttributes) return named;
  if (named.way === 'unseen') return name === 'script' && isTex(attributes) ? source : named;
  if (name === 'font' && /mono|courier|consolas/i.test(attributes['face'] ?? '')) return code;
  const className = attributes['class'];
  if (className === undefined || !telling.test(className) || !isOpenToClasses(named)) return named;
  const found = classes.find(([pattern]) => pattern.test(className));
  if (found !== undefined || name !== 'div') return found?.[1] ?? named;
  return boxClasses.find(([pattern]) => pattern.test(className))?.[1] ?? named;
}

function isTex({ type }: Attributes): boolean {
  return type?.startsWith('math/tex') === true;
}

function isOpenToClasses({ way, kind }: Element): boolean {
  return way === 'node' && (kind === undefined || kind === 'BLOCK');
}

/** What its style makes of it: the marks that other pages write as elements. */
export function styledElement(element: Element, style: Declarations): Element {
  if (style.size === 0 || element.way !== 'node') return element;
  const { kind } = element;
  if (kind === 'BLOCK') return blockByLines(element, style.get('white-space') ?? '');
  if (kind !== undefined && kind !== 'STRONG' && kind !== 'EM') return element;
  if (isStruck(style)) return del;
  if (kind !== undefined) return element;
  const position = style.get('vertical-align') ?? '';
  if (position.startsWith('super')) return sup;
  if (position.startsWith('sub')) return sub;
  if (/\b(?:bold|[6-9]00)\b/.test(style.get('font-weight') ?? '')) return strong;
  return style.get('font-style') === 'italic' ? em : element;
}

function blockByLines(element: Element, whiteSpace: string): Element {
  if (whiteSpace === 'pre') return sample;
  return /^(?:pre-wrap|pre-line|break-spaces)$/.test(whiteSpace) ? lines : element;
}

export function isStruck(style: Declarations): boolean {
  return ['text-decoration', 'text-decoration-line'].some(name => style.get(name)?.includes('line-through'));
}
