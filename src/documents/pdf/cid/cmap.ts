import type { DocumentBudget } from '../../unreadable.ts';
import { convertBytesToCharacterCode } from '../characters.ts';
import { PdfKeyword, PdfLexer, PdfName, type PdfValue } from '../syntax.ts';
import { type CidEncoding, findPredefinedCidEncoding } from './encoding.ts';

/**
 * Limits the number of code ranges. No font needs more, and every code without its own mapping is compared with all
 * ranges.
 */
const maxRanges = 20_000;

interface CodeRange {
  length: number;
  low: number;
  high: number;
}

/** Parses a CMap that is embedded in the PDF. A CMap maps character codes to CIDs (character identifiers). */
export function readEmbeddedCmap(content: Buffer, budget: DocumentBudget, parent: string | undefined): CidEncoding {
  const lexer = new PdfLexer(content, budget);
  const lengths: CodeRange[] = [];
  const cids = new CidMap(budget);
  let operands: PdfValue[] = [];
  let base = parent;
  for (let value = lexer.next(false); value !== undefined; value = lexer.next(false)) {
    if (!(value instanceof PdfKeyword)) {
      operands.push(value);
      continue;
    }
    const last = operands.at(-1);
    if (value.keyword === 'usecmap' && last instanceof PdfName) base = last.name;
    else if (value.keyword === 'endcodespacerange')
      for (const range of codeRanges(operands, 2)) if (lengths.length < maxRanges) lengths.push(range);
    if (value.keyword === 'endcidrange' || value.keyword === 'endcidchar') {
      for (const { index, ...range } of codeRanges(operands, value.keyword === 'endcidrange' ? 3 : 1)) {
        const cid = operands[index];
        if (typeof cid === 'number') cids.add(range, cid);
      }
    }
    operands = [];
  }
  return createEncoding(lengths, cids, base === undefined ? undefined : findPredefinedCidEncoding(base), budget);
}

/**
 * Parses one entry of a CMap: `<low> <high>` (form 2), `<low> <high> cid` (form 3) or `<code> cid` (form 1). `index` is
 * the position of the CID in the entry.
 */
function* codeRanges(operands: readonly PdfValue[], form: 1 | 2 | 3): Generator<CodeRange & { index: number }> {
  const step = form === 1 ? 2 : form;
  for (let at = 0; at + step <= operands.length; at += step) {
    const low = operands[at];
    const high = form === 1 ? low : operands[at + 1];
    if (!Buffer.isBuffer(low) || !Buffer.isBuffer(high) || low.length === 0 || low.length > 4) continue;
    yield {
      length: low.length,
      low: convertBytesToCharacterCode(low),
      high: convertBytesToCharacterCode(high),
      index: at + step - 1,
    };
  }
}

class CidMap {
  readonly #single = new Map<number, number>();
  readonly #ranges: (CodeRange & { cid: number })[] = [];
  readonly #budget: DocumentBudget;

  constructor(budget: DocumentBudget) {
    this.#budget = budget;
  }

  add({ length, low, high }: CodeRange, cid: number): void {
    if (low === high) this.#single.set(keyOf(length, low), cid);
    // The fields are copied one by one. V8 reads an object that was made with a spread many times more slowly.
    else if (this.#ranges.length < maxRanges) this.#ranges.push({ length, low, high, cid });
  }

  find(bytes: Buffer): number | undefined {
    const code = convertBytesToCharacterCode(bytes);
    const single = this.#single.get(keyOf(bytes.length, code));
    if (single !== undefined) return single;
    const range = this.#ranges.find(({ length, low, high }) => {
      this.#budget.step();
      return length === bytes.length && code >= low && code <= high;
    });
    return range && range.cid + code - range.low;
  }
}

function keyOf(length: number, code: number): number {
  return length * 2 ** 32 + code;
}

function createEncoding(
  ranges: readonly CodeRange[],
  cids: CidMap,
  base: CidEncoding | undefined,
  budget: DocumentBudget,
): CidEncoding {
  const lengths = [...new Set(ranges.map(({ length }) => length))].sort((left, right) => left - right);
  return {
    lengthAt(bytes, at) {
      const length = lengths.find(each => {
        const code = convertBytesToCharacterCode(bytes.subarray(at, at + each));
        return ranges.some(range => {
          budget.step();
          return range.length === each && code >= range.low && code <= range.high;
        });
      });
      return length ?? lengths[0] ?? base?.lengthAt(bytes, at) ?? 2;
    },
    cid: bytes => cids.find(bytes) ?? base?.cid?.(bytes),
    ...(base?.text && { text: base.text }),
  };
}
