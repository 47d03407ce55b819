import { createFileTypeTable, unknownFileType } from '../../src/documents/file-type.ts';
import { extractMetadata, extractText } from '../../src/documents/index.ts';
import { defineReader, type PumpCase, type Reader } from '../fuzz/pump/reader.ts';

const types = createFileTypeTable();

/**
 * Returns a reader that extracts text and metadata from files with this extension. `wrap` puts the repeated part into a
 * file.
 */
export function fileReader(
  extension: string,
  cases: readonly PumpCase[],
  wrap = (part: Buffer): Buffer => part,
): Reader {
  const type = types.get(extension) ?? unknownFileType;
  return defineReader({
    name: extension,
    cases: cases.map(pumped => ({ name: pumped.name, content: bytes => wrap(pumped.content(bytes)) })),
    read(input) {
      const read = (start: number, length: number): Buffer => input.subarray(start, start + length);
      return [extractText(input, type.format, extension), extractMetadata(read, input.length, type, extension)];
    },
  });
}
