import { decodeHTML } from 'entities/decode';
import { withoutInvisible } from '../text/invisible.ts';
import { cutNote } from '../text/truncate.ts';
import { Budget, TooMuch } from './budget.ts';
import { withAllowedAddresses, withoutMarkdownLinks } from './commonmark/addresses.ts';
import { seenText } from './invisible.ts';
import { Renderer } from './markdown/render.ts';
import { mixedMarkdown } from './mixed/convert.ts';
import { TagScan } from './mixed/scan.ts';
import { isPage, isPlainlyPage } from './mixed/signs.ts';
import { plainText } from './plain-text.ts';

/** A longer address is none that a page has, and it would stand in each of its links. */
const maxLinkLength = 2000;

const ink = /[!-~]/;
/** A picture that is part of the text says nothing to who reads the text, and may be longer than all of it. */
const dataPicture = /!\[([^\][]{0,200})\]\(data:image\/[^\s()]{100,}\)/g;

/**
 * A statement as Markdown: HTML is converted, Markdown stays byte for byte but for entities in its formulas and what no reader of
 * the page sees: comments, invisible characters and the bytes of pictures. Relative links are resolved against `link`. The conversion may end, with
 * the note of a cut text, once there is more than `maxBytes`. A page that is beyond the budget becomes plain text; so
 * does one that meets a bug, when there is somebody it can be reported to.
 */
export function statementMarkdown(
  source: string,
  link: string | undefined,
  maxBytes = Infinity,
  report?: (bug: unknown) => void,
  budget = new Budget(),
): string {
  if (source.trim() === '') return '';
  const content = source.includes('](data:')
    ? source.replace(dataPicture, (_, alt: string) => alt.trim() || '(picture)')
    : source;
  try {
    const base = link !== undefined && link.length <= maxLinkLength ? link : undefined;
    return withAllowedAddresses(markdownOf(content, base, maxBytes, budget), base, budget);
  } catch (error) {
    if (!(error instanceof TooMuch)) {
      if (report === undefined) throw error;
      report(error);
    }
    return plainStatement(content);
  }
}

function markdownOf(content: string, base: string | undefined, maxBytes: number, budget: Budget): string {
  const mayHoldTags = content.includes('<') || (content.includes('&') && content.includes('$'));
  if (!mayHoldTags) return inked(withoutInvisible(content));
  return inked(converted(content, base, maxBytes, budget) || plainStatement(content));
}

/** Nothing, for a text of blanks and control characters alone. */
function inked(text: string): string {
  return ink.test(text) || seenText(text).trim() !== '' ? text : '';
}

function converted(content: string, link: string | undefined, maxBytes: number, budget: Budget): string {
  const renderer = new Renderer(link, budget);
  if (isPlainlyPage(content)) return noted(renderer.markdown(content, maxBytes));
  const scan = new TagScan(content);
  if (scan.tags.every(({ kind }) => kind === 'entity')) return withoutInvisible(withPlainTex(content, scan));
  if (isPage(content, scan)) return noted(renderer.markdown(content, maxBytes));
  return noted(mixedMarkdown(content, scan, link, renderer, maxBytes));
}

/** Markdown reads the entities of its text, but not those of its formulas: `$a &lt; b$` would be no TeX. */
function withPlainTex(content: string, { tags }: TagScan): string {
  const parts: string[] = [];
  let done = 0;
  for (const { name, start, end, isInFormula } of tags) {
    if (!isInFormula) continue;
    parts.push(content.slice(done, start), decodeHTML(name));
    done = end;
  }
  return parts.join('') + content.slice(done);
}

function noted({ markdown, isWhole }: { markdown: string; isWhole: boolean }): string {
  return isWhole ? markdown : markdown + cutNote;
}

/** The text of a page that could not be converted: a reader must know that less than the page has arrived. */
export function plainStatement(content: string): string {
  const text = withoutMarkdownLinks(inked(plainText(content)));
  return text === ''
    ? ''
    : `(Plain text: this page could not be converted, so its lists, tables and formulas have lost their shape.)\n\n${text}`;
}
