import { elementTable } from '../elements.ts';
import { isForeignRoot } from './open-elements.ts';

/** Matches attributes without a value. Frameworks add names such as `data-v-1a2b`. */
const bareAttribute =
  '(?:\\w+-[\\w-]+|hidden|open|checked|reversed|controls|nowrap|noshade|compact|border|disabled|selected|readonly|required|' +
  'multiple|autoplay|loop|muted|allowfullscreen|itemscope|download|href|popover|inert|name|id|class|style|align)';
/**
 * Matches a comment, an element whose text contains no tags, or a `<` before a letter. The second group is the name, the
 * third one the end of the start tag or its first attribute with the quote of its value. Without the third group it is
 * text, as in `if a<b and c>d`. A quote behind the name of an attribute belongs to a tag with a missing `=`.
 */
const possibleTag = new RegExp(
  String.raw`<!--(?:-?>|[^]*?(?:--!?>|$))|` +
    String.raw`<(script|style|xmp|plaintext|textarea|title|iframe|noembed|noframes)(?=[\s/>])[^]*?(?:</\1|$)|` +
    String.raw`<(?=([a-z][^\s<>/]*)((?:\s+${bareAttribute}(?=[\s/>]))*(?:[\s/\\]*>|[\s/]+[^\s"'<>/=]+\s*(?:=(?!=)\s*["']?|["'](?=[^<>]*>))))?)`,
  'gi',
);
const endTag = /<\/([a-z][^\s<>/]*)/gi;
const tagName = /^\w+(?:[.:-]+\w+)*$/;
/** HTML has no attributes with one or two letters except `id`. */
const shortAttribute = /^(?!id)[a-z]{1,2}\s*=$/i;

/**
 * Escapes every `<` that the author of a page probably wrote as text: `1<n<10`, `a<b and c>d`, `<iostream>`. A browser
 * parses these as tags, and hides the text up to the next `>`. In SVG and MathML, all are tags.
 */
export function escapeNonTags(html: string, isInForeignContent: boolean): string {
  const endOfForeignContent = (from: number): number => from + html.slice(from).search(/<\/(?:svg|math)\b|$/i);
  let foreignEnd = isInForeignContent ? endOfForeignContent(0) : 0;
  let endTags: ReadonlyMap<string, number> | undefined;
  return html.replace(
    possibleTag,
    (mark, _: string | undefined, written = '', rest: string | undefined, at: number) => {
      if (mark !== '<') return mark;
      if (rest === undefined || !tagName.test(written)) return '&lt;';
      const name = written.toLowerCase();
      if (at < foreignEnd) return mark;
      if (isForeignRoot(name)) foreignEnd = endOfForeignContent(at);
      // In code, an assignment may follow a comparison: `if a<b c=d`.
      const mayBeText = elementTable.has(name)
        ? name.length < 3 && shortAttribute.test(rest.trim())
        : /^\s*>$|=\s*$|[^=\s]\s*["']$/.test(rest);
      if (!mayBeText) return mark;
      return ((endTags ??= findLastEndTags(html)).get(name) ?? 0) > at ? mark : '&lt;';
    },
  );
}

/** Maps each name to the offset of its last end tag. */
export function findLastEndTags(html: string): ReadonlyMap<string, number> {
  return new Map(Array.from(html.matchAll(endTag), ({ 1: name = '', index }) => [name.toLowerCase(), index]));
}
