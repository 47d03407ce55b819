import { basename } from 'node:path';
import type { MetadataValue } from '../../../documents/facts.ts';
import {
  type FileType,
  type FileTypeTable,
  fileTypeOfFolders,
  fileTypeOfName,
  isFileTypeUncertain,
  maxSniffedBytes,
  sniffExtension,
} from '../../../documents/file-type.ts';
import { tryOrUndefined } from '../../../errors/system-error.ts';
import { formatIsoSeconds } from '../match/dates.ts';
import { type FileSystemStat, readFilePart, statFileInside, statFolder, withRegularFile } from './open-file.ts';
export type FileAttributes = Readonly<Record<string, MetadataValue>>;

export interface InspectedFile {
  stat: FileSystemStat;
  type: FileType;
}

/**
 * Returns the stat and type of a file. Returns undefined if the path is not a regular file inside the root folder any
 * more.
 */
export function inspectFile(path: string, allowedRoot: string, types: FileTypeTable): InspectedFile | undefined {
  const stat = tryOrUndefined(() => statFileInside(path, allowedRoot)); // the file can be deleted after the walk
  return stat === undefined ? undefined : { stat, type: detectFileType(path, allowedRoot, types) };
}

/**
 * Determines the file type by the name of the file, and by its first bytes if the name is not sufficient. If the file
 * cannot be read, only the name is used.
 */
export function detectFileType(path: string, allowedRoot: string, types: FileTypeTable): FileType {
  const sniffed = isFileTypeUncertain(path)
    ? withRegularFile(path, allowedRoot, file => sniffExtension(path, readFilePart(file, 0, maxSniffedBytes)))
    : undefined;
  return (sniffed === undefined ? undefined : types.get(sniffed)) ?? fileTypeOfName(types, path);
}

/** Returns the attributes that the file system stores for a file or folder, or undefined if it was deleted. */
export function getSystemAttributes(file: string, types: FileTypeTable): FileAttributes | undefined {
  const folder = tryOrUndefined(() => statFolder(file));
  if (folder !== undefined) return usual(file, fileTypeOfFolders, folder);
  const inspected = inspectFile(file, file, types);
  return inspected && usual(file, inspected.type, inspected.stat);
}

function usual(file: string, type: FileType, stat: FileSystemStat): FileAttributes {
  const name = basename(file);
  return {
    kMDItemContentCreationDate: formatIsoSeconds(stat.birthtimeMs),
    kMDItemContentModificationDate: formatIsoSeconds(stat.mtimeMs),
    kMDItemContentType: type.identifier,
    kMDItemContentTypeTree: type.tree,
    kMDItemDisplayName: name,
    kMDItemFSContentChangeDate: formatIsoSeconds(stat.mtimeMs),
    kMDItemFSCreationDate: formatIsoSeconds(stat.birthtimeMs),
    kMDItemFSInvisible: name.startsWith('.') ? 1 : 0,
    kMDItemFSName: name,
    kMDItemFSOwnerGroupID: stat.gid,
    kMDItemFSOwnerUserID: stat.uid,
    kMDItemFSSize: stat.size,
    kMDItemKind: type.label,
    kMDItemPhysicalSize: stat.blocks * 512,
  };
}
