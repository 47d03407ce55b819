/** These HTML elements never have content, so that their attribute `hidden` hides no text. */
const voidElements: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
/** These elements count as visible even if they are hidden, because scripts often show them when a page is loaded. */
const roots: ReadonlySet<string> = new Set(['html', 'body']);

const attribute = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;
/** A cheap regular expression is tested before the attributes of a tag are parsed. Most tags do not match it. */
const mayBeHidden = /[\s"'](?:hidden|style|class|id|display|visibility)(?![\w-])/i;
const hidingDeclaration =
  /(?:^|[;{\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?:opacity|font-size)\s*:\s*0(?:\.0*)?(?:px|pt|em|rem|%)?\s*(?:!|;|\}|$))/i;

/**
 * Decides which elements of an HTML file are hidden by attributes, inline styles or simple rules of its style sheets.
 */
export class HiddenElementDetector {
  /** Contains the selectors `.name` and `#name` of the CSS rules that hide elements. */
  readonly #selectors = new Set<string>();

  isHidden(name: string, tag: string): boolean {
    if (!mayBeHidden.test(tag) || voidElements.has(name) || roots.has(name)) return false;
    for (const [, key = '', double, single, plain] of tag.slice(name.length + 1).matchAll(attribute)) {
      if (this.#isHiding(key.toLowerCase(), double ?? single ?? plain ?? '')) return true;
    }
    return false;
  }

  /** Parses the rules with a single class or id as selector, outside of at-rules such as `@media print`. */
  readStyleSheet(sheet: string): void {
    let [depth, start, open] = [0, 0, 0];
    for (let at = 0; at < sheet.length; at++) {
      const character = sheet[at];
      if (character === '/' && sheet[at + 1] === '*') {
        const end = sheet.indexOf('*/', at + 2);
        if (end === -1) return;
        at = end + 1;
      } else if (character === '{' && depth++ === 0) open = at;
      else if (character === '}' && depth > 0 && --depth === 0) {
        this.#addRule(sheet.slice(start, open), sheet.slice(open, at));
        start = at + 1;
      }
    }
  }

  #addRule(selectors: string, body: string): void {
    if (!hidingDeclaration.test(body) || selectors.includes('@')) return;
    for (const selector of selectors.replaceAll('*/', ',').split(',')) {
      const simple = /^\s*[a-z\d]*([.#][\w-]+)\s*$/i.exec(selector)?.[1];
      if (simple !== undefined) this.#selectors.add(simple);
    }
  }

  #isHiding(key: string, value: string): boolean {
    switch (key) {
      case 'hidden':
        return value.toLowerCase() !== 'false';
      case 'style':
        return hidingDeclaration.test(value);
      case 'class':
        return this.#selectors.size > 0 && value.split(/\s+/).some(name => this.#selectors.has(`.${name}`));
      case 'id':
        return this.#selectors.has(`#${value}`);
      // `display` and `visibility` are also presentation attributes of SVG.
      case 'display':
        return value === 'none';
      case 'visibility':
        return value === 'hidden';
      default:
        return false;
    }
  }
}

/** The end tags of these elements are optional, so that the end of a parent element in `containers` closes them. */
const optionalEnds: ReadonlySet<string> = new Set('p li dt dd td th tr option'.split(' '));
const containers: ReadonlySet<string> = new Set('ul ol menu dl table select'.split(' '));

/** Finds the end of a hidden element. It counts the open tags with the name of the element and of its containers. */
export class HiddenElementTracker {
  readonly #name: string;
  #depth = 1;
  #containers = 0;

  constructor(name: string) {
    this.#name = name;
  }

  /**
   * Parses the next tag. Returns whether the hidden element ends before this tag or after it, or undefined if the
   * element stays open.
   */
  endAt(name: string, isEnd: boolean, isBlock: boolean): 'before' | 'after' | undefined {
    const isContainer = containers.has(name);
    if (optionalEnds.has(this.#name) && this.#containers === 0 && this.#isImpliedEnd(name, isEnd, isBlock))
      return 'before';
    if (isContainer) this.#containers += isEnd ? -1 : 1;
    if (name !== this.#name || (this.#containers > 0 && optionalEnds.has(name))) return undefined;
    this.#depth += isEnd ? -1 : 1;
    return this.#depth === 0 ? 'after' : undefined;
  }

  #isImpliedEnd(name: string, isEnd: boolean, isBlock: boolean): boolean {
    if (this.#name === 'p') return isBlock && !(isEnd && name === 'p');
    if (isEnd) return containers.has(name);
    return this.#name === 'tr' ? name === 'tr' : optionalEnds.has(name) && name !== 'p';
  }
}
