import { createDemoFolder, type DemoFile } from '../../../toolset/sample-folder.ts';

const samples: readonly DemoFile[] = [
  {
    name: 'notes/segment-tree.md',
    date: '2026-03-01T10:00:00Z',
    content: '# Segment tree\n\nRange minimum with lazy propagation: push before you descend.\n',
  },
  {
    name: 'notes/café.txt',
    date: '2026-02-14T08:30:00Z',
    content: 'Réunion at the café: bring the résumé and the list of problems.\n',
  },
  {
    name: 'solutions/two-sum.py',
    date: '2026-01-20T18:00:00Z',
    content:
      'def two_sum(numbers, target):\n    seen = {}\n    for i, n in enumerate(numbers):\n        if target - n in seen:\n            return seen[target - n], i\n        seen[n] = i\n',
  },
  {
    name: 'solutions/dijkstra.cpp',
    date: '2026-01-18T21:15:00Z',
    content: '// Shortest paths with a priority queue.\n#include <queue>\nint main() { return 0; }\n',
  },
  {
    name: 'pictures/dot.gif',
    date: '2025-12-24T12:00:00Z',
    content: Buffer.from('GIF89a\u0001\u0000\u0001\u0000\u0000\u0000\u0000;', 'latin1'),
  },
];

/** Creates a temporary folder with sample files for the flag --demo. */
export function createSampleFiles(): string {
  return createDemoFolder(samples);
}
