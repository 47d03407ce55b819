import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { type Answer, UnreadableAnswer } from '../../../../transport.ts';
import { Refusal } from './trouble.ts';

export type Method = 'DELETE' | 'GET' | 'HEAD' | 'POST' | 'PUT';

interface Asked {
  method: Method;
  /** Of an object; none is the bucket itself. */
  key?: string;
  headers?: Readonly<Record<string, string>>;
}

/** Answers that mean something to whoever asked; every other one is a refusal. */
const meaningful: Readonly<Record<Method, ReadonlySet<number>>> = {
  GET: new Set([200, 206, 304, 404, 412, 416]),
  HEAD: new Set([200, 404]),
  PUT: new Set([200]),
  POST: new Set([200, 404]),
  DELETE: new Set([200, 204, 404]),
};
/** To a write on a condition: it does not hold, or nobody knows yet. */
const unmet: ReadonlySet<number> = new Set([404, 409, 412]);

const maxErrorBytes = 65_536;

/** An answer that can be worked with. What is no object store's is none: it would be read as a book that is not there. */
export async function checkedAnswer(ask: Asked, answer: Answer): Promise<Answer | Refusal> {
  const { status, headers } = answer;
  const isConditional = ask.headers !== undefined && ('if-match' in ask.headers || 'if-none-match' in ask.headers);
  const isUnmet = ask.method === 'PUT' && isConditional && unmet.has(status);
  if (!isUnmet && !meaningful[ask.method].has(status)) return await refusalOf(answer);
  if (status === 404) {
    const refusal = await refusalOf(answer);
    const isMissingObject = ask.key !== undefined && refusal.code !== 'NoSuchBucket';
    return isMissingObject ? { status, headers, body: Readable.from([]) } : refusal;
  }
  if (ask.key !== undefined && status < 300) checkFacts(ask, answer);
  return answer;
}

async function refusalOf(answer: Answer): Promise<Refusal> {
  const text = (await bytesOf(answer.body, undefined, () => {}, maxErrorBytes)).toString('utf8');
  return new Refusal(answer, text);
}

/** What every store says of an object. */
function checkFacts({ method }: Asked, { headers, body }: Answer): void {
  const isObject = method === 'GET' || method === 'HEAD';
  const missing = [...(isObject || method === 'PUT' ? ['etag'] : []), ...(isObject ? ['content-length'] : [])].find(
    name => !headers[name],
  );
  if (missing === undefined) return;
  body.destroy();
  throw new UnreadableAnswer(`it has no ${missing}, as the answers of object stores have`);
}

/** The whole body, or as much of it as is wanted; a longer one than can be is none. */
export async function bytesOf(
  body: Readable,
  maxBytes = Number.POSITIVE_INFINITY,
  onPiece = (): void => {},
  enoughBytes = Number.POSITIVE_INFINITY,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of body) {
    if (!Buffer.isBuffer(piece)) throw new TypeError('a body of bytes was expected');
    onPiece();
    pieces.push(piece);
    length += piece.length;
    if (length > maxBytes) throw new UnreadableAnswer('it is longer than any such answer');
    if (length > enoughBytes) break;
  }
  return Buffer.concat(pieces);
}

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
