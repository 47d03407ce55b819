/** The target of a link or an image in Markdown, with its offsets in the text. */
export interface LinkTarget {
  start: number;
  end: number;
  /** The target as the page contains it, without angle brackets or quotation marks. */
  target: string;
  isImage: boolean;
  /** True for a file that an MDX page loads by `import` or `require`. */
  isModule?: true;
}

/** Returns the new target of a link, or undefined if the link must not change. */
export type LinkRewriter = (link: LinkTarget) => string | undefined;

/** Replaces the link targets of a Markdown text. All other bytes stay unchanged. */
export function rewriteLinks(markdown: string, rewrite: LinkRewriter): string {
  const pieces: string[] = [];
  let copied = 0;
  // The links are sorted by offset, because a separate pass finds those in the attributes of tags.
  for (const link of [...findLinks(markdown)].sort((one, other) => one.start - other.start)) {
    const replacement = link.start < copied ? undefined : rewrite(link);
    if (replacement === undefined || replacement === link.target) continue;
    pieces.push(markdown.slice(copied, link.start), replacement);
    copied = link.end;
  }
  return copied === 0 ? markdown : pieces.join('') + markdown.slice(copied);
}

/**
 * Finds the directives of mdBook that insert another file. The library keeps them as text and does not execute them.
 */
export function findMdBookIncludes(markdown: string): string[] {
  return markdown.match(/(?<!\\)\{\{#(?:include|rustdoc_include|playground) [^}\n]{1,999}\}\}/g) ?? [];
}

/**
 * Yields the links of a page: inline links, images and reference definitions of Markdown, attributes `src` and `href`
 * of HTML, and files that MDX loads. Code is skipped.
 */
export function* findLinks(markdown: string): Generator<LinkTarget> {
  for (const { start, end } of proseBlocks(markdown)) {
    yield* findInBlock(markdown, start, end);
  }
}

const fenceLine = /^(?:[ >]|[*+-] |\d{1,9}[.)] )*(`{3,}|~{3,})(.*)$/;

/**
 * Yields the ranges of a text between its fenced code blocks. The ranges are split at blank lines, because no code span
 * continues after a blank line.
 */
function* proseBlocks(markdown: string): Generator<{ start: number; end: number }> {
  let fence: string | undefined;
  let start = 0;
  for (let at = 0; at < markdown.length; ) {
    const newline = markdown.indexOf('\n', at);
    const next = newline === -1 ? markdown.length : newline + 1;
    const line = markdown.slice(at, next).trimEnd();
    const [, marker = '', info = ''] = fenceLine.exec(line) ?? [];
    const isFence = isFenceLine(marker, info, fence);
    if (fence === undefined && (isFence || line === '')) {
      if (at > start) yield { start, end: at };
      start = next;
    }
    if (isFence) {
      fence = fence === undefined ? marker : undefined;
      start = next;
    }
    at = next;
  }
  if (fence === undefined) yield { start, end: markdown.length };
}

function isFenceLine(marker: string, info: string, open: string | undefined): boolean {
  if (marker === '') return false;
  if (open === undefined) return !(marker.startsWith('`') && info.includes('`'));
  return marker.startsWith(open) && info.trim() === '';
}

/** These regular expressions are sticky. Each one is tried only at the characters with which a match can begin. */
const definition = /\[(?:[^\]\\]|\\.){1,999}\]:[ \t]*(?:<([^<>\n]*)>|([^\s<]\S*))/y;
const bracketed = /[ \t]*<([^<>\n]*)>/y;
const attribute = /(?:src|href)\s*=\s*(?:"([^"\n]*)"|'([^'\n]*)')/iy;

function* findInBlock(text: string, start: number, end: number): Generator<LinkTarget> {
  const skipCodeSpan = createCodeSpanSkip(text, end);
  for (let at = start; at < end; at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (character === '`') at = skipCodeSpan(at) - 1;
    else if (character === ']' && text[at + 1] === '(') {
      const link = inlineTarget(text, at + 2, end);
      if (link === undefined) continue;
      yield { ...link, isImage: isImageAt(text, start, at) };
      at = link.end - 1;
    } else if (character === '[' && isLineStart(text, at)) {
      const link = matched(definition, text, at);
      if (link === undefined) continue;
      yield { ...link, isImage: false };
      at = link.end - 1;
    } else if (character === '<') yield* attributeTargets(text, at, end);
    else {
      const link = loadStart.test(character ?? '') ? loadedFile(text, start, at) : undefined;
      if (link !== undefined) yield link;
    }
  }
}

const loadStart = /[ieru]/;
const statement = /(?:import|export)\b(?:[^"';`<>]{1,999}?\bfrom)?\s{0,9}(?:"([^"\n]{1,1024})"|'([^'\n]{1,1024})')/y;
const call = /(?:require|useBaseUrl)\(\s{0,9}(?:"([^"\n]{1,1024})"|'([^'\n]{1,1024})')/y;

/** Finds the file that an `import` at the start of a line, or a call of `require` or `useBaseUrl`, loads. */
function loadedFile(text: string, start: number, at: number): LinkTarget | undefined {
  const isUrl = text.startsWith('useBaseUrl(', at);
  const isCall = isUrl || text.startsWith('require(', at);
  const before = at === start ? '\n' : (text[at - 1] ?? '\n');
  if (isCall ? /[\w$.]/.test(before) : before !== '\n') return undefined;
  const found = matched(isCall ? call : statement, text, at);
  if (found === undefined) return undefined;
  // A prefix such as "!!raw-loader!" selects a loader of webpack.
  const target = found.target.replace(/^.*!/, '');
  if (!/^(?:\.{1,2}\/|\/|@site\/)/.test(target)) return undefined;
  return {
    start: found.end - target.length,
    end: found.end,
    target,
    isImage: isUrl,
    ...(!isUrl && { isModule: true }),
  };
}

/**
 * Returns a function that returns the offset after the code span at an offset, or after its backticks if the span has no
 * end. If no run of backticks with a certain length follows, this is cached, so that the total time is linear.
 */
function createCodeSpanSkip(text: string, end: number): (at: number) => number {
  const unclosed = new Set<number>();
  const runLength = (at: number): number => {
    let after = at;
    while (after < end && text[after] === '`') after++;
    return after - at;
  };
  return at => {
    const length = runLength(at);
    const from = at + length;
    if (unclosed.has(length)) return from;
    for (let next = text.indexOf('`', from); next !== -1 && next < end; ) {
      const run = runLength(next);
      if (run === length) return next + run;
      next = text.indexOf('`', next + run);
    }
    unclosed.add(length);
    return from;
  };
}

/** Limits the length of link targets and tags, so that the search for their ends takes linear time. */
const maxTargetCharacters = 1024;

function matched(expression: RegExp, text: string, at: number): Omit<LinkTarget, 'isImage'> | undefined {
  expression.lastIndex = at;
  const match = expression.exec(text);
  if (match === null) return undefined;
  const target = match[1] ?? match[2] ?? '';
  const isClosed = match[2] === undefined || expression !== definition;
  const end = expression.lastIndex - (isClosed ? 1 : 0);
  return { start: end - target.length, end, target };
}

function inlineTarget(text: string, at: number, end: number): Omit<LinkTarget, 'isImage'> | undefined {
  const inBrackets = matched(bracketed, text, at);
  if (inBrackets !== undefined) return inBrackets.end < end ? inBrackets : undefined;
  let start = at;
  while (start < end && /\s/.test(text[start] ?? '')) start++;
  let depth = 0;
  for (let next = start; next < Math.min(end, start + maxTargetCharacters); next++) {
    const character = text[next] ?? '';
    if (character === '\\') next++;
    else if (character === '(') depth++;
    else if (/[\s<]/.test(character) || (character === ')' && depth-- === 0)) {
      return next > start ? { start, end: next, target: text.slice(start, next) } : undefined;
    }
  }
  return undefined;
}

/**
 * Returns whether a link is an image. The search goes back at most 999 characters, the longest label that CommonMark
 * 6.3 allows.
 */
function isImageAt(text: string, start: number, closing: number): boolean {
  let depth = 0;
  for (let at = closing - 1; at >= Math.max(start, closing - 999); at--) {
    if (text[at] === ']') depth++;
    else if (text[at] === '[' && depth-- === 0) return text[at - 1] === '!';
  }
  return false;
}

function isLineStart(text: string, at: number): boolean {
  let before = at;
  while (at - before < 4 && text[before - 1] === ' ') before--;
  return before === 0 || text[before - 1] === '\n';
}

function* attributeTargets(text: string, at: number, end: number): Generator<LinkTarget> {
  if (!/[A-Za-z]/.test(text[at + 1] ?? '')) return;
  const tag = text.slice(at, Math.min(end, at + maxTargetCharacters));
  const closing = at + tag.indexOf('>');
  const isImage = /^<(?:img|source|video|audio)\b/i.test(text.slice(at, at + 8));
  for (let next = at; next < closing; next++) {
    const isNameStart = /[sh]/i.test(text[next] ?? '') && /\s/.test(text[next - 1] ?? '');
    const link = isNameStart ? matched(attribute, text, next) : undefined;
    if (link === undefined) continue;
    yield { ...link, isImage };
    next = link.end;
  }
}
