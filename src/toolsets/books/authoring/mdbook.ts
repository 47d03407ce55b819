import { decodePercentEncoding } from '../../../text/percent-encoding.ts';
import {
  type BookOutline,
  describeMissingPage,
  joinPath,
  type OutlineNode,
  parentFolderOf,
  resolveRelativePath,
  type SourceTree,
} from './outline.ts';

/** Reads the table of contents of an mdBook from its `SUMMARY.md`. Returns undefined if the folder has none. */
export function readMdBookOutline(tree: SourceTree): BookOutline | undefined {
  const file = findSummaryFile(tree);
  const summary = file === undefined ? undefined : tree.text(file);
  if (file === undefined || summary === undefined) return undefined;
  return { kind: 'mdbook', ...readSummary(summary, parentFolderOf(file), tree) };
}

/** Returns the path of `SUMMARY.md`, which mdBook reads in the source folder. */
export function findSummaryFile(tree: SourceTree): string | undefined {
  return [joinPath(configuredSource(tree), 'SUMMARY.md'), 'src/SUMMARY.md', 'SUMMARY.md'].find(tree.has);
}

/** A line of `SUMMARY.md` that lists a page. */
export interface ListedChapter {
  /** The index of the line. */
  line: number;
  indent: number;
  /** The indentation and the bullet of the line. */
  prefix: string;
  file: string | undefined;
}

export function readListedChapters(summary: string, folder: string): ListedChapter[] {
  return withoutComments(summary)
    .split(/\r?\n/)
    .flatMap((text, line) => {
      const [, blank = '', title = '', target = ''] = item.exec(text) ?? [];
      if (title === '') return [];
      const file = target === '' ? undefined : resolveRelativePath(folder, decodePercentEncoding(target));
      return [{ line, indent: indentOf(blank), prefix: text.slice(0, text.indexOf('[')), file }];
    });
}

/** Removes comments, but keeps their line breaks, so that line numbers stay the same. */
function withoutComments(summary: string): string {
  return summary.replace(/<!--[\s\S]*?(?:-->|$)/g, comment => comment.replace(/[^\n]/g, ''));
}

/** Returns the source folder that the setting `src` in `book.toml` names. */
function configuredSource(tree: SourceTree): string {
  const config = tree.text('book.toml');
  return /^[ \t]*src[ \t]*=[ \t]*["']([^"'\n]+)["']/m.exec(config ?? '')?.[1]?.replace(/^\.\/|\/$/g, '') ?? 'src';
}

interface Branch extends OutlineNode {
  children: Branch[];
}

/**
 * Matches a chapter. The title can contain pairs of brackets, such as `#[derive]`. Text after the link is ignored, as in
 * mdBook.
 */
const item = /^([ \t]*)(?:[-*+][ \t]+)?\[((?:[^[\]\\]|\\.|\[(?:[^[\]\\]|\\.)*\])*)\]\(\s*<?([^)>]*?)>?\s*\)(?:\s|$)/;

function readSummary(summary: string, folder: string, tree: SourceTree): Omit<BookOutline, 'kind'> {
  const notes: string[] = [];
  const root: Branch[] = [];
  let part = root;
  let open: { indent: number; children: Branch[] }[] = [];
  for (const line of withoutComments(summary).split(/\r?\n/)) {
    const partTitle = readPartTitle(line);
    if (partTitle !== undefined) {
      const node: Branch = { title: partTitle, children: [] };
      root.push(node);
      part = node.children;
      open = [];
      continue;
    }
    const [, blank = '', title = '', target = ''] = item.exec(line) ?? [];
    if (title === '') continue;
    const node: Branch = {
      title: title.replace(/\\(.)/g, '$1'),
      children: [],
      ...fileField(target, folder, tree, notes),
    };
    if (target === '') notes.push(`The draft chapter ${JSON.stringify(node.title)} has no page and is not imported.`);
    const indent = indentOf(blank);
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    (open.at(-1)?.children ?? part).push(node);
    open.push({ indent, children: node.children });
  }
  return { nodes: root, notes };
}

/** Returns the title of a part. The first heading of the file is usually "Summary", which does not begin a part. */
function readPartTitle(line: string): string | undefined {
  const title = /^#\s+(.+?)\s*$/.exec(line)?.[1];
  return title === undefined || /^summary$/i.test(title) ? undefined : title;
}

function indentOf(blank: string): number {
  return blank.replaceAll('\t', '    ').length;
}

/** Returns the file of a chapter. A chapter without a link target is a draft, which has a title but no page. */
function fileField(target: string, folder: string, tree: SourceTree, notes: string[]): { file?: string } {
  if (target === '') return {};
  const file = resolveRelativePath(folder, decodePercentEncoding(target));
  if (file !== undefined && tree.has(file)) return { file };
  notes.push(`${joinPath(folder, 'SUMMARY.md')} names ${target}, ${describeMissingPage(tree, file)}`);
  return {};
}
