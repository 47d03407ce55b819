import { toJsonSchema } from '@valibot/to-json-schema';
import { normalizationOfArgument } from '../toolset/argument.ts';
import type { InputSchema, OpenedToolset, OutputSchema } from '../toolset/toolset.ts';

/** Returns the published form of all enabled tools. Only this file generates JSON Schema. */
export function listTools(open: readonly OpenedToolset[]): object[] {
  return open.flatMap(({ tools, published }) =>
    tools.map(tool => ({
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: publishedInput(tool.input, published.arguments ?? {}),
      ...(tool.output && { outputSchema: publishedOutput(tool.output) }),
      annotations: { title: tool.title, ...tool.annotations },
      ...(tool.meta && { _meta: tool.meta }),
    })),
  );
}

type JsonSchema = ReturnType<typeof toJsonSchema>;

function jsonSchema(schema: Parameters<typeof toJsonSchema>[0]): JsonSchema {
  // JSON Schema cannot represent a check by a function, and the metadata of arguments is internal.
  const { $schema: _, ...rest } = toJsonSchema(schema, { target: 'draft-07', ignoreActions: ['check', 'metadata'] });
  return rest;
}

function publishedInput(input: InputSchema, additions: Readonly<Record<string, string>>): object {
  const published = withAdditions(jsonSchema(input), additions);
  const marked = Object.entries(input.entries).filter(
    ([, schema]) => normalizationOfArgument(schema).isPublishedAsRequired,
  );
  return { ...published, required: [...(published.required ?? []), ...marked.map(([name]) => name)] };
}

/** Adds sentences that depend on the settings to the descriptions of tool arguments. */
function withAdditions(schema: JsonSchema, additions: Readonly<Record<string, string>>): JsonSchema {
  const properties = { ...schema.properties };
  for (const [name, sentence] of Object.entries(additions)) {
    const property = properties[name];
    if (typeof property !== 'object') continue;
    properties[name] = { ...property, description: [property.description, sentence].filter(Boolean).join('. ') };
  }
  return { ...schema, properties };
}

/** Adds `notes`, which every structured result can have, to the declared output schema. */
function publishedOutput(output: OutputSchema): object {
  const { properties, ...rest } = jsonSchema(output);
  return { ...rest, properties: { ...properties, notes: { type: 'array', items: { type: 'string' } } } };
}
