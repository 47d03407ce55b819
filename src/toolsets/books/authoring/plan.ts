import { compareCodePoints } from '../model/key.ts';
import { isBookPagePath, isExportedPath, isReadmePath } from '../model/path.ts';
import { assetTypeOfFile, assignAssetPaths } from './assets.ts';
import { readDocusaurusOutline } from './docusaurus.ts';
import { createFolderOutline } from './folder-outline.ts';
import { titleOfPage } from './front-matter.ts';
import { keepLibraryPaths } from './known-paths.ts';
import { mapToLibraryStructure, maxNumberedEntriesPerFolder, type PageWithLibraryPath } from './levels.ts';
import { rewritePageLinks, type TargetPathsOfFiles } from './links.ts';
import type { ImportManifest } from './manifest.ts';
import { readMdBookOutline } from './mdbook.ts';
import { type BookOutline, fileNameOf, isMarkdownPage, type SourceTree, type UnlistedPage } from './outline.ts';
import { orderOfPages, type PageOrder } from './page-order.ts';
import { formatCount } from './wording.ts';

/** A file of the folder to import, with its path in the library. */
export interface PlannedFile {
  from: string;
  to: string;
  /** The text of a page after its links were rewritten. It is undefined for assets, which are copied unchanged. */
  content?: string;
  changedLinks: number;
  deadLinks: readonly string[];
  /** True if links in the folder's version of the page would lead to other files, or to no file, in the library. */
  breaksLinks: boolean;
  /** The directives of mdBook that insert a file into imported pages. They are imported as text. */
  includes: readonly string[];
}

export interface ImportPlan {
  kind: BookOutline['kind'];
  files: readonly PlannedFile[];
  rejected: readonly { from: string; reason: string }[];
  notes: readonly string[];
  /** The reason why nothing can be imported, or undefined if the import is possible. */
  obstacle: { sentence: string; hint: string } | undefined;
  /**
   * False if lessons were moved in the library and the table of contents of the folder still has the order before the
   * move.
   */
  isSameOrder: boolean;
  /** The pages of each chapter and part in the order of the table of contents. */
  order: PageOrder;
  /** The pages that the sidebar of a Docusaurus site does not list, and the instructions to add them. */
  unlisted: readonly UnlistedPage[];
}

/** The manifest of the last import and the present files of the library. */
export interface ImportedBook {
  manifest: ImportManifest;
  paths: Iterable<string>;
}

/**
 * Plans the import of a Docusaurus, mdBook or plain Markdown folder: it maps each file to a path in the library. Pages
 * that were imported before keep their library paths.
 */
export function planImport(tree: SourceTree, bookTitle: string, imported?: ImportedBook): ImportPlan {
  const copies = findCopiedFiles(tree, imported?.manifest);
  const listed = { ...tree, paths: tree.paths.filter(path => !copies.has(path)) };
  const outline = readMdBookOutline(listed) ?? readDocusaurusOutline(listed) ?? plainOutline(listed);
  const { pages, full } = mapToLibraryStructure(bookTitle, outline.nodes);
  const repeated = new Set<string>();
  const planned = uniquePages(pages, repeated);
  const present = new Set(imported?.paths);
  const kept = imported && keepLibraryPaths(planned, imported.manifest, present);
  const unread = unreadFilesOf(tree, imported?.manifest, present);
  const assets = listed.paths.filter(path => assetTypeOfFile(path) !== undefined);
  const { placed, rejected } = assignAssetPaths(assets, [...copies.values(), ...unread.values()]);
  const placement = new Map([...copies, ...placed].sort(([one], [other]) => compareCodePoints(one, other)));
  for (const { from, to } of kept?.pages ?? planned) placement.set(from, to);
  const linked = new Map([...unread, ...placement]);
  const files = Array.from(placement, ([from, to]) => plannedFile(tree, linked, from, to, copies.has(from)));
  return {
    kind: outline.kind,
    files,
    rejected: [...rejectedFiles(tree, placement, outline.kind), ...rejected.map(from => ({ from, reason: unusable }))],
    notes: [...outline.notes, ...notesOnPages(planned, repeated)],
    // A part with too many pages does not prevent an import if the pages keep their library paths, because they then
    // get no new numbers.
    obstacle: obstacleOf(kept === undefined || kept.pages === planned ? full : [], files),
    isSameOrder: kept?.isSameOrder ?? true,
    order: orderOfPages(planned),
    unlisted: outline.unlisted ?? [],
  };
}

/** Returns each page at its first position in the table of contents. Pages that occur again are added to `repeated`. */
function uniquePages(pages: readonly PageWithLibraryPath[], repeated: Set<string>): PageWithLibraryPath[] {
  const seen = new Set<string>();
  return pages.filter(({ from }) => {
    if (seen.has(from)) repeated.add(from);
    return !repeated.has(from) && seen.add(from);
  });
}

function notesOnPages(pages: readonly PageWithLibraryPath[], repeated: ReadonlySet<string>): string[] {
  const readmes = pages.filter(({ to }) => isReadmePath(to)).map(({ from }) => from);
  return [
    ...(readmes.length === 0
      ? []
      : [
          `${formatCount(readmes.length, 'page')} with children (${readmes.join(', ')}): each becomes the README.md of its part or chapter, which the tools only read: edit it in this folder and import it again.`,
        ]),
    ...Array.from(repeated, from => `${from} is listed more than once: it is imported once.`),
  ];
}

const unusable = 'its name cannot be used';

/** Returns the library paths of files in the folder that an import may reject. Links to these files stay valid. */
function unreadFilesOf(
  tree: SourceTree,
  manifest: ImportManifest | undefined,
  present: ReadonlySet<string>,
): Map<string, string> {
  const entries = Object.entries(manifest?.files ?? {});
  const unread = entries.filter(([to, { from }]) => present.has(to) && tree.mayContain?.(from) === true);
  return new Map(unread.map(([to, { from }]) => [from, to]));
}

/**
 * Returns the library paths of the files in the folder that are known from an earlier import or export and are no pages
 * of the library. They are copied unchanged, whatever their names are.
 */
function findCopiedFiles(tree: SourceTree, manifest: ImportManifest | undefined): Map<string, string> {
  const entries = Object.entries(manifest?.files ?? {});
  const known = entries.filter(([to, { from }]) => isExportedPath(to) && !isBookPagePath(to) && tree.has(from));
  return new Map(known.map(([to, { from }]) => [from, to]));
}

function plainOutline(tree: SourceTree): BookOutline {
  return { kind: 'folder', nodes: createFolderOutline(tree, ''), notes: [] };
}

function plannedFile(
  tree: SourceTree,
  placement: TargetPathsOfFiles,
  from: string,
  to: string,
  isCopy: boolean,
): PlannedFile {
  if (isCopy || !isMarkdownPage(from))
    return { from, to, changedLinks: 0, deadLinks: [], breaksLinks: false, includes: [] };
  const { content, changed, dead, ...facts } = rewritePageLinks(tree, placement, from, to);
  return { from, to, content, changedLinks: changed, deadLinks: dead, ...facts };
}

const configuration = /^(?:SUMMARY\.md|book\.toml|_category_\.(?:json|ya?ml)|sidebars\.\w+|docusaurus\.config\.\w+)$/;

function rejectedFiles(
  tree: SourceTree,
  placement: TargetPathsOfFiles,
  kind: BookOutline['kind'],
): { from: string; reason: string }[] {
  return tree.paths.flatMap(from => {
    if (placement.has(from) || assetTypeOfFile(from) !== undefined || configuration.test(fileNameOf(from))) return [];
    if (!isMarkdownPage(from))
      return [{ from, reason: 'it is neither a page nor a picture, slide deck, video or sound' }];
    return [{ from, reason: kind === 'mdbook' ? 'SUMMARY.md does not list it' : 'it is not in the table of contents' }];
  });
}

function obstacleOf(
  full: readonly { title: string; count: number }[],
  files: readonly PlannedFile[],
): ImportPlan['obstacle'] {
  const [first] = full;
  if (first !== undefined) {
    const sentence = `${JSON.stringify(first.title)} has ${first.count} units on one level, and a level has at most ${maxNumberedEntriesPerFolder}.`;
    return { sentence, hint: 'Move some of them into a folder of their own, or import the folder as several books.' };
  }
  if (!files.some(({ content }) => content !== undefined)) {
    const hint =
      'Give the folder that contains the pages: files in UTF-8 that end in .md or .mdx, also in its subfolders.';
    return { sentence: 'The folder has no pages in Markdown that can be read.', hint };
  }
  const invalid = files.find(({ to, content }) => content !== undefined && !isBookPagePath(to));
  if (invalid === undefined) return undefined;
  const sentence = `${invalid.from} would become ${invalid.to}, which is too long a path.`;
  return { sentence, hint: 'Shorten its title, or the names of its folders.' };
}

/**
 * Returns the title of the book from its configuration or its first page. A book with a single part uses it as the name
 * of the part.
 */
export function bookTitleOf(tree: SourceTree, fallback: string): string {
  const config = tree.paths.find(path => /^docusaurus\.config\.\w+$/.test(path));
  const site = /(?:^|[\n{,])\s*title\s*:\s*["'`]([^"'`\n]+)["'`]/.exec(tree.text(config ?? '') ?? '')?.[1];
  const configured = /^\s*title\s*=\s*["']([^"'\n]+)["']/m.exec(tree.text('book.toml') ?? '')?.[1];
  const own = [/^(?:readme|index)\.mdx?$/i, /^(?:docs|src)\/(?:readme|index)\.mdx?$/i];
  const readmes = own.flatMap(name => tree.paths.find(path => name.test(path)) ?? []);
  const [titled] = readmes.flatMap(readme => titleOfPage(tree.text(readme) ?? '') ?? []);
  return configured ?? site ?? titled ?? fallback;
}
