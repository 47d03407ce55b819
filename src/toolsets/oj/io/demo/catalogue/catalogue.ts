import { lantern } from './lantern.ts';
import { orchard } from './orchard.ts';
import { quarry } from './quarry.ts';
import type { ProblemRecord } from './record.ts';

/** The judges of the demo. They are invented, and so are their problems. */
export const judges = ['lantern', 'orchard', 'quarry'] as const;

export const catalogue: readonly ProblemRecord[] = [...lantern, ...orchard, ...quarry];
