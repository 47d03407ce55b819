import { createHash } from 'node:crypto';
import { createFileTypeTable, unknownFileType } from '../../../src/documents/file-type.ts';
import { extractMetadata, extractText } from '../../../src/documents/index.ts';

/** A test file. The approved output contains its text and its metadata. */
export interface Sample {
  name: string;
  extension: string;
  content: Buffer;
}

export function sample(name: string, extension: string, content: Buffer | string): Sample {
  return { name, extension, content: Buffer.from(content) };
}

const types = createFileTypeTable();

/** Extracts the text and the metadata as the toolset does for a file with this extension. */
export function extract({ extension, content }: Omit<Sample, 'name'>): string {
  const type = types.get(extension) ?? unknownFileType;
  const read = (start: number, length: number): Buffer => content.subarray(start, start + length);
  const facts = JSON.stringify(extractMetadata(read, content.length, type, extension));
  const extracted = extractText(content, type.format, extension);
  if (extracted === undefined) return facts;
  return `${facts}${extracted.isPartial ? ' partial' : ''}\n${extracted.text.toString()}`;
}

/** Returns the text and the metadata of each file, with one line for each line of the text. */
export function listSamples(samples: readonly Sample[]): string {
  return samples.map(each => `## ${each.name}\n${shown(extract(each)).replaceAll(/^(?=.)/gm, '    ')}\n`).join('\n');
}

/** Returns a line for each file, with the length, the hash and the end of its result. */
export function listLengths(samples: readonly Sample[]): string {
  const lines = samples.map(each => {
    const result = extract(each);
    const hash = createHash('sha256').update(result).digest('hex').slice(0, 8);
    return `${each.name}: ${result.length} ${hash} ${JSON.stringify(shown(result.slice(-60).toWellFormed()))}\n`;
  });
  return lines.join('');
}

/** Control characters are escaped, because editors do not show them. */
function shown(text: string): string {
  return text.replaceAll(/(?!\n)[\p{Cc}\p{Cf}\p{Co}\u00a0]/gu, sign => JSON.stringify(sign).slice(1, -1));
}

const blockBytes = 32;

/**
 * Changes each byte of a file in one or two ways and cuts the file before every fourth byte. Returns a line for each block of bytes: its
 * offset, a hash of all results, their number, and the start of the first result that differs from that of the unchanged file.
 */
export function listChanges(
  { name, extension, content }: Sample,
  run = (changed: Buffer): string => extract({ extension, content: changed }),
): string {
  const unchanged = run(content);
  const lines: string[] = [];
  for (let start = 0; start < content.length; start += blockBytes) {
    const results: string[] = [];
    for (let at = start; at < Math.min(start + blockBytes, content.length); at++)
      for (const changed of changesAt(content, at)) results.push(run(changed));
    const hash = createHash('sha256').update(results.join('\0')).digest('hex').slice(0, 12);
    const other = results.find(result => result !== unchanged) ?? '';
    lines.push(
      `${String(start).padStart(5)} ${hash} ${new Set(results).size} ${JSON.stringify(firstDifference(unchanged, other))}`,
    );
  }
  return `## ${name}\n${lines.join('\n')}\n`;
}

function changesAt(content: Buffer, at: number): Buffer[] {
  const byte = content[at] ?? 0;
  const values = [byte + 1, [0, 0x7f, 0x20, byte - 1][at % 4] ?? 0];
  const changed = (at % 2 === 0 ? values : values.slice(1)).map(value => {
    const copy = Buffer.from(content);
    copy[at] = value;
    return copy;
  });
  return at % 4 === 0 ? [...changed, content.subarray(0, at)] : changed;
}

function firstDifference(left: string, right: string): string {
  let at = 0;
  while (at < right.length && left[at] === right[at]) at++;
  return right.slice(Math.max(0, at - 10), at + 30).toWellFormed();
}

/** Returns a line for each length at which the result of the shortened bytes changes, with the end of the result. */
export function listCuts(name: string, content: Buffer, run: (bytes: Buffer) => string): string {
  const lines: string[] = [];
  let before: string | undefined;
  for (let length = 0; length <= content.length; length++) {
    const result = run(content.subarray(0, length));
    if (result !== before) lines.push(`    ${length}: ${JSON.stringify(shown(result.slice(-60).toWellFormed()))}\n`);
    before = result;
  }
  return `${name} (${content.length} bytes)\n${lines.join('')}`;
}
