import type { ElementKind } from './node.ts';

/** Which open element of the same family a new one ends when its own end tag is missing, and where to stop looking. */
export const ENDED_BY: Partial<
  Record<ElementKind, { ended: ReadonlySet<ElementKind>; within: ReadonlySet<ElementKind> }>
> = {
  LI: { ended: new Set(['LI']), within: new Set(['UL', 'OL', 'TABLE', 'CELL', 'HEADCELL']) },
  HEAD: { ended: new Set(['HEAD', 'ROWS', 'ROW']), within: new Set(['TABLE']) },
  ROWS: { ended: new Set(['HEAD', 'ROWS', 'ROW']), within: new Set(['TABLE']) },
  ROW: { ended: new Set(['ROW']), within: new Set(['TABLE']) },
  CELL: { ended: new Set(['CELL', 'HEADCELL']), within: new Set(['TABLE', 'ROW']) },
  HEADCELL: { ended: new Set(['CELL', 'HEADCELL']), within: new Set(['TABLE', 'ROW']) },
};

/** Parts of a table outside of one are only blocks. */
export const PARENTS: Partial<Record<ElementKind, ReadonlySet<ElementKind>>> = {
  HEAD: new Set(['TABLE']),
  ROWS: new Set(['TABLE']),
  ROW: new Set(['TABLE', 'HEAD', 'ROWS']),
  CELL: new Set(['ROW']),
  HEADCELL: new Set(['ROW']),
};
