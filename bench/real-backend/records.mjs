// Test problems for the five platforms of the backend, in the form that its crawlers store.
import { serialMark, statement } from '../statements.mjs';

/** On these days the backend has no problem: its download succeeds, fails, or never ends. */
export const lateDates = { soon: '2024-02-01', failing: '2024-02-02', never: '2024-02-03' };
export const storedDate = '2024-01-31';

const levels = ['Easy', 'Medium', 'Hard'];
const perPlatform = 30;

export const problems = [
  ...series('leetcode', index => ({
    id: String(index + 1),
    slug: `numbered-${index + 1}`,
    title_cn: `第${index + 1}题`,
    difficulty: levels[index % 3],
    ac_rate: 40 + index / 4,
    rating: index % 4 === 0 ? 0 : 1200 + index * 40.5,
    tags: index % 2 === 0 ? ['Array', 'Hash Table'] : ['Graph'],
    link: `https://leetcode.com/problems/numbered-${index + 1}/`,
  })),
  ...series('codeforces', index => ({
    id: `${1900 + index}${'ABC'[index % 3]}`,
    rating: 800 + index * 100,
    tags: ['graphs', 'dp'],
    link: `https://codeforces.com/contest/${1900 + index}/problem/${'ABC'[index % 3]}`,
  })),
  ...series('atcoder', index => ({
    id: `abc${300 + index}_a`,
    link: `https://atcoder.jp/contests/abc${300 + index}/tasks/abc${300 + index}_a`,
  })),
  record('luogu', 'P1001', {
    title: 'A+B 问题',
    difficulty: '入门',
    tags: ['模拟', '数学'],
    link: 'https://www.luogu.com.cn/problem/P1001',
    content:
      '# 题目描述\n\n给定两个整数 $a_i < b_i$，输出它们的和。\n\n## 样例\n\n```\n1 2\n```\n\n**注意：**$|a|\\le 10^9$',
  }),
  record('luogu', 'UVA100', { title: '3n+1', content: 'The length of a cycle, $1 \\le i < 10^6$.' }),
  record('spoj', 'SP1', {
    title: 'TEST',
    link: 'https://www.luogu.com.cn/problem/SP1',
    content: 'Rewrite small numbers, stop at 42.\n\n```\n1\n2\n42\n```',
  }),
  record('leetcode', '9001', { slug: 'no-title', title: null, title_cn: '无题', content: '<p>暂无<b>标题</b></p>' }),
  record('leetcode', '9002', { slug: 'locked', title: 'Locked', paid_only: 1, content: null }),
  record('leetcode', '9003', { slug: 'long', title: 'Long', content: plain('leetcode', 150_000, 1) }),
  record('leetcode', '9004', { slug: 'too-long', title: 'Too Long', content: plain('leetcode', 1_100_000, 2) }),
  record('leetcode', '9005', {
    slug: 'pipes',
    title: 'A | B\nC',
    tags: ['a|b', 'c,d'],
    ac_rate: 57.25,
    content: 'A page of small words.',
  }),
  record('leetcode', '9006', { slug: 'unembedded', title: 'Not Embedded', content: '<p>alone</p>' }),
];

/** These rows must be inserted by SQL: vectors, a stored daily problem, a vector without a problem. */
export const statements = [
  ...problems.filter(({ id }) => id !== '9006').flatMap(embedding),
  ...embedding(record('leetcode', '9999', { title: 'Gone' })),
  dailyRow(storedDate, 'com', 'Stored'),
  dailyRow(storedDate, 'cn', '每日一题'),
];

/** These tags are not JSON. They belong to a separate platform, in which a search by tags fails. */
export const broken = [['UPDATE problems SET tags = ? WHERE source = ?', ['not json', 'spoj']]];
export const mended = [['UPDATE problems SET tags = NULL WHERE source = ?', ['spoj']]];

export function dailyRow(date, domain, title) {
  return [
    `INSERT INTO daily_challenge (date, domain, id, slug, title, difficulty, ac_rate, tags, link, paid_only, content)
     VALUES (?, ?, 1, 'numbered-1', ?, 'Easy', 57.304, '["Array"]', 'https://leetcode.com/problems/numbered-1/', 0, ?)`,
    [date, domain, title, '<p>At most <code>10<sup>5</sup></code>.</p>'],
  ];
}

function series(source, fields) {
  return Array.from({ length: perPlatform }, (_, index) =>
    record(source, undefined, {
      title: `Problem ${index + 1} of ${source}`,
      content: plain(source, 2000, index),
      ...fields(index),
    }),
  );
}

function plain(source, minLength, seed) {
  return statement(source, minLength, seed).replaceAll(serialMark, '7');
}

function record(source, id, fields) {
  const none = { title_cn: null, difficulty: null, ac_rate: null, rating: null, contest: null, problem_index: null };
  const rest = { category: null, paid_only: 0, content_cn: null, similar_questions: [], link: null, tags: [] };
  return { id, source, slug: fields.slug ?? fields.id ?? id, ...none, ...rest, ...fields };
}

function embedding({ source, id, title, content }) {
  return [
    [
      'INSERT INTO vec_embeddings (source, problem_id, embedding) VALUES (?, ?, ?)',
      [source, id, { vector: `${title} ${content?.slice(0, 4000)}` }],
    ],
    [
      `INSERT INTO problem_embeddings (source, problem_id, rewritten_content, model, dim, updated_at)
       VALUES (?, ?, ?, 'ours', 768, '2024-01-01')`,
      [source, id, source === 'atcoder' ? null : `What it is about:\n${title}`],
    ],
  ];
}
