import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Connection, connect } from './client.ts';

describe('the clerk toolset', () => {
  let clerk: Connection;
  beforeAll(async () => {
    clerk = await connect('--toolsets', 'clerk');
  });
  afterAll(async () => await clerk.close());

  test('has the tools add, format_currency and validate_date, each with a description and an input schema', async () => {
    const list = (await clerk.client.listTools()).tools;
    expect(list.map(({ name }) => name)).toEqual(['add', 'format_currency', 'validate_date']);
    for (const { description, inputSchema } of list) {
      expect(description?.length).toBeGreaterThan(50);
      expect(description?.length).toBeLessThan(1500);
      expect(inputSchema.type).toBe('object');
    }
  });

  test('describes each argument with its type and lists the required arguments', async () => {
    const numeric = { anyOf: [{ type: 'number' }, { type: 'string' }] };
    const [add, currency, date] = (await clerk.client.listTools()).tools.map(({ inputSchema }) => inputSchema);
    expect(add).toMatchObject({ properties: { a: numeric, b: numeric }, required: ['a', 'b'] });
    expect(currency).toMatchObject({
      properties: { amount: numeric, picture: { type: 'string' } },
      required: ['amount'],
    });
    expect(date).toMatchObject({ properties: { date: { type: 'string' } }, required: ['date'] });
  });

  test('publishes no schema with an array of types or with null', async () => {
    const list = JSON.stringify((await clerk.client.listTools()).tools);
    expect(list).not.toMatch(/"type":\[/);
    expect(list).not.toContain('"null"');
  });

  test('mentions COBOL in every tool description', async () => {
    for (const { description } of (await clerk.client.listTools()).tools) expect(description).toContain('COBOL');
  });

  test('mentions the PICTURE clause in the description and in the result of format_currency', async () => {
    const list = (await clerk.client.listTools()).tools;
    expect(list.find(({ name }) => name === 'format_currency')?.description).toContain('PICTURE');
    expect((await clerk.call('format_currency', { amount: 5 })).text).toContain('PICTURE $$$,$$$,$$$,$$9.99-');
  });

  test('returns an error result for an unknown tool', async () => {
    const { isError, text } = await clerk.call('subtract');
    expect(isError).toBe(true);
    expect(text).toBe('There is no tool "subtract".\n\nKnown tools: add, format_currency, validate_date.');
  });

  test('returns only text items for results and errors', async () => {
    const outcomes = await Promise.all([
      clerk.call('add', { a: 1, b: 2 }),
      clerk.call('add', { a: 'one', b: 2 }),
      clerk.call('format_currency', { amount: 1 }),
      clerk.call('format_currency', { amount: 1, picture: 'Z9Z' }),
      clerk.call('validate_date', { date: '20250115' }),
      clerk.call('validate_date', { date: '20251315' }),
      clerk.call('validate_date', { date: 'today' }),
      clerk.call('multiply'),
    ]);
    for (const { types, text } of outcomes) {
      expect(new Set(types)).toEqual(new Set(['text']));
      expect(text).not.toBe('');
    }
  });

  test('rejects an unknown argument', async () => {
    const { isError, text } = await clerk.call('format_currency', { amount: 1, pictures: '9' });
    expect(isError).toBe(true);
    expect(text).toBe('format_currency: unknown argument "pictures", did you mean "picture"?');
  });
});

test('the clerk toolset is disabled unless --toolsets contains its name', async () => {
  const plain = await connect('--demo');
  const { isError, text } = await plain.call('add', { a: 1, b: 2 });
  await plain.close();
  expect(isError).toBe(true);
  expect(text).toContain('belongs to the toolset "clerk", which is disabled');
});

test('the clerk toolset returns the same results with --demo', async () => {
  const demo = await connect('--toolsets', 'clerk', '--demo');
  const outcomes = [
    await demo.call('add', { a: 0.1, b: 0.2 }),
    await demo.call('format_currency', { amount: 5 }),
    await demo.call('validate_date', { date: '20240229' }),
  ];
  await demo.close();
  expect(outcomes.map(({ structured }) => structured)).toEqual([
    { sum: '0.3', sentence: outcomes[0]?.text },
    {
      formatted: '$5.00',
      field: '             $5.00 ',
      picture: '$$$,$$$,$$$,$$9.99-',
      rounded: false,
      sentence: outcomes[1]?.text,
    },
    { valid: true, sentence: outcomes[2]?.text },
  ]);
});
