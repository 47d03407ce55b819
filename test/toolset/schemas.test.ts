import { readdirSync, readFileSync } from 'node:fs';
import { RE2JS } from 're2js';
import { describe, expect, test } from 'vitest';
import { normalizationOfArgument } from '../../src/toolset/argument.ts';
import type { Toolset } from '../../src/toolset/toolset.ts';
import * as toolsets from '../../src/toolsets/index.ts';

const all: readonly Toolset[] = Object.values(toolsets);

type Schema = Readonly<Record<string, unknown>>;
const isText = (value: unknown): value is string => typeof value === 'string';
const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;

/** Yields a schema and all schemas inside it with their paths. */
function* schemasIn(schema: Schema, at: string): Generator<[at: string, schema: Schema]> {
  yield [at, schema];
  const { properties, items, anyOf, additionalProperties } = schema;
  if (isSchema(properties)) {
    for (const [name, inner] of Object.entries(properties)) {
      if (isSchema(inner)) yield* schemasIn(inner, `${at}.${name}`);
    }
  }
  for (const inner of [items, additionalProperties, ...(Array.isArray(anyOf) ? anyOf : [])]) {
    if (isSchema(inner)) yield* schemasIn(inner, `${at}[]`);
  }
}

interface PublishedTool {
  name: string;
  inputSchema: Schema;
  outputSchema?: Schema;
}

/**
 * The tools in the reviewed files tools.json, for each flag of a toolset. toolsets.test.ts tests that the files are
 * equal to tools/list.
 */
const tools = all.flatMap(({ name }) => {
  const folder = new URL(`../toolsets/${name}/`, import.meta.url);
  const lists = readdirSync(folder).filter(file => /^tools\b.*\.json$/.test(file));
  return lists.flatMap((file): PublishedTool[] => JSON.parse(readFileSync(new URL(file, folder), 'utf8')));
});
const inputs = tools.flatMap(tool => [...schemasIn(tool.inputSchema, tool.name)]);
const outputs = tools.flatMap(tool => (tool.outputSchema ? [...schemasIn(tool.outputSchema, tool.name)] : []));

/**
 * Schemas of arguments use only these keywords, because Gemini's function calling supports no others (`Schema` of its
 * API). The strict mode of the OpenAI Agents SDK keeps the meaning of all of them.
 */
const knownWords = new Set(
  `type description properties required additionalProperties items anyOf enum default
   pattern minLength maxLength minimum maximum minItems maxItems`.split(/\s+/),
);
const types = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean']);

test('the toolsets publish enough tools and input schemas for the tests below', () => {
  expect(tools.length).toBeGreaterThan(3 * all.length);
  expect(inputs.length).toBeGreaterThan(3 * tools.length - all.length);
});

describe('the input schemas of all tools', () => {
  test.each(tools)('are closed objects with argument names that all hosts accept: $name', ({ name, inputSchema }) => {
    expect(inputSchema).toMatchObject({
      type: 'object',
      properties: expect.any(Object),
      additionalProperties: false,
    });
    expect(inputSchema).not.toHaveProperty('anyOf');
    for (const word of [name, ...Object.keys(inputSchema['properties'] ?? {})])
      expect(word).toMatch(/^[a-z][a-z0-9_]{0,47}$/);
  });

  test('use only JSON Schema keywords that all hosts support', () => {
    const unknown = inputs.flatMap(([at, schema]) =>
      Object.keys(schema).flatMap(word => (knownWords.has(word) ? [] : [`${at}: ${word}`])),
    );
    expect(unknown).toEqual([]);
  });

  test('declare one type or a choice of types for each argument, without null', () => {
    const odd = inputs.flatMap(([at, { type, anyOf }]) => {
      const isOne = typeof type === 'string' && types.has(type);
      const isChoice = type === undefined && Array.isArray(anyOf) && anyOf.length > 1;
      return isOne || isChoice ? [] : [`${at}: ${JSON.stringify(type ?? anyOf)}`];
    });
    expect(odd).toEqual([]);
  });

  test('contain enums of strings only and defaults of the declared type', () => {
    const odd = inputs.flatMap(([at, { type, enum: choices, default: standard }]) => {
      const isChoice = choices === undefined || (type === 'string' && Array.isArray(choices) && choices.every(isText));
      const isStandard = standard === undefined || typeof standard === (type === 'integer' ? 'number' : type);
      return isChoice && isStandard ? [] : [at];
    });
    expect(odd).toEqual([]);
  });

  test('are closed objects at every depth, as strict modes of hosts require', () => {
    const open = inputs.flatMap(([at, { type, additionalProperties }]) =>
      type === 'object' && additionalProperties !== false ? [at] : [],
    );
    expect(open).toEqual([]);
  });
});

test('the keyword "type" of every output schema is one type, not a list', () => {
  expect(outputs.flatMap(([at, { type }]) => (Array.isArray(type) ? [at] : []))).toEqual([]);
});

test('every pattern of a schema is valid in RE2, .NET and Rust, without lookaround and backreference', () => {
  const patterns = [...inputs, ...outputs].flatMap(([, { pattern }]) => (pattern === undefined ? [] : [pattern]));
  expect(patterns.every(isText)).toBe(true);
  for (const pattern of patterns.filter(isText)) {
    expect(() => RE2JS.compile(pattern)).not.toThrow();
    // The permitted syntax of regular expressions: plain groups only, escapes only for classes and literal characters,
    // and no empty class.
    expect(pattern).not.toMatch(/\(\?(?!:)|\\[^dwsDWS.\-/\\^$*+?()[\]{}|]|\[\^?\]/);
  }
});

/**
 * These arguments must reach a tool unchanged or be rejected, because a conversion could lose data or extend the
 * access.
 */
const exact = /^(?:user_id|path|date|since|content|binary_data|filename|\w*hash|\w*token|pattern|picture|a|b|amount)$/;

test.each(all)(
  'the tools of $name convert no value of another type for an argument that must arrive unchanged, such as an id or a text',
  async toolset => {
    const odd: string[] = [];
    for (const { name, input } of (await toolset.load()).tools) {
      for (const [argument, schema] of Object.entries(input.entries)) {
        const { isLoose, isEmptyAbsent } = normalizationOfArgument(schema);
        const isOpened = exact.test(argument) && (isLoose || isEmptyAbsent);
        if (isOpened || (isEmptyAbsent && schema.type !== 'optional')) odd.push(`${name}.${argument}`);
      }
    }
    expect(odd).toEqual([]);
  },
);
