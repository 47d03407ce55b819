import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { answer, type Contents, place, type Question, Refusal, type Reply, type Weakness } from './objects.ts';
import { type Customer, signatureFault } from './signature.ts';

/** The fault that the network or the server causes for a request. Undefined means no fault. */
export type Mishap =
  | { kind: 'refuse'; status: number; code: string } // before anything is done
  | { kind: 'drop' } // it is done, and the answer never comes
  | { kind: 'double' } // and the answer comes again, in front of that to the next request on the connection
  | { kind: 'answer'; reply: Reply } // by somebody else
  | { kind: 'delay'; ms: number }
  | { kind: 'hold'; until: Promise<unknown> };

export interface BucketOptions {
  customer?: Customer;
  weakness?: Weakness;
  now?: () => number;
  mishap?: (method: string, key: string, question: Question) => Mishap | undefined;
  /** Returns the request id of a response. By default each response has its own. */
  requestId?: () => string;
}

export interface Bucket extends Contents {
  endpoint: string;
  name: string;
  customer: Customer;
  /** Contains the requests, such as `GET books/…`, in the order of arrival. */
  requests: string[];
  /** The connection closes after this number of bytes in the following response bodies. */
  cutBodiesAt: number[];
  /** Puts an object into the store without a request. */
  put: (key: string, bytes: Buffer, modifiedMs?: number) => void;
  /** Allows the process to end while the server is running. */
  unref: () => void;
  close: () => Promise<void>;
}

const sampleCustomer: Customer = {
  accessKeyId: 'AKIDSAMPLE000000',
  secretAccessKey: 'sample+secret/key0000000000000000000000',
  region: 'us-east-1',
};

/** A request for another bucket has this key. No real key has this form. */
const foreign = '\0';
const statusOf: Record<string, number> = { XAmzContentSHA256Mismatch: 400, AuthorizationHeaderMalformed: 400 };

/**
 * Starts a small S3 store on loopback: one bucket in path style. Signatures and conditions are checked, and each
 * request is atomic.
 */
export async function startBucket(options: BucketOptions = {}): Promise<Bucket> {
  const { customer = { ...sampleCustomer }, weakness = {}, now = Date.now, mishap, requestId } = options;
  const bucket: Bucket = {
    endpoint: '',
    name: 'library',
    customer,
    objects: new Map(),
    requests: [],
    cutBodiesAt: [],
    uploads: new Map(),
    put: (key, bytes, modifiedMs) => place(bucket, key, bytes, {}, modifiedMs ?? now()),
    unref: () => server.unref(),
    close: async () => {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
  const doubles = new WeakMap<Socket, string>();
  const firsts = new Map<string, () => void>();
  /** The first writer has tested its condition and waits until a second writer has tested its own. */
  const rivalOf = async (key: string): Promise<void> => {
    const release = firsts.get(key);
    if (release === undefined) await new Promise<void>(resolve => firsts.set(key, resolve));
    else release();
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const double = doubles.get(request.socket);
    doubles.delete(request.socket);
    if (double !== undefined) request.socket.write(double);
    const method = request.method ?? '';
    const target = request.url ?? '';
    const question: Question = {
      method,
      ...placeOf(target, bucket.name),
      headers: sent(request),
      body: await read(request),
    };
    bucket.requests.push(
      `${method} ${question.key}${question.key === '' ? `?${question.query.get('prefix') ?? ''}` : ''}`,
    );
    const accident = mishap?.(method, question.key, question);
    if (accident?.kind === 'delay') await pause(accident.ms);
    if (accident?.kind === 'hold') await accident.until;
    let reply: Reply;
    try {
      if (accident?.kind === 'refuse') throw new Refusal(accident.status, accident.code);
      const fault = signatureFault({ method, target, headers: request.headers, body: question.body }, customer, now());
      if (fault !== undefined) throw new Refusal(statusOf[fault] ?? 403, fault);
      if (question.key === foreign) throw new Refusal(404, 'NoSuchBucket');
      if (weakness.ignores?.(question) === true) {
        delete question.headers['if-match'];
        delete question.headers['if-none-match'];
      }
      const isNew = question.headers['if-none-match'] !== undefined && !bucket.objects.has(question.key);
      if (isNew && weakness.createsTwice?.(question.key) === true) {
        delete question.headers['if-none-match'];
        await rivalOf(question.key);
      }
      reply = accident?.kind === 'answer' ? accident.reply : answer(bucket, question, weakness, now());
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${error.code}</Code><Message>refused</Message></Error>`;
      reply = { status: error.status, body, headers: { 'content-type': 'application/xml' } };
    }
    if (accident?.kind === 'drop') {
      request.socket.destroy();
      return;
    }
    const { status, body = '' } = reply;
    const headers = {
      'content-length': Buffer.byteLength(body),
      date: new Date(now()).toUTCString(),
      'x-amz-request-id': requestId?.() ?? randomUUID(),
      ...reply.headers,
    };
    response.writeHead(status, headers);
    if (accident?.kind === 'double') {
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
      doubles.set(request.socket, `HTTP/1.1 ${status} Again\r\n${lines.join('')}\r\n`);
    }
    const cut = method === 'GET' && body.length > 0 ? bucket.cutBodiesAt.shift() : undefined;
    if (cut === undefined) response.end(method === 'HEAD' ? undefined : body);
    else response.write(Buffer.from(body).subarray(0, cut), () => request.socket.destroy());
  };
  const server = createServer((request, response) => void serve(request, response).catch(() => request.destroy()));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  bucket.endpoint = `http://127.0.0.1:${portOf(server.address())}`;
  return bucket;
}

function portOf(address: AddressInfo | string | null): number {
  if (typeof address !== 'object' || address === null) throw new Error('the store has no port');
  return address.port;
}

function placeOf(target: string, bucketName: string): { key: string; query: URLSearchParams } {
  const [path = '', query = ''] = target.split('?', 2);
  const [, name, ...rest] = path.split('/').map(decodeURIComponent);
  if (name !== bucketName) return { key: foreign, query: new URLSearchParams() };
  return { key: rest.join('/'), query: new URLSearchParams(query) };
}

function sent(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(',') : (value ?? ''),
    ]),
  );
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}
