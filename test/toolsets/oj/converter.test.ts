import { expect, test } from 'vitest';
import { statementMarkdown } from '../../../src/statement/index.ts';
import { readSamples } from '../../../src/statement/samples.ts';
import { convertStatement, extractStatementSamples } from '../../../src/toolsets/oj/io/converter.ts';

const link = 'https://judge.example/problems/4/a';
const call = { signal: new AbortController().signal, report: fail };
/** A statement of this size is above the limit for conversion in the main thread. */
const size = 300 * 1024;

function fail(bug: unknown): never {
  throw bug;
}

test.each([null, undefined, '', ' \n', '<p></p>', '<script>x</script>'])(
  'convertStatement returns an empty string for %j',
  async content => {
    expect(await convertStatement({ content, link }, call)).toBe('');
  },
);

test.each([
  ['page', '<p>a<sub>i</sub> <a href="/b">b</a></p>'],
  ['Markdown text with HTML', '# a\n\n*b* <a href="/b">b</a> x<sup>2</sup>\n'],
  ['page of unclosed tables', '<table><tr><td>x'],
])(
  'convertStatement returns from a worker thread the same Markdown as from the main thread for a %s',
  async (_, piece) => {
    const content = piece.repeat(size / piece.length);
    expect(await convertStatement({ content, link }, call)).toBe(statementMarkdown(content, link, 102_400));
  },
);

const longPage = '<i>x</i>\n'.repeat(size / 9);

test.each([
  ['converts', async () => await convertStatement({ content: longPage, link }, call)],
  ['reads the samples of', async () => await extractStatementSamples(longPage, call.signal)],
])('the main thread handles other events while a worker thread %s a long statement', async (_, run) => {
  let isConverted = false;
  const convert = async (): Promise<void> => {
    await run();
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

test('extractStatementSamples returns from a worker thread the same samples as from the main thread', async () => {
  const content = `${longPage}<h3>Sample Input</h3><pre>1</pre><h3>Sample Output</h3><pre>2</pre>`;
  expect(await extractStatementSamples(content, call.signal)).toEqual([{ input: '1', output: '2' }]);
  expect(readSamples(content)).toEqual([{ input: '1', output: '2' }]);
});

test('extractStatementSamples returns undefined if the statement needs more memory than its thread has', async () => {
  const content = `${'<p>word <b>word</b></p>\n'.repeat(800_000)}<h3>Sample Input</h3><pre>1</pre>`;
  expect(await extractStatementSamples(content, call.signal)).toBeUndefined();
});

test('the cancellation of a call terminates its converter thread, and the next call succeeds', async () => {
  const cancel = new AbortController();
  const content = '<ul><li>x</ul>'.repeat(size / 14);
  const cancelled = convertStatement({ content, link }, { ...call, signal: cancel.signal });
  const next = convertStatement({ content, link }, call);
  cancel.abort(new Error('cancelled by the test'));
  await expect(cancelled).rejects.toThrow('cancelled by the test');
  expect(await next).toBe(statementMarkdown(content, link, 102_400));
});
