import type { IncomingHttpHeaders } from 'node:http';

const maxIds = 1000;

/**
 * Stores number their answers. One that is sent twice on its way would be taken for the answer to the next request on
 * the same connection: a change would be acknowledged that was refused, or one lesson be read as another.
 */
export class RequestIds {
  readonly #times = new Map<string, number>();

  /** Whether this answer has come before. A number that comes again and again is none. */
  isOld(headers: IncomingHttpHeaders): boolean {
    const id = headers['x-amz-request-id'];
    if (typeof id !== 'string') return false;
    const times = (this.#times.get(id) ?? 0) + 1;
    this.#times.set(id, times);
    const [oldest] = this.#times.keys();
    if (this.#times.size > maxIds && oldest !== undefined) this.#times.delete(oldest);
    return times === 2;
  }
}
