import { expect, test } from 'vitest';
import { statementMarkdown } from '../../../src/statement/index.ts';
import { convertStatement } from '../../../src/toolsets/oj/io/converter.ts';

const link = 'https://judge.example/problems/4/a';
const call = { signal: new AbortController().signal, report: fail };
/** So much that a thread of its own converts it. */
const size = 300 * 1024;

function fail(bug: unknown): never {
  throw bug;
}

test.each([null, undefined, '', ' \n', '<p></p>', '<script>x</script>'])('nothing comes of %j', async content => {
  expect(await convertStatement({ content, link }, call)).toBe('');
});

test.each([
  ['page', '<p>a<sub>i</sub> <a href="/b">b</a></p>'],
  ['text with HTML in it', '# a\n\n*b* <a href="/b">b</a> x<sup>2</sup>\n'],
  ['hostile page', '<table><tr><td>x'],
])('a long %s is converted as a short one is', async (_, piece) => {
  const content = piece.repeat(size / piece.length);
  expect(await convertStatement({ content, link }, call)).toBe(statementMarkdown(content, link, 102_400));
});

test('the server answers while a long page is converted', async () => {
  let isConverted = false;
  const convert = async (): Promise<void> => {
    await convertStatement({ content: '<i>x</i>\n'.repeat(size / 9), link }, call);
    isConverted = true;
  };
  const converted = convert();
  const turns = await new Promise<number>(resolve => {
    let count = 0;
    const turn = (): void => {
      count++;
      if (isConverted) resolve(count);
      else setImmediate(turn);
    };
    turn();
  });
  await converted;
  expect(turns).toBeGreaterThan(20);
});

test('a cancelled call stops its thread, and the next one has its turn', async () => {
  const cancel = new AbortController();
  const content = '<ul><li>x</ul>'.repeat(size / 14);
  const cancelled = convertStatement({ content, link }, { ...call, signal: cancel.signal });
  const next = convertStatement({ content, link }, call);
  cancel.abort(new Error('nobody waits'));
  await expect(cancelled).rejects.toThrow('nobody waits');
  expect(await next).toBe(statementMarkdown(content, link, 102_400));
});
