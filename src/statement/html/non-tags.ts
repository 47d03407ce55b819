import { elementTable } from '../elements.ts';

const commonAttribute = 'name|id|class|style|align|href';
/** Matches attributes without a value. Frameworks add names such as `data-v-1a2b`. */
const bareAttribute =
  '(?:\\w+-[\\w-]+|hidden|open|checked|reversed|controls|nowrap|noshade|compact|border|disabled|selected|readonly|required|' +
  `multiple|autoplay|loop|muted|allowfullscreen|itemscope|download|popover|inert|${commonAttribute})`;
/**
 * Matches a comment, the start of CDATA, an element whose text contains no tags, or a `<` before a letter. The second
 * group is the name, the third one the end of the start tag or its first attribute with the quote of its value. Without
 * the third group it is text, as in `if a<b and c>d` or `if a<b and "x">c`. A tag may lack the `=` of a common
 * attribute: `<p class"x">`, or begin twice: `<a <a href="x">`.
 */
const possibleTag = new RegExp(
  String.raw`<!--(?:-?>|[^]*?(?:--!?>|$))|<!\[CDATA\[|` +
    String.raw`<(script|style|xmp|plaintext|textarea|title|iframe|noembed|noframes)(?=[\s/>])[^]*?(?:</\1|$)|` +
    String.raw`<(?=([a-z][^\s<>/]*)((?:\s+${bareAttribute}(?=[\s/>]))*(?:[\s/\\]*>|\s+<\2\s+\w+=|[\s/]+(?:[^\s"'<>/=]+\s*=(?!=)\s*["']?|(?:${commonAttribute}|src|title|width|height|start)[^\s"'<>/=]*\s*["'](?=[^<>]*>))))?)`,
  'gi',
);
/** Matches the end of SVG and MathML. If their end tag is missing, a browser ends them at the next block. */
const endOfForeignContent = /<\/(?:svg|math)\b|<\/?(?:p|div|pre|[bh]r|table|t[dhr]|[dou]l|d[dt]|li|h\d)\b|$/i;
const endTag = /<\/([a-z][^\s<>/]*)/gi;
const tagName = /^\w+(?:[.:-]+\w+)*$/;
/** HTML has no attributes with one or two letters except `id`. */
const shortAttribute = /^(?!id)[a-z]{1,2}\s*=$/i;

/**
 * Returns the offset where the SVG or MathML that contains an offset ends. All names in it are names of elements.
 */
export function findEndOfForeignContent(html: string, from: number): number {
  return from + html.slice(from).search(endOfForeignContent);
}

/**
 * Escapes every `<` that the author of a page probably wrote as text: `1<n<10`, `a<b and c>d`, `<iostream>`. A browser
 * parses these as tags, and hides the text up to the next `>`. The part before `foreignEnd` belongs to SVG or MathML.
 */
export function escapeNonTags(html: string, foreignEnd: number): string {
  let end = foreignEnd;
  let escapedAt = html.length;
  const escapeAt = (at: number): string => {
    escapedAt = at;
    return '&lt;';
  };
  // A browser takes `<b c<style>` for one tag. An element that hides the rest of the page cannot begin there.
  const isInTag = (mark: string, at: number): boolean =>
    at + mark.length === html.length && escapedAt < at && !html.slice(escapedAt, at).includes('>');
  let endTags: ReadonlyMap<string, number> | undefined;
  return html.replace(
    possibleTag,
    (mark, _: string | undefined, written = '', rest: string | undefined, at: number) => {
      // Outside of SVG and MathML, a browser ends CDATA at the next `>`, like a processing instruction.
      if (mark.startsWith('<![')) return at < end ? mark : '<?';
      if (mark !== '<') return isInTag(mark, at) ? `&lt;${mark.slice(1)}` : mark;
      if (rest === undefined || !tagName.test(written)) return escapeAt(at);
      const name = written.toLowerCase();
      if (at < end) return mark;
      if (isForeignRoot(name)) end = findEndOfForeignContent(html, at);
      // In code, an assignment may follow a comparison: `if a<b c=d`.
      const mayBeText = elementTable.has(name)
        ? name.length < 3 && shortAttribute.test(rest.trim())
        : /^\s*>$|=\s*$/.test(rest);
      if (!mayBeText) return mark;
      return ((endTags ??= findLastEndTags(html)).get(name) ?? 0) > at ? mark : escapeAt(at);
    },
  );
}

export function isForeignRoot(name: string): boolean {
  return name === 'svg' || name === 'math';
}

/** Maps each name to the offset of its last end tag. */
export function findLastEndTags(html: string): ReadonlyMap<string, number> {
  return new Map(Array.from(html.matchAll(endTag), ({ 1: name = '', index }) => [name.toLowerCase(), index]));
}
