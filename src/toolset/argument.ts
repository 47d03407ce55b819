import * as v from 'valibot';
import { Failure } from '../errors/failure.ts';

/**
 * What hosts put beside the arguments a model has chosen. It is dropped where a tool declares nothing of that name; every
 * other undeclared name is a model's mistake, which it has to be told.
 */
const hostArguments: ReadonlySet<string> = new Set([
  'wait_for_previous', // Gemini CLI 0.61 writes it into the schema of every tool, for its own scheduler, and sends it on
  'toolCallId', // n8n, https://github.com/n8n-io/n8n/issues/21500; Notion's server, makenotion/notion-mcp-server#146
  'sessionId', // n8n, this and the next two, where a chat starts the flow: https://github.com/n8n-io/n8n/issues/22787
  'action',
  'chatInput',
  'tool_call_description', // hosts that ask the model why it calls, cyanheads/mcp-ts-core drops it and the next too
  '_meta', // hosts that put it a level too deep, https://github.com/cyanheads/mcp-ts-core/issues/453
  'random_string', // Cursor and others, for tools without arguments: some models cannot send an empty object
]);

/**
 * Marks an argument whose type may be missed where nothing can be lost by it: 1 for the identifier "1", "5" for 5, "true"
 * for true. Command lines and models do that. Published schemas stay strict.
 */
export function loose<Input>() {
  return v.metadata<Input, { isLoose: true }>({ isLoose: true });
}

/** Marks an optional argument whose empty string says the same as leaving it out. */
export function emptyIsAbsent<Input>() {
  return v.metadata<Input, { isEmptyAbsent: true }>({ isEmptyAbsent: true });
}

/** Marks an argument that clients are told to give always, though a call without it is understood. */
export function publishedAsRequired<Input>() {
  return v.metadata<Input, { isPublishedAsRequired: true }>({ isPublishedAsRequired: true });
}

/** The arguments as the model meant them, before the schema judges them. */
export function readArguments(args: unknown, declared: v.ObjectEntries): unknown {
  if (args === undefined || args === null) return {};
  if (typeof args !== 'object' || Array.isArray(args)) {
    throw new Failure('argument', 'the arguments must be an object');
  }
  const read: [name: string, value: unknown][] = [];
  for (const [name, value] of Object.entries(args)) {
    const schema = Object.hasOwn(declared, name) ? declared[name] : undefined;
    if (schema === undefined && hostArguments.has(name)) continue;
    const meant = schema === undefined ? value : readArgument(schema, value);
    if (meant !== undefined) read.push([name, meant]);
  }
  return Object.fromEntries(read);
}

/** undefined: the argument counts as left out. */
function readArgument(schema: v.ObjectEntries[string], value: unknown): unknown {
  if (value === null) return undefined; // what hosts send for an argument that was left out
  const { isLoose, isEmptyAbsent } = marksOf(schema);
  if (value === '' && isEmptyAbsent) return undefined;
  return isLoose ? loosened(unwrapped(schema).type, value) : value;
}

function loosened(type: string, value: unknown): unknown {
  switch (type) {
    case 'string':
      return Number.isSafeInteger(value) && !Object.is(value, -0) ? String(value) : value;
    case 'number':
      return typeof value === 'string' && isCanonical(value) ? Number(value) : value;
    case 'boolean':
      return value === 'true' || value === 'false' ? value === 'true' : value;
    default:
      return value;
  }
}

/** Whether the text is the one way to write its number, so that the number says all that the text said. */
function isCanonical(text: string): boolean {
  return /^-?\d+(?:\.\d+)?$/.test(text) && String(Number(text)) === text;
}

export interface Marks {
  isLoose: boolean;
  isEmptyAbsent: boolean;
  isPublishedAsRequired: boolean;
}

export function marksOf(schema: v.ObjectEntries[string]): Marks {
  const marks: Record<string, unknown> = v.getMetadata(unwrapped(schema));
  return {
    isLoose: marks['isLoose'] === true,
    isEmptyAbsent: marks['isEmptyAbsent'] === true,
    isPublishedAsRequired: marks['isPublishedAsRequired'] === true,
  };
}

function unwrapped(schema: v.ObjectEntries[string]): v.ObjectEntries[string] {
  return schema.type === 'optional' && 'wrapped' in schema ? schema.wrapped : schema;
}
