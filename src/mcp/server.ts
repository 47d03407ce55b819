import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { LATEST_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { Failure } from '../errors/failure.ts';
import type { EventLog } from '../log/log.ts';
import { type RedactFunction, redactNothing } from '../log/redact.ts';
import { isRecord } from '../text/json.ts';
import { mapStrings } from '../text/map-strings.ts';
import { findNearestName } from '../text/nearest.ts';
import { truncateBytes, truncateCharacters } from '../text/truncate.ts';
import type { CallContext, OpenedToolset, OutputSchema, Tool, ToolResult, Toolset } from '../toolset/toolset.ts';
import { version } from '../version.ts';
import { createProgressReporter } from './progress.ts';
import {
  type ClientInfo,
  getClientName,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  isStatelessRequest,
  METHOD_NOT_FOUND,
  ProtocolError,
  type RequestParams,
  readInitializeRequest,
  serverInfoMetadataKey,
  statelessProtocolVersions,
} from './protocol.ts';
import type { StdioTransport } from './stdio.ts';

interface Parts {
  /** The toolsets that are enabled and loaded. */
  open: readonly OpenedToolset[];
  /** All toolsets, because the error for a tool of a disabled toolset names this toolset. */
  known: readonly Toolset[];
  redact: RedactFunction;
  log: EventLog;
}

interface Served extends Parts {
  /** The outcomes that a warning has reported. Until the user changes the settings, every call has the same one. */
  reported: Set<string>;
}

const serverInfo = { name: 'oj-mcp', title: 'oj-mcp', version };
const capabilities = { tools: { listChanged: false } };
/** The list of tools depends only on the command line, so that clients can cache it. */
const cacheHints = { ttlMs: 3_600_000, cacheScope: 'private' };
const maxErrorCharacters = 1000;
/** The text is truncated, because a backend can send an error text of any length. */
const maxFailureBytes = 102_400;

/** Serves MCP over the transport until the client or the server closes it. */
export async function serveMcp(transport: StdioTransport, given: Parts): Promise<void> {
  const parts: Served = { ...given, reported: new Set() };
  const instructions = parts.open
    .map(({ toolset, published }) => [toolset.instructions, published.instructions ?? ''].join(' ').trim())
    .join('\n');
  const server = new Server(serverInfo, { capabilities, instructions });
  /**
   * The `initialize` request sets this field. Before this request, a client can only send `ping`, unless it uses a
   * protocol revision without `initialize`.
   */
  let client: ClientInfo | undefined;

  // The handlers of the SDK support only revisions with `initialize`, and answer an invalid request with the output of
  // a validator. The fallback handler of the SDK receives the unchanged request, and its result is sent unchanged.
  server.removeRequestHandler('initialize');
  server.removeRequestHandler('ping');
  server.fallbackRequestHandler = async ({ method, params }, { requestId, sendNotification }) => {
    const signal = transport.signalOf(requestId);
    const progress = createProgressReporter(params, signal, sendNotification);
    if (isStatelessRequest(params)) {
      if (method === 'server/discover') return completed(discovery(instructions));
      const result = await answerAny(parts, method, params, { signal, agent: getClientName(params), progress });
      return completed(method === 'tools/list' ? { ...result, ...cacheHints } : result);
    }
    switch (method) {
      case 'initialize':
        client = readInitializeRequest(params);
        return { protocolVersion: offeredVersion(client), capabilities, serverInfo, instructions };
      case 'ping':
        return {};
      case 'server/discover':
        throw unknownMethod(method);
    }
    if (client === undefined) {
      throw new ProtocolError(INVALID_REQUEST, 'Not initialized: the first request must be initialize');
    }
    return { ...(await answerAny(parts, method, params, { signal, agent: client.name, progress })) };
  };
  server.onerror = error => parts.log.debug(`protocol: ${error.message}`);

  await server.connect(transport);
  await transport.closed;
}

/** Adds the fields that every result has in protocol revisions without `initialize`. */
function completed(result: object): object {
  return { ...result, resultType: 'complete', _meta: { [serverInfoMetadataKey]: serverInfo } };
}

/** Answers the requests that exist in all protocol revisions, with or without `initialize`. */
async function answerAny(
  parts: Served,
  method: string,
  params: RequestParams | undefined,
  call: ClientCall,
): Promise<object> {
  switch (method) {
    case 'tools/list':
      if (params?.['cursor'] !== undefined)
        throw new ProtocolError(INVALID_PARAMS, 'Invalid cursor: the list of tools has only one page');
      return { tools: (await import('packed:src/mcp/tool-list.ts')).listTools(parts.open) };
    case 'tools/call':
      return await callTool(parts, params, call);
    default:
      throw unknownMethod(method);
  }
}

function unknownMethod(method: string): ProtocolError {
  return new ProtocolError(METHOD_NOT_FOUND, `Method not found: ${method}`);
}

/** Returns the version that the client requests, or the latest version if the SDK does not support the request. */
function offeredVersion({ protocolVersion }: ClientInfo): string {
  return SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion) ? protocolVersion : LATEST_PROTOCOL_VERSION;
}

/** The state of a tool call, before the tool is found. */
type ClientCall = Omit<CallContext, 'report'>;

function discovery(instructions: string): object {
  return { supportedVersions: statelessProtocolVersions, capabilities, instructions, ...cacheHints };
}

/** Calls a tool. This function is the only place that turns an error into an MCP response. */
async function callTool(parts: Served, params: RequestParams | undefined, request: ClientCall): Promise<object> {
  const { name, args } = readCall(params);
  const startedAt = performance.now();
  const log = (level: 'debug' | 'warn' | 'error', outcome: string, ...more: readonly unknown[]): void =>
    parts.log[level](`${loggedName(name)}: ${outcome}, ${Math.round(performance.now() - startedAt)} ms`, ...more);
  const call: CallContext = { ...request, report: bug => log('error', 'recovered from a bug', bug) };
  try {
    call.signal.throwIfAborted(); // cancelled before it started
    const { owner, tool } = await findTool(parts, name);
    const answer = await owner.call(tool, args, call);
    log('debug', 'answered');
    return succeeded(answer, parts.redact, owner.toolset.maxTextBytes);
  } catch (error) {
    if (call.signal.aborted) {
      log('debug', 'cancelled');
      throw new ProtocolError(INTERNAL_ERROR, 'Cancelled');
    }
    if (!(error instanceof Failure)) {
      log('error', 'bug', error);
      throw new ProtocolError(INTERNAL_ERROR, 'Internal error: this is a bug in oj-mcp, its log has the details');
    }
    log(...loggedOutcome(error, parts.reported));
    if (error.isProtocolError) {
      const sentences =
        error.hint === undefined ? error.message : `${error.message.replace(/\.?$/, '.')} ${error.hint}`;
      throw new ProtocolError(INTERNAL_ERROR, truncateCharacters(parts.redact(sentences), maxErrorCharacters));
    }
    return failed(error, parts.redact);
  }
}

/**
 * Returns the name of a tool for the log. An unknown name is not logged, because a client can send any text as a name.
 */
function loggedName(name: string): string {
  return /^\w{1,64}$/.test(name) ? name : 'unknown tool';
}

/**
 * Returns the level and the outcome of a failed call for the log, without arguments and results. A failure of the
 * backend is a warning, because its operator has to act. The message of a network error names only the origin and the
 * reason; other messages can contain an id or the text of the backend. A response that only the user can prevent, such
 * as a rejected token or a login page, is a warning with its hint, once.
 */
function loggedOutcome(
  { code, status = 0, message, hint }: Failure,
  reported: Set<string>,
): ['debug' | 'warn', string] {
  if (code === 'network' || code === 'setting') return ['warn', message.replace(/\.$/, '')];
  if (code === 'malformed') return ['warn', 'unusable response of the backend'];
  if (code === 'argument') return ['warn', 'arguments refused'];
  if (code !== 'upstream') return ['debug', 'refused'];
  const outcome = `upstream ${status || 'error'}`;
  if (status >= 500) return ['warn', outcome];
  if ((status >= 400 && !userStatuses.has(status)) || reported.has(outcome)) return ['debug', outcome];
  reported.add(outcome);
  return ['warn', hint === undefined ? outcome : `${outcome} (${hint})`];
}

/** The client errors whose cause is a setting and not the arguments of the call. */
const userStatuses: ReadonlySet<number> = new Set([401, 403, 407]);

function readCall(params: RequestParams | undefined): { name: string; args: unknown } {
  const name = params?.['name'];
  if (typeof name !== 'string') throw new ProtocolError(INVALID_PARAMS, 'tools/call: "name" must be a string');
  const args = params?.['arguments'];
  if (args !== undefined && args !== null && !isRecord(args)) {
    throw new ProtocolError(INVALID_PARAMS, 'tools/call: "arguments" must be an object');
  }
  return { name, args };
}

async function findTool({ open, known }: Parts, name: string): Promise<{ owner: OpenedToolset; tool: Tool }> {
  for (const owner of open) {
    const tool = owner.tools.find(candidate => candidate.name === name);
    if (tool !== undefined) return { owner, tool };
  }
  for (const home of known) {
    const tool = (await home.load()).tools.find(candidate => candidate.name === name);
    if (tool !== undefined) throw switchedOff(tool, home, open);
  }
  const names = open.flatMap(({ tools }) => tools.map(tool => tool.name));
  const close = findNearestName(name, names);
  const suggestion = close === undefined ? '' : ` Did you mean "${close}"?`;
  throw new Failure('unknown-tool', `There is no tool ${JSON.stringify(truncateCharacters(name, 80))}.${suggestion}`, {
    hint: `Known tools: ${names.join(', ')}.`,
  });
}

function switchedOff({ name, onlyWith }: Tool, home: Toolset, open: readonly OpenedToolset[]): Failure {
  const isHomeOn = open.some(({ toolset }) => toolset === home);
  // The flag --toolsets replaces the whole list, so that the hint also contains the enabled toolsets.
  const toolsets = [...open.map(({ toolset }) => toolset.name), home.name];
  const flags = [
    ...(isHomeOn ? [] : [`--toolsets ${toolsets.join(',')}`]),
    ...(onlyWith === undefined ? [] : [`--${onlyWith}`]),
  ];
  const sentence = isHomeOn
    ? `The tool "${name}" is disabled.`
    : `The tool "${name}" belongs to the toolset "${home.name}", which is disabled.`;
  return new Failure('unknown-tool', sentence, {
    hint: `The user can enable the tool by adding ${flags.join(' ')} to the arguments of this server in the configuration of the host.`,
  });
}

/**
 * Creates the result of a successful call. The notes are in the text and in the structured content, because some
 * clients show only one of them.
 */
function succeeded(answer: ToolResult<OutputSchema | undefined>, redact: RedactFunction, maxBytes: number): object {
  const { text, notes = [], links = [] } = typeof answer === 'string' ? { text: answer } : answer;
  const texts = [text, ...notes].map(part => truncateBytes(redact(part), maxBytes));
  const content = [...texts.map(textBlock), ...links.map(link => ({ type: 'resource_link', ...link }))];
  if (typeof answer === 'string' || !('structured' in answer)) return { content, isError: false };
  const structured = notes.length === 0 ? answer.structured : { ...answer.structured, notes: texts.slice(1) };
  const structuredContent = redact === redactNothing ? structured : mapStrings(structured, redact);
  return { content, structuredContent, isError: false };
}

/**
 * Creates the result of a failed call. The first block contains the message and the hint, because some clients show
 * only this block. A message of the backend is the only text of the first block, because clients compare it.
 */
function failed(failure: Failure, redact: RedactFunction): object {
  const { code, message, hint, report } = failure;
  const capped = (text: string): string => truncateBytes(redact(text), maxFailureBytes);
  const texts = (): string[] => {
    if (report !== undefined) return [capped(JSON.stringify({ ...report, suggestion: hint ?? report['suggestion'] }))];
    if (hint === undefined) return [capped(message)];
    return code === 'upstream' ? [capped(message), capped(hint)] : [`${capped(message)}\n\n${redact(hint)}`];
  };
  return { content: texts().map(textBlock), isError: true };
}

function textBlock(text: string): object {
  return { type: 'text', text };
}
