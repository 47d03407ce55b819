import path from 'node:path';
import { typeByName } from '../../model/file-type.ts';
import { NewestQueue, neededResults } from '../../model/results.ts';
import type { Control } from '../threads/control.ts';
import type { Found, Question, Wish } from '../threads/messages.ts';
import type { ReaderPool } from '../threads/reader-pool.ts';
import { isStill } from './finding.ts';
import { content, type File, Folder, fileAt } from './folder.ts';
import { present } from './present.ts';
import { Search } from './search.ts';
import type { Tree } from './tree.ts';

/** Judges files that something else has found, the newest first, until the page is full: they must be inside, and hold the phrase as far as can be told. */
export async function checkTold(
  tree: Tree,
  readers: ReaderPool,
  question: Extract<Question, { kind: 'check' }>,
  control: Control,
): Promise<Found> {
  const { scope, wish, page, told } = question;
  const search = new Search(tree, readers, scope, [wish.phrase ?? ''], control);
  const hits: File[] = [];
  const queue = new NewestQueue(filesAt(tree, told).filter(file => isThere(file) && isWanted(tree, file, wish)));
  readers.join(search);
  const needed = neededResults(page);
  while (queue.next !== undefined && hits.length < needed && !control.isOver) {
    const files = queue.takeSome(Math.max(32, needed - hits.length));
    const isOurs = ({ path: file }: File): boolean =>
      !['none', 'opaque'].includes(typeByName(tree.types, file).reading);
    hits.push(...files.filter(file => !isOurs(file)));
    for (const file of files.filter(isOurs)) search.remember(file);
    await search.check(Number.POSITIVE_INFINITY);
    // What Spotlight can read and we cannot is believed.
    hits.push(...search.hits.splice(0), ...search.unparsed.splice(0));
  }
  readers.leave(search);
  const found = await present(tree, readers, hits, question, control);
  const { skipped } = search;
  const isTruncated = found.isTruncated || queue.next !== undefined;
  return {
    ...found,
    isTruncated,
    engine: 'mdfind',
    skipped,
    apart: undefined,
    isBeyondMemory: false,
    isFromBefore: false,
  };
}

/** Those that are known, and others in folders of their own, which nobody remembers. */
export function filesAt(tree: Tree, paths: readonly string[]): File[] {
  return paths.map(file => {
    const known = tree.find(file);
    if (known !== undefined) return known;
    const folder = new Folder(path.dirname(file));
    folder.list(folder, [path.basename(file)], [], tree.signatures);
    folder.look(0, tree.signatures);
    return fileAt(folder, 0);
  });
}

function isThere({ folder, index }: File): boolean {
  return folder.content(index) !== content.gone;
}

function isWanted({ types }: Tree, { path: file, mtimeMs }: File, wish: Wish): boolean {
  return isStill(wish, { mtimeMs }, typeByName(types, file));
}
