import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { defineToolset, type FlagValues } from '../../../src/toolset/toolset.ts';
import { files } from '../../../src/toolsets/files/index.ts';
import { FileFinder, type FinderEnvironment } from '../../../src/toolsets/files/query/finder.ts';
import type { flags, Settings } from '../../../src/toolsets/files/settings.ts';
import { createSpotlight } from '../../../src/toolsets/files/spotlight/spotlight.ts';
import { type Connection, connect, type Outcome } from '../../support/client.ts';

export interface OpenFiles extends Connection {
  /** Returns the paths of a search result relative to the root. */
  paths(tool: string, args: Record<string, unknown>): Promise<string[]>;
}

const plainEnvironment: FinderEnvironment = {
  platform: process.platform,
  spotlight: createSpotlight('/nonexistent/mdfind', '/nonexistent/mdls'),
  now: Date.now,
};

/** The time limit is so long that a search on a busy machine is complete, unless a test sets another limit. */
export const noTimeLimit = { 'files-timeout-ms': '600000' };

/** Connects an MCP client to a server with the files toolset. Both run in this process. */
export async function openFiles(
  values: FlagValues<typeof flags>,
  environment: Partial<FinderEnvironment> = {},
): Promise<OpenFiles> {
  const toolset = defineToolset({
    ...files,
    load: async () => ({
      ...(await files.load()),
      createContext(settings: Settings) {
        const finder = new FileFinder(settings, { ...plainEnvironment, ...environment });
        onTestFinished(() => finder.close());
        return async () => finder;
      },
    }),
  });
  const { client, call } = await connect({ toolsets: [toolset], values: { ...noTimeLimit, ...values } });
  const root = values['files-root']?.[0] ?? '/';
  return {
    client,
    call,
    paths: async (name, args) => {
      const outcome = await call(name, { scope: root, ...args });
      if (outcome.isError) throw new Error(outcome.text);
      return rowsOf(outcome).map(row => path.relative(root, String(row['_path'])));
    },
  };
}

export function rowsOf({ isError, text }: Outcome): Record<string, string | number>[] {
  if (isError) throw new Error(text);
  return JSON.parse(text);
}

/** Creates a folder that is removed after the test. */
export function createFolder(content: Readonly<Record<string, string | Buffer>> = {}): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'oj-mcp-files-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, bytes] of Object.entries(content)) write(folder, name, bytes);
  return folder;
}

/** Writes a file below a folder and sets its modification time to `date`. */
export function write(folder: string, name: string, content: string | Buffer, date?: string): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
  if (date !== undefined) utimesSync(file, new Date(date), new Date(date));
  return file;
}

/** Creates a root folder with a file and with links to the inside and outside, and files outside of it. */
export function createRoot(): { root: string; outside: string } {
  const base = createFolder({
    'root/note.txt': 'a note',
    'rootevil/secret.txt': 'a secret',
    'outside/secret.txt': 'a secret',
  });
  const [root, outside] = [path.join(base, 'root'), path.join(base, 'outside')];
  mkdirSync(path.join(root, 'sub'));
  symlinkSync(outside, path.join(root, 'way-out'));
  symlinkSync(path.join(outside, 'secret.txt'), path.join(root, 'secret-link.txt'));
  symlinkSync(path.join(outside, 'missing.txt'), path.join(root, 'dangling.txt'));
  symlinkSync('sub', path.join(root, 'way-in'));
  symlinkSync('loop', path.join(root, 'loop'));
  return { root, outside };
}
