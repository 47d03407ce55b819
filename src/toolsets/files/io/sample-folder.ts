import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const samples: readonly (readonly [name: string, date: string, content: string])[] = [
  [
    'notes/segment-tree.md',
    '2026-03-01T10:00:00Z',
    '# Segment tree\n\nRange minimum with lazy propagation: push before you descend.\n',
  ],
  ['notes/café.txt', '2026-02-14T08:30:00Z', 'Réunion at the café: bring the résumé and the list of problems.\n'],
  [
    'solutions/two-sum.py',
    '2026-01-20T18:00:00Z',
    'def two_sum(numbers, target):\n    seen = {}\n    for i, n in enumerate(numbers):\n        if target - n in seen:\n            return seen[target - n], i\n        seen[n] = i\n',
  ],
  [
    'solutions/dijkstra.cpp',
    '2026-01-18T21:15:00Z',
    '// Shortest paths with a priority queue.\n#include <queue>\nint main() { return 0; }\n',
  ],
  ['pictures/dot.gif', '2025-12-24T12:00:00Z', 'GIF89a\u0001\u0000\u0001\u0000\u0000\u0000\u0000;'],
];

/** A small collection for a demonstration, in a folder of its own that goes when the program does. */
export function createSampleFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'oj-mcp-sample-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const [name, date, content] of samples) {
    const file = path.join(folder, ...name.split('/'));
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content, name.endsWith('.gif') ? 'latin1' : 'utf8');
    utimesSync(file, new Date(date), new Date(date));
  }
  return folder;
}
