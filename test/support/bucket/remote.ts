import { createHash } from 'node:crypto';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';

/** A bucket in a remote store with a synchronous interface: the caller is blocked while a thread sends the requests. */
export class RemoteBucket {
  readonly root: string;
  readonly #prefix: string;
  readonly #thread: Thread;

  constructor(variables: Readonly<Record<string, string>>, prefix: string) {
    this.root = `s3://library/${prefix}`;
    this.#prefix = prefix;
    this.#thread = threadFor(variables);
  }

  put(key: string, bytes: Uint8Array): void {
    this.#thread.ask('PUT', `${this.#prefix}/${key}`, bytes);
  }

  read(key: string): Buffer | undefined {
    const { status, bytes, isDeleted } = this.#thread.ask('GET', `${this.#prefix}/${key}`);
    return status === 200 && !isDeleted ? Buffer.from(bytes) : undefined;
  }

  names(folder: string): string[] {
    const prefix = `${this.#prefix}/${folder}/`;
    const keys = this.#keys(prefix).map(key => key.slice(prefix.length).split('/', 1)[0] ?? '');
    return [...new Set(keys)].toSorted();
  }

  remove(key: string): void {
    this.#thread.ask('DELETE', `${this.#prefix}/${key}`);
    for (const name of this.#keys(`${this.#prefix}/${key}/`)) this.#thread.ask('DELETE', name);
  }

  address(key: string): RegExp {
    return new RegExp(`/${this.#prefix}/${key}[?].*X-Amz-Signature=`);
  }

  clear(): void {
    for (const key of this.#keys(`${this.#prefix}/`)) this.#thread.ask('DELETE', key);
  }

  #keys(prefix: string): string[] {
    const { bytes } = this.#thread.ask('GET', `?list-type=2&prefix=${encodeURIComponent(prefix)}`);
    return Array.from(
      Buffer.from(bytes)
        .toString('utf8')
        .matchAll(/<Key>([^<]*)<\/Key>/g),
      ([, key]) => key ?? '',
    );
  }
}

interface Answer {
  status: number;
  bytes: Uint8Array;
  /** True if the object marks a deleted file. */
  isDeleted: boolean;
}

class Thread {
  readonly #worker: Worker;
  readonly #port;
  readonly #flag = new Int32Array(new SharedArrayBuffer(4));

  constructor(variables: Readonly<Record<string, string>>) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#worker = new Worker(source, {
      eval: true,
      workerData: { port: port2, flag: this.#flag, variables },
      transferList: [port2],
    });
    this.#worker.unref();
    port1.unref();
  }

  ask(method: string, key: string, body: Uint8Array = new Uint8Array()): Answer {
    const hash = createHash('sha256').update(body).digest('hex');
    Atomics.store(this.#flag, 0, 0);
    this.#port.postMessage({ method, key, body, hash });
    // The wait is repeated, because a late notification of the previous response may wake this thread.
    while (Atomics.load(this.#flag, 0) === 0) Atomics.wait(this.#flag, 0, 0);
    const answer: { message: Answer } | undefined = receiveMessageOnPort(this.#port);
    if (answer === undefined) throw new Error('the thread has not answered');
    const { status } = answer.message;
    const isFine = (status >= 200 && status < 300) || (status === 404 && method !== 'PUT');
    if (!isFine) throw new Error(`the store has answered ${method} ${key} with ${status}`);
    return answer.message;
  }
}

const threads = new Map<string, Thread>();

function threadFor(variables: Readonly<Record<string, string>>): Thread {
  const name = JSON.stringify(variables);
  const thread = threads.get(name) ?? new Thread(variables);
  threads.set(name, thread);
  return thread;
}

const source = `
const { workerData: { port, flag, variables } } = require('node:worker_threads');
const aws4 = require('aws4');
const { protocol, host, hostname, port: number } = new URL(variables.AWS_ENDPOINT_URL_S3);
const http = require('node:' + protocol.slice(0, -1));
const agent = new http.Agent({ keepAlive: true });
port.on('message', message => ask(message, 5));
function ask(message, triesLeft) {
  const { method, key, body, hash } = message;
  const path = '/library' + (key.startsWith('?') ? key : '/' + key.split('/').map(encodeURIComponent).join('/'));
  const { headers } = aws4.sign({
    service: 's3', region: variables.AWS_REGION, method, path,
    headers: { host, 'x-amz-content-sha256': hash },
  }, { accessKeyId: variables.AWS_ACCESS_KEY_ID, secretAccessKey: variables.AWS_SECRET_ACCESS_KEY });
  const finish = (status, bytes, isDeleted) => {
    if ((status === 0 || status >= 500) && triesLeft > 0) return setTimeout(ask, 200, message, triesLeft - 1);
    port.postMessage({ status, bytes, isDeleted });
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
  };
  const request = http.request({ hostname, port: number, method, path, headers: { ...headers, 'content-length': body.length }, agent }, response => {
    const parts = [];
    response.on('data', part => parts.push(part));
    response.on('error', () => finish(0, new Uint8Array(), false));
    response.on('end', () => finish(response.statusCode, Buffer.concat(parts), 'x-amz-meta-oj-deleted' in response.headers));
  });
  request.on('error', () => finish(0, new Uint8Array(), false));
  request.end(body);
}
`;
