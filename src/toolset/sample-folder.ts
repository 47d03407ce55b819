import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A file of a demonstration; `date` makes it that old. */
export interface Sample {
  name: string;
  content: string | Uint8Array;
  date?: string;
}

/** A temporary folder with these files, that goes when the program does. */
export function createSampleFolder(samples: readonly Sample[]): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'oj-mcp-sample-')));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const { name, content, date } of samples) {
    const file = path.join(folder, ...name.split('/'));
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    if (date !== undefined) utimesSync(file, new Date(date), new Date(date));
  }
  return folder;
}
