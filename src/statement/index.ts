import { decodeHTML } from 'entities/decode';
import { removeInvisibleCharacters } from '../text/invisible.ts';
import { truncationNote } from '../text/truncate.ts';
import { ConversionBudget, ConversionBudgetExceeded } from './budget.ts';
import { removeMarkdownLinks, sanitizeMarkdownAddresses } from './commonmark/addresses.ts';
import { removeInvisibleAndLoneSurrogates } from './invisible.ts';
import { MarkdownRenderer } from './markdown/render.ts';
import { convertMixedMarkdown } from './mixed/convert.ts';
import { mayHaveIndentedCode } from './mixed/indented-code.ts';
import { TagScanner } from './mixed/scan.ts';
import { isHtmlPage, isObviousHtmlPage } from './mixed/signs.ts';
import { extractPlainText } from './plain-text.ts';

/**
 * A longer link of a problem is ignored. It is not plausible, and every relative link of the statement would contain
 * it.
 */
const maxLinkLength = 2000;
const startOfTag = /^\s*<[a-z]/i;

const visibleCharacter = /[!-~]/;
/** Matches an image whose data is inside the text. The data can be longer than the rest of the statement. */
const dataPicture = /!\[([^\][]{0,200})\]\(data:image\/[^\s()]{100,}\)/g;

/**
 * Converts a statement from HTML to Markdown. A Markdown statement stays unchanged, except for tags, entities in
 * formulas, addresses and invisible text. Relative addresses are resolved against `link`. The result may be truncated
 * after `maxBytes`, with a note. A page that exceeds the budget or causes a bug becomes plain text.
 */
export function statementMarkdown(
  source: string,
  link: string | undefined,
  maxBytes = Infinity,
  report?: (bug: unknown) => void,
  budget = new ConversionBudget(),
): string {
  const content = source.includes('](data:')
    ? source.replace(dataPicture, (_, alt: string) => alt.trim() || '(picture)')
    : source;
  try {
    const base = link !== undefined && link.length <= maxLinkLength ? link : undefined;
    return sanitizeMarkdownAddresses(markdownOf(content, base, maxBytes, budget), base, budget);
  } catch (error) {
    if (!(error instanceof ConversionBudgetExceeded)) {
      if (report === undefined) throw error;
      report(error);
    }
    return statementPlainText(content);
  }
}

function markdownOf(content: string, base: string | undefined, maxBytes: number, budget: ConversionBudget): string {
  const mayHoldTags = content.includes('<') || (content.includes('&') && content.includes('$'));
  if (!mayHoldTags) return nonBlank(removeInvisibleCharacters(content));
  return nonBlank(convert(content, base, maxBytes, budget));
}

/** Returns the text, or an empty string if it has no visible character. */
function nonBlank(text: string): string {
  return visibleCharacter.test(text) || removeInvisibleAndLoneSurrogates(text).trim() !== '' ? text : '';
}

function convert(content: string, link: string | undefined, maxBytes: number, budget: ConversionBudget): string {
  const renderer = new MarkdownRenderer(link, budget);
  if (isObviousHtmlPage(content)) return withCutNote(renderer.markdown(content, maxBytes));
  // A page that begins with a tag has no indented code, so that the parser of block structure is not needed.
  const beginsWithTag = startOfTag.test(content);
  let scan = new TagScanner(content, budget, !beginsWithTag);
  if (scan.tags.every(({ kind }) => kind === 'entity')) return removeInvisibleCharacters(withPlainTex(content, scan));
  if (isHtmlPage(content, scan)) return withCutNote(renderer.markdown(content, maxBytes));
  if (beginsWithTag && mayHaveIndentedCode(content)) scan = new TagScanner(content, budget, true);
  return withCutNote(convertMixedMarkdown(content, scan, link, renderer, maxBytes));
}

/** Decodes the entities in formulas such as `$a &lt; b$`, because Markdown renderers pass formulas to TeX unchanged. */
function withPlainTex(content: string, { tags }: TagScanner): string {
  const parts: string[] = [];
  let done = 0;
  for (const { name, start, end, isInFormula } of tags) {
    if (!isInFormula) continue;
    parts.push(content.slice(done, start), decodeHTML(name));
    done = end;
  }
  return parts.join('') + content.slice(done);
}

function withCutNote({ markdown, isWhole }: { markdown: string; isWhole: boolean }): string {
  return isWhole ? markdown : markdown + truncationNote;
}

/** Returns the plain text of a page that could not be converted, with a note about this. */
export function statementPlainText(content: string): string {
  const text = removeMarkdownLinks(nonBlank(extractPlainText(content)));
  return text === ''
    ? ''
    : `(Plain text: this page could not be converted, so its lists, tables and formulas have lost their shape.)\n\n${text}`;
}
