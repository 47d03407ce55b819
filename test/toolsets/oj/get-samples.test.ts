import { describe, expect, test } from 'vitest';
import { connectToProblems, folderWith } from './collection/support.ts';
import { connectWithExtras, problemDocument, problemRecord } from './support.ts';

const content = '<h3>Sample Input 1</h3><pre>1 2\n</pre><h3>Sample Output 1</h3><pre>``` 3</pre>';
const args = { source: 'leetcode', id: '1' };

describe('the request of get_samples', () => {
  test('goes to the endpoint of the problem', async () => {
    const { call, judge } = await connectWithExtras({ json: problemRecord });
    await call('get_samples', { source: 'a/b', id: 'c d' });
    expect(judge.requests.map(({ target }) => target)).toEqual(['/api/v1/problems/a%2Fb/c%20d']);
  });

  test.each([
    [{ source: 'leetcode' }, 'get_samples: "id" is required'],
    [{ source: ' ', id: '1' }, '"source" must not be empty.'],
  ])('is not sent and a tool error is returned for %j', async (invalid, text) => {
    const { call, judge } = await connectWithExtras({ json: problemRecord });
    expect(await call('get_samples', invalid)).toMatchObject({ isError: true, text });
    expect(judge.requests).toEqual([]);
  });
});

describe('the result of get_samples', () => {
  test('shows each sample in code fences and returns it unchanged as structured content', async () => {
    const { call } = await connectWithExtras({ json: { ...problemRecord, content } });
    expect(await call('get_samples', args)).toEqual({
      isError: false,
      text: '1 sample from the statement\n\n## Sample 1\n\nInput:\n\n```\n1 2\n```\n\nOutput:\n\n````\n``` 3\n````',
      texts: [expect.any(String)],
      structured: { samples: [{ input: '1 2\n', output: '``` 3' }], from: 'statement' },
    });
  });

  test('contains an explanation if the statement has one', async () => {
    const block = 'Input: n = 1\nOutput: 2\nExplanation: n + 1';
    const { call } = await connectWithExtras({
      json: { ...problemRecord, content: `<p>Example:</p><pre>${block}</pre>` },
    });
    const { text, structured } = await call('get_samples', args);
    expect(text).toMatch(/\n\nExplanation: n \+ 1$/);
    expect(structured).toEqual({ samples: [{ input: 'n = 1', output: '2', explanation: 'n + 1' }], from: 'statement' });
  });

  test.each([null, '<p>No example.</p>'])('is an empty list and a note for the content %j', async empty => {
    const { call } = await connectWithExtras({ json: { ...problemRecord, content: empty } });
    const note = 'The statement has no samples in a known form: read it with get_problem.';
    expect(await call('get_samples', args)).toMatchObject({
      isError: false,
      texts: ['0 samples from the statement', note],
      structured: { samples: [], from: 'statement', notes: [note] },
    });
  });

  test('is an empty list and a note on the length for a page that exceeds the budget of the conversion', async () => {
    const rules = Array.from({ length: 2000 }, (_, index) => `pre{top:${index}px}`).join('');
    const long = `<style>${rules}</style>${content}${'<pre></pre>'.repeat(300)}`;
    const { call } = await connectWithExtras({ json: { ...problemRecord, content: long } });
    const note =
      'The statement is too long to be searched for samples, or the system is short of memory or threads: read it with get_problem.';
    expect(await call('get_samples', args)).toMatchObject({
      isError: false,
      structured: { samples: [], from: 'statement', notes: [note] },
    });
  });

  test('contains the sample files of a problem package', async () => {
    const folder = folderWith({
      'spring/lamps/problem.yaml': 'name: Lamps',
      'spring/lamps/problem.md': content,
      'spring/lamps/data/sample/1.in': '5 \r\n',
      'spring/lamps/data/sample/1.ans': '6',
    });
    const { call } = await connectToProblems(folder);
    expect((await call('get_samples', { source: 'spring', id: 'lamps' })).structured).toEqual({
      samples: [{ input: '5 \r\n', output: '6' }],
      from: 'files',
    });
  });

  test('is a tool error for a 404 response', async () => {
    const { call } = await connectWithExtras(problemDocument(404, 'Not Found', 'problem not found'));
    expect((await call('get_samples', args)).text).toBe('[404] Not Found: problem not found');
  });
});
