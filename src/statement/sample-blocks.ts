import type { ConversionBudget } from './budget.ts';
import { StyleSheet } from './css/sheet.ts';
import { HtmlReader } from './html/reader.ts';
import { readStyleSheets } from './html/style-sheets.ts';
import { type SampleBlock, SampleBlockCollector } from './sample-block-collector.ts';
import { findSampleLabel } from './sample-labels.ts';

const indentPattern = /^(?: {4}| {0,3}\t)/;
/** Matches the start of a line with a tag or a fence. */
const startsMarkup = /^\s*(?:<\/?[a-z]|`{3}|~{3})/i;
const fencePattern = /^([ \t]*(?:>[ \t]?)*)(`{3,}|~{3,})([^`\n]*)$/;

/**
 * Matches the info string of a code fence with the input or the output of a sample. Some statements append an option of
 * Hydro after "|".
 */
export const sampleInfoStringPattern = /^(input|output)(\d+)(?:\||$)/;

/** Splits a statement into lines of text and preformatted blocks. White space in blocks is unchanged. */
export function* splitIntoSampleBlocks(content: string, budget: ConversionBudget): Generator<SampleBlock> {
  const sheet = new StyleSheet(budget);
  if (/<style\b/i.test(content)) readStyleSheets(content, sheet);
  const proseBlocks = (prose: readonly string[]): SampleBlock[] => {
    const collector = new SampleBlockCollector(sheet, budget);
    new HtmlReader(withoutFalseTags(prose.join('\n')), collector).read();
    return collector.finish();
  };
  const lines = content.replace(/\r\n?/g, '\n').split('\n');
  let prose: string[] = [];
  const lastCommentEnd = lines.findLastIndex(line => line.includes('-->'));
  let region: LiteralRegion;
  for (let [at, current] = [0, lines[0]]; current !== undefined; current = lines[++at]) {
    const [, indent = '', fence = '', info = ''] = fencePattern.exec(current) ?? [];
    if (fence === '' || region !== undefined) {
      prose.push(current);
      region = regionAfter(current, region, at < lastCommentEnd);
      const codeEnd = region === undefined ? endOfIndentedSample(lines, at) : at;
      if (codeEnd === at) continue;
      yield* proseBlocks(prose);
      prose = [];
      const code = lines.slice(at + 1, codeEnd).map(line => line.replace(indentPattern, ''));
      yield { ...codeBlock(code.slice(code.findIndex(line => line.trim() !== '')), ''), isIndented: true };
      at = codeEnd - 1;
      continue;
    }
    yield* proseBlocks(prose);
    prose = [];
    const end = endOfFence(lines, at + 1, fence);
    const code = lines.slice(at + 1, end).map(line => withoutIndent(line, indent));
    yield codeBlock(code, info.trim());
    // A fence without an end ends at the next input or output of a sample.
    at = isNamedFence(lines[end]) ? end - 1 : end;
  }
  yield* proseBlocks(prose);
}

function codeBlock(lines: readonly string[], info: string): SampleBlock {
  return { kind: 'code', text: lines.map(line => `${line}\n`).join(''), info, language: undefined };
}

/**
 * Returns the line after the indented code of Markdown that follows a label of a sample and an empty line. Elsewhere
 * lines with indentation are ordinary text, because many authors indent the source of a page.
 */
function endOfIndentedSample(lines: readonly string[], at: number): number {
  const label = lines[at] ?? '';
  if (label.includes('<') || !isBlank(lines[at + 1]) || findSampleLabel(label) === undefined) return at;
  let end = at;
  for (let next = at + 1; isBlank(lines[next]) || indentPattern.test(lines[next] ?? ''); next++) {
    if (isBlank(lines[next])) continue;
    if (end === at && startsMarkup.test(lines[next] ?? '')) return at;
    end = next + 1;
  }
  return end;
}

function isBlank(line: string | undefined): boolean {
  return line?.trim() === '';
}

/** The type of an HTML region in which a code fence is ordinary text. */
type LiteralRegion = 'pre' | 'comment' | undefined;

/** Returns the HTML region that is open after the line. An unclosed comment counts as text. */
function regionAfter(line: string, before: LiteralRegion, canOpenComment: boolean): LiteralRegion {
  let region = before;
  for (const [mark] of line.matchAll(/<\/?pre(?![\w-])|<!--|-->/gi)) {
    if (region === 'comment') region = mark === '-->' ? undefined : 'comment';
    else if (mark === '<!--') region = canOpenComment ? 'comment' : region;
    else if (mark !== '-->') region = mark.startsWith('</') ? undefined : 'pre';
  }
  return region;
}

function endOfFence(lines: readonly string[], start: number, fence: string): number {
  const closing = new RegExp(`^[ \\t>]*${fence.charAt(0)}{${fence.length},}[ \\t]*$`);
  let end = start;
  while (end < lines.length && !closing.test(lines[end] ?? '') && !isNamedFence(lines[end])) end++;
  return end;
}

function isNamedFence(line = ''): boolean {
  return sampleInfoStringPattern.test(fencePattern.exec(line)?.[3]?.trim() ?? '');
}

/**
 * Removes the indentation and the quote markers of a line inside a fence, up to the indentation and markers of the
 * fence itself.
 */
function withoutIndent(line: string, indent: string): string {
  if (line.startsWith(indent)) return line.slice(indent.length);
  return indent.includes('>') ? line.replace(/^[ \t]*(?:>[ \t]?)*/, '') : line.slice(/^[ \t]*/.exec(line)?.[0].length);
}

/**
 * If the text between two dollar signs contains an end tag or an attribute, the dollars are prices or characters of a
 * sample, not a formula.
 */
const formulaEnd = /<(?:\/[a-z]|[a-z][\w-]*\s+[a-z-]+=)/i;

const formula = /\$\$[^$]+\$\$|\$[^$\n]*\$/g;
const tagInCode = /`<\/?[a-z][^`<>\n]{0,100}>`/gi;

/** Escapes `<` in formulas and in code of one tag. Otherwise the text up to the next `>` would be parsed as a tag. */
function withoutFalseTags(text: string): string {
  return text
    .replace(formula, tex => (formulaEnd.test(tex) ? tex : tex.replaceAll('<', '&lt;')))
    .replace(tagInCode, code => code.replace('<', '&lt;'));
}
