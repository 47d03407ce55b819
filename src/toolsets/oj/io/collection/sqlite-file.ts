import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Failure } from '../../../../errors/failure.ts';
import { isRecord, readJson } from '../../../../text/json.ts';
import {
  createInvalidCollectionFailure,
  type DailyChallengeLookup,
  type ProblemCollectionEntry,
  type ProblemCollectionPart,
  supportedFormatsHint,
} from './collection.ts';
import { createChangedCollectionFailure } from './errors.ts';
import { parseProblemRecord } from './record.ts';

/** The first Node version with node:sqlite that needs no command-line flag. */
const minNode = '22.13';

/** Opens the database of oj-api-rs read-only. */
export function openSqliteFile(path: string): ProblemCollectionPart {
  const { DatabaseSync: Database } = loadSqlite(path);
  const isImmutable = supportsUrls() && !isInUse(path);
  const database = openDatabase(Database, path, isImmutable);
  try {
    const rows = database.prepare(listSql).all();
    const byId = database.prepare('SELECT * FROM problems WHERE source = ? AND id = ?');
    const hasChanged = isImmutable ? changeDetector(path) : () => false;
    return {
      entries: rows.map(row => entryOf(path, byId, hasChanged, row)),
      daily: dailyLookup(path, database, hasChanged),
      close: () => database.close(),
    };
  } catch (error) {
    database.close();
    throw error instanceof Failure ? error : unreadable(path, error);
  }
}

const dailySql = 'SELECT * FROM daily_challenge WHERE domain = ? AND date = ?';
const listSql = `SELECT source, id, coalesce(content, '') <> '' OR coalesce(content_cn, '') <> '' AS hasStatement
  FROM problems ORDER BY source, rowid`;

/**
 * Returns the module node:sqlite. It is not loaded by `import('node:sqlite')`, because the bundler removes the prefix
 * `node:` for old versions of Node.
 */
function loadSqlite(path: string) {
  const sqlite = process.getBuiltinModule?.('node:sqlite');
  if (sqlite !== undefined) return sqlite;
  const sentence = `${path} is an SQLite database, which requires Node ${minNode} or newer; this is Node ${process.versions.node}.`;
  throw new Failure('setting', sentence, { hint: exportHint(path) });
}

function exportHint(path: string): string {
  return `Use a newer Node, or export the problems: sqlite3 -json ${JSON.stringify(path)} "SELECT * FROM problems" > problems.json`;
}

/**
 * Opens the database. In WAL mode SQLite needs write access to two more files, unless it may assume that the database
 * is immutable. The function makes this assumption while no backend writes to the database.
 */
function openDatabase(Database: SqliteModule['DatabaseSync'], path: string, isImmutable: boolean): SqliteDatabase {
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  try {
    return new Database(isImmutable ? url : path, { readOnly: true });
  } catch (error) {
    throw unreadable(path, error);
  }
}

function isInUse(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Returns whether this version of node:sqlite supports URLs, as Node 22.15 and 23.10 do. */
export function supportsUrls(nodeVersion = process.versions.node): boolean {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
  return major > 23 || (major === 23 && minor >= 10) || (major === 22 && minor >= 15);
}

/**
 * Returns a function that tests whether the file was changed in place. If another file replaces it, the result is
 * false, because the old file stays open.
 */
function changeDetector(path: string): () => boolean {
  const { ino, size, mtimeMs } = statSync(path);
  return () => {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.ino === ino && (stats.size !== size || stats.mtimeMs !== mtimeMs);
  };
}

function unreadable(path: string, cause: unknown): Failure {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const isBlocked = /unable to open/.test(reason) && isInUse(path);
  const hint = isBlocked ? changesHint(path) : supportsUrls() ? supportedFormatsHint : readOnlyHint(path);
  return new Failure('setting', `${path}: cannot be read as a database of oj-api-rs: ${reason}.`, { hint, cause });
}

function changesHint(path: string): string {
  return `${path}-wal contains changes that are not in the database yet, and SQLite reads them only in a writable folder. Stop the backend, or use a copy: sqlite3 ${JSON.stringify(path)} ".backup copy.db"`;
}

function readOnlyHint(path: string): string {
  return `In a read-only folder the database requires Node 22.15 or newer. ${exportHint(path)}`;
}

/**
 * Returns a function that finds a daily challenge in its own table. This table stores LeetCode problems with a number
 * as id.
 */
function dailyLookup(path: string, database: SqliteDatabase, hasChanged: () => boolean): DailyChallengeLookup {
  const hasTable = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'daily_challenge'").all().length > 0;
  const statement = hasTable ? database.prepare(dailySql) : undefined;
  return (domain, date) => {
    if (statement === undefined) return undefined;
    if (hasChanged()) throw createChangedCollectionFailure(path);
    const record = statement.get(domain, date);
    if (!isRecord(record)) return undefined;
    const place = (): string => `${path}, daily challenge ${date} of ${domain}`;
    const { id: column } = record;
    const id = typeof column === 'number' || typeof column === 'string' ? String(column) : '';
    return parseProblemRecord({ ...record, source: 'leetcode', id, tags: tagsOf(record['tags']) }, place);
  };
}

function entryOf(
  path: string,
  byId: SqliteStatement,
  hasChanged: () => boolean,
  row: Record<string, unknown>,
): ProblemCollectionEntry {
  const { source, id, hasStatement } = row;
  const place = (): string => `${path}, source ${JSON.stringify(source)}, id ${JSON.stringify(id)}`;
  if (typeof source !== 'string' || typeof id !== 'string')
    throw createInvalidCollectionFailure(place(), 'source and id must be text');
  return {
    source,
    id,
    hasStatement: hasStatement === 1,
    place,
    read: () => {
      if (hasChanged()) throw createChangedCollectionFailure(path);
      const record = byId.get(source, id);
      if (!isRecord(record)) throw new Failure('upstream', `${place()}: the problem is no longer in the database.`);
      return parseProblemRecord({ ...record, tags: tagsOf(record['tags']) }, place);
    },
  };
}

/** Parses the tags column, which contains a JSON array. oj-api-rs treats invalid JSON as an empty array. */
function tagsOf(column: unknown): unknown[] {
  const tags = typeof column === 'string' ? readJson(column) : undefined;
  return Array.isArray(tags) ? tags : [];
}
