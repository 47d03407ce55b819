import fs from 'node:fs';
import { systemCode, tryOrUndefined } from '../../../errors/system-error.ts';
import { isInside, pathStyle } from './paths.ts';

/** The fields that change with the content of a file. */
export interface FileStat {
  mtimeMs: number;
  ctimeMs: number;
  size: number;
  ino: number;
}

/** The stat fields that results contain. */
export interface PlaceStat {
  ino: number;
  size: number;
  blocks: number;
  uid: number;
  gid: number;
  mtimeMs: number;
  ctimeMs: number;
  birthtimeMs: number;
}

/** Truncates times to microseconds: as a double, the last nanoseconds of a second would round up to the next one. */
function toPlaceStat({ ino, size, blocks, uid, gid, mtimeNs, ctimeNs, birthtimeNs }: fs.BigIntStats): PlaceStat {
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

type Inode = Pick<PlaceStat, 'ino' | 'birthtimeMs' | 'mtimeMs' | 'size'>;

// The last two are undefined on Windows, which counts as no bits.
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
/** Opens a file without read access and without blocking; Linux only, and Node has no constant for it. */
const O_PATH = 0o10000000;

/** The error codes of a file that was deleted or replaced by something else. */
const goneCodes: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'EMLINK', 'ENXIO', 'ENODEV']);

/** Returns whether a file may exist although it cannot be read. */
export function isUnreadable(error: unknown): boolean {
  const code = systemCode(error);
  return code !== undefined && !goneCodes.has(code);
}

/** Opens a file without following a link and without waiting for the other end of a pipe. Callers check the type of the open file. */
export function openToRead(path: string): number {
  return fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
}

/**
 * Whether the contents of a file are kept online only: reading it would fetch it. Such files take no room on the disk; very small ones do not
 * either, on file systems that store them with their names.
 */
export function isPlaceholder({ size, blocks }: Pick<fs.Stats, 'size' | 'blocks'>, platform: NodeJS.Platform): boolean {
  return (platform === 'darwin' || platform === 'win32') && blocks === 0 && size >= minPlaceholderBytes;
}

const minPlaceholderBytes = 4096;

/** The state of a file whose contents are online only, so that it must not be opened. Linux has no such files. */
export function statIfOnline(path: string): fs.Stats | undefined {
  if (process.platform !== 'darwin' && process.platform !== 'win32') return undefined;
  const stat = fs.lstatSync(path);
  return isPlaceholder(stat, process.platform) ? stat : undefined;
}

/** Opens a regular file; undefined for other types. */
export function openRegular(path: string): OpenFile | undefined {
  const fd = openToRead(path);
  const stat = fs.fstatSync(fd);
  if (stat.isFile()) return { fd, stat };
  fs.closeSync(fd);
  return undefined;
}

/** Runs `look` on a regular file inside the root; returns undefined for any other file, and for a file that cannot be read. */
export function lookInto<Result>(
  path: string,
  allowedRoot: string,
  look: (file: OpenFile) => Result,
): Result | undefined {
  return tryOrUndefined(() => {
    if (statIfOnline(path) !== undefined) return undefined;
    const file = openRegular(path);
    if (file === undefined) return undefined;
    try {
      return isFileInside(file, path, allowedRoot) ? look(file) : undefined;
    } finally {
      fs.closeSync(file.fd);
    }
  });
}

/** The state of a file that is still inside the root; needs no read permission. */
export function statInside(path: string, allowedRoot: string): PlaceStat | undefined {
  return statPlace(path, allowedRoot, stat => stat.isFile());
}

/** The state of a folder. */
export function statFolder(path: string): PlaceStat | undefined {
  return statPlace(path, path, stat => stat.isDirectory());
}

function statPlace(
  path: string,
  allowedRoot: string,
  isWanted: (stat: fs.BigIntStats) => boolean,
): PlaceStat | undefined {
  if (process.platform !== 'linux') {
    const stat = fs.lstatSync(path, { bigint: true });
    return isWanted(stat) && isPathInside(path, toPlaceStat(stat), allowedRoot) ? toPlaceStat(stat) : undefined;
  }
  const fd = fs.openSync(path, O_PATH | O_NOFOLLOW);
  try {
    const exact = fs.fstatSync(fd, { bigint: true });
    const stat = toPlaceStat(exact);
    return isWanted(exact) && isFileInside({ fd, stat }, path, allowedRoot) ? stat : undefined;
  } finally {
    fs.closeSync(fd);
  }
}

/**
 * Whether an open file really lies inside a folder. A folder above it may have been swapped for a link since the walk:
 * where the system tells what was opened, it is asked; elsewhere the path is resolved once more.
 */
export function isFileInside({ fd, stat }: { fd: number; stat: Inode }, path: string, allowedRoot: string): boolean {
  if (process.platform === 'linux') {
    const opened = linkTarget(`/proc/self/fd/${fd}`);
    if (opened !== undefined) return opened === path && isInside(opened, allowedRoot, 'posix');
  }
  return isPathInside(path, stat, allowedRoot);
}

/** For systems that do not report the path of an open file. */
export function isPathInside(path: string, stat: Inode, allowedRoot: string): boolean {
  return isInside(fs.realpathSync.native(path), allowedRoot, pathStyle(process.platform)) && isSameFile(path, stat);
}

/**
 * Never by the device: on Windows some versions of libuv give another one for a path than for an open file. That a file
 * elsewhere has the same number, birth, time and size cannot be arranged by an attacker.
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

/** Times as numbers and as bigint differ in the last digits. */
function isSameTime(left: number, right: number): boolean {
  return Math.abs(left - right) < 0.01;
}

function linkTarget(path: string): string | undefined {
  return tryOrUndefined(() => fs.readlinkSync(path)); // /proc can be missing
}

/** Reads a part of a file; shorter at its end. */
export function readPart({ fd, stat }: OpenFile, position: number, length: number): Buffer {
  const part = Buffer.allocUnsafe(Math.max(0, Math.min(length, stat.size - position)));
  return part.subarray(0, readInto(part, fd, 0, part.length, position));
}

/** Reads from `offset` of the file into a buffer, from `start` up to `length`; returns the end of the filled part. */
export function readInto(buffer: Buffer, fd: number, start: number, length: number, offset = 0): number {
  let filled = start;
  while (filled < length) {
    const count = fs.readSync(fd, buffer, filled, length - filled, offset + filled);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}
