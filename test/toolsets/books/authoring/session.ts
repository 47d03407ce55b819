import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach } from 'vitest';
import { exportBook } from '../../../../src/toolsets/books/authoring/export-book.ts';
import { importBook } from '../../../../src/toolsets/books/authoring/import-book.ts';
import { BookFiles } from '../../../../src/toolsets/books/library/book-files.ts';
import { openDiskBackend } from '../../../../src/toolsets/books/library/library.ts';
import { sha256Of } from '../../../../src/toolsets/books/model/hash.ts';
import type { FileLocation } from '../../../../src/toolsets/books/model/key.ts';
import { openLibraryRoot } from '../../../../src/toolsets/books/storage/disk/root.ts';

const cleanups: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

export function temporaryFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'oj-mcp-test-'));
  cleanups.push(() => rmSync(folder, { recursive: true }));
  writeFiles(folder, files);
  return folder;
}

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
}

export function filesIn(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  const names = entries.map(entry => path.relative(folder, path.join(entry.parentPath, entry.name)));
  return Object.fromEntries(names.sort().map(name => [name, readFileSync(path.join(folder, name), 'utf8')]));
}

export interface Session {
  library: string;
  source: string;
  lines: string[];
  move: (from: string, to: string, content?: string) => Promise<void>;
  remove: (file: string) => Promise<void>;
  write: (file: string, content: string) => Promise<void>;
  runImport: (isConfirmed?: boolean, folder?: string, isOverwriting?: boolean) => Promise<boolean>;
  runExport: (folder: string, isConfirmed?: boolean, isOverwriting?: boolean) => Promise<boolean>;
}

export function openSession(files: Readonly<Record<string, string>>): Session {
  const [library, source] = [temporaryFolder(), temporaryFolder(files)];
  const backend = openDiskBackend(openLibraryRoot(library), () => Date.now());
  cleanups.push(async () => await backend.close());
  const lines: string[] = [];
  const bookFiles = new BookFiles(backend);
  const access = { files: bookFiles, storage: backend.storage, journal: (id: string) => backend.journal(id) };
  const author = { agent: 'ada', operation: 'move_content' };
  const placeOf = (file: string): FileLocation => ({ book: 'b', path: file, user: undefined });
  const { signal } = new AbortController();
  const options = { book: 'b', agent: 'ada', signal, write: (line: string) => void lines.push(line) };
  return {
    library: path.join(library, 'books', 'b'),
    source,
    lines,
    move: async (from, to, content) => {
      const old = readFileSync(path.join(library, 'books', 'b', from));
      await bookFiles.move(placeOf(from), placeOf(to), old, content === undefined ? old : Buffer.from(content), author);
    },
    remove: async file => {
      await bookFiles.remove(placeOf(file), sha256Of(readFileSync(path.join(library, 'books', 'b', file))), author);
    },
    write: async (file, content) => {
      await bookFiles.put(placeOf(file), Buffer.from(content), author);
    },
    runImport: async (isConfirmed = true, folder = source, isOverwriting = false) =>
      await importBook(access, { ...options, folder, isConfirmed, isOverwriting }),
    runExport: async (folder, isConfirmed = true, isOverwriting = false) =>
      await exportBook(access, { ...options, folder, isConfirmed, isOverwriting }),
  };
}
