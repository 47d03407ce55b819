import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { tryOrUndefined } from '../../src/errors/system-error.ts';

const folder = '/proc/self/fd';

/**
 * Returns the number of open files and folders of this process, or 0 on systems that do not tell it. Sockets and pipes
 * are not counted, because those of earlier tests are closed at any time.
 */
export function countOpenDescriptors(): number {
  if (!existsSync(folder)) return 0;
  // The descriptor that lists the folder is closed before its link is read.
  const targets = readdirSync(folder).map(name => tryOrUndefined(() => readlinkSync(path.join(folder, name))));
  return targets.filter(target => target?.startsWith('/')).length;
}
