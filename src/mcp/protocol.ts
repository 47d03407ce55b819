/** This file validates JSON-RPC and MCP messages before the SDK receives them. */
import { isRecord } from '../text/json.ts';

export type RequestId = string | number;

/** An error that the server sends to the client with a JSON-RPC error code. */
export class ProtocolError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = 'ProtocolError';
    this.code = code;
    this.data = data;
  }
}

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
const UNSUPPORTED_VERSION = -32022;

/** The protocol revisions without an `initialize` request. In these revisions each request contains the version. */
export const statelessProtocolVersions: readonly string[] = ['2026-07-28'];

const versionKey = 'io.modelcontextprotocol/protocolVersion';
const relatedTaskKey = 'io.modelcontextprotocol/related-task';
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';
const clientInfoKey = 'io.modelcontextprotocol/clientInfo';
export const serverInfoMetadataKey = 'io.modelcontextprotocol/serverInfo';

export type RequestParams = Readonly<Record<string, unknown>>;

/** Returns whether a request uses a protocol revision without `initialize`. Throws if its metadata is invalid. */
export function isStatelessRequest(params: RequestParams | undefined): boolean {
  const meta = params?.['_meta'];
  if (!isRecord(meta) || meta[versionKey] === undefined) return false;
  const requested = meta[versionKey];
  if (typeof requested !== 'string' || !statelessProtocolVersions.includes(requested)) {
    throw new ProtocolError(UNSUPPORTED_VERSION, 'Unsupported protocol version', {
      supported: statelessProtocolVersions,
      // The error does not repeat an object, because the object can be nested more deeply than JSON.stringify supports.
      requested: typeof requested === 'object' ? 'an object' : requested,
    });
  }
  if (!isRecord(meta[capabilitiesKey])) {
    throw new ProtocolError(INVALID_PARAMS, `_meta must contain the object "${capabilitiesKey}"`);
  }
  return true;
}

/**
 * Returns the client name in the metadata of a request. Clients of older protocol revisions send their name with
 * `initialize` instead.
 */
export function getClientName(params: RequestParams | undefined): string | undefined {
  const meta = params?.['_meta'];
  const info = isRecord(meta) ? meta[clientInfoKey] : undefined;
  return isRecord(info) && typeof info['name'] === 'string' ? info['name'] : undefined;
}

/** A validated message. The kind `ignored` means that the message is invalid and needs no response. */
export type JsonRpcMessage =
  | { kind: 'request'; id: RequestId; method: string; params: RequestParams | undefined }
  | { kind: 'notification'; method: string; params: RequestParams | undefined }
  | { kind: 'response' }
  | { kind: 'ignored' };

/**
 * Validates one message. For an invalid message, the result is a `fault` with an error and, if the message has a valid
 * one, its id.
 */
export function readMessage(
  value: unknown,
): JsonRpcMessage | { kind: 'fault'; id: RequestId | null; error: ProtocolError } {
  if (Array.isArray(value)) return fault(null, 'Batches are not part of MCP: send one message a line');
  if (!isRecord(value)) return fault(null, 'A message must be an object');
  const { id, method } = value;
  if (method === undefined) {
    // An invalid response gets no error response, because two peers could answer each other forever.
    if (value['result'] !== undefined || value['error'] !== undefined) return { kind: 'response' };
    return fault(isRequestId(id) ? id : null, 'A message needs a method');
  }
  const isNotification = id === undefined;
  const params = presentParams(value['params']);
  const problem = shapeProblem(value, params);
  if (problem !== undefined) {
    return isNotification ? { kind: 'ignored' } : fault(isRequestId(id) ? id : null, problem);
  }
  if (typeof method !== 'string') return { kind: 'ignored' };
  const named = isRecord(params) ? params : undefined;
  return isRequestId(id)
    ? { kind: 'request', id, method, params: named }
    : { kind: 'notification', method, params: named };
}

/** Removes null values, because some clients send null for absent parameters. */
function presentParams(params: unknown): unknown {
  if (!isRecord(params)) return params ?? undefined;
  const given = withoutNulls(params);
  const { _meta: meta } = given;
  return isRecord(meta) ? { ...given, _meta: withoutNulls(meta) } : given;
}

function withoutNulls(record: RequestParams): RequestParams {
  if (!Object.values(record).includes(null)) return record;
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
}

function shapeProblem({ jsonrpc, id, method }: RequestParams, params: unknown): string | undefined {
  if (jsonrpc !== '2.0') return '"jsonrpc" must be "2.0"';
  if (id !== undefined && !isRequestId(id)) return '"id" must be a string or an integer';
  if (typeof method !== 'string') return '"method" must be a string';
  if (params === undefined) return undefined;
  if (!isRecord(params)) return '"params" must be an object';
  return metaProblem(params['_meta']);
}

/**
 * Returns a description of an invalid value in `_meta`, or undefined. The SDK would drop such a message without a
 * response.
 */
function metaProblem(meta: unknown): string | undefined {
  if (meta === undefined) return undefined;
  if (!isRecord(meta)) return '"_meta" must be an object';
  const { progressToken } = meta;
  if (progressToken !== undefined && !isRequestId(progressToken))
    return '"progressToken" must be a string or an integer';
  const task = meta[relatedTaskKey];
  if (task !== undefined && !(isRecord(task) && typeof task['taskId'] === 'string')) {
    return `"${relatedTaskKey}" must have a "taskId"`;
  }
  return undefined;
}

function fault(id: RequestId | null, message: string): { kind: 'fault'; id: RequestId | null; error: ProtocolError } {
  return { kind: 'fault', id, error: new ProtocolError(INVALID_REQUEST, message) };
}

/** The client information in an `initialize` request. */
export interface ClientInfo {
  name: string;
  protocolVersion: string;
}

export function readInitializeRequest(params: RequestParams | undefined): ClientInfo {
  const { protocolVersion, capabilities, clientInfo } = params ?? {};
  if (typeof protocolVersion !== 'string') throw badInitialize('"protocolVersion" must be a string');
  if (!isRecord(capabilities)) throw badInitialize('"capabilities" must be an object');
  if (!isRecord(clientInfo) || typeof clientInfo['name'] !== 'string' || typeof clientInfo['version'] !== 'string') {
    throw badInitialize('"clientInfo" must have a name and a version');
  }
  return { name: clientInfo['name'], protocolVersion };
}

function badInitialize(problem: string): ProtocolError {
  return new ProtocolError(INVALID_PARAMS, `The parameters of initialize are invalid: ${problem}`);
}

export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}
