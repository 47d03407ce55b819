import { createHash } from 'node:crypto';

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

/** Lists generated inputs with their outputs, and after them a hash for each hundred further ones. */
export function listGenerated<Input>(
  make: (random: Generator) => Input,
  convert: (input: Input) => unknown,
  { shown = 60, blocks = 10 }: { shown?: number; blocks?: number } = {},
): string {
  const entryOf = (seed: number): string => {
    const input = make(new Generator(seed));
    return `${JSON.stringify(input)}\n    ${JSON.stringify(convert(input))}\n`;
  };
  const further = Array.from({ length: blocks }, (_, block) => {
    const first = shown + block * 100;
    const entries = Array.from({ length: 100 }, (__, index) => entryOf(first + index));
    const hash = createHash('sha256').update(entries.join('')).digest('hex').slice(0, 16);
    return `${first} to ${first + 99}: ${hash}\n`;
  });
  return [...Array.from({ length: shown }, (_, seed) => entryOf(seed)), ...further].join('');
}
