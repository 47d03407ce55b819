import { readJson } from '../text/json.ts';
import { isRequestId, type RequestId } from './protocol.ts';

/** The first and the last 4096 bytes of a line are kept, because the members before and after `params` are shorter. */
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

  /** Returns the request id if it stands before or after `params`, where all known clients write it. */
  id(): RequestId | null {
    const [, written] = idAtStart.exec(this.#head.toString('utf8')) ?? idAtEnd.exec(this.#tail.toString('utf8')) ?? [];
    const id = readJson(written ?? '');
    return isRequestId(id) ? id : null;
  }
}
