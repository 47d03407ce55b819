import path from 'node:path';
import { createFolder, type OpenFiles, openFiles, rowsOf } from './open-files.ts';

/** Opens the toolset with one root folder. */
export async function openHome(content: Record<string, string>): Promise<OpenFiles & { root: string }> {
  const root = createFolder(content);
  return { ...(await openFiles({ 'files-root': [root] })), root };
}

/** Searches and returns the file names of the results with their match reasons, and the notes. */
export async function ask(home: OpenFiles & { root: string }, args: Record<string, unknown>) {
  const outcome = await home.call('search', { scope: home.root, ...args });
  const rows = rowsOf(outcome).map(row => [path.relative(home.root, String(row['_path'])), row['matched']]);
  return { rows, notes: outcome.structured?.['notes'] };
}

/** Returns a date for each number; a higher number is a later date. */
export const dateOf = (day: number): string => new Date(Date.UTC(2024, 0, 1 + day)).toISOString();

export const byCode = (left: string, right: string): number => Number(left > right) - Number(left < right);
