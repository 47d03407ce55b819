import { elementTable } from '../elements.ts';

/** Matches attributes without a value. Frameworks add names such as `data-v-1a2b`. */
const bareAttribute =
  '(?:\\w+-[\\w-]+|hidden|open|checked|reversed|controls|nowrap|noshade|compact|border|disabled|selected|readonly|required|' +
  'multiple|autoplay|loop|muted|allowfullscreen|itemscope|download|href|popover|inert|name|id|class|style|align)';
/**
 * Matches a comment, an element whose text contains no tags, or a `<` before a letter. The second group is the name, the third one
 * the end of the start tag or its first attribute. Without the third group it is text, as in `if a<b and c>d`.
 */
const possibleTag = new RegExp(
  String.raw`<!--(?:-?>|[^]*?(?:--!?>|$))|` +
    String.raw`<(script|style|xmp|plaintext|textarea|title|iframe|noembed|noframes)(?=[\s/>])[^]*?(?:</\1|$)|` +
    String.raw`<(?=([a-z][^\s<>/]*)((?:\s+${bareAttribute}(?=[\s/>]))*(?:[\s/\\]*>|[\s/]+[^\s"'<>/=]+\s*=(?!=)))?)`,
  'gi',
);
const endTag = /<\/([a-z][^\s<>/]*)/gi;
const tagName = /^[\w.:-]+$/;

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
      if (rest.trim() !== '>' || elementTable.has(name)) return mark;
      return ((endTags ??= findLastEndTags(html)).get(name) ?? 0) > at ? mark : '&lt;';
    },
  );
}

/** Maps each name to the offset of its last end tag. */
export function findLastEndTags(html: string): ReadonlyMap<string, number> {
  return new Map(Array.from(html.matchAll(endTag), ({ 1: name = '', index }) => [name.toLowerCase(), index]));
}
