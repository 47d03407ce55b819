/** How long a piece of long work takes: short, for between two the readers get their next files, and must not stand idle. */
export const sliceMs = 3;

/** One call: over when it is cancelled or out of time. */
export interface Control {
  readonly isOver: boolean;
  readonly isTimedOut: boolean;
  readonly remainingMs: number;
  /** Resolves when the call is over. */
  readonly over: Promise<void>;
  progress(done: number, total: number): void;
}

/** A call that ends by itself after a time; `settle` must be called when it is answered. */
export interface OpenControl extends Control {
  cancel(): void;
  settle(): void;
}

export function openControl(timeoutMs: number, progress: Control['progress']): OpenControl {
  let [isOver, isTimedOut] = [false, false];
  let resolve = (): void => {};
  const over = new Promise<void>(done => {
    resolve = done;
  });
  const end = (): void => {
    isOver = true;
    resolve();
  };
  const endsAt = performance.now() + timeoutMs;
  const timer = setTimeout(() => {
    isTimedOut = true;
    end();
  }, timeoutMs);
  return {
    get isOver() {
      return isOver;
    },
    get isTimedOut() {
      return isTimedOut;
    },
    get remainingMs() {
      return endsAt - performance.now();
    },
    over,
    progress,
    cancel: end,
    settle: () => clearTimeout(timer),
  };
}

/** Those who wait until something is true; whoever changes it tells them to look. */
export class Waiting {
  #waiting: (() => void)[] = [];

  look(): void {
    for (const look of this.#waiting.splice(0)) look();
  }

  until(isTrue: () => boolean): Promise<void> {
    return new Promise(resolve => {
      const look = (): void => {
        if (isTrue()) resolve();
        else this.#waiting.push(look);
      };
      look();
    });
  }
}
