import type { ConversionBudget } from '../budget.ts';
import { findFirstIndexAtOrAfter } from '../offsets.ts';
import { type MarkdownLine, readMarkdownLines } from './blocks.ts';
import { findLinkEdits, RejectedLinkDefinitions } from './links.ts';

/**
 * Matches a link, a definition or an autolink whose address does not start with http:// or https://. Texts without a
 * match are not parsed.
 */
const candidate = /\](?:\((?!https?:\/\/)|:)|<(?!https?:\/\/)[a-z][a-z0-9+.-]{1,31}:/i;
const htmlLine = /^[^\n<]{0,200}<[a-z/!?]/im;
const linkMark = /\](?=[([:])/g;
const autolinkMark = /<(?=[a-z][a-z0-9+.-]{1,31}:)/gi;
const maxRounds = 8;

/**
 * Removes the rejected addresses of Markdown links, images, references and autolinks, and resolves relative addresses
 * against `base`. The text of a rejected link stays, but a rejected autolink is removed. Code is unchanged.
 */
export function sanitizeMarkdownAddresses(
  markdown: string,
  base: string | undefined,
  budget: ConversionBudget,
): string {
  if (!candidate.test(markdown)) return markdown;
  let text = markdown;
  for (let round = 0; round < maxRounds; round++) {
    // Some renderers parse HTML inside Markdown and others do not, which changes the parts that count as code. The text
    // is therefore parsed in both ways, and no rejected link may remain in either of them.
    let next = edited(text, false, base, budget);
    if (htmlLine.test(next)) next = edited(next, true, base, budget);
    if (next === text) return text;
    text = next;
  }
  // A text with new rejected links after several rounds of removal is malicious, so that all of its links are escaped.
  return removeMarkdownLinks(text);
}

/** Escapes every link, definition and autolink without parsing the text. */
export function removeMarkdownLinks(markdown: string): string {
  if (!candidate.test(markdown)) return markdown;
  return markdown.replace(linkMark, ']\\').replace(autolinkMark, '\\<');
}

function edited(text: string, hasHtml: boolean, base: string | undefined, budget: ConversionBudget): string {
  const paragraphs = paragraphsOf(text, readMarkdownLines(text, hasHtml, budget)).filter(({ content }) =>
    /\]|<[a-z]/i.test(content),
  );
  const definitions = new RejectedLinkDefinitions();
  for (const { content } of paragraphs) if (content.includes(']:')) definitions.read(content);
  const parts: string[] = [];
  let done = 0;
  for (const paragraph of paragraphs) {
    for (const edit of findLinkEdits(paragraph.content, hasHtml, base, definitions)) {
      const start = sourceOf(paragraph, edit.start);
      if (start < done) continue;
      parts.push(text.slice(done, start), edit.text);
      done = sourceOf(paragraph, edit.end - 1) + 1;
    }
  }
  return parts.join('') + text.slice(done);
}

/** The inline content of a block. The markers of surrounding lists and quotes are left out. */
interface Paragraph {
  readonly content: string;
  readonly lines: readonly MarkdownLine[];
  /** Maps the index of a line to the offset of its text in `content`. */
  readonly starts: readonly number[];
}

function paragraphsOf(text: string, lines: readonly MarkdownLine[]): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let open: MarkdownLine[] = [];
  const close = (): void => {
    paragraphs.push(paragraphOf(text, open));
    open = [];
  };
  for (const line of lines) {
    if (line.kind !== 'text' || !line.isContinued) close();
    if (line.kind === 'text' || line.kind === 'heading') open.push(line);
  }
  close();
  return paragraphs;
}

function paragraphOf(text: string, lines: readonly MarkdownLine[]): Paragraph {
  const starts: number[] = [];
  let length = 0;
  for (const { content, end } of lines) {
    starts.push(length);
    length += end - content + 1;
  }
  return { content: lines.map(({ content, end }) => text.slice(content, end)).join('\n'), lines, starts };
}

/** Converts an offset in the content of a paragraph to an offset in the whole text. */
function sourceOf({ lines, starts }: Paragraph, place: number): number {
  const index = findFirstIndexAtOrAfter(starts, place + 1) - 1;
  return (lines[index]?.content ?? 0) + place - (starts[index] ?? 0);
}
