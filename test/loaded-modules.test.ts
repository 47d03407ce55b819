import { expect, test } from 'vitest';
import { certificate } from './support/certificate.ts';
import { startJudge } from './support/judge.ts';
import { callProgram } from './support/program.ts';
import { has, known } from './support/toolsets.ts';

const call = { name: 'get_problem', arguments: { source: 'leetcode', id: '1' } };
const problem = { json: { id: '1', title: 'Title', tags: [], content: '<p>x</p>' } };
/**
 * This code is loaded before the program. It reports large Node modules that are loaded, and the call that reads the
 * time zone.
 */
const preload = `const { toISOString } = Date.prototype;
Date.prototype.toISOString = function () {
  console.error('LOADED the time zone');
  return toISOString.call(this);
};
process.on('exit', () => {
  const big = /^NativeModule (?:https|tls|http2|worker_threads|internal\\/http2\\/.*|internal\\/deps\\/undici\\/undici)$/;
  for (const name of process.moduleLoadList) if (big.test(name)) console.error('LOADED ' + name.split(' ')[1]);
})`;

async function loadedBy(flags: string[], calls: (typeof call)[]): Promise<{ answer: string; loaded: string[] }> {
  const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(preload)}`];
  const { answers, stderr } = await callProgram(flags, {}, calls, nodeArgs);
  return {
    answer: JSON.stringify(answers[0]),
    loaded: Array.from(stderr.matchAll(/LOADED (.+)/g), ([, name = '']) => name),
  };
}

test.runIf(has('oj'))(
  'a call to an http backend loads no TLS module, no second HTTP client, no worker threads and no time zone data',
  async () => {
    const { answer, loaded } = await loadedBy(['--base-url', (await startJudge(problem)).origin], [call]);
    expect(answer).toContain('# Title');
    expect(loaded).toEqual([]);
  },
);

test.runIf(has('oj'))('a call to an https backend loads TLS, but no second HTTP client', async () => {
  const { answer, loaded } = await loadedBy(['--base-url', (await startJudge(problem, certificate)).origin], [call]);
  expect(answer).toContain('certificate');
  expect(loaded).toEqual(expect.arrayContaining(['https', 'tls']));
  expect(loaded.join()).not.toMatch(/undici|http2/);
});

test.each([...known.keys()])(
  'a start with the toolset %s loads no worker threads, no HTTP client and no time zone data',
  async name => {
    const { loaded } = await loadedBy(['--toolsets', name, '--demo'], []);
    expect(loaded).toEqual([]);
  },
);
