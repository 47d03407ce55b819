import { toAbsoluteAddress } from './address.ts';
import type { Attributes } from './html/attributes.ts';
import { removeInvisibleAndLoneSurrogates } from './invisible.ts';

/**
 * Returns `![description](address)`, only the description if there is no address to show, or an empty string for a
 * tracking pixel.
 */
export function formatMarkdownImage(attributes: Attributes, base: string | undefined): string {
  const { src = '', width, height } = attributes;
  if (/^[01](?:px)?$/.test(width ?? '') || /^[01](?:px)?$/.test(height ?? '')) return '';
  const description = removeInvisibleAndLoneSurrogates(attributes['alt'] ?? '')
    .replace(/\s+/g, ' ')
    .trim();
  const isInline = src === '' || /^\s*data:/i.test(src);
  // Pages with lazy loading store the real address in the attribute data-src.
  const address = toAbsoluteAddress(isInline ? (attributes['data-src'] ?? src) : src, base);
  const label = description.replace(/[[\]]|<(?=[a-zA-Z/!?])/g, '\\$&');
  if (address !== undefined) return `![${label}](${address})`;
  // An image that is stored inside the page or in a local file has no address that a reader could open. The description
  // tells the reader that the image exists.
  return label === '' && src !== '' ? '(picture)' : label;
}
