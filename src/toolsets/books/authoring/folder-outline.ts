import { compareCodePoints } from '../model/key.ts';
import { parseFrontMatter, parseYamlScalars, titleOfPage } from './front-matter.ts';
import { type JavaScriptLiteral, parseJavaScriptLiteral } from './literal.ts';
import { fileNameOf, isMarkdownPage, joinPath, type OutlineNode, parentFolderOf, type SourceTree } from './outline.ts';

/** Matches the name of a page that represents its folder. It is not listed among the pages of the folder. */
const ownPage = /^(?:readme|index|_index)\.(?:md|mdx|markdown)$/i;

interface Sortable {
  position: number;
  name: string;
  node: OutlineNode;
}

/**
 * Returns the pages below a folder in the order of Docusaurus: by `sidebar_position` or the position in `_category_`,
 * then by the number at the start of the name, then by name. Names that start with `_` are skipped, because other pages
 * include these files.
 */
export function createFolderOutline(tree: SourceTree, folder: string): OutlineNode[] {
  const children = childrenByFolder(tree.paths);
  const ownPageOf = (parent: string): string | undefined =>
    children.get(parent)?.files.find(file => ownPage.test(fileNameOf(file)));
  const visit = (parent: string): OutlineNode[] => {
    const { files = [], folders = [] } = children.get(parent) ?? {};
    const isShown = (path: string): boolean => !ownPage.test(fileNameOf(path)) && !fileNameOf(path).startsWith('_');
    const sortable = [
      ...files.filter(isShown).map(file => pageEntry(tree, file)),
      ...folders.filter(isShown).map(name => folderEntry(tree, name, ownPageOf(name), visit(name))),
    ].filter(entry => entry.node.file !== undefined || entry.node.children.length > 0);
    return sortable.sort(bySidebar).map(({ node }) => node);
  };
  const own = ownPageOf(folder);
  const nodes = visit(folder);
  return own === undefined ? nodes : [{ title: titleIn(tree, own), file: own, children: [] }, ...nodes];
}

interface Children {
  files: string[];
  folders: string[];
}

function childrenByFolder(paths: readonly string[]): Map<string, Children> {
  const children = new Map<string, Children>();
  const childrenOf = (folder: string): Children => {
    const known = children.get(folder);
    if (known !== undefined) return known;
    const created: Children = { files: [], folders: [] };
    children.set(folder, created);
    if (folder !== '') childrenOf(parentFolderOf(folder)).folders.push(folder);
    return created;
  };
  for (const path of paths) if (isMarkdownPage(path)) childrenOf(parentFolderOf(path)).files.push(path);
  return children;
}

function pageEntry(tree: SourceTree, file: string): Sortable {
  const { sidebar_position: position } = parseFrontMatter(tree.text(file) ?? '');
  return { ...orderOf(file, position), node: { title: titleIn(tree, file), file, children: [] } };
}

function folderEntry(
  tree: SourceTree,
  folder: string,
  own: string | undefined,
  children: readonly OutlineNode[],
): Sortable {
  const { label, position } = readCategory(tree, folder);
  const ownText = own === undefined ? '' : (tree.text(own) ?? '');
  const title = label ?? titleOfPage(ownText) ?? createTitleFromFileName(folder);
  const node = { title, children, ...(own !== undefined && { file: own }) };
  return { ...orderOf(folder, position ?? parseFrontMatter(ownText)['sidebar_position']), node };
}

function orderOf(path: string, position: JavaScriptLiteral | undefined): { position: number; name: string } {
  const name = fileNameOf(path);
  const prefix = /^(\d{1,4})\s*[-._]/.exec(name)?.[1];
  if (typeof position === 'number') return { position, name };
  return { position: prefix === undefined ? Number.POSITIVE_INFINITY : Number(prefix), name };
}

function bySidebar(one: Sortable, other: Sortable): number {
  // The difference of two infinite positions is not a number, so that the names decide.
  return one.position - other.position || compareCodePoints(one.name, other.name);
}

/** Returns the label and position of a folder in `_category_.json` or `_category_.yml`. */
function readCategory(tree: SourceTree, folder: string): { label?: string; position?: number } {
  for (const name of ['_category_.json', '_category_.yml', '_category_.yaml']) {
    const path = joinPath(folder, name);
    const text = tree.text(path);
    if (text === undefined) continue;
    const values = name.endsWith('.json') ? parseJavaScriptLiteral(text) : parseYamlScalars(text);
    if (typeof values !== 'object' || values === null) return {};
    const fields = new Map(Object.entries(values));
    const [label, position] = [fields.get('label'), fields.get('position')];
    return {
      ...(typeof label === 'string' && { label }),
      ...(typeof position === 'number' && { position }),
    };
  }
  return {};
}

function titleIn(tree: SourceTree, file: string): string {
  return titleOfPage(tree.text(file) ?? '') ?? createTitleFromFileName(file);
}

/** Returns the title of a page or folder without an explicit title: its name without the number and the extension. */
export function createTitleFromFileName(path: string): string {
  return fileNameOf(path)
    .replace(/\.(?:md|mdx|markdown)$/i, '')
    .replace(/^\d+\s*[-._]+\s*(?=\S)/, '');
}
