import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { acceptConvertibleTypes, readArguments, treatEmptyStringAsAbsent } from '../../src/toolset/argument.ts';
import type { Toolset } from '../../src/toolset/toolset.ts';
import * as toolsets from '../../src/toolsets/index.ts';
import { connect } from '../support/client.ts';

const all: readonly Toolset[] = Object.values(toolsets);

const declared = {
  id: v.pipe(v.string(), acceptConvertibleTypes()),
  text: v.string(),
  limit: v.optional(v.pipe(v.number(), acceptConvertibleTypes(), v.integer())),
  share: v.optional(v.fallback(v.pipe(v.number(), acceptConvertibleTypes()), Number.NaN)),
  all: v.optional(v.pipe(v.boolean(), acceptConvertibleTypes()), false),
  domain: v.optional(v.pipe(v.picklist(['com', 'cn']), treatEmptyStringAsAbsent(), v.description('which'))),
  user_id: v.optional(v.string()),
};

describe('readArguments', () => {
  test.each([
    ['an integer for a string id becomes a string', { id: 1 }, { id: '1' }],
    ['a negative integer for a string id becomes a string', { id: -7 }, { id: '-7' }],
    ['a number with decimals for a string id is unchanged', { id: 1.5 }, { id: 1.5 }],
    ['an integer above 2^53 - 1 for a string id is unchanged', { id: 2 ** 53 }, { id: 2 ** 53 }],
    ['minus zero for a string id is unchanged', { id: -0 }, { id: -0 }],
    ['a number for a text is unchanged', { text: 1 }, { text: 1 }],
    ['a string of digits for a number becomes a number', { limit: '5' }, { limit: 5 }],
    ['a decimal string for a number becomes a number', { share: '-0.25' }, { share: -0.25 }],
    [
      'a decimal string that JSON would write differently is unchanged',
      { limit: '05', share: '.5' },
      { limit: '05', share: '.5' },
    ],
    ['a decimal string with an exponent is unchanged', { limit: '1e3' }, { limit: '1e3' }],
    ['a decimal string with a blank is unchanged', { limit: ' 5' }, { limit: ' 5' }],
    [
      'a decimal string that a number cannot represent is unchanged',
      { limit: '9007199254740993' },
      { limit: '9007199254740993' },
    ],
    ['the string "true" for a boolean becomes true', { all: 'true' }, { all: true }],
    ['the string "false" for a boolean becomes false', { all: 'false' }, { all: false }],
    ['any other string for a boolean is unchanged', { all: 'yes' }, { all: 'yes' }],
    ['an empty string for an argument where it means absent is removed', { domain: '' }, {}],
    [
      'an empty string for other arguments is unchanged',
      { text: '', id: '', user_id: '' },
      { text: '', id: '', user_id: '' },
    ],
    ['null for optional arguments is removed', { domain: null, user_id: null }, {}],
    ['undefined for all arguments becomes an empty object', undefined, {}],
    ['null for all arguments becomes an empty object', null, {}],
    [
      'undeclared arguments are kept, so that they are rejected later',
      { other: null, limti: 5 },
      { other: null, limti: 5 },
    ],
    ['an argument with the name of an object method is kept', { constructor: 1 }, { constructor: 1 }],
  ])('converts an argument only if its meaning is unambiguous: %s (%j)', (_, args, read) => {
    expect(readArguments(args, declared)).toEqual(read);
  });

  test.each([
    'wait_for_previous',
    'toolCallId',
    'sessionId',
    'action',
    'chatInput',
    'tool_call_description',
    '_meta',
    'random_string',
  ])('removes an argument that some hosts add: %s', name => {
    expect(readArguments({ text: 'x', [name]: 'anything' }, declared)).toEqual({ text: 'x' });
    expect(readArguments({ [name]: 'mine' }, { [name]: v.string() })).toEqual({ [name]: 'mine' });
  });

  test('rejects an array that is given instead of an object', () => {
    expect(() => readArguments([], declared)).toThrow('the arguments must be an object');
  });
});

/** The set contains the names of all tools. Some are missing if a toolset was deleted. */
const there = new Set<string>();
for (const toolset of all) for (const { name } of (await toolset.load()).tools) there.add(name);

describe('tools/call with arguments of other types', () => {
  // The temporary folder is replaced, because the demo removes its samples at exit, but Vitest ends this process with a
  // signal.
  const samples = mkdtempSync(path.join(tmpdir(), 'oj-mcp-test-'));
  beforeAll(() => {
    for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, samples);
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    rmSync(samples, { recursive: true, maxRetries: 10 }); // an audit record may still be written
  });

  const sample = { book_id: 'garden-path', path: 'content/README.md' };
  const good: [tool: string, args: Record<string, unknown>][] = [
    ['get_problem', { source: 'orchard', id: 1, wait_for_previous: false }],
    ['get_problem', { source: 'orchard', id: '1', toolCallId: 'call_1', sessionId: 's', action: 'x', chatInput: '' }],
    ['resolve_problem', { query: 1 }],
    ['find_similar_problems', { query: 'shortest path', limit: '5', threshold: '0.1', source_filter: '', source: '' }],
    ['get_daily_challenge', { domain: '', _meta: {} }],
    ['get_platform_status', { random_string: 'dummy' }],
    ['validate_date', { date: '20250115', wait_for_previous: true }],
    ['list_books', { include_structure: '', book_id: '' }],
  ];
  test.each(good.filter(([tool]) => there.has(tool)))('is accepted for the tool %s with %j', async (tool, args) => {
    const { call } = await connect({ toolsets: all, isDemo: true });
    expect(await call(tool, args)).toMatchObject({ isError: false });
  });

  const bad: [tool: string, args: Record<string, unknown>, sentence: string][] = [
    ['get_problem', { source: 1, id: '1' }, '"source" must be a string, got the number 1'],
    ['get_problem', { source: 'orchard', id: '1', wait_for_previuos: true }, 'unknown argument "wait_for_previuos"'],
    ['find_similar_problems', { query: 'graph', limt: 5 }, 'did you mean "limit"?'],
    ['get_daily_challenge', { date: '' }, '"date" must be a calendar day'],
    ['validate_date', { date: 20250115 }, '"date" must be a string, got the number 20250115'],
    ['validate_date', { date: '' }, '"date" must be eight digits'],
    ['read_content', { ...sample, user_id: '' }, '\\"user_id\\" must be 1 to 100 letters'],
    ['read_content', { ...sample, user_id: 1 }, '\\"user_id\\" must be a string'],
    ['read_content', { ...sample, user_id: '__base__' }, '\\"user_id\\" must not be the reserved'],
    ['delete_content', { ...sample, path: '' }, '\\"path\\" must not be empty'],
  ];
  test.each(bad.filter(([tool]) => there.has(tool)))(
    'is rejected if a conversion could hide a mistake: tool %s with %j',
    async (tool, args, sentence) => {
      const { call } = await connect({ toolsets: all, isDemo: true });
      const { isError, text } = await call(tool, args);
      expect([isError, text]).toEqual([true, expect.stringContaining(sentence)]);
    },
  );
});
