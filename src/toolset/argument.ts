import * as v from 'valibot';
import { Failure } from '../errors/failure.ts';

/**
 * Hosts add these arguments to those of the model. They are ignored unless the tool declares the name. Every other
 * undeclared name is reported as an error of the model.
 */
const hostArguments: ReadonlySet<string> = new Set([
  'wait_for_previous', // Gemini CLI 0.61 adds it to the schema of every tool for its own scheduler, and forwards it
  'toolCallId', // n8n, https://github.com/n8n-io/n8n/issues/21500; Notion's server, makenotion/notion-mcp-server#146
  'sessionId', // n8n, this and the next two, in workflows that start with a chat: https://github.com/n8n-io/n8n/issues/22787
  'action',
  'chatInput',
  'tool_call_description', // hosts that ask the model for a reason; cyanheads/mcp-ts-core ignores it and the next one
  '_meta', // hosts that nest it one level too deep, https://github.com/cyanheads/mcp-ts-core/issues/453
  'random_string', // Cursor and others, for tools without arguments, because some models cannot send an empty object
]);

/**
 * Marks an argument that accepts another type if the conversion loses no information: 1 for the identifier "1", "5" for
 * 5, "true" for true. Command lines and models send such values. Published schemas stay strict.
 */
export function acceptConvertibleTypes<Input>() {
  return v.metadata<Input, { isLoose: true }>({ isLoose: true });
}

/** Marks an optional argument whose empty string means no value. */
export function treatEmptyStringAsAbsent<Input>() {
  return v.metadata<Input, { isEmptyAbsent: true }>({ isEmptyAbsent: true });
}

/** Marks an argument that is required in the published schema, although the server accepts a call without it. */
export function publishAsRequired<Input>() {
  return v.metadata<Input, { isPublishedAsRequired: true }>({ isPublishedAsRequired: true });
}

/** Normalizes the arguments of a call before the schema validates them. */
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

/** Normalizes one argument. Returns undefined if the argument counts as absent. */
function readArgument(schema: v.ObjectEntries[string], value: unknown): unknown {
  if (value === null) return undefined; // some hosts send null for an absent argument
  const { isLoose, isEmptyAbsent } = normalizationOfArgument(schema);
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

/** Returns whether the text is the canonical form of its number, so that converting it loses no information. */
function isCanonical(text: string): boolean {
  return /^-?\d+(?:\.\d+)?$/.test(text) && String(Number(text)) === text;
}

export interface ArgumentNormalization {
  isLoose: boolean;
  isEmptyAbsent: boolean;
  isPublishedAsRequired: boolean;
}

export function normalizationOfArgument(schema: v.ObjectEntries[string]): ArgumentNormalization {
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
