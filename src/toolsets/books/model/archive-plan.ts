import { extensionOf } from './asset.ts';
import { isPathOfBookItself, removeBookPrefixOfKey } from './key.ts';
import { isWindowsDeviceName } from './path.ts';

export const archiveScopes = ['content', 'assets', 'all'] as const;
export type ArchiveScope = (typeof archiveScopes)[number];

/** Returns the folder of a book that an archive contains, by the argument `scope`: lessons, assets or both. */
export function archivedFolderOf(scope: ArchiveScope): string {
  return { content: 'content', assets: 'static', all: '' }[scope];
}

/**
 * Returns the name of a file inside the archive. Returns undefined for files of users, which archives never contain.
 */
export function createArchiveEntryName(book: string, key: string): string | undefined {
  const relative = removeBookPrefixOfKey(book, key);
  return isPathOfBookItself(relative) ? relative : undefined;
}

/**
 * Matches Unicode characters that change the text direction. They can make a dangerous file name look harmless: a name
 * that ends in `exe` is displayed with another ending.
 */
const directionControl = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/**
 * Returns the reason why a file must not be in an archive, or undefined. Some programs would extract the file to
 * another place or with another name.
 */
export function explainUnsafeName(name: string): string | undefined {
  if (/[\p{Cc}\u2028\u2029]/u.test(name)) return 'Left out: the name has a control character or a line break.';
  if (directionControl.test(name)) return 'Left out: the name has a character that changes the direction of text.';
  if (/[:\\]/.test(name)) return 'Left out: Windows reads ":" and "\\" in a name as a drive, a stream or a folder.';
  const segments = name.split('/');
  if (segments.some(isWindowsDeviceName)) return 'Left out: the name is that of a device on Windows.';
  if (segments.some(segment => /[. ]$/.test(segment))) return 'Left out: Windows drops the dot or space at its end.';
  return undefined;
}

/**
 * Returns the temporary and the final name of an archive. The final name contains the expiry time, so that any server
 * can delete the archive.
 */
export function createArchiveNames(
  book: string,
  scope: ArchiveScope,
  date: string,
  unique: string,
): { part: string; finished: (expiresMs: number) => string } {
  const start = `${book}${scope === 'all' ? '' : `-${scope}`}-${date}-${unique}`;
  return { part: `${start}.zip.part`, finished: expiresMs => `${start}-${expiresMs}.zip` };
}

/** An unfinished archive of this age is deleted, because the process that wrote it has died. */
const abandonedMs = 3_600_000;

/** Returns the expiry time of an archive, or undefined for other files. */
export function archiveExpiryOf(name: string, modifiedMs: number): number | undefined {
  const match = /^[a-z0-9-]+-\d{4}-\d{2}-\d{2}-[0-9a-f]{16}(?:-(\d{13})\.zip|\.zip\.part)$/.exec(name);
  if (match === null) return undefined;
  return match[1] === undefined ? modifiedMs + abandonedMs : Number(match[1]);
}

const packedAlready: ReadonlySet<string> = new Set(
  'png jpg jpeg gif webp avif heic pdf mp4 m4v webm mov mkv mp3 m4a ogg opus flac aac zip gz tgz bz2 xz zst 7z rar pptx docx xlsx epub woff woff2'.split(
    ' ',
  ),
);

/** Returns whether a file is already compressed, so that compression would save nothing. */
export function isAlreadyCompressed(name: string): boolean {
  return packedAlready.has(extensionOf(name));
}
