import { byCodePoint, namespaceOf, type Place } from './key.ts';
import type { ManifestDelta } from './manifest.ts';
import { refusal } from './refusal.ts';

export interface Changed {
  path: string;
  sha256: string;
  last_modified: string;
  namespace: 'base' | 'overlay';
  user_id?: string;
  content?: string;
  error?: string;
}

interface Deleted {
  path: string;
  deleted_at: string;
  namespace: 'base' | 'overlay';
  user_id?: string;
}

interface Differing {
  path: string;
  sha256: string;
  previous_sha256?: string;
}

/** One line of a delta: changed since, deleted since, different from the manifest, gone since the manifest. */
export type DeltaItem =
  | { kind: 'changed'; file: Changed }
  | { kind: 'deleted'; file: Deleted }
  | { kind: 'differing'; file: Differing }
  | { kind: 'missing'; file: { path: string } };

interface Known {
  place: Place;
  /** null: deleted. */
  hash: string | null;
  changedMs: number;
}

/** Everything a delta has to tell, in its order: by kind, the book's own before the user's, the newest first. */
export function deltaItems(
  files: readonly Known[],
  sinceMs: number,
  user: string | undefined,
  differing: ManifestDelta | undefined,
): DeltaItem[] {
  const recent = files.filter(({ changedMs }) => changedMs > sinceMs).sort(newestFirst);
  const layers = [
    ...recent.filter(({ place }) => place.user === undefined),
    ...(user === undefined ? [] : recent.filter(({ place }) => place.user === user)),
  ];
  return [
    ...layers.flatMap(changed),
    ...layers.flatMap(deleted),
    ...(differing?.changed_files ?? []).map(file => ({ kind: 'differing' as const, file })),
    ...(differing?.deleted_files ?? []).map(path => ({ kind: 'missing' as const, file: { path } })),
  ];
}

function newestFirst(one: Known, other: Known): number {
  return other.changedMs - one.changedMs || byCodePoint(one.place.path, other.place.path);
}

function changed({ place: { path, user }, hash, changedMs }: Known): DeltaItem[] {
  if (hash === null) return [];
  const owner = user === undefined ? {} : { user_id: user };
  const time = { last_modified: new Date(changedMs).toISOString() };
  return [{ kind: 'changed', file: { path, sha256: hash, ...time, namespace: namespaceOf(user), ...owner } }];
}

function deleted({ place: { path, user }, hash, changedMs }: Known): DeltaItem[] {
  if (hash !== null) return [];
  const owner = user === undefined ? {} : { user_id: user };
  const time = { deleted_at: new Date(changedMs).toISOString() };
  return [{ kind: 'deleted', file: { path, ...time, namespace: namespaceOf(user), ...owner } }];
}

const kindOrder = ['changed', 'deleted', 'differing', 'missing'] as const;

/** Where a list of changes goes on, and what it is the list of: every page is as of the first. */
export interface DeltaCursor {
  timeMs: number;
  manifestHash: string;
  last: Position;
}

/** Where a line stands in the order of all. */
interface Position {
  kind: DeltaItem['kind'];
  isOverlay: boolean;
  time: string;
  path: string;
}

function positionOf({ kind, file }: DeltaItem): Position {
  const time = 'last_modified' in file ? file.last_modified : 'deleted_at' in file ? file.deleted_at : '';
  return { kind, isOverlay: 'user_id' in file, time, path: file.path };
}

function byPosition(one: Position, other: Position): number {
  return (
    kindOrder.indexOf(one.kind) - kindOrder.indexOf(other.kind) ||
    Number(one.isOverlay) - Number(other.isOverlay) ||
    byCodePoint(other.time, one.time) ||
    byCodePoint(one.path, other.path)
  );
}

/** What has changed in between is newer than all that is still to come, or will be told as changed the next time. */
export function itemsAfter(items: readonly DeltaItem[], { last }: DeltaCursor): DeltaItem[] {
  return items.filter(item => byPosition(positionOf(item), last) > 0);
}

export function writeCursor(timeMs: number, manifestHash: string, last: DeltaItem): string {
  const { kind, isOverlay, time, path } = positionOf(last);
  return [new Date(timeMs).toISOString(), manifestHash, kind, isOverlay ? 'overlay' : 'base', time, path].join(' ');
}

export function readCursor(text: string): DeltaCursor {
  const [served = '', manifestHash = '', kindName, namespace, time = '', ...path] = text.split(' ');
  const kind = kindOrder.find(known => known === kindName);
  const timeMs = Date.parse(served);
  if (kind === undefined || Number.isNaN(timeMs) || !/^[0-9a-f]{64}$/.test(manifestHash) || path.length === 0) {
    throw refusal('ValidationError', '"after" is not where a list of changes goes on.', {
      suggestion: 'Give next_after of the answer before, as it is, and the same arguments.',
    });
  }
  return { timeMs, manifestHash, last: { kind, isOverlay: namespace === 'overlay', time, path: path.join(' ') } };
}
