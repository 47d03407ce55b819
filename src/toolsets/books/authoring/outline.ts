/** An entry of the table of contents: a page, or a group of pages. */
export interface OutlineNode {
  title: string;
  /** The file of the page, relative to the imported folder. A group may exist without a file. */
  file?: string;
  children: readonly OutlineNode[];
}

/** The table of contents of an imported book, with notes about ignored settings. */
export interface BookOutline {
  kind: 'mdbook' | 'docusaurus' | 'folder';
  nodes: readonly OutlineNode[];
  /** Contains one sentence for each setting of the configuration that an import ignores. */
  notes: readonly string[];
  unlisted?: readonly UnlistedPage[];
}

/** A page that the sidebar of a Docusaurus site does not list, with the id that a sidebar would use for it. */
export interface UnlistedPage {
  file: string;
  sidebarFile: string;
  id: string;
}

/** The files of the folder to import. Their paths have slashes and are sorted. */
export interface SourceTree {
  paths: readonly string[];
  /** The folder of the pages, if a folder inside a Docusaurus site is imported. */
  docs?: string;
  has: (path: string) => boolean;
  /**
   * Returns whether a file exists, even if it is not imported, or may exist outside of the given part of a site. Its file
   * in the library then stays. If this function is missing, `paths` contains all files.
   */
  mayContain?: (path: string) => boolean;
  /** The paths of files that are not imported, each with the reason. */
  skipped?: ReadonlyMap<string, string>;
  /** Returns the content of a text file, or undefined if the file does not exist or is not UTF-8. */
  text: (path: string) => string | undefined;
}

/** Returns the end of the note about a listed page that the import does not have. */
export function describeMissingPage({ skipped }: SourceTree, path: string | undefined): string {
  const reason = path === undefined ? undefined : skipped?.get(path);
  return reason === undefined ? 'which does not exist.' : `which is not imported: ${reason}.`;
}

export function isMarkdownPage(path: string): boolean {
  return /\.(?:md|mdx|markdown)$/i.test(path);
}

export function parentFolderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '' : path.slice(0, slash);
}

export function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function joinPath(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** Resolves `.` and `..` in a path. Returns undefined for a path that leaves the imported folder. */
export function resolveRelativePath(folder: string, relative: string): string | undefined {
  const segments = folder === '' ? [] : folder.split('/');
  for (const segment of relative.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments.join('/');
}

export function listFilesInFolder(nodes: readonly OutlineNode[]): string[] {
  return nodes.flatMap(node => [...(node.file === undefined ? [] : [node.file]), ...listFilesInFolder(node.children)]);
}
