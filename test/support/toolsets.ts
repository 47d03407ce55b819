import type { Toolset } from '../../src/toolset/toolset.ts';
import * as toolsets from '../../src/toolsets/index.ts';

/** The toolsets there are, by name. */
export const known: ReadonlyMap<string, Toolset> = new Map(
  Object.values(toolsets).map((toolset: Toolset) => [toolset.name, toolset]),
);

/** A test of the core that needs a toolset is left out where that toolset has been deleted: `test.runIf(has('oj'))`. */
export function has(...names: readonly string[]): boolean {
  return names.every(name => known.has(name));
}
