import * as v from 'valibot';
import type { FileVersion } from './journal.ts';
import { compareCodePoints, fileLayerOf, fileLayers } from './key.ts';
import type { DifferingFile, ManifestDifference } from './manifest.ts';
import { refusal } from './refusal.ts';

export const ChangedFile = v.strictObject({
  path: v.string(),
  sha256: v.string(),
  last_modified: v.string(),
  namespace: v.picklist(fileLayers),
  user_id: v.optional(v.string()),
  content: v.optional(v.string()),
  error: v.optional(v.string()),
});
export type ChangedFile = v.InferInput<typeof ChangedFile>;

export const DeletedFile = v.strictObject({
  path: v.string(),
  deleted_at: v.string(),
  namespace: v.picklist(fileLayers),
  user_id: v.optional(v.string()),
});

/**
 * One entry in a list of changes (delta): a file that was changed or deleted since a time, or that differs from a
 * manifest.
 */
export type DeltaItem =
  | { kind: 'changed'; file: ChangedFile }
  | { kind: 'deleted'; file: v.InferInput<typeof DeletedFile> }
  | { kind: 'differing'; file: DifferingFile }
  | { kind: 'missing'; file: { path: string } };

/** Sorts all entries of a delta: by type, then files of the book before files of a user, then the newest first. */
export function sortDeltaItems(
  files: readonly FileVersion[],
  sinceMs: number,
  user: string | undefined,
  differing: ManifestDifference | undefined,
): DeltaItem[] {
  const recent = files.filter(({ changedMs }) => changedMs > sinceMs).sort(newestFirst);
  const layers = [
    ...recent.filter(({ place }) => place.user === undefined),
    ...(user === undefined ? [] : recent.filter(({ place }) => place.user === user)),
  ].map(itemOf);
  return [
    ...layers.filter(({ kind }) => kind === 'changed'),
    ...layers.filter(({ kind }) => kind === 'deleted'),
    ...(differing?.changed_files ?? []).map(file => ({ kind: 'differing' as const, file })),
    ...(differing?.deleted_files ?? []).map(path => ({ kind: 'missing' as const, file: { path } })),
  ];
}

function newestFirst(one: FileVersion, other: FileVersion): number {
  return other.changedMs - one.changedMs || compareCodePoints(one.place.path, other.place.path);
}

function itemOf({ place: { path, user }, hash, changedMs }: FileVersion): DeltaItem {
  const owner = { namespace: fileLayerOf(user), ...(user !== undefined && { user_id: user }) };
  const time = new Date(changedMs).toISOString();
  if (hash === null) return { kind: 'deleted', file: { path, deleted_at: time, ...owner } };
  return { kind: 'changed', file: { path, sha256: hash, last_modified: time, ...owner } };
}

const kindOrder = ['changed', 'deleted', 'differing', 'missing'] as const;

/**
 * The cursor for the pages of a delta (a list of changes). It contains the time and the manifest hash of the first
 * page, because all pages repeat them.
 */
export interface DeltaCursor {
  timeMs: number;
  manifestHash: string;
  last: Position;
}

/** The position of an entry in a sorted list of changes. */
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
    compareCodePoints(other.time, one.time) ||
    compareCodePoints(one.path, other.path)
  );
}

/** Returns the entries after the cursor. Files that changed after the first page are part of the next delta. */
export function selectDeltaItemsAfterCursor(items: readonly DeltaItem[], { last }: DeltaCursor): DeltaItem[] {
  return items.filter(item => byPosition(positionOf(item), last) > 0);
}

export function formatDeltaCursor(timeMs: number, manifestHash: string, last: DeltaItem): string {
  const { kind, isOverlay, time, path } = positionOf(last);
  return [new Date(timeMs).toISOString(), manifestHash, kind, isOverlay ? 'overlay' : 'base', time, path].join(' ');
}

export function parseDeltaCursor(text: string): DeltaCursor {
  const [served = '', manifestHash = '', kindName, namespace, time = '', ...path] = text.split(' ');
  const kind = kindOrder.find(known => known === kindName);
  const timeMs = Date.parse(served);
  if (kind === undefined || Number.isNaN(timeMs) || !/^[0-9a-f]{64}$/.test(manifestHash) || path.length === 0) {
    throw refusal('ValidationError', '"after" is not a cursor of delta_build.', {
      suggestion: 'Use next_after of the previous result unchanged, with the same arguments.',
    });
  }
  return { timeMs, manifestHash, last: { kind, isOverlay: namespace === 'overlay', time, path: path.join(' ') } };
}

const instantForm = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/;

/**
 * Parses a date and time with a time zone into milliseconds since 1970. Throws an error for days and hours that do not
 * exist.
 */
export function parseIsoInstant(text: string): number {
  const ms = instantOf(text);
  if (ms !== undefined) return ms;
  throw refusal('ValidationError', `"since" is not a date and time with a time zone: ${JSON.stringify(text)}.`, {
    suggestion: 'Use YYYY-MM-DDThh:mm:ss with a time zone, such as 2025-01-01T00:00:00Z or …+05:00.',
  });
}

function instantOf(text: string): number | undefined {
  const match = instantForm.exec(text);
  if (match === null) return undefined;
  const [, local = '', fraction = '', sign, hours = '0', minutes = '0'] = match;
  const localMs = Date.parse(`${local}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
  // The result is compared with the text, because Date.parse turns a day that does not exist, such as February 30, into
  // a day of the next month.
  const isReal = !Number.isNaN(localMs) && new Date(localMs).toISOString().startsWith(local);
  if (!isReal || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  return localMs - offset * 60_000;
}
