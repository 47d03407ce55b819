import fs from 'node:fs';
import path from 'node:path';
import { unlessRefused } from '../../../system-error.ts';
import { type Facts, factsOf, isTelling } from '../model/documents/index.ts';
import { extensionOf, type FileType, type FileTypes, folderType } from '../model/file-type.ts';
import { isoSeconds } from '../model/results.ts';
import type { PlistValue } from '../model/spotlight.ts';
import { inspect } from './inspect.ts';
import { isFileInside, type OpenFile, openRegular, type PlaceStat, readInto, statFolder } from './open-file.ts';
import type { Attributes } from './threads/messages.ts';

/** What the system knows of a file or folder; nothing when it is not there any more. */
export function systemAttributes(file: string, types: FileTypes): Attributes | undefined {
  const folder = unlessRefused(() => statFolder(file));
  if (folder !== undefined) return usual(file, folderType, folder);
  const inspected = inspect(file, file, types);
  return inspected && usual(file, inspected.type, inspected.stat);
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

/** What the contents of a file say. */
export function contentAttributes(file: string, types: FileTypes): Attributes {
  const inspected = inspect(file, file, types);
  return inspected === undefined || !isTelling(inspected.type) ? {} : named(readFacts(file, inspected.type));
}

/** A file that may not be read, or is damaged, says nothing. */
function readFacts(file: string, type: FileType): Facts {
  return (
    unlessRefused(() => {
      const open = openRegular(file);
      if (open === undefined) return {};
      try {
        if (!isFileInside(open, file, file)) return {};
        return factsOf((position, length) => readAt(open, position, length), open.stat.size, type, extensionOf(file));
      } finally {
        fs.closeSync(open.fd);
      }
    }) ?? {}
  );
}

/** Under the names Spotlight has for them; what is not known is left out. */
function named(facts: Facts): Attributes {
  const known: Record<string, PlistValue> = {};
  for (const [name, value] of Object.entries(facts)) if (value !== undefined) known[`kMDItem${name}`] = value;
  return known;
}

function readAt({ fd, stat }: OpenFile, position: number, length: number): Buffer {
  const part = Buffer.allocUnsafe(Math.max(0, Math.min(length, stat.size - position)));
  return part.subarray(0, readInto(part, fd, 0, part.length, position));
}
