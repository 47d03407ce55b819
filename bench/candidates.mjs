// The measured programs and their commands.
import path from 'node:path';

export const floorName = 'bare Node';
export const ourName = 'oj-mcp';
/** With all toolsets, only the start is measured. */
export const allName = 'oj-mcp --toolsets all';
/** The program that is the basis of the ratios. */
export const referenceName = 'reference';

const bench = import.meta.dirname;

/** `command(node, origin)` returns the command line. `isFull` marks a server whose tools can be called. */
export function ownCandidates() {
  const bundle = path.join(bench, '../dist/oj-mcp.cjs');
  const folders = ['--books-root', bench, '--files-root', bench]; // never opened: no tool of theirs is called
  return [
    { name: floorName, isFull: false, command: node => [node, path.join(bench, 'floor.cjs')] },
    { name: ourName, isFull: true, command: (node, origin) => [node, bundle, '--base-url', origin] },
    {
      name: allName,
      isFull: false,
      command: (node, origin) => [node, bundle, '--toolsets', 'all', ...folders, '--base-url', origin],
    },
  ];
}

/** Parses `NAME=COMMAND…` of the command line. The word `node` stands for the measured Node. */
export function parsePeer(text) {
  const [, name, words] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (name === undefined) throw new Error(`--peer wants NAME=COMMAND, got ${JSON.stringify(text)}`);
  const [file, ...args] = words.trim().split(/\s+/);
  return {
    name,
    isFull: true,
    command: (node, origin) => [file === 'node' ? node : file, ...args, '--base-url', origin],
  };
}
