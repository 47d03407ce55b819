import { lazily } from '../../../lazily.ts';
import type { Settings } from '../settings.ts';
import type { Finder } from './finder.ts';

/** Everything that works is behind it, and is loaded by the first call: the start of the server is not its affair. */
export type LazyFinder = () => Promise<Finder>;

export function openLazily(settings: Settings): LazyFinder {
  return lazily(async () => (await import('./finder.ts')).openFinder(settings));
}
