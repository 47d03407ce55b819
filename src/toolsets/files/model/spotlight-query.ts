import { isoSeconds } from './dates.ts';
import type { Kind } from './file-type.ts';
import type { Match } from './names.ts';

/** What Spotlight is asked; undefined for what it is not asked for: names, and phrases without words. */
export function spotlightQuery({
  query,
  match,
  kind,
  sinceMs,
  untilMs,
}: {
  query?: string | undefined;
  match?: Match | undefined;
  kind?: Kind | undefined;
  sinceMs?: number | undefined;
  untilMs?: number | undefined;
}): string | undefined {
  if (query !== undefined) return match === undefined || match === 'content' ? textQuery(query) : undefined;
  if (kind !== undefined) return kindQuery(kind);
  return sinceMs === undefined || untilMs !== undefined ? undefined : recentQuery(sinceMs);
}

/**
 * The words of a phrase as a Spotlight query, as they were typed. Only letters, their marks and digits get in, so that
 * nothing of the query language can; the phrase itself is looked for afterwards in what was found. Undefined for a phrase without words.
 */
export function textQuery(phrase: string): string | undefined {
  const words = phrase.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu);
  return words?.map(word => `kMDItemTextContent == "${word}*"cdw`).join(' && ');
}

const trees: Readonly<Record<Kind, readonly string[]>> = {
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

export function kindQuery(kind: Kind): string {
  return trees[kind].map(identifier => `kMDItemContentTypeTree == "${identifier}"`).join(' || ');
}

export function recentQuery(sinceMs: number): string {
  return `kMDItemContentModificationDate >= $time.iso(${isoSeconds(sinceMs)}) && kMDItemContentTypeTree == "public.data"`;
}
