import * as v from 'valibot';
import { replaceByAsciiLetters } from '../../../text/ascii.ts';
import { CountField } from './arguments.ts';
import { isKeyInsideFolder, storageKeyOfBook } from './key.ts';
import { type AssetType, assetFoldersOf, isAssetPathSegment } from './path.ts';
import { refusal } from './refusal.ts';

const mimeTypes: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  svg: 'image/svg+xml',
  webp: 'image/webp',
  avif: 'image/avif',
  pdf: 'application/pdf',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  m4a: 'audio/mp4',
  yaml: 'application/x-yaml',
  yml: 'application/x-yaml',
  json: 'application/json',
  jsonl: 'application/jsonlines',
};

export function extensionOf(name: string): string {
  const base = name.slice(name.lastIndexOf('/') + 1);
  const dot = base.lastIndexOf('.');
  return dot === -1 ? '' : base.slice(dot + 1).toLowerCase();
}

export function mimeTypeOf(name: string): string {
  const extension = extensionOf(name);
  return (Object.hasOwn(mimeTypes, extension) ? mimeTypes[extension] : undefined) ?? 'application/octet-stream';
}

/**
 * Returns the name under which an upload is stored, or undefined if there is none. Letters of other scripts are not
 * dropped, because 図1.png and 表1.png would then get the same name.
 */
export function createSafeAssetName(filename: string): string | undefined {
  const hasOtherLetters = /(?!\p{ASCII})[\p{L}\p{N}]/u.test(replaceByAsciiLetters(filename));
  return hasOtherLetters ? undefined : removeUnsafeCharacters(filename);
}

/**
 * Removes the characters from a file name that are unsafe on some operating system. Returns undefined if no valid name
 * remains.
 */
export function removeUnsafeCharacters(filename: string): string | undefined {
  const name = replaceByAsciiLetters(filename)
    .replaceAll(' ', '-')
    .replace(/[^A-Za-z0-9._-]/g, '')
    .replace(/-{2,}/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
  return isAssetPathSegment(name) ? name : undefined;
}

export function createStoredAssetName(filename: string): string {
  const name = createSafeAssetName(filename);
  if (name !== undefined) return name;
  throw refusal('ValidationError', `The file name ${JSON.stringify(filename)} cannot be used for an asset.`, {
    suggestion: 'Use Latin letters, digits, ".", "_" and "-"; names of Windows devices such as "con" are not allowed.',
  });
}

/**
 * Returns the possible names of an asset in order of preference: the exact name, which list_assets returns, and the
 * name that an upload would create. A name with a folder is always exact.
 */
export function listPossibleAssetNames(filename: string): string[] {
  const own = isKeyInsideFolder(filename) ? [filename] : [];
  const stored = own.length > 0 && filename.includes('/') ? undefined : createSafeAssetName(filename);
  return stored === undefined || stored === filename ? own : [...own, stored];
}

/** Decodes base64 and throws an error for invalid text, because Node's decoder accepts any string. */
export function decodeBase64(text: string): Buffer {
  const compact = text.replace(/[\r\n]/g, '');
  const bytes = Buffer.from(compact, 'base64');
  // The text must be equal to its encoded form. Otherwise other characters would be ignored, and two texts could decode
  // to the same bytes, because they differ only in unused bits of the last character.
  if (bytes.toString('base64') !== compact) {
    throw refusal('ValidationError', '"binary_data" is not base64 (A-Z a-z 0-9 + / with its padding).');
  }
  if (bytes.length === 0) throw refusal('ValidationError', '"binary_data" must not be empty.');
  return bytes;
}

/** Converts the storage key of an asset to its name in the folder of its type. */
export function assetNameOfKey(book: string, type: AssetType, given: string): string {
  for (const directory of assetFoldersOf(type)) {
    for (const prefix of [`${storageKeyOfBook(book)}/static/${directory}/`, `static/${directory}/`]) {
      if (given.startsWith(prefix) && given.length > prefix.length) return given.slice(prefix.length);
    }
  }
  return given;
}

/** The fields that describe an asset in results. */
export const assetResultFields = {
  cdn_url: v.string(),
  file_size: CountField,
  mime_type: v.string(),
  upload_timestamp: v.string(),
  uploaded_by_agent_id: v.optional(v.pipe(v.string(), v.description('Left out when nobody knows'))),
  asset_type: v.string(),
  filename: v.pipe(v.string(), v.description('Below the folder of its type')),
  path: v.string(),
};

export type AssetResultFields = v.InferInput<v.ObjectSchema<typeof assetResultFields, undefined>>;
