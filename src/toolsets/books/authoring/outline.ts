/** A page, or a group of pages, in the order of the table of contents. */
export interface OutlineNode {
  title: string;
  /** The page's file, relative to the imported folder; a group may have none. */
  file?: string;
  children: readonly OutlineNode[];
}

/** The table of contents of an imported book, and notes about the ignored parts of its configuration. */
export interface Outline {
  kind: 'mdbook' | 'docusaurus' | 'folder';
  nodes: readonly OutlineNode[];
  /** One sentence for each part of the configuration that was ignored. */
  notes: readonly string[];
}

/** The files of the imported folder: paths with slashes, sorted. */
export interface SourceTree {
  paths: readonly string[];
  has: (path: string) => boolean;
  /** The content of a text file; undefined for a path that does not exist or is not UTF-8. */
  text: (path: string) => string | undefined;
}

export function isPage(path: string): boolean {
  return /\.(?:md|mdx|markdown)$/i.test(path);
}

export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '' : path.slice(0, slash);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** Resolves `.` and `..`; undefined for a path that leaves the imported folder. */
export function resolvePath(folder: string, relative: string): string | undefined {
  const segments = folder === '' ? [] : folder.split('/');
  for (const segment of relative.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments.join('/');
}

export function filesOf(nodes: readonly OutlineNode[]): string[] {
  return nodes.flatMap(node => [...(node.file === undefined ? [] : [node.file]), ...filesOf(node.children)]);
}
