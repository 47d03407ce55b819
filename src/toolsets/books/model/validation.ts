import * as v from 'valibot';
import { CountField } from './arguments.ts';
import { importManifestPath, locationOfPath, metadataFolder } from './key.ts';
import {
  isAssetPath,
  isContentFolderPath,
  isLessonPath,
  isMarkdownPath,
  isReadmePath,
  maxPathCharacters,
  type NextLessonNumber,
  suggestFileName,
  suggestLessonPath,
} from './path.ts';

const findingFields = {
  path: v.string(),
  severity: v.picklist(['error', 'warning']),
  issue: v.string(),
  message: v.string(),
  suggestion: v.string(),
};
export type ValidationFinding = v.InferInput<v.ObjectSchema<typeof findingFields, undefined>>;

/**
 * One problem of a book, or a group of equal problems in one folder. For a group, `path` is the folder, and `files`
 * lists the first files.
 */
export const ValidationFindingGroup = v.strictObject({
  ...findingFields,
  count: v.optional(CountField),
  files: v.optional(v.array(v.string())),
});
export type ValidationFindingGroup = v.InferInput<typeof ValidationFindingGroup>;

/** Equal problems in one folder are grouped if there are more than this number. */
const maxSingle = 3;
const maxShownFiles = 20;

/** Groups equal problems of one folder, in the order of their first files. */
export function groupEqualFindings(findings: readonly ValidationFinding[]): ValidationFindingGroup[] {
  const groups = new Map<string, ValidationFinding[]>();
  for (const finding of findings) {
    const kind = `${finding.severity}\n${finding.issue}\n${folderOf(finding.path)}`;
    const group = groups.get(kind);
    if (group === undefined) groups.set(kind, [finding]);
    else group.push(finding);
  }
  return [...groups.values()].flatMap(group => (group.length <= maxSingle ? group : groupOf(group)));
}

function groupOf(group: readonly ValidationFinding[]): ValidationFindingGroup[] {
  const [first] = group;
  if (first === undefined) return [];
  const { path, severity, issue, message, suggestion } = first;
  const files = group.slice(0, maxShownFiles).map(finding => finding.path.slice(finding.path.lastIndexOf('/') + 1));
  const example = files[0] ?? '';
  return [
    {
      path: folderOf(path),
      severity,
      issue,
      message: `${group.length} files here; of ${example}: ${message}`,
      suggestion: `Of ${example}: ${suggestion}`,
      count: group.length,
      files,
    },
  ];
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

export interface ValidatedFile {
  /** The path of the file inside the book. */
  path: string;
  kind: 'file' | 'link' | 'other';
  /** The reason why the file cannot be opened, or undefined if it can be opened. */
  unreadable?: string | undefined;
}

const rename = 'Rename it to NN-name.md: two digits, a hyphen, then letters, digits and hyphens.';

/** Finds an invalid name or type of a file in a book. Returns undefined if the file is valid. */
export function findPathError(
  { path, kind, unreadable }: ValidatedFile,
  nextNumber: NextLessonNumber,
): ValidationFinding | undefined {
  if (unreadable !== undefined) {
    return error(
      path,
      'Cannot be opened',
      `${unreadable} No tool can read it or its content.`,
      'Give the server permission to read it, or rename or move it.',
    );
  }
  if (kind === 'link') {
    return error(
      path,
      'Symbolic link',
      'Links are never followed, so this file is invisible to every tool.',
      'Put the file itself here.',
    );
  }
  if (kind === 'other') {
    return error(path, 'Not a plain file', 'It is a device, a pipe or a socket.', 'Remove it.');
  }
  // Placeholder files are valid, because they keep empty folders in git.
  if (/(?:^|\/)\.(?:git)?keep$/.test(path)) return undefined;
  if (path === importManifestPath) return undefined;
  if (path.startsWith('content/')) return contentFinding(path, nextNumber);
  if (path.startsWith('static/')) return assetFinding(path);
  if (path.startsWith('users/')) return overlayFinding(path);
  return warning(path, 'Outside of content and static', 'It is not part of the book.', 'Move it or leave it.');
}

function overlayFinding(path: string): ValidationFinding {
  if (locationOfPath('', path) !== undefined)
    return warning(path, "User's own version", 'It belongs to one user and is not checked.', 'Nothing to do.');
  return error(
    path,
    'Invalid user name',
    'The name is reserved for the book itself, or has invalid characters: no tool reads it.',
    'Rename the folder to 1 to 100 letters, digits, "_" and "-".',
  );
}

function contentFinding(path: string, nextNumber: NextLessonNumber): ValidationFinding | undefined {
  if (path.length > maxPathCharacters) {
    const message = `The path has ${path.length} characters, and single files are read up to ${maxPathCharacters}.`;
    return error(path, 'Path too long', message, 'Use shorter names for it or its folders.');
  }
  const folder = path.slice(0, path.lastIndexOf('/'));
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (isLessonPath(path) || isReadmePath(path)) return undefined;
  if (!/^[A-Za-z0-9._/-]+$/.test(path)) {
    return error(path, 'Unsafe characters', 'Names may have letters, digits, "-", "." and "_" only.', rename);
  }
  if (!isContentFolderPath(folder)) {
    return error(
      path,
      "Folder doesn't follow content/NN-Part/NN-Chapter",
      `${folder} is not a part or a chapter.`,
      'Lessons are in content/NN-Part/NN-Chapter.',
    );
  }
  if (!isMarkdownPath(name)) {
    const proposed = suggestFileName(name, nextNumber(folder));
    const advice = proposed === undefined ? 'Images and other media belong into static.' : renameTo(proposed);
    return warning(path, 'Not a Markdown file', 'Only .md and .mdx files are read as lessons.', advice);
  }
  const issue = "Filename doesn't follow NN-name pattern";
  const isInChapter = folder.split('/').length === 3;
  const proposed = isInChapter ? suggestFileName(name, nextNumber(folder)) : suggestLessonPath(path, nextNumber);
  if (isInChapter || /^readme\.mdx?$/i.test(name)) {
    const readme = /^readme(\.mdx?)$/i.exec(name)?.[1]?.toLowerCase();
    const advice = renameTo(readme === undefined ? proposed : `README${readme}`);
    return warning(path, issue, `${name} does not have the name of a lesson.`, advice);
  }
  const advice = proposed === undefined ? rename : `Move it to ${proposed}.`;
  return warning(path, issue, `${name} is beside the chapters and not in one of them.`, advice);
}

function renameTo(proposed: string | undefined): string {
  return proposed === undefined ? rename : `Rename it to ${proposed}.`;
}

function assetFinding(path: string): ValidationFinding | undefined {
  if (isAssetPath(path)) return undefined;
  return error(
    path,
    "Asset path doesn't follow static/type/name",
    'The type must be img, images, slides, videos or audio; names have letters, digits, ".", "_" and "-" and no dot at the start or end.',
    'Move or rename the file.',
  );
}

function error(path: string, issue: string, message: string, suggestion: string): ValidationFinding {
  return { path, severity: 'error', issue, message, suggestion };
}

export function warning(path: string, issue: string, message: string, suggestion: string): ValidationFinding {
  return { path, severity: 'warning', issue, message, suggestion };
}

export function createMismatchFinding(path: string): ValidationFinding {
  return warning(
    path,
    'Changed outside of the tools',
    'The content differs from the journal: an editor, git or another program changed or removed the file.',
    'Nothing to do: the next write or delta_build records it in the journal.',
  );
}

/** Creates the finding for a damaged journal. Returns undefined if the journal is valid. */
export function createJournalFinding(book: string, problems: readonly string[]): ValidationFinding | undefined {
  const [first] = problems;
  if (first === undefined) return undefined;
  return warning(
    `${metadataFolder}/${book}/journal`,
    'Damaged audit trail',
    `The journal cannot be read, or another program changed, removed or added lines; ${problems.length} faults, the first: ${first.replace(/\.$/, '')}.`,
    'The book itself is complete. Keep a copy of the journal to find the cause. To start a new journal, stop all servers and move this one away.',
  );
}
