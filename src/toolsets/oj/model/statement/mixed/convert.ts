import { isHidden, styleOf } from '../css/visibility.ts';
import { elementOf, knownElement, styledElement } from '../elements.ts';
import { type ScriptMark, scriptMarkdown } from '../html/literal.ts';
import { type Attributes, HtmlReader } from '../html/reader.ts';
import { absoluteLink, pictureMarkdown } from '../link.ts';
import { htmlMarkdown } from '../markdown/render.ts';
import type { Tag } from './scan.ts';

/** Elements which Markdown cannot hold open: converted as a whole. */
const ISLANDS: ReadonlySet<string> = new Set(
  'pre table ul ol dl menu dir svg math figure select textarea xmp listing code tt kbd samp var mjx-container ruby sup sub'.split(
    ' ',
  ),
);
// A converter run each: a text made of these is no statement.
const MAX_ISLANDS = 2000;
const MARKS: Readonly<Record<string, string>> = {
  b: '**',
  strong: '**',
  i: '*',
  em: '*',
  u: '*',
  ins: '*',
  del: '~~',
  s: '~~',
  strike: '~~',
  q: '"',
};
const EMPTY_LINE = /\n[ \t\r]*\n/;

/** Markdown with pieces of HTML in it: only the pieces are converted, every other byte stays. */
export function mixedMarkdown(text: string, tags: readonly Tag[], link: string | undefined): string {
  const parts: string[] = [];
  let done = 0;
  let islands = 0;
  const addresses = new Map<Tag, string>();

  let isAfterBlock = false;
  const push = (piece: string): void => {
    if (piece === '') return;
    parts.push(piece);
    isAfterBlock = false;
  };
  const copy = (end: number): void => {
    const piece = text.slice(done, end);
    // The line break of a block stands already.
    push(isAfterBlock ? piece.replace(/^(?:[ \t\r]*\n)+/, '') : piece);
  };
  const endLine = (): void => {
    const tail = parts.at(-1) ?? '\n\n';
    if (!isAfterBlock && !tail.endsWith('\n\n')) parts.push(tail.endsWith('\n') ? '\n' : '\n\n');
    isAfterBlock = true;
  };
  const opened = (tag: Tag): string => {
    const mark = MARKS[tag.name];
    if (mark !== undefined) return tag.partner !== undefined && isSpan(text, tag, tag.partner) ? mark : '';
    if (tag.name !== 'a' || tag.partner === undefined) return '';
    const address = absoluteLink(attributesOf(text, tag)['href'] ?? '', link);
    if (address === undefined || !isSpan(text, tag, tag.partner)) return '';
    addresses.set(tag.partner, address);
    return '[';
  };
  const closed = (tag: Tag): string => {
    const mark = MARKS[tag.name];
    if (mark !== undefined) return tag.partner !== undefined && isSpan(text, tag.partner, tag) ? mark : '';
    const address = addresses.get(tag);
    return address === undefined ? '' : `](${address})`;
  };

  for (const tag of tags) {
    if (tag.start < done) continue;
    copy(tag.start);
    done = tag.end;
    if (tag.kind === 'comment') continue;
    if (tag.kind === 'open' && isUnseen(text, tag)) {
      done = tag.partner?.end ?? (knownElement(tag.name)?.isVoid === true ? tag.end : text.length);
      continue;
    }
    if (tag.name === 'br') push(lineBreak(text, tag));
    else if (tag.name === 'img' || tag.name === 'image') push(pictureMarkdown(attributesOf(text, tag), link));
    else if (tag.kind === 'open' && tag.partner !== undefined && isIsland(text, tag)) {
      if (++islands > MAX_ISLANDS) throw new RangeError('the statement has too many pieces of HTML');
      if (isBlock(tag)) endLine();
      push(islandMarkdown(text, tag, tag.partner, link));
      done = tag.partner.end;
      if (isBlock(tag)) endLine();
    } else if (tag.name === 'hr') {
      endLine();
      push('---');
      endLine();
    } else if (isBlock(tag)) {
      const [open = '', close = ''] = blockMarks(tag.name);
      if (tag.kind === 'close') push(close);
      endLine();
      if (tag.kind === 'open') push(open);
    } else push(tag.kind === 'open' ? opened(tag) : closed(tag));
  }
  copy(text.length);
  return parts
    .join('')
    .replace(/^[\r\n]+/, '')
    .trimEnd();
}

function isUnseen(text: string, tag: Tag): boolean {
  const way = knownElement(tag.name)?.way;
  if (way === 'unseen' || way === 'sheet') return true;
  return tag.hasAttributes && isHidden(tag.name, attributesOf(text, tag), false);
}

function isIsland(text: string, tag: Tag): boolean {
  if (ISLANDS.has(tag.name)) return true;
  if (!tag.hasAttributes || tag.name !== 'span') return false;
  if (/katex|mathjax/i.test(text.slice(tag.start, tag.end))) return true;
  // With Markdown in it, it would be shown as it is written.
  return !/[*`$[\n]/.test(text.slice(tag.end, tag.partner?.start)) && scriptMark(text, tag) !== undefined;
}

function scriptMark(text: string, tag: Tag): ScriptMark | undefined {
  const attributes = tag.hasAttributes ? attributesOf(text, tag) : {};
  const { kind } = styledElement(elementOf(tag.name, attributes), styleOf(tag.name, attributes));
  return kind === 'SUP' ? '^' : kind === 'SUB' ? '_' : undefined;
}

function islandMarkdown(text: string, tag: Tag, partner: Tag, link: string | undefined): string {
  const inner = text.slice(tag.end, partner.start);
  const mark = scriptMark(text, tag);
  if (mark === undefined || /[<&]/.test(inner))
    return htmlMarkdown(text.slice(tag.start, partner.end), link, Infinity).markdown;
  const needsBraces = /[\p{L}\p{N}]/u.test(text[partner.end] ?? '');
  return scriptMarkdown(mark, inner, needsBraces);
}

function isBlock(tag: Tag): boolean {
  return knownElement(tag.name)?.isBlock === true;
}

function attributesOf(text: string, tag: Tag): Attributes {
  let attributes: Attributes = {};
  const sink = {
    open: (_: string, found: Attributes): void => {
      attributes = found;
    },
    close: (): void => {},
    text: (): void => {},
  };
  new HtmlReader(text.slice(tag.start, tag.end), sink).read();
  return attributes;
}

/** Inside a table's row a line break would end the table. */
function lineBreak(text: string, tag: Tag): string {
  const before = text.slice(Math.max(0, tag.start - 2000), tag.start);
  if (/(?:^|\n)[ \t]*\|[^\n]*$/.test(before)) return ' ';
  return /^\r?\n/.test(text.slice(tag.end, tag.end + 2)) ? '  ' : '  \n';
}

function isSpan(text: string, tag: Tag, partner: Tag): boolean {
  const inner = text.slice(tag.end, partner.start);
  return inner.trim() !== '' && inner.length < 5000 && !EMPTY_LINE.test(inner);
}

function blockMarks(name: string): readonly string[] {
  const level = /^h([1-6])$/.exec(name)?.[1];
  if (level !== undefined) return [`${'#'.repeat(Number(level))} `];
  if (name === 'summary') return ['**', '**'];
  return name === 'li' ? ['- '] : [];
}
