import type { Attributes } from './html/attributes.ts';
import { seenText } from './invisible.ts';

const scheme = /^[a-z][a-z0-9+.-]*:/i;
const seenInALink = /^(?:https?|mailto|ftp):/i;
// What would end or bend a Markdown link.
const bendsMarkdown = /[\s()<>|\\`*[\]"]/g;
// CommonMark decodes character references in addresses: `?a=1&mp;` would become `?a=1∓`.
const characterReference = /&(?=#?\w+;)/g;

/** The absolute address, safe inside `](…)`; undefined when it is one that must not be followed or shown. */
export function absoluteLink(reference: string, base: string | undefined): string | undefined {
  const address = resolve(reference, base);
  return address?.replace(bendsMarkdown, encodeCharacter).replace(characterReference, '&amp;');
}

function resolve(reference: string, base: string | undefined): string | undefined {
  // Browsers drop tabs and line breaks, so `java\nscript:` is a scheme too.
  const trimmed = reference.replace(/[\t\n\r]/g, '').trim();
  if (trimmed === '' || trimmed.charCodeAt(0) < 0x20) return undefined;
  if (scheme.test(trimmed) && !seenInALink.test(trimmed)) return undefined;
  const parsed = parseUrl(trimmed, base);
  if (parsed !== undefined) return seenInALink.test(parsed) ? parsed : undefined;
  if (trimmed.startsWith('//')) return `https:${trimmed}`;
  return trimmed;
}

function parseUrl(reference: string, base: string | undefined): string | undefined {
  try {
    return new URL(reference, base || undefined).href;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // of what is no address
    return undefined;
  }
}

function encodeCharacter(character: string): string {
  if (character > '\x7f') return encodeURIComponent(character);
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** `![description](address)`; the description alone when there is no address to show; nothing for a tracking pixel. */
export function pictureMarkdown(attributes: Attributes, base: string | undefined): string {
  const { src = '', width, height } = attributes;
  if (/^[01](?:px)?$/.test(width ?? '') || /^[01](?:px)?$/.test(height ?? '')) return '';
  const description = seenText(attributes['alt'] ?? '')
    .replace(/\s+/g, ' ')
    .trim();
  const isInline = src === '' || /^\s*data:/i.test(src);
  // Lazy loading keeps the real address elsewhere.
  const address = absoluteLink(isInline ? (attributes['data-src'] ?? src) : src, base);
  const label = description.replace(/[[\]]|<(?=[a-zA-Z/!?])/g, '\\$&');
  if (address !== undefined) return `![${label}](${address})`;
  // A picture in the page itself, or in a file of somebody's disk, has no address: let it be known that there is one.
  return label === '' && src !== '' ? '(picture)' : label;
}
