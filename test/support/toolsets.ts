import type { Toolset } from '../../src/toolset/toolset.ts';
import * as toolsets from '../../src/toolsets/index.ts';

/** Maps the names of all toolsets to the toolsets. */
export const known: ReadonlyMap<string, Toolset> = new Map(
  Object.values(toolsets).map((toolset: Toolset) => [toolset.name, toolset]),
);

/**
 * Returns whether these toolsets exist. A core test that needs a toolset is skipped if the toolset has been deleted:
 * `test.runIf(has('oj'))`.
 */
export function has(...names: readonly string[]): boolean {
  return names.every(name => known.has(name));
}
