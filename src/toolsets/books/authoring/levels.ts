import { replaceByAsciiLetters } from '../../../text/ascii.ts';
import type { OutlineNode } from './outline.ts';

/** A lesson, or the README of a part or chapter, with the library path that an import gives it. */
export interface PageWithLibraryPath {
  from: string;
  to: string;
  title: string;
}

/** A part or chapter that contains more than 99 lessons or chapters, whose numbers would need more than two digits. */
export interface OverfullFolder {
  title: string;
  count: number;
}

export interface LibraryStructure {
  pages: PageWithLibraryPath[];
  full: OverfullFolder[];
}

export const maxNumberedEntriesPerFolder = 99;

interface Part extends OutlineNode {
  children: readonly Chapter[];
}

interface Chapter extends OutlineNode {
  children: readonly OutlineNode[];
}

/**
 * Maps a table of contents of any depth to the three levels of the library: part, chapter and lesson. A flat book
 * becomes one part. Consecutive pages without a chapter become a chapter. Pages below the third level follow their
 * parent.
 */
export function mapToLibraryStructure(bookTitle: string, nodes: readonly OutlineNode[]): LibraryStructure {
  const isShallow = nodes.every(node => node.children.every(({ children }) => children.length === 0));
  const parts = isShallow ? [{ title: bookTitle, children: nodes }] : nodes;
  const levels: LibraryStructure = { pages: [], full: [] };
  const numberedParts = groupLeaves(parts).map(part => ({ ...part, children: groupLeaves(part.children) }));
  noteFull(levels, bookTitle, numberedParts.length);
  for (const [index, part] of numberedParts.entries()) placePart(levels, `content/${unitName(index, part)}`, part);
  return levels;
}

/** Groups consecutive pages without child pages under the title of the first one. */
function groupLeaves(nodes: readonly OutlineNode[]): Part[] {
  const groups: { title: string; file?: string; children: OutlineNode[] }[] = [];
  let open: OutlineNode[] | undefined;
  for (const node of nodes) {
    if (node.children.length > 0) {
      groups.push({ ...node, children: [...node.children] });
      open = undefined;
    } else if (open !== undefined) open.push(node);
    else if (node.file !== undefined) {
      open = [node];
      groups.push({ title: node.title, children: open });
    }
  }
  return groups;
}

function placePart(levels: LibraryStructure, folder: string, part: Part): void {
  noteFull(levels, part.title, part.children.length);
  placeReadme(levels, folder, part);
  for (const [index, chapter] of part.children.entries()) {
    const chapterFolder = `${folder}/${unitName(index, chapter)}`;
    placeReadme(levels, chapterFolder, chapter);
    const lessons = chapter.children.flatMap(withDescendants);
    noteFull(levels, chapter.title, lessons.length);
    for (const [number, { title, file }] of lessons.entries()) {
      const to = `${chapterFolder}/${unitName(number, { title, file })}${extensionOf(file)}`;
      levels.pages.push({ from: file, to, title });
    }
  }
}

function placeReadme({ pages }: LibraryStructure, folder: string, node: OutlineNode | undefined): void {
  if (node?.file !== undefined) pages.push({ from: node.file, to: `${folder}/README.md`, title: node.title });
}

function withDescendants(node: OutlineNode): { title: string; file: string }[] {
  const own = node.file === undefined ? [] : [{ title: node.title, file: node.file }];
  return [...own, ...node.children.flatMap(withDescendants)];
}

function noteFull({ full }: LibraryStructure, title: string, count: number): void {
  if (count > maxNumberedEntriesPerFolder) full.push({ title, count });
}

function extensionOf(file: string): string {
  return /\.mdx$/i.test(file) ? '.mdx' : '.md';
}

const maxNameCharacters = 48;

/**
 * Returns a name of the form `NN-name` for a part, chapter or lesson. The name comes from the title or, if that has no
 * ASCII letters or digits, from the file name.
 */
function unitName(index: number, { title, file }: Pick<OutlineNode, 'title' | 'file'>): string {
  const stem = (file ?? '')
    .replace(/^.*\//, '')
    .replace(/\.[^.]*$/, '')
    .replace(/^\d+\s*[-._]+\s*(?=\S)/, '');
  const name = asciiName(title) || asciiName(stem) || 'unit';
  return `${String(index + 1).padStart(2, '0')}-${name}`;
}

function asciiName(text: string): string {
  const name = replaceByAsciiLetters(text)
    .replace(/['’]/g, '')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  if (name.length <= maxNameCharacters) return name;
  const cut = name.slice(0, maxNameCharacters + 1);
  return cut.includes('-') ? cut.slice(0, cut.lastIndexOf('-')) : cut.slice(0, maxNameCharacters);
}
