import { findLinks, findMdBookIncludes, rewriteLinks } from './markdown-links.ts';
import { decodeLinkTarget } from './mdbook.ts';
import { folderOf, isMarkdownPage, joinPath, resolvePath, type SourceTree } from './outline.ts';

/** Maps each file of a book to its path after an import, an export or a move. */
export type FilePlacement = ReadonlyMap<string, string>;

export interface RewrittenPage {
  content: string;
  changed: number;
  /** The relative link targets that lead to no imported file. They stay unchanged. */
  dead: string[];
  includes: string[];
}

/** Rewrites the relative links and images of an imported page so that they lead to the files of the library. */
export function rewritePageLinks(tree: SourceTree, placement: FilePlacement, from: string, to: string): RewrittenPage {
  const dead: string[] = [];
  let changed = 0;
  const text = tree.text(from) ?? '';
  const content = rewriteLinks(text, ({ target }) => {
    const [, address = '', suffix = ''] = /^([^?#]*)(.*)$/s.exec(target) ?? [];
    if (address === '' || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(address)) return undefined;
    const found = resolveTarget(tree, placement, from, decodeLinkTarget(address));
    if (found === undefined) {
      dead.push(target);
      return undefined;
    }
    const rewritten = encodeLinkTarget(relativePath(folderOf(to), found)) + suffix;
    if (rewritten !== target) changed++;
    return rewritten;
  });
  return { content, changed, dead, includes: findMdBookIncludes(text) };
}

/** Maps each file that a page links to the address that the page uses for it. */
export function linkAddressesIn(tree: SourceTree, placement: FilePlacement, from: string): Map<string, string> {
  const addresses = new Map<string, string>();
  for (const { target } of findLinks(tree.text(from) ?? '')) {
    const [address = ''] = /^[^?#]*/.exec(target) ?? [];
    const found = address === '' ? undefined : resolveTarget(tree, placement, from, decodeLinkTarget(address));
    if (found !== undefined) addresses.set(found, address);
  }
  return addresses;
}

/**
 * Returns a page whose relative links lead to the same files after the files or the page itself have moved. Other links
 * are not changed. `addresses` contains preferred addresses of files.
 */
export function relocateLinks(
  markdown: string,
  path: string,
  placement: FilePlacement,
  addresses?: ReadonlyMap<string, string>,
): string {
  const folder = folderOf(placement.get(path) ?? path);
  return rewriteLinks(markdown, link => {
    const [, address = '', suffix = ''] = /^([^?#]*)(.*)$/s.exec(link.target) ?? [];
    const linked = address === '' ? undefined : resolvePath(folderOf(path), decodeLinkTarget(address));
    const placed = linked === undefined ? undefined : placement.get(linked);
    if (linked === undefined || placed === undefined) return undefined;
    return (addresses?.get(linked) ?? encodeLinkTarget(relativePath(folder, placed))) + suffix;
  });
}

function resolveTarget(tree: SourceTree, placement: FilePlacement, from: string, address: string): string | undefined {
  for (const file of candidates(from, address)) {
    const placed = placement.get(file);
    if (placed !== undefined) return placed;
  }
  const folder = address.startsWith('/') ? address.slice(1) : resolvePath(folderOf(from), address);
  return folder !== undefined && tree.has(folder) ? placement.get(folder) : undefined;
}

const pageEndings = ['', '.md', '.mdx', '/index.md', '/README.md', '/index.mdx', '/readme.md'];

/**
 * Returns the files that a link target can mean: a file, a page without its extension, or the page of a folder. A
 * target `/x` is relative to the root of the book.
 */
function candidates(from: string, address: string): string[] {
  const site = /^@site\/(.*)$/.exec(address)?.[1];
  const rooted = address.startsWith('/') ? address.slice(1) : undefined;
  const bases =
    site !== undefined
      ? [site]
      : rooted !== undefined
        ? ['', 'static', 'docs', 'src'].map(root => joinPath(root, rooted))
        : [resolvePath(folderOf(from), address)];
  return bases.flatMap(base => {
    if (base === undefined) return [];
    const path = resolvePath('', base) ?? '';
    const stem = path.replace(/\.html$/i, '');
    return [path, ...(isMarkdownPage(path) ? [] : pageEndings.map(ending => stem + ending))];
  });
}

export function relativePath(folder: string, target: string): string {
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
