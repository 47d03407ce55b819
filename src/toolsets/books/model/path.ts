import { replaceByAsciiLetters } from '../../../text/ascii.ts';
import { type FileLocation, storageKeyOfBook, storageKeyOfUserFolder } from './key.ts';
import { refusal } from './refusal.ts';

const unit = '[0-9]{2}-[A-Za-z0-9][A-Za-z0-9-]*';
const lesson = new RegExp(`^content/${unit}/${unit}/${unit}(?:\\.summary)?\\.mdx?$`);
const readme = new RegExp(`^content/(?:${unit}/){0,2}README\\.mdx?$`);
const chapter = new RegExp(`^content/${unit}/${unit}$`);
const part = new RegExp(`^content/${unit}$`);
const directory = new RegExp(`^content(?:/${unit}){0,2}$`);

export const maxPathCharacters = 255;

export const assetTypes = ['img', 'images', 'slides', 'videos', 'audio'] as const;
export type AssetType = (typeof assetTypes)[number];

/** Returns the folders for an asset type. Images have two folders, and new images are stored in the first one. */
export function assetFoldersOf(type: AssetType): readonly AssetType[] {
  return type === 'img' || type === 'images' ? ['img', 'images'] : [type];
}

/** Returns the folder for new assets of a type. */
export function primaryAssetFolderOf(type: AssetType): AssetType {
  return type === 'images' ? 'img' : type;
}

export const isLessonPath = (path: string): boolean => path.length <= maxPathCharacters && lesson.test(path);
export const isReadmePath = (path: string): boolean => path.length <= maxPathCharacters && readme.test(path);
/** Returns whether a path is that of a lesson or of the README of the book, a part or a chapter. */
export const isBookPagePath = (path: string): boolean => isLessonPath(path) || isReadmePath(path);
/** Returns whether an import or export may write a path of the library. */
export const isExportedPath = (path: string): boolean => /^(?:content|static)\//.test(path);
/** Matches the file extension of a page: Markdown, or `.mdx` for Markdown with components, as in Docusaurus. */
export const isMarkdownPath = (path: string): boolean => /\.mdx?$/.test(path);
export const isMdxPath = (path: string): boolean => path.endsWith('.mdx');
export const isContentFolderPath = (path: string): boolean => directory.test(path);

/** Windows opens a device for these names, with any extension. */
const deviceName = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

/** Returns whether a file next to lessons is not text, for example an image. Placeholder files for git are ignored. */
export function isNonTextContentFile(key: string): boolean {
  return /(?:^|\/)content\//.test(key) && !isMarkdownPath(key) && !/(?:^|\/)\.(?:git)?keep$/.test(key);
}

export function isWindowsDeviceName(segment: string): boolean {
  return deviceName.test(segment);
}

export function isAssetPathSegment(segment: string): boolean {
  return (
    /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,254}$/.test(segment) && !segment.endsWith('.') && !isWindowsDeviceName(segment)
  );
}

export function isAssetPath(path: string): boolean {
  return splitAssetPath(path) !== undefined;
}

function splitAssetPath(path: string): { type: AssetType; name: string } | undefined {
  const [top, folder, ...rest] = path.split('/');
  const type = assetTypes.find(known => known === folder);
  if (path.length > 1024 || top !== 'static' || type === undefined || rest.length === 0) return undefined;
  return rest.every(isAssetPathSegment) ? { type, name: rest.join('/') } : undefined;
}

/** Returns the reason why a path may lead outside of its book, or undefined for a safe path. */
function escapeProblem(path: string): string | undefined {
  if (/[\p{Cc}\u2028\u2029]/u.test(path)) return 'has a control character';
  if (path.trim() !== path) return 'has a space at its start or end';
  if (path.startsWith('/')) return 'starts with "/"';
  if (path.startsWith('~')) return 'starts with "~"';
  if (path.includes('\\')) return 'has a backslash';
  const segments = path.split('/');
  if (segments.includes('..')) return 'has the segment ".."';
  if (segments.includes('.')) return 'has the segment "."';
  if (/^[A-Za-z]:/.test(path)) return 'starts with a drive';
  return undefined;
}

function refuseEscape(path: string): void {
  const problem = escapeProblem(path);
  if (problem === undefined) return;
  throw refusal('InvalidPathError', `The path ${JSON.stringify(path)} ${problem}.`, {
    suggestion: 'Give a path inside the book, such as content/01-Part/01-Chapter/01-lesson.md.',
  });
}

/**
 * Converts a complete storage key to a path inside the book of the call, because tool results contain complete keys.
 * Keys of other books and users are returned unchanged and rejected later.
 */
export function toPathInBook({ book, path, user }: FileLocation): string {
  const own = user === undefined ? undefined : `${storageKeyOfUserFolder(book, user)}/`;
  if (own !== undefined && path.startsWith(own)) return path.slice(own.length);
  const base = `${storageKeyOfBook(book)}/`;
  return path.startsWith(base) ? path.slice(base.length) : path;
}

/** Returns the location of the file that the arguments of a tool name. */
export function locationOfArguments(args: {
  book_id: string;
  path: string;
  user_id?: string | undefined;
}): FileLocation {
  const { book_id: book, path, user_id: user } = args;
  return { book, path: toPathInBook({ book, path, user }), user };
}

/** A function that returns the next free lesson number in a folder, as two digits. */
export type NextLessonNumber = (folder: string) => string;

/** Creates a function that returns free lesson numbers. `paths` are the paths of the book. */
export function createNextLessonNumber(paths: Iterable<string>): NextLessonNumber {
  const highest = new Map<string, number>();
  for (const path of paths) {
    const segments = path.split('/');
    for (let depth = 1; depth < segments.length; depth++) {
      const folder = segments.slice(0, depth).join('/');
      const number = Number(/^([0-9]{2})-/.exec(segments[depth] ?? '')?.[1] ?? 0);
      if (number > (highest.get(folder) ?? 0)) highest.set(folder, number);
    }
  }
  return folder => String(Math.min((highest.get(folder) ?? 0) + 1, 99)).padStart(2, '0');
}

/**
 * Throws an error for a path that no lesson can have. `nextNumber` returns the lesson number for the path that the
 * error suggests.
 */
export function checkLessonPath(path: string, nextNumber: NextLessonNumber = () => 'NN'): void {
  refuseEscape(path);
  if (isLessonPath(path)) return;
  refuseForeign(path);
  refuseFolderPage(path);
  const proposed = suggestLessonPath(path, nextNumber);
  throw refusal('SchemaViolationError', `The path ${JSON.stringify(path)} is not a valid lesson path.`, {
    suggestion:
      proposed === undefined
        ? 'A lesson is content/NN-Part/NN-Chapter/NN-name.md or …/NN-name.summary.md: two digits, a hyphen, then letters, digits and hyphens.'
        : `A lesson is content/NN-Part/NN-Chapter/NN-name.md: use ${proposed}.`,
  });
}

/** Throws an error for the README of the book, a part or a chapter. */
export function refuseFolderPage(path: string): void {
  if (!isReadmePath(path)) return;
  throw refusal('SchemaViolationError', `${path} is the page of a folder, and only lessons can be changed.`, {
    suggestion: 'Edit it in the folder that was imported and import that again, or write a lesson.',
  });
}

/** Throws an error for keys of other books and of users. */
function refuseForeign(path: string): void {
  if (!path.startsWith('users/') && !path.startsWith('books/')) return;
  throw refusal('SchemaViolationError', `The path ${JSON.stringify(path)} does not belong to this book.`, {
    suggestion: path.startsWith('users/')
      ? 'Omit "users/…" and set user_id instead.'
      : "Use the path inside the book and set book_id; for a user's own version also set user_id.",
  });
}

/** Throws an error for a path that cannot be read or deleted. The file name need not be valid for a lesson. */
export function checkPathInBook(path: string): void {
  refuseEscape(path);
  refuseForeign(path);
  if (isContentFolderPath(path)) {
    throw refusal('SchemaViolationError', `The path ${JSON.stringify(path)} is a folder.`, {
      suggestion: 'To read all files of a folder, set "scope" to "chapter", "part" or "book".',
    });
  }
  const isHidden = path.split('/').some(name => name === '' || name.toLowerCase() === '.git');
  if (isHidden || path.length > maxPathCharacters) checkLessonPath(path);
}

const unitPattern = new RegExp(`^${unit}$`);

/** Returns a valid lesson path that is similar to an invalid one, or undefined if its name has no usable characters. */
export function suggestLessonPath(path: string, nextNumber: NextLessonNumber): string | undefined {
  const segments = path.split('/');
  if (segments[0] !== 'content' || segments.length < 2) return undefined;
  const folders = segments.slice(1, -1).slice(0, 2);
  let folder = 'content';
  for (const kind of ['Part', 'Chapter']) {
    const given = folders.shift();
    const name = given === undefined ? `NN-${kind}` : unitLike(given, nextNumber(folder));
    if (name === undefined) return undefined;
    folder = `${folder}/${name}`;
  }
  const file = suggestFileName(segments.at(-1) ?? '', folder.includes('/NN-') ? 'NN' : nextNumber(folder));
  return file === undefined || file.startsWith('README.') ? undefined : `${folder}/${file}`;
}

/**
 * Returns a valid file name for a lesson or README that is similar to a name. A name without a number gets `number`.
 */
export function suggestFileName(name: string, number: string): string | undefined {
  const [, stem, summary = '', end = ''] = /^(.+?)(\.summary)?\.(md|mdx|markdown)$/i.exec(name) ?? [];
  if (stem === undefined) return undefined;
  const extension = end.toLowerCase() === 'mdx' ? 'mdx' : 'md';
  if (/^readme$/i.test(stem)) return `README.${extension}`;
  const like = unitLike(stem, number);
  return like === undefined ? undefined : `${like}${summary.toLowerCase()}.${extension}`;
}

/** Converts a name to the form `NN-name`. */
function unitLike(name: string, number: string): string | undefined {
  if (unitPattern.test(name)) return name;
  const [, own = number, rest = ''] = /^(\d{1,2}(?!\d))?(.*)$/s.exec(name) ?? [];
  const words = replaceByAsciiLetters(rest)
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return words === '' ? undefined : `${own.padStart(2, '0')}-${words}`;
}

/** Throws an error if a path does not belong to a chapter or part. Returns the path without a trailing slash. */
export function checkFolderPath(path: string, scope: 'chapter' | 'part'): string {
  refuseEscape(path);
  const folder = path.endsWith('/') ? path.slice(0, -1) : path;
  if ((scope === 'chapter' ? chapter : part).test(folder)) return folder;
  throw refusal('SchemaViolationError', `The path ${JSON.stringify(path)} is not the folder of a ${scope}.`, {
    suggestion:
      scope === 'chapter'
        ? 'A chapter is content/NN-Part/NN-Chapter.'
        : 'A part is content/NN-Part; for the whole book use scope "book".',
  });
}

/** Parses an asset path `static/<type>/<name>`. Returns undefined for other files in the folder `static`. */
export function parseAssetPath(path: string): { type: AssetType; name: string } | undefined {
  checkPathInBook(path);
  return splitAssetPath(path);
}

export function createAssetPathFailure(path: string): Error {
  return refusal('SchemaViolationError', `The path ${JSON.stringify(path)} is not a valid asset path.`, {
    suggestion: `An asset is static/<type>/<name>, the type one of ${assetTypes.join(', ')}, the name of letters, digits, ".", "_" and "-".`,
  });
}
