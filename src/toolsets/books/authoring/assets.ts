import { extensionOf, removeUnsafeCharacters } from '../model/asset.ts';
import type { AssetType } from '../model/path.ts';
import { fileNameOf, parentFolderOf } from './outline.ts';

const typeByExtension: Readonly<Record<string, AssetType>> = {
  ...entries('img', ['png', 'jpg', 'jpeg', 'gif', 'svg', 'webp', 'avif', 'ico', 'bmp']),
  ...entries('slides', ['pdf', 'pptx', 'ppt', 'odp', 'key']),
  ...entries('videos', ['mp4', 'webm', 'mov', 'm4v']),
  ...entries('audio', ['mp3', 'wav', 'ogg', 'm4a', 'flac']),
};

function entries(type: AssetType, extensions: readonly string[]): Record<string, AssetType> {
  return Object.fromEntries(extensions.map(extension => [extension, type]));
}

export function assetTypeOfFile(path: string): AssetType | undefined {
  const extension = extensionOf(path);
  return Object.hasOwn(typeByExtension, extension) ? typeByExtension[extension] : undefined;
}

/**
 * Assigns a library path `static/<type>/<name>` to each asset. If two files have the same name, their folder names are
 * added. Letter case is ignored, because some file systems ignore it. The paths in `used` are not assigned.
 */
export function assignAssetPaths(
  paths: readonly string[],
  used: readonly string[] = [],
): { placed: Map<string, string>; rejected: string[] } {
  const placed = new Map<string, string>();
  const rejected: string[] = [];
  const taken = new Set(used.map(place => place.toLowerCase()));
  for (const path of paths) {
    const folder = `static/${assetTypeOfFile(path)}/`;
    const names = candidateNames(path).map(name => folder + name);
    const free = names.find(name => !taken.has(name.toLowerCase()));
    if (free === undefined) {
      rejected.push(path);
      continue;
    }
    taken.add(free.toLowerCase());
    placed.set(path, free);
  }
  return { placed, rejected };
}

const maxNumbered = 100;

function candidateNames(path: string): string[] {
  const folders = parentFolderOf(path).replaceAll('/', '-');
  const extension = extensionOf(path);
  const stem = fileNameOf(path).slice(0, -extension.length - 1);
  const numbered = Array.from({ length: maxNumbered }, (_, index) => `${stem}-${index + 2}.${extension}`);
  const names = [
    fileNameOf(path),
    `${fileNameOf(parentFolderOf(path))}-${fileNameOf(path)}`,
    `${folders}-${fileNameOf(path)}`,
    ...numbered,
  ];
  const safe = names
    .flatMap(name => removeUnsafeCharacters(name) ?? [])
    .filter(name => extensionOf(name) === extension);
  return safe.length > 0 ? safe : Array.from({ length: maxNumbered }, (_, index) => `file-${index + 1}.${extension}`);
}
