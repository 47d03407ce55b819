import { accessSync, constants, existsSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from '../../../errors/system-error.ts';
import type { CheckResult } from '../../../toolset/toolset.ts';
import type { Settings } from '../settings.ts';
import { cacheFolderProblem } from './cache-folder.ts';

/** Yields the results of --check: each root folder is opened as in a search, and the cache folder is tested. */
export async function* check({ roots, cacheFolder, isDemo }: Settings): AsyncGenerator<CheckResult> {
  if (isDemo) yield { isGood: true, line: 'a sample folder, because of --demo' };
  else if (roots.length === 0) {
    yield {
      isGood: false,
      line: 'no folder may be searched',
      hint: 'Give at least one: --files-root, with an absolute path.',
    };
  }
  for (const root of roots) yield await lookAt(root);
  if (cacheFolder !== undefined) yield lookAtCache(cacheFolder, roots);
}

async function lookAt(root: string): Promise<CheckResult> {
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
    const [fault, hint] = faults[code] ?? [`cannot be opened (${code})`, 'See whether it can be listed in a terminal.'];
    return { isGood: false, line: `${root} ${fault}`, hint };
  }
}

/** Checks that the cache folder exists or can be created by the first search. */
function lookAtCache(folder: string, roots: readonly string[]): CheckResult {
  let there = folder;
  while (!existsSync(there) && path.dirname(there) !== there) there = path.dirname(there);
  try {
    const fault = there === folder ? cacheFolderProblem({ folder, roots }) : undefined;
    if (fault !== undefined) {
      const hint =
        'Nothing is kept. Name a folder in your home that is yours alone (chmod 700), outside of what is searched.';
      return { isGood: false, line: `--files-cache ${folder} ${fault}`, hint };
    }
    accessSync(there, constants.W_OK);
    return { isGood: true, line: `${folder} can hold what is known of the files` };
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    const hint = 'Nothing is kept. Name a folder where the user who runs the host may write.';
    return { isGood: false, line: `--files-cache ${folder} cannot be written (${code})`, hint };
  }
}

const denied = [
  'may not be read',
  'Give the user who runs the host the right to read it; on macOS the host needs the permission for files and folders.',
] as const;

const faults: Readonly<Record<string, readonly [fault: string, hint: string]>> = {
  ENOENT: ['does not exist', 'Correct --files-root, or mount the disk it is on.'],
  ENOTDIR: ['is not a folder', 'Name the folder the file is in.'],
  EACCES: denied,
  EPERM: denied,
};
