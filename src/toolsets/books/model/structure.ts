import * as v from 'valibot';
import { compareCodePoints } from './key.ts';

const names = v.array(v.string());

export const ContentStructure = v.strictObject({
  parts: v.array(
    v.strictObject({
      id: v.string(),
      files: v.optional(names),
      chapters: v.array(v.strictObject({ id: v.string(), lessons: names })),
    }),
  ),
});

export const AssetStructure = v.strictObject({
  images: names,
  slides: names,
  videos: names,
  audio: names,
  other: v.optional(names),
});
type AssetStructure = v.InferInput<typeof AssetStructure>;

/** Builds the table of contents of a book from its paths. */
export function buildContentStructure(paths: readonly string[]): v.InferInput<typeof ContentStructure> {
  const parts = new Map<string, { files: string[]; chapters: Map<string, string[]> }>();
  for (const path of paths) {
    const [top, partId, chapterId, ...lesson] = path.split('/');
    if (top !== 'content' || partId === undefined || chapterId === undefined) continue;
    const part = parts.get(partId) ?? { files: [], chapters: new Map<string, string[]>() };
    parts.set(partId, part);
    if (lesson.length === 0) {
      part.files.push(chapterId);
      continue;
    }
    const lessons = part.chapters.get(chapterId) ?? [];
    part.chapters.set(chapterId, lessons);
    lessons.push(lesson.join('/'));
  }
  return {
    parts: sorted(parts).map(([id, { files, chapters }]) => ({
      id,
      ...(files.length > 0 && { files: files.sort(compareCodePoints) }),
      chapters: sorted(chapters).map(([chapter, lessons]) => ({
        id: chapter,
        lessons: lessons.sort(compareCodePoints),
      })),
    })),
  };
}

export function buildAssetStructure(paths: readonly string[]): AssetStructure {
  const groups: Omit<AssetStructure, 'other'> = { images: [], slides: [], videos: [], audio: [] };
  const other: string[] = [];
  for (const path of [...paths].sort(compareCodePoints)) {
    const [top, type, ...rest] = path.split('/');
    if (top !== 'static' || type === undefined) continue;
    const name = rest.join('/');
    if (name === '') other.push(type);
    else if (type === 'img' || type === 'images') groups.images.push(name);
    else if (type === 'slides' || type === 'videos' || type === 'audio') groups[type].push(name);
    else other.push(`${type}/${name}`);
  }
  // If both image folders contain an image with this name, the name is listed once.
  groups.images = [...new Set(groups.images)].sort(compareCodePoints);
  return { ...groups, ...(other.length > 0 && { other }) };
}

function sorted<T>(map: ReadonlyMap<string, T>): [string, T][] {
  return [...map].sort(([one], [two]) => compareCodePoints(one, two));
}
