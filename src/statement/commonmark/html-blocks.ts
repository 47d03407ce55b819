/** https://spec.commonmark.org/0.31.2/#html-blocks, with the text that ends each kind. */
const htmlBlocks: readonly (readonly [start: RegExp, end: RegExp | undefined])[] = [
  [/^<(?:script|pre|textarea|style)(?=[\s>]|$)/i, /<\/(?:script|pre|textarea|style)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<![a-z]/i, />/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [
    /^<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?=\s|\/?>|$)/i,
    undefined,
  ],
];
/** A line that consists of one complete tag also begins an HTML block, but it does not interrupt a paragraph. */
const loneTag =
  /^(?:<[a-z][a-z0-9-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?>|<\/[a-z][a-z0-9-]*\s*>)\s*$/i;
const maxTagLine = 2000;

/** An HTML block ends at a line that matches this pattern. Without a pattern, it ends at an empty line. */
export interface HtmlBlockStart {
  readonly end: RegExp | undefined;
}

/** Returns whether and how an HTML block begins at a line. A lone tag does not interrupt a paragraph. */
export function findHtmlBlockStart(line: string, isInParagraph: boolean): HtmlBlockStart | undefined {
  const found = htmlBlocks.find(([start]) => start.test(line));
  if (found !== undefined) return { end: found[1] };
  return !isInParagraph && line.length <= maxTagLine && loneTag.test(line) ? { end: undefined } : undefined;
}
