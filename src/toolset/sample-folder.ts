import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createFolders } from './create-folders.ts';
import { createTempFolder } from './temp-folder.ts';

/** A sample file of the demo. Its modification time is `date`. */
export interface DemoFile {
  name: string;
  content: string | Uint8Array;
  date?: string;
}

/** Creates a temporary folder with these files, and removes it when the process exits. */
export function createDemoFolder(samples: readonly DemoFile[]): string {
  const folder = createTempFolder('sample');
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const { name, content, date } of samples) {
    const file = path.join(folder, ...name.split('/'));
    createFolders(path.dirname(file));
    writeFileSync(file, content);
    if (date !== undefined) utimesSync(file, new Date(date), new Date(date));
  }
  return folder;
}
