import { extensionOf } from './asset.ts';
import { bookKey, isBasePath } from './key.ts';

export const archiveScopes = ['content', 'assets', 'all'] as const;
export type ArchiveScope = (typeof archiveScopes)[number];

/** The folder an archive of this scope is made of. */
export function archiveFolder(book: string, scope: ArchiveScope): string {
  const folders: Record<ArchiveScope, string> = { content: '/content', assets: '/static', all: '' };
  return bookKey(book) + folders[scope];
}

/** The name of a file inside the archive; undefined for what never goes in: other people's versions. */
export function archiveEntryName(book: string, key: string): string | undefined {
  const relative = key.slice(bookKey(book).length + 1);
  return isBasePath(relative) ? relative : undefined;
}

export function archiveName(book: string, scope: ArchiveScope, date: string, unique: string): string {
  return `${book}${scope === 'all' ? '' : `-${scope}`}-${date}-${unique}.zip`;
}

/** Finished archives and those being made, and nothing else that may lie in the same folder. */
export const archiveNamePattern = /^[a-z0-9-]+-\d{4}-\d{2}-\d{2}-[0-9a-f]{16}\.zip(?:\.part)?$/;

const packedAlready: ReadonlySet<string> = new Set(
  'png jpg jpeg gif webp avif heic pdf mp4 m4v webm mov mkv mp3 m4a ogg opus flac aac zip gz tgz bz2 xz zst 7z rar pptx docx xlsx epub woff woff2'.split(
    ' ',
  ),
);

/** Packing what is packed already costs time and saves nothing. */
export function isPackedAlready(name: string): boolean {
  return packedAlready.has(extensionOf(name));
}
