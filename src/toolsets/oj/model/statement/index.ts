import { cutNote } from '../../../../text.ts';
import { seenText, withoutInvisible } from '../invisible.ts';
import { htmlMarkdown } from './markdown/render.ts';
import { mixedMarkdown } from './mixed/convert.ts';
import { TagScan } from './mixed/scan.ts';
import { isPage, isPlainlyPage } from './mixed/signs.ts';
import { plainText } from './plain-text.ts';

/**
 * A statement as Markdown: HTML is converted, Markdown stays byte for byte but for what no reader of the page
 * sees: comments and invisible characters. Relative links are resolved against `link`. The conversion may end, with
 * the note of a cut text, once there is more than `maxBytes`.
 */
export function statementMarkdown(content: string, link: string | undefined, maxBytes = Infinity): string {
  if (content.trim() === '') return '';
  if (!content.includes('<')) return inked(withoutInvisible(content));
  return inked(converted(content, link, maxBytes) ?? unconverted(content));
}

/** Nothing, for a text of blanks and control characters alone. */
function inked(text: string): string {
  return seenText(text).trim() === '' ? '' : text;
}

/** Undefined for what is nested, or multiplies itself, beyond what can be converted in good time. */
function converted(content: string, link: string | undefined, maxBytes: number): string | undefined {
  try {
    if (isPlainlyPage(content)) return pageMarkdown(content, link, maxBytes);
    const scan = new TagScan(content);
    if (scan.tags.length === 0) return withoutInvisible(content);
    if (isPage(content, scan)) return pageMarkdown(content, link, maxBytes);
    return withoutInvisible(mixedMarkdown(content, scan.tags, link));
  } catch {
    return undefined;
  }
}

function pageMarkdown(content: string, link: string | undefined, maxBytes: number): string | undefined {
  const { markdown, isWhole } = htmlMarkdown(content, link, maxBytes);
  if (!isWhole) return markdown + cutNote;
  return markdown || undefined;
}

/** A reader must know that less than the page has arrived. */
function unconverted(content: string): string {
  const text = plainText(content);
  return text === ''
    ? ''
    : `(Plain text: this page could not be converted, so its lists, tables and formulas have lost their shape.)\n\n${text}`;
}
