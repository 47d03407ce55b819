import { absoluteAddress } from './address.ts';
import type { Attributes } from './html/attributes.ts';
import { visibleText } from './invisible.ts';

/** `![description](address)`; the description alone when there is no address to show; nothing for a tracking pixel. */
export function pictureMarkdown(attributes: Attributes, base: string | undefined): string {
  const { src = '', width, height } = attributes;
  if (/^[01](?:px)?$/.test(width ?? '') || /^[01](?:px)?$/.test(height ?? '')) return '';
  const description = visibleText(attributes['alt'] ?? '')
    .replace(/\s+/g, ' ')
    .trim();
  const isInline = src === '' || /^\s*data:/i.test(src);
  // Lazy loading keeps the real address elsewhere.
  const address = absoluteAddress(isInline ? (attributes['data-src'] ?? src) : src, base);
  const label = description.replace(/[[\]]|<(?=[a-zA-Z/!?])/g, '\\$&');
  if (address !== undefined) return `![${label}](${address})`;
  // A picture inside the page or in a local file has no address to show, but the reader must know that it exists.
  return label === '' && src !== '' ? '(picture)' : label;
}
