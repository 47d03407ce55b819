import { parseUrl } from '../text/url.ts';
import { removeInvisibleAndLoneSurrogates } from './invisible.ts';

const allowedSchemes: ReadonlySet<string> = new Set(['http', 'https', 'mailto']);
const scheme = /^([a-z][a-z0-9+.-]*):/i;
// Browsers ignore tabs and line breaks anywhere in an address, and other control characters and white space at its
// start.
const ignoredCharacters = /[\0-\x20\x7f-\xa0]+/g;
// Matches the characters that would end or change a Markdown link.
const bendsMarkdown = /[\s()<>|\\`*[\]"]/g;
// CommonMark decodes character references in addresses: `?a=1&mp;` would become `?a=1∓`.
const characterReference = /&(?=#?\w+;)/g;
const completeLink = /\](?=\()/g;
const autolink = /<(?=([a-z][a-z0-9+.-]{1,31}:)[^\s<>]*>)/gi;

/**
 * Returns whether a link or an image may have this address: its scheme is `http`, `https` or `mailto`, or it has none.
 * This is the only list of allowed schemes, for HTML, Markdown and the fields of a problem.
 */
export function isAllowedAddress(address: string): boolean {
  const name = scheme.exec(removeInvisibleAndLoneSurrogates(address).replace(ignoredCharacters, ''))?.[1];
  return name === undefined || allowedSchemes.has(name.toLowerCase());
}

/** Returns the absolute address, escaped for use inside `](…)`, or undefined if its scheme is rejected. */
export function toAbsoluteAddress(reference: string, base: string | undefined): string | undefined {
  const address = resolve(reference, base);
  return address?.replace(bendsMarkdown, encodeCharacter).replace(characterReference, '&amp;');
}

function resolve(reference: string, base: string | undefined): string | undefined {
  const trimmed = reference.replace(/[\t\n\r]/g, '').trim();
  if (trimmed === '' || trimmed.charCodeAt(0) < 0x20 || !isAllowedAddress(trimmed)) return undefined;
  const parsed = parseUrl(trimmed, base || undefined)?.href;
  if (parsed !== undefined) return isAllowedAddress(parsed) ? parsed : undefined;
  if (trimmed.startsWith('//')) return `https:${trimmed}`;
  return trimmed;
}

function encodeCharacter(character: string): string {
  if (character > '\x7f') return encodeURIComponent(character);
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/**
 * Returns an address as a string without line breaks, or undefined if a renderer could turn it into a link with a
 * rejected scheme.
 */
export function sanitizeAddressField(address: string): string | undefined {
  return /[<>]/.test(address) || !isAllowedAddress(address) ? undefined : escapeMarkdownLinks(address);
}

/**
 * Escapes complete links and images `[…](…)` in a title or a table cell. Brackets without an address stay unchanged.
 */
export function escapeMarkdownLinks(text: string): string {
  const escaped = text.includes('<')
    ? text.replace(autolink, (mark, start: string) => (isAllowedAddress(start) ? mark : `\\${mark}`))
    : text;
  const first = escaped.indexOf('[');
  const last = escaped.lastIndexOf(')');
  if (first === -1) return escaped;
  return escaped.replace(completeLink, (mark, at: number) => (first < at && at < last ? `${mark}\\` : mark));
}
