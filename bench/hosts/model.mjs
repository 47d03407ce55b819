// A scripted model on loopback. It calls one tool after another and records the results that the host shows to it. It
// implements the HTTP interfaces of Anthropic, OpenAI (chat completions and responses) and Gemini.
import http from 'node:http';

/**
 * The parts of each HTTP interface: a path, the tools of a request, the last tool result, and the chunks of a response.
 */
const interfaces = [
  {
    path: /\/messages$/,
    tools: ({ tools = [] }) => tools.map(({ name }) => name),
    result: ({ messages }) =>
      textOf(messages.at(-1).content?.findLast?.(({ type }) => type === 'tool_result')?.content),
    events: (call, id) => anthropicEvents(call, id),
    whole: (call, id) => ({
      ...anthropicMessage(id),
      content: [anthropicBlock(call, id)],
      stop_reason: stopReason(call),
    }),
  },
  {
    path: /\/responses$/,
    tools: ({ tools = [] }) =>
      tools.flatMap(({ name, tools: inner }) => inner?.map(tool => `${name}|${tool.name}`) ?? [name]),
    result: ({ input }) => textOf(input.findLast?.(({ type }) => type === 'function_call_output')?.output),
    events: (call, id) => responsesEvents(call, id),
    whole: (call, id) => responsesObject(call, id),
  },
  {
    path: /\/chat\/completions$/,
    tools: ({ tools = [] }) => tools.map(tool => tool.function.name),
    result: ({ messages }) => textOf(messages.findLast(({ role }) => role === 'tool')?.content),
    events: (call, id) => [chatObject(call, id, 'delta'), '[DONE]'],
    whole: (call, id) => chatObject(call, id, 'message'),
  },
  {
    path: /:(?:stream)?[gG]enerateContent/,
    tools: ({ tools = [] }) => tools.flatMap(tool => tool.functionDeclarations ?? []).map(({ name }) => name),
    result: ({ contents }) =>
      textOf(contents.at(-1).parts.findLast(part => part.functionResponse)?.functionResponse.response),
    events: call => [geminiObject(call)],
    whole: call => geminiObject(call),
  },
];

/** Starts the model. `calls` are `{ tool, args }`. `shown` collects the result of each call as text. */
export async function startModel(calls) {
  const script = new Script(calls);
  const server = http.createServer((request, response) => {
    void respond(script, request, response);
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `http://127.0.0.1:${server.address().port}`, shown: script.shown, close };
}

/** The sequence of the tool calls. */
class Script {
  shown = [];
  #calls;
  #next = 0;
  #hasSearched = false;

  constructor(calls) {
    this.#calls = calls;
  }

  /** Records the result of the last call and returns the next one. Undefined ends the conversation. */
  advance(names, result) {
    if (this.#next > this.shown.length && result !== undefined) this.shown.push(result);
    const wanted = this.#calls[this.#next];
    if (wanted === undefined || this.shown.length < this.#next) return undefined;
    const suffix = new RegExp(`(?:^|[^a-z])${wanted.tool}$`);
    const name = names.find(candidate => suffix.test(candidate));
    if (name !== undefined) {
      this.#next++;
      return { name, args: wanted.args };
    }
    // Some hosts list MCP tools only after a search, and others request titles and summaries without tools.
    if (this.#hasSearched || !names.includes('tool_search')) return undefined;
    this.#hasSearched = true;
    const deferred = new Set(this.#calls.map(({ tool }) => `mcp__oj__${tool}`));
    return { name: 'tool_search', args: { query: `select:${[...deferred].join()}` } };
  }
}

let requestCount = 0;

async function respond(script, request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { pathname } = new URL(request.url, 'http://loopback');
  const format = interfaces.find(({ path }) => path.test(pathname));
  const body = parse(Buffer.concat(chunks).toString());
  if (request.method !== 'POST' || format === undefined || body === undefined) {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[],"models":[]}');
    return;
  }
  const call = script.advance(format.tools(body), format.result(body));
  const id = `call_${++requestCount}`;
  if (body.stream !== true && !pathname.includes('stream')) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(format.whole(call, id)));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of format.events(call, id)) {
    const type = event.type === undefined ? '' : `event: ${event.type}\n`;
    response.write(`${type}data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`);
  }
  response.end();
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Joins the text blocks of a result. Other values become JSON. */
function textOf(value) {
  if (value === undefined || typeof value === 'string') return value;
  const blocks = Array.isArray(value) ? value : undefined;
  return blocks?.every(block => typeof block.text === 'string')
    ? blocks.map(block => block.text).join('\n')
    : JSON.stringify(value);
}

const usage = { input_tokens: 1, output_tokens: 1 };
const stopReason = call => (call === undefined ? 'end_turn' : 'tool_use');

function anthropicMessage(id) {
  return {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    content: [],
    stop_reason: null,
    usage,
  };
}

function anthropicBlock(call, id) {
  return call === undefined
    ? { type: 'text', text: 'done' }
    : { type: 'tool_use', id: `toolu_${id}`, name: call.name, input: call.args };
}

function anthropicEvents(call, id) {
  const block = anthropicBlock(call, id);
  const isText = block.type === 'text';
  const delta = isText
    ? { type: 'text_delta', text: block.text }
    : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
  return [
    { type: 'message_start', message: anthropicMessage(id) },
    {
      type: 'content_block_start',
      index: 0,
      content_block: isText ? { type: 'text', text: '' } : { ...block, input: {} },
    },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: stopReason(call) }, usage },
    { type: 'message_stop' },
  ];
}

function responsesItem(call, id) {
  if (call === undefined) {
    const content = [{ type: 'output_text', text: 'done', annotations: [] }];
    return { type: 'message', id: `msg_${id}`, role: 'assistant', status: 'completed', content };
  }
  const [namespace, name] = call.name.includes('|') ? call.name.split('|') : [undefined, call.name];
  const item = { type: 'function_call', id: `fc_${id}`, call_id: id, name, arguments: JSON.stringify(call.args) };
  return { ...item, ...(namespace && { namespace }), status: 'completed' };
}

function responsesObject(call, id) {
  const tokens = {
    ...usage,
    total_tokens: 2,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  };
  const output = [responsesItem(call, id)];
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: 1,
    model: 'scripted',
    status: 'completed',
    output,
    usage: tokens,
  };
}

function responsesEvents(call, id) {
  const response = responsesObject(call, id);
  return [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item: response.output[0] },
    { type: 'response.output_item.done', output_index: 0, item: response.output[0] },
    { type: 'response.completed', response },
  ];
}

function chatObject(call, id, key) {
  const text = { role: 'assistant', content: call === undefined ? 'done' : null };
  const tool = call && {
    tool_calls: [
      { index: 0, id, type: 'function', function: { name: call.name, arguments: JSON.stringify(call.args) } },
    ],
  };
  const finish_reason = call === undefined ? 'stop' : 'tool_calls';
  const tokens = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const object = key === 'delta' ? 'chat.completion.chunk' : 'chat.completion';
  return {
    id,
    object,
    created: 1,
    model: 'scripted',
    choices: [{ index: 0, [key]: { ...text, ...tool }, finish_reason }],
    usage: tokens,
  };
}

function geminiObject(call) {
  const part = call === undefined ? { text: 'done' } : { functionCall: { name: call.name, args: call.args } };
  const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
  return { candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }], usageMetadata };
}
