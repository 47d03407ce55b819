export type Pieces = readonly [string, ...string[]];

/** Splits strings of test pieces. The separator occurs in no piece. */
export function pieces(...lists: readonly string[]): Pieces {
  const [first = '', ...others] = lists.flatMap(list => list.split('¦'));
  return [first, ...others];
}

/** Builds statements of random pieces. The same seed gives the same statements. */
export class Generator {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** Returns a whole number below the limit. */
  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) | 0;
    return (this.#state >>> 8) % limit;
  }

  pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.below(items.length)] ?? items[0];
  }

  repeat(min: number, max: number, make: () => string, separator = ''): string {
    return Array.from({ length: min + this.below(max - min + 1) }, make).join(separator);
  }
}
