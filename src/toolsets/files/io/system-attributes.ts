import path from 'node:path';
import { isoSeconds } from '../model/dates.ts';
import { type FileType, type FileTypes, folderType } from '../model/file-type.ts';
import { inspect } from './inspect.ts';
import { type PlaceStat, statFolder } from './open-file.ts';
import type { Attributes } from './threads/reader-messages.ts';

/** What the system knows of a file or folder; nothing when it is not there any more. */
export function systemAttributes(file: string, types: FileTypes): Attributes | undefined {
  const folder = attempt(() => statFolder(file));
  if (folder !== undefined) return usual(file, folderType, folder);
  const inspected = inspect(file, file, types);
  return inspected && usual(file, inspected.type, inspected.stat);
}

function attempt(work: () => PlaceStat | undefined): PlaceStat | undefined {
  try {
    return work();
  } catch {
    return undefined; // gone, or behind a folder that is closed to us
  }
}

function usual(file: string, type: FileType, stat: PlaceStat): Attributes {
  const name = path.basename(file);
  return {
    kMDItemContentCreationDate: isoSeconds(stat.birthtimeMs),
    kMDItemContentModificationDate: isoSeconds(stat.mtimeMs),
    kMDItemContentType: type.identifier,
    kMDItemContentTypeTree: type.tree,
    kMDItemDisplayName: name,
    kMDItemFSContentChangeDate: isoSeconds(stat.mtimeMs),
    kMDItemFSCreationDate: isoSeconds(stat.birthtimeMs),
    kMDItemFSInvisible: name.startsWith('.') ? 1 : 0,
    kMDItemFSName: name,
    kMDItemFSOwnerGroupID: stat.gid,
    kMDItemFSOwnerUserID: stat.uid,
    kMDItemFSSize: stat.size,
    kMDItemKind: type.label,
    kMDItemPhysicalSize: stat.blocks * 512,
  };
}
