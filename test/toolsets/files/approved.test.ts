import { lstatSync, mkdirSync, symlinkSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { type Call, calls } from './approved/calls.ts';
import { home } from './approved/home.ts';
import { createFolder, type OpenFiles, openFiles } from './open-files.ts';

const newest = Date.UTC(2025, 2, 4, 12);
const hourMs = 3_600_000;

/** Creates the home folder. Each file is 20 hours older than the previous one. */
function createHome(): string {
  const root = createFolder(home);
  for (const [index, name] of Object.keys(home).entries()) {
    const date = new Date(newest - 20 * hourMs * index);
    utimesSync(path.join(root, name), date, date);
  }
  mkdirSync(path.join(root, 'empty folder'));
  symlinkSync('../notes/one.txt', path.join(root, 'odd/link.txt'));
  return root;
}

async function listCall({ call }: OpenFiles, root: string, [tool, args]: Call): Promise<string> {
  const { scope = '', path: file, ...rest } = args;
  const place =
    tool === 'get_metadata'
      ? typeof file === 'string' && { path: path.join(root, file) }
      : { scope: path.join(root, String(scope)) };
  const { isError, texts, structured } = await call(tool, { ...rest, ...place });
  const { results, notes, engine: _, ...facts } = structured ?? {};
  const rows = Array.isArray(results) ? results.map(row => JSON.stringify(row)) : [];
  const lines = isError ? texts.map(text => `error: ${text}`) : [...rows, ...notesOf(notes), JSON.stringify(facts)];
  const shownArgs = JSON.stringify(args).replace(/x{1000,}/, 'x…');
  return [`> ${tool} ${shownArgs}`, ...lines.map(line => `  ${line}`)].join('\n');
}

function notesOf(notes: unknown): string[] {
  return Array.isArray(notes) ? notes.map(note => `note: ${note}`) : [];
}

test('the tools return the approved results for the calls in a home folder', async () => {
  const root = createHome();
  // Files that are newer than the resolution of the file system's clock are read again by each call, which changes the
  // order of results.
  const link = path.join(root, 'odd/link.txt');
  await vi.waitUntil(() => Date.now() - lstatSync(link).ctimeMs > 2200, { timeout: 600_000 });
  const opened = await openFiles({ 'files-root': [root] }, { now: () => newest });
  const lists: string[] = [];
  for (const call of calls) lists.push(await listCall(opened, root, call));
  const list = lists
    .join('\n')
    .replaceAll(root, 'HOME')
    .replaceAll(path.basename(root), 'HOME')
    .replaceAll(/":"20(?!25-0[1-3])[^"]*Z"/g, '":"NOW"')
    .replaceAll(/(PhysicalSize|OwnerGroupID|OwnerUserID)":\d+/g, '$1":0')
    .replaceAll(/(public\.folder.*"kMDItemFSSize):\d+/g, '$1:0');
  await expect(list).toMatchFileSnapshot('approved/home.txt');
});
