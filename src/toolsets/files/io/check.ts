import { opendir } from 'node:fs/promises';
import { systemCode } from '../../../system-error.ts';
import type { Finding } from '../../../toolset.ts';
import type { Settings } from '../settings.ts';

/** Opens each folder that may be searched, as a search would. */
export async function* check({ roots, isDemo }: Settings): AsyncGenerator<Finding> {
  if (isDemo) yield { isGood: true, line: 'a sample folder, because of --demo' };
  else if (roots.length === 0) {
    yield {
      isGood: false,
      line: 'no folder may be searched',
      hint: 'Give at least one: --files-root, with an absolute path.',
    };
  }
  for (const root of roots) yield await lookAt(root);
}

async function lookAt(root: string): Promise<Finding> {
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
