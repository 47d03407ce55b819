import { setMaxListeners } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { readJson } from '../text/json.ts';
import { OversizedLine } from './long-line.ts';
import { OutputWriter } from './output.ts';
import {
  INVALID_REQUEST,
  isRequestId,
  type JsonRpcMessage,
  PARSE_ERROR,
  ProtocolError,
  type RequestId,
  readMessage,
} from './protocol.ts';
import { serializeMessage } from './serialize.ts';

/**
 * Limits the length of a message. No tool needs a longer one, and the rest of a longer line is skipped without being
 * stored.
 */
const maxLineBytes = 16 * 1024 * 1024;
const tooLong = `A message may have at most ${maxLineBytes} bytes`;
/** The time that running calls get after the client has closed stdin. */
const graceMs = 2000;

/**
 * After this number of lines the server yields to the event loop, because one chunk of the input can contain more than
 * a thousand requests.
 */
const maxLinesAtOnce = 32;

const newline = 0x0a;

/**
 * Reads and writes one JSON message per line. The transport of the SDK is not used: for invalid lines, closed pipes or
 * the cancellation of request 0, it sends no response or ends the process.
 */
export class StdioTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  #resolveClosed: (() => void) | undefined;
  /** The promise resolves when the client or the server has closed the connection. */
  readonly closed = new Promise<void>(resolve => {
    this.#resolveClosed = resolve;
  });

  readonly #input: Readable;
  readonly #stream: Writable;
  readonly #output: OutputWriter;
  readonly #calls = new Map<RequestId, AbortController>();
  #pieces: Buffer[] = [];
  #pieceBytes = 0;
  #longLine: OversizedLine | undefined;
  #isEnding = false;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#stream = output;
    this.#output = new OutputWriter(
      output,
      () => void input.pause(),
      () => this.#resume(),
    );
  }

  async start(): Promise<void> {
    const end = (): void => this.#end();
    const close = (): void => void this.close();
    this.#input.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#input.on('end', end).on('close', end).on('error', end);
    this.#stream.on('error', close).on('close', close);
  }

  /** Returns the AbortSignal of a running request. A finished request counts as cancelled. */
  signalOf(id: RequestId): AbortSignal {
    return this.#calls.get(id)?.signal ?? AbortSignal.abort();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if ('id' in message && !('method' in message)) {
      const call = isRequestId(message.id) ? this.#take(message.id) : undefined;
      // According to MCP, a cancelled request gets no response.
      if (call !== undefined && !call.signal.aborted) this.#write(message);
      if (this.#isEnding && this.#calls.size === 0) await this.close();
      return;
    }
    this.#write(message);
  }

  async close(): Promise<void> {
    this.#isEnding = true;
    for (const call of this.#calls.values()) call.abort();
    this.#calls.clear();
    this.#input.removeAllListeners('data').pause();
    this.#output.flush();
    this.onclose?.();
    this.#resolveClosed?.();
  }

  #end(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#endLine(); // the last line can lack a line break
    if (this.#calls.size === 0) void this.close();
    else setTimeout(() => void this.close(), graceMs);
  }

  #take(id: RequestId): AbortController | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    return call;
  }

  #write(message: object): void {
    this.#output.write(serializeMessage(message));
  }

  #read(chunk: Buffer): void {
    let start = 0;
    let lines = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#collect(chunk.subarray(start, end));
      this.#endLine();
      start = end + 1;
      if (this.#output.isFull || ++lines === maxLinesAtOnce) {
        this.#readLater(chunk.subarray(start));
        return;
      }
    }
    this.#collect(chunk.subarray(start));
  }

  /**
   * Pauses reading for one turn of the event loop, so that the responses count as unsent output before further requests
   * are read.
   */
  #readLater(rest: Buffer): void {
    this.#input.pause();
    if (rest.length > 0) this.#input.unshift(rest);
    setImmediate(() => this.#resume());
  }

  #resume(): void {
    if (!this.#isEnding && !this.#output.isFull) this.#input.resume();
  }

  #endLine(): void {
    const line = Buffer.concat(this.#pieces).toString('utf8');
    const longLine = this.#longLine;
    this.#pieces = [];
    this.#pieceBytes = 0;
    this.#longLine = undefined;
    if (longLine === undefined) this.#readLine(line);
    else this.#refuse(longLine.id(), new ProtocolError(INVALID_REQUEST, tooLong));
  }

  #collect(piece: Buffer): void {
    this.#longLine?.add(piece);
    if (this.#longLine !== undefined) return;
    this.#pieces.push(piece);
    this.#pieceBytes += piece.length;
    if (this.#pieceBytes <= maxLineBytes) return;
    this.#longLine = new OversizedLine(Buffer.concat(this.#pieces));
    this.#pieces = [];
  }

  #readLine(line: string): void {
    if (line.trim() === '') return;
    const value = readJson(line);
    if (value === undefined) {
      this.#refuse(null, new ProtocolError(PARSE_ERROR, 'Parse error: the line is not JSON'));
      return;
    }
    const message = readMessage(value);
    switch (message.kind) {
      case 'fault':
        this.#refuse(message.id, message.error);
        return;
      case 'request':
        if (this.#calls.has(message.id)) {
          this.#refuse(message.id, new ProtocolError(INVALID_REQUEST, 'This id is in use by a running request'));
          return;
        }
        this.#request(message);
        return;
      case 'notification':
        if (message.method === 'notifications/cancelled') this.#cancel(message.params?.['requestId']);
        else this.onmessage?.({ jsonrpc: '2.0', method: message.method, params: { ...message.params } });
        return;
      case 'response': // the server sends no requests
      case 'ignored':
        return;
    }
  }

  #request({ id, method, params }: Extract<JsonRpcMessage, { kind: 'request' }>): void {
    const call = new AbortController();
    setMaxListeners(0, call.signal); // one call can send many requests in parallel
    this.#calls.set(id, call);
    const passed = { ...params };
    if (passed['task'] !== undefined) delete passed['task']; // MCP: a server without tasks ignores it; the SDK would reject the request
    this.onmessage?.({ jsonrpc: '2.0', id, method, params: passed });
  }

  #cancel(id: unknown): void {
    if (!isRequestId(id)) return;
    // The id of a cancelled call stays in use until the call has ended. Otherwise its late result could be sent as the
    // result of a new call with the same id.
    this.#calls.get(id)?.abort();
  }

  #refuse(id: RequestId | null, { code, message }: ProtocolError): void {
    this.#write({ jsonrpc: '2.0', id, error: { code, message } });
  }
}
