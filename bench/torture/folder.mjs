// A library in a folder, with the methods of bucket.mjs, so that the same audit reads both.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export function openFolder() {
  const root = mkdtempSync(path.join(tmpdir(), 'oj-mcp-torture-folder-'));
  return {
    root,
    async put(key, text) {
      mkdirSync(path.join(root, path.dirname(key)), { recursive: true });
      writeFileSync(path.join(root, key), text);
    },

    /** Reads a file, or returns undefined if it is missing. */
    async read(key) {
      try {
        return readFileSync(path.join(root, key));
      } catch (error) {
        if (error.code === 'ENOENT') return undefined;
        throw error;
      }
    },

    async keys(prefix) {
      try {
        const entries = readdirSync(path.join(root, prefix), { recursive: true, withFileTypes: true });
        const files = entries.filter(entry => entry.isFile());
        return files.map(entry => path.relative(root, path.join(entry.parentPath, entry.name))).sort();
      } catch (error) {
        if (error.code === 'ENOENT') return [];
        throw error;
      }
    },

    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
