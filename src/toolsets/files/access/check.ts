import { access, constants, opendir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { reasonOf } from '../../../errors/reason.ts';
import { systemErrorCodeOf } from '../../../errors/system-error.ts';
import { describeWriteError, runInCreatedFolders, tryWriting } from '../../../toolset/create-folders.ts';
import { suggestPath } from '../../../toolset/similar-path.ts';
import { checkTempFolder } from '../../../toolset/temp-folder.ts';
import type { CheckResult } from '../../../toolset/toolset.ts';
import type { Settings } from '../settings.ts';
import { findCacheFolderProblem } from './cache-folder.ts';
import { countFiles, type RootContent } from './count-files.ts';
import { readPseudoFileSystems } from './system-folders.ts';

/** Yields the results of --check: each root folder is opened as in a search, and the cache folder is tested. */
export async function* checkFolders({ roots, cacheFolder, isDemo }: Settings): AsyncGenerator<CheckResult> {
  if (isDemo) yield checkTempFolder('a sample folder, because of --demo');
  for (const root of roots) yield* checkRoot(root);
  if (cacheFolder !== undefined) yield checkCacheFolder(cacheFolder, roots);
}

async function* checkRoot(root: string): AsyncGenerator<CheckResult> {
  try {
    yield* describeRoot(root);
  } catch (error) {
    const code = systemErrorCodeOf(error);
    if (code === undefined) throw error;
    const hint = remedies[code] ?? 'Check whether a terminal can list it.';
    const line = `${root} cannot be read: ${reasonOf(code)}`;
    yield { isGood: false, line, hint: code === 'ENOENT' ? hint + (separatorHint(root) || suggestPath(root)) : hint };
  }
}

/** Opens a root folder as a search does, and counts the files that a search would read. */
async function* describeRoot(root: string): AsyncGenerator<CheckResult> {
  // A user who opens a file needs the permission to enter its folder. The dot at the end of the path causes the error
  // ENOTDIR if the path is a file.
  await access(`${root}${path.sep}.`, constants.R_OK | constants.X_OK);
  const folder = await opendir(root);
  await folder.close();
  const place = await realpath(root);
  if (readPseudoFileSystems().contains(place)) {
    const line = `${root} is in a pseudo file system, which is not searched`;
    yield { isGood: false, line, hint: 'Name a folder that contains files of the user.' };
    return;
  }
  if ([path.parse(place).root, path.resolve(homedir())].includes(place)) {
    const line = `${root} is a whole disk or home folder: a search for one of its hidden folders, such as .ssh, reads them`;
    yield { isGood: true, isWarning: true, line, hint: 'Name the folders that the model needs, such as ~/Documents.' };
  }
  const content = await countFiles(root);
  const { files, isComplete } = content;
  if (files > 0 || !isComplete) {
    const count = `${files}${isComplete ? '' : ' or more'} ${files === 1 ? 'file' : 'files'}`;
    yield { isGood: true, line: `${root} can be searched: ${count}` };
  } else if (content.denied + content.invalidNames === 0) {
    const rest = content.hasEntries
      ? 'contains no files that are searched; hidden and generated ones are not'
      : 'is empty';
    const hint = 'A search finds nothing there: check that --files-root names the right folder.';
    yield { isGood: true, isWarning: true, line: `${root} ${rest}`, hint };
  }
  yield* warnOfUnreadableEntries(root, content);
}

function* warnOfUnreadableEntries(root: string, content: RootContent): Generator<CheckResult> {
  const { denied, deniedPaths, invalidNames } = content;
  const warn = (line: string, hint: string): CheckResult => ({ isGood: true, isWarning: true, line, hint });
  if (denied > 0) {
    const names =
      deniedPaths.map(place => JSON.stringify(place)).join(', ') + (denied > deniedPaths.length ? ', …' : '');
    const entries = denied === 1 ? '1 file or folder' : `${denied} files and folders`;
    yield warn(`${entries} in ${root} cannot be read: ${names}: ${reasonOf('EACCES')}`, grantReading);
  }
  if (invalidNames > 0) {
    const names = invalidNames === 1 ? '1 name' : `${invalidNames} names`;
    yield warn(`${names} in ${root} cannot be read: not valid UTF-8`, 'Rename these files or folders.');
  }
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
