import { access, constants, opendir, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { reasonOf } from '../../../errors/reason.ts';
import { systemErrorCodeOf, undefinedIfSystemError } from '../../../errors/system-error.ts';
import { describeWriteError, runInCreatedFolders, tryWriting } from '../../../toolset/create-folders.ts';
import { suggestPath } from '../../../toolset/similar-path.ts';
import { checkTempFolder } from '../../../toolset/temp-folder.ts';
import type { CheckResult } from '../../../toolset/toolset.ts';
import type { Settings } from '../settings.ts';
import { findCacheFolderProblem } from './cache-folder.ts';
import { skipReasonOfName } from './skip.ts';
import { readPseudoFileSystems } from './system-folders.ts';

/** Yields the results of --check: each root folder is opened as in a search, and the cache folder is tested. */
export async function* checkFolders({ roots, cacheFolder, isDemo }: Settings): AsyncGenerator<CheckResult> {
  if (isDemo) yield checkTempFolder('a sample folder, because of --demo');
  for (const root of roots) yield await checkRoot(root);
  if (cacheFolder !== undefined) yield checkCacheFolder(cacheFolder, roots);
}

async function checkRoot(root: string): Promise<CheckResult> {
  try {
    return await describeRoot(root);
  } catch (error) {
    const code = systemErrorCodeOf(error);
    if (code === undefined) throw error;
    const hint = remedies[code] ?? 'Check whether a terminal can list it.';
    const line = `${root} cannot be read: ${reasonOf(code)}`;
    return { isGood: false, line, hint: code === 'ENOENT' ? hint + (separatorHint(root) || suggestPath(root)) : hint };
  }
}

/** Opens a root folder as a search does, and counts the files that a search would read. */
async function describeRoot(root: string): Promise<CheckResult> {
  // A user who opens a file needs the permission to enter its folder. The dot at the end of the path causes the error
  // ENOTDIR if the path is a file.
  await access(`${root}${path.sep}.`, constants.R_OK | constants.X_OK);
  const folder = await opendir(root);
  if (readPseudoFileSystems().contains(await realpath(root))) {
    await folder.close();
    const line = `${root} is in a pseudo file system, which is not searched`;
    return { isGood: false, line, hint: 'Name a folder that contains files of the user.' };
  }
  await folder.close();
  const { files, hasEntries, isComplete } = await countFiles(root);
  if (files > 0 || !isComplete) {
    const count = `${files}${isComplete ? '' : ' or more'} ${files === 1 ? 'file' : 'files'}`;
    return { isGood: true, line: `${root} can be read: ${count}` };
  }
  const content = !hasEntries ? 'is empty' : 'contains no files that are searched; hidden and generated ones are not';
  return {
    isGood: true,
    isWarning: true,
    line: `${root} ${content}`,
    hint: 'A search finds nothing there: check that --files-root names the right folder.',
  };
}

/** The time limit for counting files in milliseconds. If it passes in a large folder, the number is incomplete. */
const countingMs = 2000;

/** Counts the files that a search would find. Unreadable folders are left out, as in a search. */
async function countFiles(root: string): Promise<{ files: number; hasEntries: boolean; isComplete: boolean }> {
  const endsAt = performance.now() + countingMs;
  const waiting = [root];
  let files = 0;
  let hasEntries = false;
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (performance.now() > endsAt) return { files, hasEntries, isComplete: false };
    for (const entry of (await readdir(folder, { withFileTypes: true }).catch(undefinedIfSystemError)) ?? []) {
      hasEntries = true;
      if (skipReasonOfName(entry.name) !== undefined) continue;
      if (entry.isDirectory()) waiting.push(path.join(folder, entry.name));
      else if (entry.isFile()) files++;
    }
  }
  return { files, hasEntries, isComplete: true };
}

/**
 * Tests the cache folder: it creates a file in the folder and removes it. If the folder did not exist, it is created
 * and removed as well.
 */
function checkCacheFolder(folder: string, roots: readonly string[]): CheckResult {
  try {
    const fault = runInCreatedFolders(folder, () => {
      const problem = findCacheFolderProblem({ folder, roots });
      if (problem === undefined) tryWriting(folder);
      return problem;
    });
    if (fault !== undefined) {
      const hint =
        'Nothing is stored. Use a folder that only you can access (chmod 700), outside of the searched folders.';
      return { isGood: false, line: `--files-cache ${folder} ${fault}`, hint };
    }
    return { isGood: true, line: `${folder} can store the index` };
  } catch (error) {
    const line = `--files-cache ${folder} cannot be written: ${describeWriteError(error)}`;
    const hint = 'Nothing is stored. Use a folder with free space that the user who runs the host can write.';
    return { isGood: false, line, hint };
  }
}

/**
 * Returns a hint if the path contains a separator for lists of folders, such as `;`. If this system uses another
 * separator, the character becomes a part of the path.
 */
function separatorHint(root: string): string {
  const separators = process.platform === 'win32' ? /[;,]|:(?![/\\])/ : /[;,:]/;
  if (!separators.test(root)) return '';
  return ` Several folders are several flags, or a list with "${path.delimiter}" in OJ_MCP_FILES_ROOT.`;
}

const grantReading =
  'Give the user who runs the host read permission; on macOS the host needs the permission for files and folders.';

const remedies: Readonly<Record<string, string>> = {
  ENOENT: 'Correct --files-root, or mount the disk it is on.',
  ENOTDIR: 'Name the folder the file is in.',
  ELOOP: 'Name the folder that the link should lead to.',
  ENAMETOOLONG: 'Correct --files-root.',
  EACCES: grantReading,
  EPERM: grantReading,
};
