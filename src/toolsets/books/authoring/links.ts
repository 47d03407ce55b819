import { decodePercentEncoding } from '../../../text/percent-encoding.ts';
import { findLinks, findMdBookIncludes, type LinkTarget, rewriteLinks } from './markdown-links.ts';
import { isMarkdownPage, joinPath, parentFolderOf, resolveRelativePath, type SourceTree } from './outline.ts';

/** Maps each file of a book to its path after an import, an export or a move. */
export type TargetPathsOfFiles = ReadonlyMap<string, string>;

export interface PageWithRewrittenLinks {
  content: string;
  changed: number;
  /** The relative link targets that lead to no imported file. They stay unchanged. */
  dead: string[];
  /** True if links of the original text would lead to other files, or to no file, after the page has its new path. */
  breaksLinks: boolean;
  includes: string[];
}

/** Rewrites the relative links and images of an imported page so that they lead to the files of the library. */
export function rewritePageLinks(
  tree: SourceTree,
  placement: TargetPathsOfFiles,
  from: string,
  to: string,
): PageWithRewrittenLinks {
  const dead: string[] = [];
  let changed = 0;
  let breaksLinks = false;
  const text = tree.text(from) ?? '';
  const content = rewriteLinks(text, link => {
    const { target } = link;
    const [address, suffix] = splitTarget(target);
    if (address === '' || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(address)) return undefined;
    const found = resolveTarget(tree, placement, from, link);
    if (found === undefined) {
      dead.push(target);
      return undefined;
    }
    const rewritten = addressFrom(parentFolderOf(to), found, link) + suffix;
    if (rewritten !== target) changed++;
    breaksLinks ||= resolveRelativePath(parentFolderOf(to), decodedAddress(address, link)) !== found;
    return rewritten;
  });
  return { content, changed, dead, breaksLinks, includes: findMdBookIncludes(text) };
}

/** Splits the target of a link into its address and the rest: query and fragment. */
function splitTarget(target: string): [address: string, suffix: string] {
  const [, address = '', suffix = ''] = /^([^?#]*)(.*)$/s.exec(target) ?? [];
  return [address, suffix];
}

/**
 * Returns the relative address of a file. The address of a JavaScript module must start with a dot, because it would
 * otherwise mean a package.
 */
function addressFrom(folder: string, file: string, { isModule }: Pick<LinkTarget, 'isModule'>): string {
  const path = computeRelativePath(folder, file);
  if (isModule) return path.startsWith('.') ? path : `./${path}`;
  return encodeLinkTarget(path);
}

/** Describes the form in which the pages of a folder write the addresses of files. */
export interface LinkAddressStyle {
  /** Maps the result of `linkKey` for a link to the address that the page uses for the file. */
  addresses?: ReadonlyMap<string, string>;
  /** In a Docusaurus site the files of the folder `static` are published at its root. */
  isSite?: boolean;
}

function linkKey(file: string, { isModule }: Pick<LinkTarget, 'isModule'>): string {
  return isModule ? `module ${file}` : file;
}

/** Maps each file that a page links to the address that the page uses for it. */
export function findLinkAddresses(tree: SourceTree, placement: TargetPathsOfFiles, from: string): Map<string, string> {
  const addresses = new Map<string, string>();
  for (const link of findLinks(tree.text(from) ?? '')) {
    const [address] = splitTarget(link.target);
    const found = address === '' ? undefined : resolveTarget(tree, placement, from, link);
    if (found !== undefined) addresses.set(linkKey(found, link), address);
  }
  return addresses;
}

/**
 * Changes the relative links of a page so that they lead to the same files after the page or the files were moved.
 * Other links stay unchanged.
 */
export function adaptRelativeLinks(
  markdown: string,
  path: string,
  placement: TargetPathsOfFiles,
  { addresses, isSite = false }: LinkAddressStyle = {},
): string {
  const folder = parentFolderOf(placement.get(path) ?? path);
  return rewriteLinks(markdown, link => {
    const [address, suffix] = splitTarget(link.target);
    const linked = resolveRelativePath(parentFolderOf(path), decodedAddress(address, link));
    const placed = linked === undefined ? undefined : placement.get(linked);
    if (linked === undefined || placed === undefined) return undefined;
    const known = addresses?.get(linkKey(linked, link));
    return (known ?? siteAddress(isSite, placed, link) ?? addressFrom(folder, placed, link)) + suffix;
  });
}

function siteAddress(isSite: boolean, file: string, { isModule }: LinkTarget): string | undefined {
  if (!isSite || !file.startsWith('static/')) return undefined;
  return isModule ? `@site/${file}` : encodeLinkTarget(file.slice('static'.length));
}

function decodedAddress(address: string, { isModule }: LinkTarget): string {
  return isModule ? address : decodePercentEncoding(address);
}

function resolveTarget(
  tree: SourceTree,
  placement: TargetPathsOfFiles,
  from: string,
  link: LinkTarget,
): string | undefined {
  const address = decodedAddress(splitTarget(link.target)[0], link);
  for (const file of candidates(from, address, tree.docs)) {
    const placed = placement.get(file);
    if (placed !== undefined) return placed;
  }
  return undefined;
}

const pageEndings = ['', '.md', '.mdx', '/index.md', '/README.md', '/index.mdx', '/readme.md'];

/**
 * Returns the files that a link target can mean: a file, a page without its extension, or the index page of a folder. A
 * target such as `/x` is relative to the root of the book.
 */
function candidates(from: string, address: string, docs = 'docs'): string[] {
  const site = /^@site\/(.*)$/.exec(address)?.[1];
  const rooted = address.startsWith('/') ? address.slice(1) : undefined;
  const bases =
    site !== undefined
      ? [site]
      : rooted !== undefined
        ? ['', 'static', docs, 'src'].map(root => joinPath(root, rooted))
        : [resolveRelativePath(parentFolderOf(from), address)];
  return bases.flatMap(base => {
    if (base === undefined) return [];
    const path = resolveRelativePath('', base) ?? '';
    const stem = path.replace(/\.html$/i, '');
    return [path, ...(isMarkdownPage(path) ? [] : pageEndings.map(ending => stem + ending))];
  });
}

export function computeRelativePath(folder: string, target: string): string {
  const here = folder === '' ? [] : folder.split('/');
  const there = target.split('/');
  let common = 0;
  while (common < here.length && common < there.length - 1 && here[common] === there[common]) common++;
  const up = here.slice(common).map(() => '..');
  return [...up, ...there.slice(common)].join('/');
}

export function encodeLinkTarget(path: string): string {
  return path.replace(/[ ()<>%]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
