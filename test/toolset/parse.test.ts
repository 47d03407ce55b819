import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { validateValue } from '../../src/toolset/parse.ts';

const schema = v.strictObject({
  text: v.string(),
  kind: v.optional(v.picklist(['com', 'cn'])),
  count: v.optional(v.pipe(v.number(), v.integer('must be a whole number'), v.minValue(1, 'must be 1 or more'))),
  inner: v.optional(v.object({ list: v.array(v.string()) })),
});

describe('validateValue', () => {
  test.each([
    [{}, '"text" is required'],
    [{ text: 1 }, '"text" must be a string, got the number 1'],
    [{ text: true }, '"text" must be a string, got the boolean true'],
    [{ text: null }, '"text" must be a string, got null'],
    [{ text: [] }, '"text" must be a string, got a list'],
    [{ text: {} }, '"text" must be a string, got an object'],
    [{ text: '', kind: 'COM' }, '"kind" must be "com" or "cn", got the string "COM"'],
    [{ text: '', kind: 'x'.repeat(100) }, `"kind" must be "com" or "cn", got the string "${'x'.repeat(60)}…"`],
    [{ text: '', count: '1' }, '"count" must be a number, got the string "1"'],
    [{ text: '', count: 1.5 }, '"count" must be a whole number, got the number 1.5'],
    [{ text: '', count: 0 }, '"count" must be 1 or more, got the number 0'],
    [{ text: '', inner: { list: [1] } }, '"inner.list.0" must be a string, got the number 1'],
    [{ text: '', other: 1 }, 'unknown argument "other", it takes "text", "kind", "count", "inner"'],
    [{ text: '', cuont: 1 }, 'unknown argument "cuont", did you mean "count"?'],
    [7, 'it must be an object, got the number 7'],
  ])('rejects %j with a message of one sentence', (value, sentence) => {
    expect(() => validateValue(schema, value, 'argument', 'a_tool')).toThrow(
      expect.objectContaining({ code: 'argument', message: `a_tool: ${sentence}` }),
    );
  });
});

test('validateValue adds only the hint of the invalid argument', () => {
  const hints = { text: 'Name a text.' };
  const fail = (value: unknown) => () => validateValue(schema, value, 'argument', 'a_tool', undefined, hints);
  expect(fail({})).toThrow(expect.objectContaining({ hint: 'Name a text.' }));
  expect(fail({ text: 5 })).toThrow(expect.objectContaining({ hint: 'Name a text.' }));
  expect(fail({ text: '', count: 'x' })).toThrow(expect.objectContaining({ hint: undefined }));
  for (const value of [{}, { text: '', count: 'x' }, 7])
    expect(() => validateValue(schema, value, 'argument', 'a_tool', undefined, 'Read the list.')).toThrow(
      expect.objectContaining({ hint: 'Read the list.' }),
    );
});

test('validateValue describes a backend value by its type only, and truncates a long name', () => {
  const long = 'x'.repeat(1000);
  expect(() => validateValue(schema, { text: 7 }, 'malformed', 'The answer')).toThrow(
    '"text" must be a string, got a number',
  );
  expect(() => validateValue(schema, { text: '', kind: long }, 'malformed', 'The answer')).toThrow(/got a string$/);
  expect(() => validateValue(schema, { text: '', [long]: 1 }, 'argument', 'a_tool')).toThrow(
    `"${'x'.repeat(60)}", it takes`,
  );
});

test('validateValue returns a valid value', () => {
  expect(validateValue(schema, { text: 'x', count: 3 }, 'argument', 'a_tool')).toEqual({ text: 'x', count: 3 });
});

test('validateValue rejects every argument for a schema without entries', () => {
  expect(() => validateValue(v.strictObject({}), { a: 1 }, 'argument', 'a_tool')).toThrow(
    'a_tool: unknown argument "a", it takes none',
  );
});

test.each([
  [{ txet: 'x' }, 'unknown argument "txet", did you mean "text"?'],
  [{ text: 1, other: 1 }, '"text" must be a string, got the number 1'],
  [{ count: 1 }, '"text" is required'],
  [undefined, 'the value is missing'],
])('validateValue rejects %j, and an unknown argument is named before a missing one', (value, sentence) => {
  expect(() => validateValue(schema, value, 'argument', 'a_tool')).toThrow(
    expect.objectContaining({ message: `a_tool: ${sentence}` }),
  );
});

test.each([
  [60, 'x'.repeat(60)],
  [61, `${'x'.repeat(60)}…`],
])('validateValue shows at most 60 characters of a text with %i characters', (length, shown) => {
  expect(() => validateValue(schema, { text: '', kind: 'x'.repeat(length) }, 'argument', 'a_tool')).toThrow(
    new RegExp(`got the string "${shown}"$`),
  );
});
