import fs from 'node:fs';
import { tryOrUndefined } from '../../../errors/system-error.ts';
import { isInsideFolder } from './paths.ts';

/**
 * The mount points of pseudo file systems such as /proc. Reading their files can block forever or change the system.
 */
export interface PseudoFileSystems {
  /** Returns whether a folder is the mount point of a pseudo file system. */
  has(folder: string): boolean;
  /** Returns whether a folder is in a pseudo file system. */
  contains(folder: string): boolean;
}

/** Reads the mount points of pseudo file systems, which exist only on Linux. */
export function readPseudoFileSystems(): PseudoFileSystems {
  if (process.platform !== 'linux') return { has: () => false, contains: () => false };
  return parseMountInfo(tryOrUndefined(() => fs.readFileSync('/proc/self/mountinfo', 'utf8')) ?? '');
}

/** These folders are always skipped, even if the table of mounts cannot be read. */
const names: ReadonlySet<string> = new Set(['/proc', '/sys', '/dev', '/run']);
const pseudoTypes: ReadonlySet<string> = new Set(
  `binfmt_misc bpf cgroup cgroup2 configfs debugfs devpts devtmpfs efivarfs fusectl hugetlbfs mqueue nsfs proc pstore
   rpc_pipefs securityfs selinuxfs sysfs tracefs`.split(/\s+/),
);

/** Parses the table of mounts in /proc/self/mountinfo, see proc_pid_mountinfo(5). */
export function parseMountInfo(mountInfo: string): PseudoFileSystems {
  const mounts = mountInfo.split('\n').flatMap(line => {
    const [before = '', after = ''] = line.split(' - ');
    const folder = before.split(' ')[4];
    return folder === undefined ? [] : [{ folder: unescapeOctal(folder), type: after.split(' ')[0] ?? '' }];
  });
  const pseudo = new Set(mounts.flatMap(({ folder, type }) => (pseudoTypes.has(type) ? [folder] : [])));
  return {
    has: folder => names.has(folder) || pseudo.has(folder),
    contains(folder) {
      const around = mounts.filter(mount => isInsideFolder(folder, mount.folder, 'posix'));
      const deepest = around.reduce((left, right) => (right.folder.length >= left.length ? right.folder : left), '');
      return pseudo.has(deepest);
    },
  };
}

/** Decodes the octal escapes of spaces, tabs, line breaks and backslashes in a path. */
function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
