import { setImmediate } from 'node:timers/promises';

/** Short: between slices the readers get their next files, and must not stand idle. */
const sliceMs = 3;

/** Long work in slices: between them messages come through, so that it can be asked to stop. */
export function createPace(): () => Promise<void> | undefined {
  let started = performance.now();
  const pause = async (): Promise<void> => {
    await setImmediate();
    started = performance.now();
  };
  return () => (performance.now() - started < sliceMs ? undefined : pause());
}
