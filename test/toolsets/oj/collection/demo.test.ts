import { describe, expect, test } from 'vitest';
import { oj } from '../../../../src/toolsets/oj/index.ts';
import { connect } from '../../../support/client.ts';

const connectToDemo = async () => await connect({ toolsets: [oj], isDemo: true, values: { 'oj-extras': true } });

describe('--demo', () => {
  test('serves 14 problems of three judges without a token', async () => {
    const { call } = await connectToDemo();
    const { text } = await call('get_platform_status');
    expect(text).toContain('| lantern | 5 | 0 | 0 |\n| orchard | 5 | 0 | 0 |\n| quarry | 4 | 0 | 0 |');
  });

  test('names its sources in the instructions and in the descriptions of arguments', async () => {
    const { client } = await connectToDemo();
    expect(client.getInstructions()).toMatch(/ Sources: lantern, orchard, quarry\.$/);
    const { tools } = await client.listTools();
    expect(JSON.stringify(tools)).toContain('Here only: lantern, orchard, quarry');
  });

  test('has a daily challenge for every day and repeats no problem within 14 days', async () => {
    const { call } = await connectToDemo();
    const titles = new Set<string | undefined>();
    for (let day = 1; day <= 14; day++) {
      const date = `2026-02-${String(day).padStart(2, '0')}`;
      const com = (await call('get_daily_challenge', { date })).text;
      titles.add(com.split('\n', 1)[0]);
      expect((await call('get_daily_challenge', { date, domain: 'cn' })).text).not.toBe(com);
    }
    expect(titles.size).toBe(14);
  });

  test.each([
    ['resolve_problem', { query: 'https://leetcode.com/problems/two-sum/' }],
    ['get_problem', { source: 'leetcode', id: '1' }],
  ])('names the flag for real problems when %s finds no problem', async (tool, args) => {
    const { call } = await connectToDemo();
    const { texts } = await call(tool, args);
    expect(texts.join('\n')).toContain('This is the demo: real problems need --base-url in place of --demo.');
  });

  test('serves only statements that contain samples', async () => {
    const { call } = await connectToDemo();
    for (const source of ['lantern', 'orchard', 'quarry']) {
      const { text } = await call('list_problems', { source });
      for (const [, id] of text.matchAll(/^\| (\w+) \|(?! Title)/gm)) {
        expect((await call('get_problem', { source, id })).text).toMatch(/\nSample Input 1|Example/i);
      }
    }
  });
});
