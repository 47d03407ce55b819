import { elementTable } from '../elements.ts';

/** Matches attributes without a value. Frameworks add names such as `data-v-1a2b`. */
const bareAttribute =
  '(?:\\w+-[\\w-]+|hidden|open|checked|reversed|controls|nowrap|noshade|compact|border|disabled|selected|readonly|required|' +
  'multiple|autoplay|loop|muted|allowfullscreen|itemscope|download|href|popover|inert|name|id|class|style|align)';
/**
 * Matches a comment, an element whose text contains no tags, or a `<` before a letter. The second group is the name, the
 * third one the end of the start tag or its first attribute with the quote of its value. Without the third group it is
 * text, as in `if a<b and c>d`.
 */
const possibleTag = new RegExp(
  String.raw`<!--(?:-?>|[^]*?(?:--!?>|$))|` +
    String.raw`<(script|style|xmp|plaintext|textarea|title|iframe|noembed|noframes)(?=[\s/>])[^]*?(?:</\1|$)|` +
    String.raw`<(?=([a-z][^\s<>/]*)((?:\s+${bareAttribute}(?=[\s/>]))*(?:[\s/\\]*>|[\s/]+[^\s"'<>/=]+\s*=(?!=)\s*["']?))?)`,
  'gi',
);
const svgShape = /^(?:rect|circle|ellipse|line|path|poly\w+|use|stop|g|t?span|text)$/;
const endTag = /<\/([a-z][^\s<>/]*)/gi;
const tagName = /^\w+(?:[.:-]+\w+)*$/;
/** HTML has no attributes with one or two letters except `id`, and those of SVG. */
const shortAttribute = /^(?!id)[a-z]{1,2}\s*=$/i;

/**
 * Escapes every `<` that the author of a page probably wrote as text: `1<n<10`, `a<b and c>d`, `<iostream>`. A browser
 * parses these as tags, and hides the text up to the next `>`.
 */
export function escapeNonTags(html: string): string {
  let endTags: ReadonlyMap<string, number> | undefined;
  return html.replace(
    possibleTag,
    (mark, _: string | undefined, written = '', rest: string | undefined, at: number) => {
      if (mark !== '<') return mark;
      if (rest === undefined || !tagName.test(written)) return '&lt;';
      const name = written.toLowerCase();
      const isKnown = elementTable.has(name);
      // In code, an assignment may follow a comparison: `if a<b c=d`.
      const isAssignment = isKnown
        ? name.length < 3 && shortAttribute.test(rest.trim())
        : /=\s*$/.test(rest) && !svgShape.test(name);
      if (!isAssignment && (isKnown || rest.trim() !== '>')) return mark;
      return ((endTags ??= findLastEndTags(html)).get(name) ?? 0) > at ? mark : '&lt;';
    },
  );
}

/** Maps each name to the offset of its last end tag. */
export function findLastEndTags(html: string): ReadonlyMap<string, number> {
  return new Map(Array.from(html.matchAll(endTag), ({ 1: name = '', index }) => [name.toLowerCase(), index]));
}
