import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Failure } from '../../../../src/errors/failure.ts';
import { withoutVariableParts } from '../approved/session.ts';
import { sha256 } from '../support/library.ts';
import { callBooks, openBooks } from '../support/open-books.ts';
import { type Files, type Scenario, scenarios } from './approved/folders.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'oj-mcp-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function change(folder: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    if (content === undefined) rmSync(file, { force: true });
    else writeFileSync(file, content);
  }
}

function listFiles(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  const names = entries.map(entry => path.relative(folder, path.join(entry.parentPath, entry.name)));
  return names.sort().map(name => `  ${name}: ${JSON.stringify(readFileSync(path.join(folder, name), 'utf8'))}`);
}

async function runTask(
  library: string,
  kind: 'import' | 'export',
  folder: string,
  isConfirmed: boolean,
): Promise<string[]> {
  const opened = await openBooks(library, { [`books-${kind}`]: folder, book: 'my-course', 'books-extras': true });
  const lines = [`> ${kind}${isConfirmed ? ' --yes' : ''}`];
  const { signal } = new AbortController();
  try {
    const isDone = await opened.runTask({ isConfirmed, write: line => void lines.push(line), signal });
    lines.push(isDone ? 'done' : 'not done');
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    lines.push(`error: ${error.message} ${error.hint ?? ''}`);
  }
  await opened.close();
  return lines;
}

async function move(library: string, from: string, to: string): Promise<void> {
  const opened = await openBooks(library, { 'books-extras': true });
  const hash = sha256(readFileSync(path.join(library, 'books/my-course', from)));
  const result = await callBooks(opened, 'move_content', { book_id: 'my-course', from, to, expected_hash: hash });
  expect(result).toMatchObject({ status: 'success' });
  await opened.close();
}

/**
 * Imports a folder, changes the folder and the library, imports again, and exports to the folder and to a new folder.
 */
async function listScenario({
  name,
  folder: files,
  folderChanges = {},
  libraryChanges = {},
  moves = [],
}: Scenario): Promise<string> {
  const [library, target] = [temporaryFolder(), temporaryFolder()];
  const folder = path.join(temporaryFolder(), 'my-notes');
  change(folder, files);
  const run = async (kind: 'import' | 'export', place: string, isConfirmed = true): Promise<string[]> =>
    await runTask(library, kind, place, isConfirmed);
  const lines = [`# ${name}`, ...(await run('import', folder, false)), ...(await run('import', folder))];
  const book = path.join(library, 'books/my-course');
  mkdirSync(book, { recursive: true });
  lines.push(...listFiles(book));
  change(book, libraryChanges);
  for (const [from, to] of moves) await move(library, from, to);
  change(folder, folderChanges);
  lines.push(...(await run('export', folder, false)), ...(await run('import', folder)), ...listFiles(book));
  lines.push(...(await run('export', folder)), ...listFiles(folder));
  lines.push(...(await run('export', path.join(target, 'new'))), ...listFiles(target));
  return withoutVariableParts(lines.join('\n'), library).replaceAll(folder, 'FOLDER').replaceAll(target, 'TARGET');
}

test('imports and exports print the approved lines and write the approved files', async () => {
  const lists: string[] = [];
  for (const scenario of scenarios) lists.push(await listScenario(scenario));
  await expect(lists.join('\n')).toMatchFileSnapshot('approved/folders.txt');
});
