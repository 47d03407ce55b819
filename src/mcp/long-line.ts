import { readJson } from '../text/json.ts';
import { isRequestId, type RequestId } from './protocol.ts';

/** The members before and after `params` are shorter than this. */
const keptBytes = 4096;

const value = String.raw`("(?:[^"\\]|\\.)*"|-?\d{1,16})`;
const others = String.raw`"(?:jsonrpc|method)"\s*:\s*"(?:[^"\\]|\\.)*"`;
const idAtStart = new RegExp(String.raw`^\s*\{\s*(?:${others}\s*,\s*)*"id"\s*:\s*${value}\s*[,}]`);
const idAtEnd = new RegExp(String.raw`[,{]\s*"id"\s*:\s*${value}\s*(?:,\s*${others}\s*)*\}\s*$`);

/** A line above the size limit. Its first and last bytes are stored to find the id for the error response. */
export class LongLine {
  readonly #head: Buffer;
  #tail: Buffer;

  constructor(start: Buffer) {
    this.#head = Buffer.from(start.subarray(0, keptBytes));
    this.#tail = Buffer.from(start.subarray(-keptBytes));
  }

  add(piece: Buffer): void {
    this.#tail = Buffer.concat([this.#tail, piece.subarray(-keptBytes)]).subarray(-keptBytes);
  }

  /** Returns the id that stands before or after the parameters, where all known clients write it. */
  id(): RequestId | null {
    const [, written] = idAtStart.exec(this.#head.toString('utf8')) ?? idAtEnd.exec(this.#tail.toString('utf8')) ?? [];
    const id = readJson(written ?? '');
    return isRequestId(id) ? id : null;
  }
}
