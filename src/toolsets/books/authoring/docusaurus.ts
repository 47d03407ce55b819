import { createFolderOutline } from './folder-outline.ts';
import { parseFrontMatter, titleOfPage } from './front-matter.ts';
import { type JavaScriptLiteral, parseExportedLiteral } from './literal.ts';
import {
  type BookOutline,
  describeMissingPage,
  fileNameOf,
  isMarkdownPage,
  joinPath,
  listFilesInFolder,
  type OutlineNode,
  parentFolderOf,
  type SourceTree,
} from './outline.ts';
import { formatCount } from './wording.ts';

const sidebarFiles = ['sidebars.json', 'sidebars.js', 'sidebars.ts', 'sidebars.mjs', 'sidebars.cjs'];

/**
 * Reads the table of contents of a Docusaurus site or of its `docs` folder. Returns undefined if the folder has no
 * configuration of Docusaurus.
 */
export function readDocusaurusOutline(tree: SourceTree): BookOutline | undefined {
  const config = tree.paths.find(path => /^docusaurus\.config\.[cm]?[jt]s$/.test(path));
  const sidebarFile = findSidebarFile(tree, config);
  const hasCategories = tree.paths.some(path => /(?:^|\/)_category_\.(?:json|ya?ml)$/.test(path));
  if (config === undefined && sidebarFile === undefined && !hasCategories) return undefined;
  const docs = config === undefined && sidebarFile === undefined ? '' : docsFolderOf(tree, config);
  const sidebars = sidebarFile === undefined ? undefined : parseExportedLiteral(tree.text(sidebarFile) ?? '');
  if (sidebarFile !== undefined && isRecord(sidebars)) {
    return { kind: 'docusaurus', ...new Sidebars(tree, docs, sidebarFile).read(sidebars) };
  }
  const ignored = `${sidebarFile} is not a literal, and code is not executed: the order is that of the files.`;
  const notes = sidebarFile === undefined ? [] : [ignored];
  return { kind: 'docusaurus', nodes: createFolderOutline(tree, docs), notes };
}

/** Finds the sidebar file beside the configuration, or the one that the configuration names. */
function findSidebarFile(tree: SourceTree, config: string | undefined): string | undefined {
  const text = config === undefined ? undefined : tree.text(config);
  const named = /\bsidebarPath\s*:\s*(?:require\.resolve\(\s*)?["'](?:\.\/)?([^"'\n]{1,200})["']/.exec(text ?? '')?.[1];
  return [named, ...sidebarFiles].find(file => file !== undefined && tree.has(file));
}

/** Returns the folder of the pages: `docs`, or the folder that the configuration names. */
function docsFolderOf(tree: SourceTree, config: string | undefined): string {
  if (tree.docs !== undefined) return tree.docs;
  const hasPages = (folder: string): boolean =>
    tree.paths.some(path => isMarkdownPage(path) && path.startsWith(`${folder}/`));
  const named = config === undefined ? [] : findConfiguredDocsFolders(tree.text(config) ?? '');
  return ['docs', ...named].find(hasPages) ?? (config === undefined ? '' : 'docs');
}

/** Returns the folders in the fields `path` of a site's configuration. */
export function findConfiguredDocsFolders(config: string): string[] {
  return Array.from(
    config.matchAll(/\bpath\s*:\s*["'](?:\.\/)?([\w-][\w./-]{0,200}?)\/?["']/g),
    ([, name = '']) => name,
  );
}

type LiteralRecord = Readonly<Record<string, JavaScriptLiteral>>;

function isRecord(value: JavaScriptLiteral | undefined): value is LiteralRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

class Sidebars {
  readonly #tree: SourceTree;
  readonly #docs: string;
  readonly #sidebarFile: string;
  readonly #notes: string[] = [];
  readonly #pages: readonly string[];
  readonly #fileById: ReadonlyMap<string, string>;

  constructor(tree: SourceTree, docs: string, sidebarFile: string) {
    this.#tree = tree;
    this.#docs = docs;
    this.#sidebarFile = sidebarFile;
    this.#pages = tree.paths.filter(path => isMarkdownPage(path) && isBelow(path, docs));
    this.#fileById = new Map(this.#pages.map(path => [this.#idOf(path), path]));
  }

  read(sidebars: LiteralRecord): Omit<BookOutline, 'kind'> {
    const named = Object.entries(sidebars).map(([name, items]) => ({ title: name, children: this.#items(items) }));
    const groups = named.filter(({ children }) => children.length > 0);
    const nodes: OutlineNode[] = groups.length === 1 ? [...(groups[0]?.children ?? [])] : groups;
    const listed = new Set(listFilesInFolder(nodes));
    const others = this.#pages.filter(file => !listed.has(file) && !fileNameOf(file).startsWith('_'));
    if (others.length > 0) {
      this.#notes.push(
        `${this.#sidebarFile} does not list ${formatCount(others.length, 'page')}: ${others.length === 1 ? 'it becomes' : 'they become'} the part "Other pages".`,
      );
      nodes.push({ title: 'Other pages', children: others.map(file => this.#page(file)) });
    }
    const unlisted = others.map(file => ({ file, sidebarFile: this.#sidebarFile, id: this.#idOf(file) }));
    return { nodes, notes: this.#notes, unlisted };
  }

  #items(items: JavaScriptLiteral | undefined): OutlineNode[] {
    if (Array.isArray(items)) return items.flatMap(item => this.#item(item));
    if (!isRecord(items)) return [];
    return Object.entries(items).map(([title, children]) => ({ title, children: this.#items(children) }));
  }

  #item(item: JavaScriptLiteral): OutlineNode[] {
    if (typeof item === 'string') return this.#doc(item, undefined);
    if (!isRecord(item)) return [];
    const { type, id, label, dirName } = item;
    const title = typeof label === 'string' ? label : undefined;
    if (type === undefined) return this.#items(item);
    if (type === 'category') return [this.#category(item, title ?? 'Pages')];
    if (type === 'autogenerated' && typeof dirName === 'string') {
      return createFolderOutline(this.#tree, dirName === '.' ? this.#docs : joinPath(this.#docs, dirName));
    }
    if ((type === 'doc' || type === 'ref') && typeof id === 'string') return this.#doc(id, title);
    this.#notes.push(`${this.#sidebarFile}: an item of the type ${JSON.stringify(type)} has no page and is left out.`);
    return [];
  }

  #category(item: LiteralRecord, title: string): OutlineNode {
    const link = item['link'];
    const id = isRecord(link) && link['type'] === 'doc' ? link['id'] : undefined;
    const file = typeof id === 'string' ? this.#fileById.get(id) : undefined;
    return { title, children: this.#items(item['items']), ...(file !== undefined && { file }) };
  }

  #doc(id: string, title: string | undefined): OutlineNode[] {
    const file = this.#fileById.get(id);
    if (file !== undefined) return [{ ...this.#page(file), ...(title !== undefined && { title }) }];
    const skipped = [...(this.#tree.skipped?.keys() ?? [])].find(path => this.#idOf(path) === id);
    this.#notes.push(
      `${this.#sidebarFile} names the page ${JSON.stringify(id)}, ${describeMissingPage(this.#tree, skipped)}`,
    );
    return [];
  }

  #page(file: string): OutlineNode {
    return { title: titleOfPage(this.#tree.text(file) ?? '') ?? fileNameOf(file), file, children: [] };
  }

  /**
   * Returns the id by which a Docusaurus sidebar refers to a page. The id has no number prefixes, and the front matter
   * can replace its last segment.
   */
  #idOf(path: string): string {
    const below = this.#docs === '' ? path : path.slice(this.#docs.length + 1);
    const withoutNumbers = below.replace(/\.(?:mdx?|markdown)$/i, '').replace(/(^|\/)\d+\s*[-._]+\s*(?=[^/\d])/g, '$1');
    const { id } = parseFrontMatter(this.#tree.text(path) ?? '');
    return id === undefined ? withoutNumbers : joinPath(parentFolderOf(withoutNumbers), String(id));
  }
}

function isBelow(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}
