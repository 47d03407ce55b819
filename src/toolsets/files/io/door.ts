import type { Settings } from '../settings.ts';
import type { Finder } from './finder.ts';

/** Behind it is everything that works; it is loaded when the first call comes, so that the start of the server is not its affair. */
export interface FinderDoor {
  finder(): Promise<Finder>;
}

export function openDoor(settings: Settings): FinderDoor {
  let finder: Promise<Finder> | undefined;
  const load = async (): Promise<Finder> => (await import('./finder.ts')).openFinder(settings);
  return {
    finder: () => (finder ??= load()),
  };
}
