/** The part of node:sqlite that this program uses. The type definitions of Node 20 do not contain it. */
interface SqliteModule {
  DatabaseSync: new (path: string | URL, options: { readOnly: boolean }) => SqliteDatabase;
}

interface SqliteDatabase {
  prepare(sql: string): SqliteStatement;
  close(): void;
}

interface SqliteStatement {
  get(...parameters: string[]): unknown;
  all(...parameters: string[]): Record<string, unknown>[];
}

declare namespace NodeJS {
  interface Process {
    /** The function is missing in Node before 20.16. */
    getBuiltinModule?(id: 'node:sqlite'): SqliteModule | undefined;
  }
}
