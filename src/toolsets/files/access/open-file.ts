import fs from 'node:fs';
import { systemErrorCodeOf, tryOrUndefined } from '../../../errors/system-error.ts';
import { isInsideFolder, pathStyleOfPlatform } from './paths.ts';

/** The stat fields that change when the content of a file changes. */
export interface FileStat {
  mtimeMs: number;
  ctimeMs: number;
  size: number;
  ino: number;
}

export function isSameFileStat(left: FileStat, right: FileStat): boolean {
  return (
    left.mtimeMs === right.mtimeMs &&
    left.ctimeMs === right.ctimeMs &&
    left.size === right.size &&
    left.ino === right.ino
  );
}

/** The stat fields that the results of get_metadata contain. */
export interface FileSystemStat {
  ino: number;
  size: number;
  blocks: number;
  uid: number;
  gid: number;
  mtimeMs: number;
  ctimeMs: number;
  birthtimeMs: number;
}

/**
 * Truncates times to microseconds. A number cannot represent nanoseconds exactly, and rounding could yield the next
 * second.
 */
function toPlaceStat({ ino, size, blocks, uid, gid, mtimeNs, ctimeNs, birthtimeNs }: fs.BigIntStats): FileSystemStat {
  return {
    ino: Number(ino),
    size: Number(size),
    blocks: Number(blocks),
    uid: Number(uid),
    gid: Number(gid),
    mtimeMs: Number(mtimeNs / 1000n) / 1000,
    ctimeMs: Number(ctimeNs / 1000n) / 1000,
    birthtimeMs: Number(birthtimeNs / 1000n) / 1000,
  };
}

export interface OpenFile {
  fd: number;
  stat: fs.Stats;
}

type Inode = Pick<FileSystemStat, 'ino' | 'birthtimeMs' | 'mtimeMs' | 'size'>;

// O_NOFOLLOW and O_NONBLOCK are undefined on Windows and count as 0.
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
/**
 * O_PATH opens a file without read access and without blocking. It exists only on Linux, and Node has no constant for
 * it.
 */
const O_PATH = 0o10000000;

/** The error codes of a file that was deleted or replaced by another type of entry. */
const goneCodes: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'EMLINK', 'ENXIO', 'ENODEV']);

/** Returns whether the error means that a file exists but cannot be read. */
export function isFileAccessError(error: unknown): boolean {
  const code = systemErrorCodeOf(error);
  return code !== undefined && !goneCodes.has(code);
}

/**
 * Opens a file without following a symbolic link and without waiting for the other end of a pipe. Callers check the
 * type of the open file.
 */
export function openForReading(path: string): number {
  return fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
}

/**
 * Returns whether the contents of a file are only in cloud storage, so that reading would download them. Such files use
 * no disk blocks. Very small files may use none either, because some file systems store their contents in the directory
 * entry.
 */
export function isOnlineOnlyFile(
  { size, blocks }: Pick<fs.Stats, 'size' | 'blocks'>,
  platform: NodeJS.Platform,
): boolean {
  return (platform === 'darwin' || platform === 'win32') && blocks === 0 && size >= minPlaceholderBytes;
}

const minPlaceholderBytes = 4096;

/**
 * Returns the stat of a file whose contents are only in cloud storage, without opening it, because this would download
 * them. Linux has no such files.
 */
export function statOnlineOnlyFile(path: string): fs.Stats | undefined {
  if (process.platform !== 'darwin' && process.platform !== 'win32') return undefined;
  const stat = fs.lstatSync(path);
  return isOnlineOnlyFile(stat, process.platform) ? stat : undefined;
}

/** Opens a regular file. Returns undefined for folders, pipes and devices. */
export function openRegularFile(path: string): OpenFile | undefined {
  const fd = openForReading(path);
  const stat = fs.fstatSync(fd);
  if (stat.isFile()) return { fd, stat };
  fs.closeSync(fd);
  return undefined;
}

/**
 * Calls `read` for a regular file inside the root folder. Returns undefined for any other file, and for a file that
 * cannot be read.
 */
export function withRegularFile<Result>(
  path: string,
  allowedRoot: string,
  read: (file: OpenFile) => Result,
): Result | undefined {
  return tryOrUndefined(() => {
    if (statOnlineOnlyFile(path) !== undefined) return undefined;
    const file = openRegularFile(path);
    if (file === undefined) return undefined;
    try {
      return isOpenFileInside(file, path, allowedRoot) ? read(file) : undefined;
    } finally {
      fs.closeSync(file.fd);
    }
  });
}

/** Returns the stat of a file if the file is still inside the root folder. Read permission is not required. */
export function statFileInside(path: string, allowedRoot: string): FileSystemStat | undefined {
  return statPlace(path, allowedRoot, stat => stat.isFile());
}

/** Returns the stat of a folder without following a symbolic link. */
export function statFolder(path: string): FileSystemStat | undefined {
  return statPlace(path, path, stat => stat.isDirectory());
}

function statPlace(
  path: string,
  allowedRoot: string,
  isWanted: (stat: fs.BigIntStats) => boolean,
): FileSystemStat | undefined {
  if (process.platform !== 'linux') {
    const stat = fs.lstatSync(path, { bigint: true });
    return isWanted(stat) && isPathInside(path, toPlaceStat(stat), allowedRoot) ? toPlaceStat(stat) : undefined;
  }
  const fd = fs.openSync(path, O_PATH | O_NOFOLLOW);
  try {
    const exact = fs.fstatSync(fd, { bigint: true });
    const stat = toPlaceStat(exact);
    return isWanted(exact) && isOpenFileInside({ fd, stat }, path, allowedRoot) ? stat : undefined;
  } finally {
    fs.closeSync(fd);
  }
}

/**
 * Returns whether an open file is inside a folder. A parent folder may have been replaced by a symbolic link since the
 * folder was listed. On Linux the path of the open file descriptor is tested; on other systems the path is resolved
 * again.
 */
export function isOpenFileInside(
  { fd, stat }: { fd: number; stat: Inode },
  path: string,
  allowedRoot: string,
): boolean {
  if (process.platform === 'linux') {
    const opened = linkTarget(`/proc/self/fd/${fd}`);
    if (opened !== undefined) return opened === path && isInsideFolder(opened, allowedRoot, 'posix');
  }
  return isPathInside(path, stat, allowedRoot);
}

/** Returns whether a file is inside a folder, on systems that do not report the path of an open file. */
export function isPathInside(path: string, stat: Inode, allowedRoot: string): boolean {
  return (
    isInsideFolder(fs.realpathSync.native(path), allowedRoot, pathStyleOfPlatform(process.platform)) &&
    isSameFile(path, stat)
  );
}

/**
 * Returns whether the path still leads to the same file. The device is not compared, because on Windows some versions
 * of libuv return different devices for the path and for the open file. An attacker cannot create another file with the
 * same inode, birth time, modification time and size.
 */
function isSameFile(path: string, { ino, birthtimeMs, mtimeMs, size }: Inode): boolean {
  const now = fs.lstatSync(path, { throwIfNoEntry: false });
  return (
    now !== undefined &&
    !now.isSymbolicLink() &&
    now.ino === ino &&
    now.size === size &&
    isSameTime(now.birthtimeMs, birthtimeMs) &&
    isSameTime(now.mtimeMs, mtimeMs)
  );
}

/** Compares two times with a tolerance, because a time that was converted from a bigint differs in the last digits. */
function isSameTime(left: number, right: number): boolean {
  return Math.abs(left - right) < 0.01;
}

function linkTarget(path: string): string | undefined {
  return tryOrUndefined(() => fs.readlinkSync(path)); // /proc can be missing
}

/** Reads a part of a file. The buffer is shorter at the end of the file. */
export function readFilePart({ fd, stat }: OpenFile, position: number, length: number): Buffer {
  const part = Buffer.allocUnsafe(Math.max(0, Math.min(length, stat.size - position)));
  return part.subarray(0, readIntoBuffer(part, fd, 0, part.length, position));
}

/**
 * Reads bytes of a file, from its byte `offset` on, into the buffer between the indexes `start` and `length`. Returns
 * the index after the last byte that was read.
 */
export function readIntoBuffer(buffer: Buffer, fd: number, start: number, length: number, offset = 0): number {
  let filled = start;
  while (filled < length) {
    const count = fs.readSync(fd, buffer, filled, length - filled, offset + filled);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}
