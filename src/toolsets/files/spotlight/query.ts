import type { MetadataValue } from '../../../documents/facts.ts';
import type { FileKind } from '../../../documents/file-type.ts';
import { readJson } from '../../../text/json.ts';
import { formatIsoSeconds } from '../match/dates.ts';
import type { MatchMode } from '../query/arguments.ts';

/** Parses the XML property list that `mdls` prints into attributes. Attributes with binary data are left out. */
export function parsePlist(xml: string): Readonly<Record<string, MetadataValue>> {
  const pieces: string[] = [];
  for (const [, close, name = '', empty, text = ''] of xml.matchAll(/<(\/?)(\w+)\b[^<>]*?(\/?)>([^<]*)/g)) {
    const brackets = { dict: '{}', array: '[]' }[name];
    if (brackets === undefined && !close) pieces.push(jsonOf(name, unescapeXml(text)));
    if (brackets === undefined) continue;
    // The comma after the last element of an array is removed, because JSON does not allow it.
    if (close) pieces.push(pieces.pop()?.replace(/,$/, '') ?? '');
    pieces.push(bracketOf(brackets, close !== '', empty !== ''));
  }
  const all = readJson(pieces.join('').replace(/,$/, ''));
  // Output that is not a JSON object contains no attributes.
  if (typeof all !== 'object' || all === null) return {};
  return Object.fromEntries(Object.entries(all).filter(isAttribute));
}

function bracketOf(brackets: string, isEnd: boolean, isEmpty: boolean): string {
  if (isEmpty) return `${brackets},`;
  return isEnd ? `${brackets.charAt(1)},` : brackets.charAt(0);
}

function isAttribute(entry: [string, unknown]): entry is [string, MetadataValue] {
  return /^kMDItem\w+$/.test(entry[0]) && entry[0] !== 'kMDItemTextContent' && isWhole(entry[1]);
}

function jsonOf(name: string, text: string): string {
  switch (name) {
    case 'key':
      return `${JSON.stringify(text)}:`;
    case 'string':
    case 'date':
      return `${JSON.stringify(text)},`;
    case 'integer':
    case 'real':
      return Number.isFinite(Number(text)) ? `${Number(text)},` : 'null,';
    case 'true':
      return '1,';
    case 'false':
      return '0,';
    default:
      return name === 'plist' ? '' : 'null,';
  }
}

function isWhole(value: unknown): boolean {
  return value !== null && (typeof value !== 'object' || Object.values(value).every(isWhole));
}

const named: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

function unescapeXml(text: string): string {
  return text.replace(/&(?:#(x?)([0-9a-f]{1,7})|(\w+));/gi, (whole, hex: string, digits: string, name?: string) => {
    if (name !== undefined) return named.get(name) ?? whole;
    const code = Number.parseInt(digits, hex === '' ? 10 : 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
}

/**
 * Creates the query for Spotlight. Returns undefined if Spotlight cannot be used: for a search by names, for phrases
 * without words, and for a time range with an end.
 */
export function createSpotlightQuery({
  text,
  match,
  kind,
  sinceMs,
  untilMs,
}: {
  text?: string | undefined;
  match?: MatchMode | undefined;
  kind?: FileKind | undefined;
  sinceMs?: number | undefined;
  untilMs?: number | undefined;
}): string | undefined {
  if (text !== undefined) return match === undefined || match === 'content' ? createTextQuery(text) : undefined;
  if (kind !== undefined) return createKindQuery(kind);
  return sinceMs === undefined || untilMs !== undefined ? undefined : createRecentQuery(sinceMs);
}

/**
 * Creates a Spotlight query for the words of a phrase, or returns undefined if it has none. The query contains only
 * letters, their marks and digits, so that the phrase cannot inject query syntax. The files that Spotlight finds are
 * tested for the phrase afterwards.
 */
export function createTextQuery(phrase: string): string | undefined {
  const words = phrase.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu);
  return words?.map(word => `kMDItemTextContent == "${word}*"cdw`).join(' && ');
}

const trees: Readonly<Record<FileKind, readonly string[]>> = {
  document: [
    'public.text',
    'public.composite-content',
    'public.calendar-event',
    'public.vcard',
    'public.email-message',
    'org.idpf.epub-container',
  ],
  image: ['public.image'],
  video: ['public.movie'],
  audio: ['public.audio'],
  pdf: ['com.adobe.pdf'],
  code: ['public.source-code', 'public.script'],
};

export function createKindQuery(kind: FileKind): string {
  return trees[kind].map(identifier => `kMDItemContentTypeTree == "${identifier}"`).join(' || ');
}

export function createRecentQuery(sinceMs: number): string {
  return `kMDItemContentModificationDate >= $time.iso(${formatIsoSeconds(sinceMs)}) && kMDItemContentTypeTree == "public.data"`;
}
