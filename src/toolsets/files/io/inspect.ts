import fs from 'node:fs';
import { unlessRefused } from '../../../system-error.ts';
import {
  extensionOf,
  type FileType,
  type FileTypes,
  isNameUnsure,
  sniffBytes,
  typeByName,
} from '../model/file-type.ts';
import { sniffExtension } from '../model/sniff.ts';
import { isFileInside, openRegular, type PlaceStat, readInto, statInside } from './open-file.ts';

export interface Inspected {
  stat: PlaceStat;
  type: FileType;
}

/** What a file is at this moment; undefined when it is no regular file inside the fence any more. */
export function inspect(path: string, fence: string, types: FileTypes): Inspected | undefined {
  const stat = unlessRefused(() => statInside(path, fence)); // it may be gone between the walk and now
  return stat === undefined ? undefined : { stat, type: typeOf(path, fence, types) };
}

/** By the name, and by the bytes where the name says nothing or lies. */
export function typeOf(path: string, fence: string, types: FileTypes): FileType {
  if (!isNameUnsure(path)) return typeByName(types, path);
  return types.get(sniff(path, fence)) ?? typeByName(types, path);
}

/** A file that may not be read, or is gone by now, keeps the type its name gives it. */
function sniff(path: string, fence: string): string {
  const sniffed = unlessRefused(() => {
    const file = openRegular(path);
    if (file === undefined) return undefined;
    try {
      if (!isFileInside(file, path, fence)) return undefined;
      const head = Buffer.allocUnsafe(Math.min(file.stat.size, sniffBytes));
      return sniffExtension(path, head.subarray(0, readInto(head, file.fd, 0, head.length)));
    } finally {
      fs.closeSync(file.fd);
    }
  });
  return sniffed ?? extensionOf(path);
}
