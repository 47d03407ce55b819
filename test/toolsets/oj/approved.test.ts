import path from 'node:path';
import { expect, test } from 'vitest';
import { Failure } from '../../../src/errors/failure.ts';
import { type FlagValues, openToolset } from '../../../src/toolset/toolset.ts';
import { oj } from '../../../src/toolsets/oj/index.ts';
import { connect } from '../../support/client.ts';
import { sendReply, startJudge } from '../../support/judge.ts';
import { type Args, answers, errors, malformed, refused } from './approved/backend.ts';
import { calls, collection, demoCalls, faulty } from './approved/collection.ts';
import { connectToProblems, folderWith } from './collection/support.ts';
import { connectToJudge, problemDocument } from './support.ts';

type Call = Awaited<ReturnType<typeof connectToJudge>>['call'];

/** Returns the result of a call, or the error of the protocol. */
async function resultOf(call: Call, tool: string, args: Args): Promise<string> {
  const shown = JSON.stringify(args).replaceAll(/(.)\1{40,}/g, run => `${run.slice(0, 3)}…${run.length}`);
  const lines = await call(tool, args).then(
    ({ isError, texts, structured }) => [
      ...texts.map(text => `${isError ? 'error: ' : ''}${shortened(text)}`),
      ...(structured === undefined ? [] : [JSON.stringify(structured)]),
    ],
    (error: unknown) => [`protocol error: ${error instanceof Error ? error.message : ''}`],
  );
  return `> ${tool} ${shown}\n${lines.join('\n').replaceAll(/^(?=.)/gm, '  ')}`;
}

function shortened(text: string): string {
  return text.length <= 3000 ? text : `${text.slice(0, 200)}… ${text.length} characters …${text.slice(-300)}`;
}

test('the tools send the approved requests to a backend and return the approved texts', async () => {
  const { call, judge } = await connectToJudge({ json: {} }, 'secret-token-0123456789', { 'oj-extras': true });
  const lists: string[] = [];
  for (const [tool, args] of refused) lists.push(await resultOf(call, tool, args));
  expect(judge.requests).toEqual([]);
  for (const [tool, args, reply] of [
    ...answers,
    ...errors,
    ...malformed.map(response => ['get_problem', { source: 'leetcode', id: '1' }, response] as const),
  ]) {
    judge.reply = reply;
    const result = await resultOf(call, tool, args);
    const requests = judge.requests.splice(0).map(({ target, headers }) => {
      const { host: _, connection: __, ...rest } = headers;
      return `  ${target.replaceAll(/(%C3%A9){20,}/g, '…')} ${JSON.stringify(rest)}`;
    });
    lists.push(`${result}\n${requests.join('\n')}`);
  }
  await expect(lists.join('\n').replaceAll(judge.origin, 'ORIGIN')).toMatchFileSnapshot('approved/backend.txt');
});

test.each(['en', 'cn'])('the tools return the approved texts for a collection in the language %s', async language => {
  const folder = folderWith(collection);
  const paths = ['problems.jsonl', 'array.json', 'packages'].map(name => path.join(folder, name));
  const { call } = await connectToProblems(paths, { 'oj-language': language });
  const lists: string[] = [];
  for (const [tool, args] of calls) lists.push(await resultOf(call, tool, args));
  lists.push(await listCheck({ problems: paths }));
  const name = `approved/collection-${language}.txt`;
  await expect(lists.join('\n').replaceAll(folder, 'FOLDER')).toMatchFileSnapshot(name);
});

/** Returns the lines of --check, or the error that prevents the start of the server. */
async function listCheck(values: FlagValues, isDemo = false): Promise<string> {
  const lines: string[] = [];
  try {
    const open = await openToolset(oj, values, { isDemo });
    lines.push(...open.notes.map(note => `note: ${note}`), ...open.warnings.map(warning => `warning: ${warning}`));
    for await (const { isGood, isWarning, line, hint } of open.check(new AbortController().signal))
      lines.push(`${isGood ? (isWarning === true ? '!' : '✓') : '✗'} ${line} ${hint ?? ''}`);
    await open.close();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    lines.push(`error: ${error.message} ${error.hint ?? ''}`);
  }
  return `> --check ${JSON.stringify(values)}\n${lines.join('\n').replaceAll(/^(?=.)/gm, '  ')}`;
}

test('the tools return the approved texts for the built-in problems', async () => {
  const { call } = await connect({ toolsets: [oj], values: {}, isDemo: true });
  const lists: string[] = [];
  for (const [tool, args] of demoCalls) lists.push(await resultOf(call, tool, args));
  await expect(lists.join('\n')).toMatchFileSnapshot('approved/demo.txt');
});

test('--check prints the approved lines for invalid problem files and for backends', async () => {
  const folder = folderWith({ ...faulty, empty: '' });
  const lists: string[] = [await listCheck({}, true), await listCheck({})];
  for (const name of [...Object.keys(faulty), 'missing.jsonl', 'empty']) {
    lists.push(await listCheck({ problems: [path.join(folder, name)] }));
  }
  const judge = await startJudge();
  const status = {
    json: { version: '1', platforms: [{ source: 'a', total: 1, missing_content: 0, not_embedded: 0 }] },
  };
  const found = { json: { source: 'a', id: '1', problem: null } };
  for (const token of [undefined, 'token-of-the-user']) {
    for (const [first, second] of [
      [status, found],
      ...[401, 403, 404, 429, 500].map(code => [problemDocument(code, 'T', 'd'), found] as const),
      ...[401, 403, 404, 500].map(code => [status, problemDocument(code, 'T', 'd')] as const),
      [problemDocument(401, 'T', 'd'), problemDocument(401, 'T', 'd')],
      [{ json: {} }, found],
      [status, { body: '<html>', type: 'text/html' }],
    ] as const) {
      judge.reply = response => {
        const isStatus = judge.requests.at(-1)?.target === '/status';
        sendReply(response, isStatus ? first : second);
      };
      const line = await listCheck({ 'base-url': judge.origin, token });
      lists.push(line, ...judge.requests.splice(0).map(({ target }) => `  ${target}`));
    }
  }
  const list = lists.join('\n').replaceAll(judge.origin, 'ORIGIN').replaceAll(folder, 'FOLDER');
  await expect(list.replaceAll(/within \d+ ms/g, 'within 1 ms')).toMatchFileSnapshot('approved/check.txt');
});
