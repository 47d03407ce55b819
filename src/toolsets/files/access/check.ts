import { accessSync, constants, lstatSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from '../../../errors/system-error.ts';
import type { CheckResult } from '../../../toolset/toolset.ts';
import type { Settings } from '../settings.ts';
import { findCacheFolderProblem } from './cache-folder.ts';

/** Yields the results of --check: each root folder is opened as in a search, and the cache folder is tested. */
export async function* checkFolders({ roots, cacheFolder, isDemo }: Settings): AsyncGenerator<CheckResult> {
  if (isDemo) yield { isGood: true, line: 'a sample folder, because of --demo' };
  else if (roots.length === 0) {
    yield {
      isGood: false,
      line: 'no folder can be searched',
      hint: 'Set at least one --files-root with an absolute path.',
    };
  }
  for (const root of roots) yield await checkRoot(root);
  if (cacheFolder !== undefined) yield checkCacheFolder(cacheFolder, roots);
}

async function checkRoot(root: string): Promise<CheckResult> {
  try {
    const folder = await opendir(root);
    try {
      await folder.read();
    } finally {
      await folder.close();
    }
    return { isGood: true, line: `${root} can be read` };
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    const [fault, hint] = explanations[code] ?? [`cannot be opened (${code})`, 'Check whether a terminal can list it.'];
    return { isGood: false, line: `${root} ${fault}`, hint: code === 'ENOENT' ? hint + separatorHint(root) : hint };
  }
}

/** Checks that the cache folder exists or can be created by the first search. */
function checkCacheFolder(folder: string, roots: readonly string[]): CheckResult {
  let there = folder;
  try {
    while (lstatSync(there, { throwIfNoEntry: false }) === undefined && path.dirname(there) !== there)
      there = path.dirname(there);
    const fault = there === folder ? findCacheFolderProblem({ folder, roots }) : undefined;
    if (fault !== undefined) {
      const hint =
        'Nothing is stored. Use a folder that only you can access (chmod 700), outside of the searched folders.';
      return { isGood: false, line: `--files-cache ${folder} ${fault}`, hint };
    }
    accessSync(there, constants.W_OK);
    return { isGood: true, line: `${folder} can store the index` };
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    const hint = 'Nothing is stored. Use a folder that the user who runs the host can write.';
    return { isGood: false, line: `--files-cache ${folder} cannot be written (${code})`, hint };
  }
}

/**
 * An environment variable with several folders separates them with ":" or ";", as the system does. Any other separator
 * would become part of the path.
 */
function separatorHint(root: string): string {
  if (!/[;,]|:(?![/\\])/.test(root)) return '';
  return ` OJ_MCP_FILES_ROOT separates folders with "${path.delimiter}".`;
}

const denied = [
  'cannot be read by this user',
  'Give the user who runs the host read permission; on macOS the host needs the permission for files and folders.',
] as const;

const explanations: Readonly<Record<string, readonly [fault: string, hint: string]>> = {
  ENOENT: ['does not exist', 'Correct --files-root, or mount the disk it is on.'],
  ENOTDIR: ['is not a folder', 'Name the folder the file is in.'],
  ELOOP: ['is a symbolic link that leads back to itself', 'Name the folder that it should lead to.'],
  EACCES: denied,
  EPERM: denied,
};
