/**
 * A block is a set of rows and cells in a two-byte encoding. A font collection numbers its characters in the order of
 * these blocks.
 */
interface Block {
  rows: readonly [first: number, last: number];
  cells: readonly [first: number, last: number];
  prefix?: number;
}

const all: readonly [number, number] = [0x40, 0xfe];
const upper: readonly [number, number] = [0xa1, 0xfe];
const orders: Readonly<Record<string, { encoding: string; blocks: readonly Block[] }>> = {
  Japan1: {
    encoding: 'euc-jp',
    blocks: [
      { rows: upper, cells: upper },
      { rows: upper, cells: upper, prefix: 0x8f },
    ],
  },
  GB1: {
    encoding: 'gb18030',
    blocks: [
      { rows: [0xa1, 0xf7], cells: upper },
      { rows: [0x81, 0xfe], cells: all },
    ],
  },
  CNS1: { encoding: 'big5', blocks: [{ rows: [0xa1, 0xf9], cells: all }] },
  Korea1: {
    encoding: 'euc-kr',
    blocks: [
      { rows: upper, cells: upper },
      { rows: [0x81, 0xfe], cells: all },
    ],
  },
};

/**
 * Maps each character to the next one in a two-byte encoding. The CIDs of a font collection follow this order for
 * thousands of characters, which makes the tables in the bundle a third smaller.
 */
export function createLegacyCharacterOrder(collection: string): ReadonlyMap<number, number> {
  const successors = new Map<number, number>();
  const order = orders[collection];
  let previous: number | undefined;
  for (const character of order === undefined ? '' : charactersOf(order.encoding, order.blocks)) {
    const code = character.codePointAt(0) ?? 0;
    // The first occurrence of a character counts, because a later block repeats characters of an earlier block.
    if (!isStable(code) || successors.has(code)) continue;
    if (previous !== undefined) successors.set(previous, code);
    successors.set(code, 0);
    previous = code;
  }
  return successors;
}

function charactersOf(encoding: string, blocks: readonly Block[]): string[] {
  return blocks.flatMap(({ rows, cells, prefix }) => {
    const bytes: number[] = [];
    for (let row = rows[0]; row <= rows[1]; row++)
      for (let cell = cells[0]; cell <= cells[1]; cell++)
        bytes.push(...(prefix === undefined ? [row, cell] : [prefix, row, cell]), newline);
    const texts = new TextDecoder(encoding).decode(Uint8Array.from(bytes)).split('\n');
    return texts.filter(text => Array.from(text).length === 1);
  });
}

const newline = 0x0a;

/**
 * Returns whether all versions of Node decode a character in the same way, which is true for ideographs of Unicode 1
 * and Hangul syllables.
 */
function isStable(code: number): boolean {
  return (code >= 0x4e00 && code <= 0x9fa5) || (code >= 0xac00 && code <= 0xd7a3);
}
