import { refusal } from './refusal.ts';

const unit = '[0-9]{2}-[A-Za-z0-9][A-Za-z0-9-]*';
const lesson = new RegExp(`^content/${unit}/${unit}/${unit}(?:\\.summary)?\\.md$`);
const readme = new RegExp(`^content/(?:${unit}/){0,2}README\\.md$`);
const chapter = new RegExp(`^content/${unit}/${unit}$`);
const part = new RegExp(`^content/${unit}$`);
const directory = new RegExp(`^content(?:/${unit}){0,2}$`);

export const maxPathCharacters = 255;

export const assetTypes = ['img', 'images', 'slides', 'videos', 'audio'] as const;
export type AssetType = (typeof assetTypes)[number];

/** Both names are in use for pictures; new ones go to the first. */
export function assetDirectories(type: AssetType): readonly AssetType[] {
  return type === 'img' || type === 'images' ? ['img', 'images'] : [type];
}

/** Where a new asset of a type goes. */
export function assetHome(type: AssetType): AssetType {
  return type === 'images' ? 'img' : type;
}

export const isLessonPath = (path: string): boolean => path.length <= maxPathCharacters && lesson.test(path);
export const isReadmePath = (path: string): boolean => path.length <= maxPathCharacters && readme.test(path);
export const isContentDirectory = (path: string): boolean => directory.test(path);

/** Windows opens a device for these, whatever the extension. */
const deviceName = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

export function isAssetSegment(segment: string): boolean {
  return /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,254}$/.test(segment) && !segment.endsWith('.') && !deviceName.test(segment);
}

export function isAssetPath(path: string): boolean {
  return splitAssetPath(path) !== undefined;
}

function splitAssetPath(path: string): { type: AssetType; name: string } | undefined {
  const [top, folder, ...rest] = path.split('/');
  const type = assetTypes.find(known => known === folder);
  if (path.length > 1024 || top !== 'static' || type === undefined || rest.length === 0) return undefined;
  return rest.every(isAssetSegment) ? { type, name: rest.join('/') } : undefined;
}

/** What is wrong with a path that may try to leave its book; undefined when it does not. */
export function escapeProblem(path: string): string | undefined {
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

export function refuseEscape(path: string): void {
  const problem = escapeProblem(path);
  if (problem === undefined) return;
  throw refusal('InvalidPathError', `The path ${JSON.stringify(path)} ${problem}.`, {
    suggestion: 'Give a path inside the book, such as content/01-Part/01-Chapter/01-lesson.md.',
  });
}

/** For writing and deleting. */
export function checkLessonPath(path: string): void {
  refuseEscape(path);
  if (isLessonPath(path)) return;
  throw refusal('SchemaViolationError', `The path ${JSON.stringify(path)} is not a lesson's.`, {
    suggestion: path.startsWith('users/')
      ? 'Leave out "users/…" and give user_id instead.'
      : 'A lesson is content/NN-Part/NN-Chapter/NN-name.md or …/NN-name.summary.md: two digits, a hyphen, then letters, digits and hyphens.',
  });
}

/** For reading one file: lessons, and the README.md of the content folder, a part or a chapter. */
export function checkReadablePath(path: string): void {
  refuseEscape(path);
  if (!isReadmePath(path)) checkLessonPath(path);
}

/** The folder of a chapter or part, without the trailing slash it may have been given with. */
export function checkFolderPath(path: string, scope: 'chapter' | 'part'): string {
  refuseEscape(path);
  const folder = path.endsWith('/') ? path.slice(0, -1) : path;
  if ((scope === 'chapter' ? chapter : part).test(folder)) return folder;
  throw refusal('SchemaViolationError', `The path ${JSON.stringify(path)} is not a ${scope}'s folder.`, {
    suggestion:
      scope === 'chapter'
        ? 'A chapter is content/NN-Part/NN-Chapter.'
        : 'A part is content/NN-Part; for the whole book use scope "book".',
  });
}

/** `static/…`, for the question whether an asset is there. */
export function checkAssetPath(path: string): { type: AssetType; name: string } {
  refuseEscape(path);
  const asset = splitAssetPath(path);
  if (asset !== undefined) return asset;
  throw refusal('SchemaViolationError', `The path ${JSON.stringify(path)} is not an asset's.`, {
    suggestion: `An asset is static/<type>/<name>, the type one of ${assetTypes.join(', ')}, the name of letters, digits, ".", "_" and "-".`,
  });
}
