import type { FlagValues } from '../../../src/toolset/toolset.ts';
import { oj } from '../../../src/toolsets/oj/index.ts';
import { type Connection, connect } from '../../support/client.ts';
import { type Judge, type Reply, startJudge } from '../../support/judge.ts';

/** A complete problem record as the backend sends it. */
export const problemRecord = {
  id: '1',
  source: 'leetcode',
  slug: 'two-sum',
  title: 'Two Sum',
  title_cn: '两数之和',
  difficulty: 'Easy',
  ac_rate: 57.304,
  rating: 0,
  contest: null,
  problem_index: null,
  category: 'Algorithms',
  tags: ['Array', 'Hash Table'],
  link: 'https://leetcode.com/problems/two-sum/',
  paid_only: 0,
  content: '<p>Return <b>both</b> indices, <code>n &lt;= 10<sup>4</sup></code>.</p>',
  content_cn: null,
  similar_questions: [],
};

export const problemText = `# Two Sum

- Source: leetcode | ID: 1 | Difficulty: Easy
- Tags: Array, Hash Table
- Link: https://leetcode.com/problems/two-sum/
- AC Rate: 57.3%

---

Return **both** indices, \`n <= 10^4\`.`;

/** Returns an error response of the backend in the form of RFC 7807. */
export function problemDocument(status: number, title: string, detail: string): Reply {
  return { status, type: 'application/problem+json', json: { type: 'about:blank', title, status, detail } };
}

/** Connects a client to a server with a loopback backend, which sends this response to every request. */
export async function connectToJudge(
  reply: Reply,
  token?: string,
  switches: FlagValues = {},
): Promise<Connection & { judge: Judge }> {
  const judge = await startJudge(reply);
  const values = { 'base-url': judge.origin, token, ...switches };
  return { judge, ...(await connect({ toolsets: [oj], values })) };
}

/** Connects a client in the same way, with the flag --oj-extras. */
export const connectWithExtras = async (reply: Reply) => await connectToJudge(reply, undefined, { 'oj-extras': true });
