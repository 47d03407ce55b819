import { isReadmePath } from '../model/path.ts';
import { computeRelativePath, encodeLinkTarget, type TargetPathsOfFiles } from './links.ts';
import { findSummaryFile, type ListedChapter, readListedChapters } from './mdbook.ts';
import { parentFolderOf, type SourceTree } from './outline.ts';

export interface TitledPage {
  /** The path of the page in the library. */
  path: string;
  title: string;
}

export interface ExportedSummaryFile {
  file: string;
  text: string;
  /** The lines that the export added to an existing file. The field is undefined for a new file. */
  added: readonly string[] | undefined;
}

/**
 * Creates the table of contents of an exported mdBook. If the folder has one, adds the pages that are missing in it.
 * `pages` are sorted by reading order.
 */
export function planSummaryFile(
  tree: SourceTree,
  pages: readonly TitledPage[],
  placement: TargetPathsOfFiles,
  isNew: (page: string) => boolean,
): ExportedSummaryFile {
  const present = findSummaryFile(tree);
  if (present !== undefined) {
    return {
      file: present,
      ...addToSummary(tree.text(present) ?? '', parentFolderOf(present), pages, { placement, isNew }),
    };
  }
  const isInSource = [...placement.values()].some(target => target.startsWith('src/'));
  const file = isInSource ? 'src/SUMMARY.md' : 'SUMMARY.md';
  return { file, text: formatMdBookSummary(parentFolderOf(file), pages, placement), added: undefined };
}

/**
 * Creates the table of contents of an mdBook (`SUMMARY.md`): the pages in order, each below the README of its part and
 * chapter.
 */
function formatMdBookSummary(root: string, pages: readonly TitledPage[], placement: TargetPathsOfFiles): string {
  const parents = new Set(
    pages
      .map(({ path }) => path)
      .filter(isReadmePath)
      .map(parentFolderOf),
  );
  const lines = ['# Summary', ''];
  for (const { path, title } of pages) {
    const own = isReadmePath(path) ? parentFolderOf(path) : path;
    const depth = ancestorsOf(own).filter(folder => folder !== 'content' && parents.has(folder)).length;
    lines.push(`${'  '.repeat(depth)}- ${chapterLink(root, title, placement.get(path) ?? path)}`);
  }
  return `${lines.join('\n')}\n`;
}

function ancestorsOf(path: string): string[] {
  const folder = parentFolderOf(path);
  return folder === '' ? [] : [folder, ...ancestorsOf(folder)];
}

function chapterLink(folder: string, title: string, file: string): string {
  return `[${title.replace(/[[\]\\]/g, '\\$&')}](${encodeLinkTarget(computeRelativePath(folder, file))})`;
}

/** Adds each new page after the page that precedes it in the library. All other lines stay unchanged. */
function addToSummary(
  summary: string,
  folder: string,
  pages: readonly TitledPage[],
  { placement, isNew }: { placement: TargetPathsOfFiles; isNew: (page: string) => boolean },
): { text: string; added: string[] } {
  const lines = summary.split('\n');
  const added: string[] = [];
  for (const [index, { path, title }] of pages.entries()) {
    if (!isNew(path) || path.endsWith('.summary.md')) continue;
    const chapters = readListedChapters(lines.join('\n'), folder);
    const chapterOfFile = new Map(chapters.toReversed().map(chapter => [chapter.file, chapter]));
    const chapterOf = (page: string): ListedChapter | undefined => {
      const file = placement.get(page);
      return file === undefined ? undefined : chapterOfFile.get(file);
    };
    if (chapterOf(path) !== undefined) continue;
    const { at, prefix } = placeFor(chapters, path, findPredecessor(pages.slice(0, index), path, chapterOf));
    const line = `${prefix}${chapterLink(folder, title, placement.get(path) ?? path)}`;
    added.push(line);
    lines.splice(at ?? lines.length, 0, summary.includes('\r\n') ? `${line}\r` : line);
  }
  return { text: lines.join('\n'), added };
}

/**
 * Returns the line of the table of contents after which a new page is added. This is the last line that lists an
 * earlier page of the library, if possible of the same part. A lesson that was moved to a later part is still listed in
 * its former part.
 */
function findPredecessor(
  preceding: readonly TitledPage[],
  path: string,
  chapterOf: (page: string) => ListedChapter | undefined,
): Predecessor | undefined {
  const partOf = (page: string): string | undefined => page.split('/')[1];
  let found: Predecessor | undefined;
  for (const page of preceding) {
    const chapter = chapterOf(page.path);
    if (chapter === undefined) continue;
    const isSamePart = partOf(page.path) === partOf(path);
    const isBetter =
      found === undefined || (isSamePart === found.isSamePart ? chapter.line > found.chapter.line : isSamePart);
    if (isBetter) found = { path: page.path, chapter, isSamePart };
  }
  return found;
}

interface Predecessor {
  path: string;
  chapter: ListedChapter;
  isSamePart: boolean;
}

interface SummaryPlace {
  /** The index at which the new line is inserted, or undefined for the end of the file. */
  at: number | undefined;
  /**
   * The indentation and the bullet of the line. The prefix and suffix chapters of mdBook have none, and no list may
   * follow a suffix chapter.
   */
  prefix: string;
}

function placeFor(
  chapters: readonly ListedChapter[],
  path: string,
  predecessor: Predecessor | undefined,
): SummaryPlace {
  const [first] = chapters;
  if (first === undefined) return { at: undefined, prefix: '- ' };
  if (predecessor === undefined) return { at: first.line, prefix: first.prefix };
  const { path: former, chapter } = predecessor;
  const isSameFolder = parentFolderOf(former) === parentFolderOf(path);
  if (isSameFolder && isReadmePath(former) && /[-*+]/.test(chapter.prefix)) {
    const child = chapters[chapters.indexOf(chapter) + 1];
    const prefix = child !== undefined && child.indent > chapter.indent ? child.prefix : undefined;
    return { at: chapter.line + 1, prefix: prefix ?? `${' '.repeat(chapter.indent + 2)}- ` };
  }
  const at = chapters.indexOf(chapter);
  const own = isSameFolder ? chapter : (chapters.slice(0, at + 1).findLast(({ indent }) => indent === 0) ?? chapter);
  const next = chapters.slice(chapters.indexOf(own) + 1);
  const end = next.findIndex(({ indent }) => indent <= own.indent);
  const last = next.slice(0, end === -1 ? next.length : end).at(-1) ?? own;
  return { at: last.line + 1, prefix: own.prefix };
}
