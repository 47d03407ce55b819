import type fs from 'node:fs';
import path from 'node:path';
import { isoSeconds } from '../model/dates.ts';
import { type FileType, type FileTypes, folderType } from '../model/file-type.ts';
import { inspect } from './inspect.ts';
import { statFolder } from './open-file.ts';
import type { Attributes } from './reader-messages.ts';

/** What the system knows of a file or folder; nothing when it is not there any more. */
export function systemAttributes(file: string, types: FileTypes): Attributes | undefined {
  const folder = attempt(() => statFolder(file));
  if (folder !== undefined) return usual(file, folderType, folder);
  const inspected = inspect(file, file, types);
  return inspected && usual(file, inspected.type, inspected.stat);
}

function attempt(work: () => fs.Stats | undefined): fs.Stats | undefined {
  try {
    return work();
  } catch {
    return undefined; // gone, or behind a folder that is closed to us
  }
}

function usual(file: string, type: FileType, stat: fs.Stats): Attributes {
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
    // Windows does not count blocks.
    kMDItemPhysicalSize: Number.isFinite(stat.blocks) && stat.blocks > 0 ? stat.blocks * 512 : stat.size,
  };
}
