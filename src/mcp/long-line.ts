import { readJson } from '../text/json.ts';
import { isRequestId, type RequestId } from './protocol.ts';

/**
 * The number of bytes at the start and the end of a long line that are kept, because the members before and after
 * `params` are shorter.
 */
const keptBytes = 4096;

const value = String.raw`("(?:[^"\\]|\\.)*"|-?\d{1,16})`;
const others = String.raw`"(?:jsonrpc|method)"\s*:\s*"(?:[^"\\]|\\.)*"`;
const idAtStart = new RegExp(String.raw`^\s*\{\s*(?:${others}\s*,\s*)*"id"\s*:\s*${value}\s*[,}]`);
const idAtEnd = new RegExp(String.raw`[,{]\s*"id"\s*:\s*${value}\s*(?:,\s*${others}\s*)*\}\s*$`);

/**
 * Stores the first and the last bytes of a line above the size limit, because the error response needs the id of the
 * request.
 */
export class OversizedLine {
  readonly #head: Buffer;
  #tail: Buffer;

  constructor(start: Buffer) {
    this.#head = Buffer.from(start.subarray(0, keptBytes));
    this.#tail = Buffer.from(start.subarray(-keptBytes));
  }

  add(piece: Buffer): void {
    this.#tail = Buffer.concat([this.#tail, piece.subarray(-keptBytes)]).subarray(-keptBytes);
  }

  /**
   * Returns the id of a request. Only the members before and after `params` are parsed, because all known clients write
   * the id there.
   */
  id(): RequestId | null {
    const [, written] = idAtStart.exec(this.#head.toString('utf8')) ?? idAtEnd.exec(this.#tail.toString('utf8')) ?? [];
    const id = readJson(written ?? '');
    return isRequestId(id) ? id : null;
  }
}
