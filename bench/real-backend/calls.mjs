// Calls of every tool with their expected result: [tool, arguments, outcome, pattern of the text].
import { lateDates, storedDate } from './records.mjs';

const problem = (title, ...more) =>
  new RegExp(`^# ${title}\\n\\n- Source: ${more.map(part => `[\\s\\S]*${part}`).join('')}`);
const notFound = text => new RegExp(`^problem not found: ${text}`);

/** Pairs of an id in some form (a link, with prefix, without prefix) and the problem that it identifies. */
const resolvable = [
  ['https://leetcode.com/problems/numbered-2/', 'leetcode', '2'],
  ['https://leetcode.cn/problems/Numbered-2/description/?envType=daily-question', 'leetcode', '2'],
  ['https://leetcode.com/contest/weekly-contest-9/problems/numbered-3', 'leetcode', '3'],
  ['numbered-4', 'leetcode', '4'],
  ['5', 'leetcode', '5'],
  ['LeetCode:numbered-6', 'leetcode', '6'],
  ['https://codeforces.com/contest/1900/problem/A', 'codeforces', '1900A'],
  ['http://www.codeforces.com/problemset/problem/1901/b', 'codeforces', '1901B'],
  ['cf1902c', 'codeforces', '1902C'],
  ['codeforces:1903A', 'codeforces', '1903A'],
  ['https://atcoder.jp/contests/abc301/tasks/abc301_a?lang=en', 'atcoder', 'abc301_a'],
  ['ABC302_A', 'atcoder', 'abc302_a'],
  ['https://www.luogu.com.cn/problem/AT_abc303_a', 'atcoder', 'abc303_a'],
  ['https://www.luogu.com.cn/problem/CF1904B', 'codeforces', '1904B'],
  ['https://www.luogu.com.cn/problem/P1001#submit', 'luogu', 'P1001'],
  ['p1001', 'luogu', 'P1001'],
  ['UVA100', 'luogu', 'UVA100'],
  ['https://www.luogu.com.cn/problem/SP1', 'spoj', 'SP1'],
  ['sp1', 'spoj', 'SP1'],
];

/** The calls with a valid token. */
export const calls = [
  [
    'get_platform_status',
    {},
    'answered',
    /^# OJ Platform Status \(v0\.2\.1\)[\s\S]*\| leetcode \| 36 \| 1 \| 1 \|[\s\S]*\| spoj \|/,
  ],

  ['get_daily_challenge', { date: storedDate }, 'answered', problem('Stored', 'leetcode \\| ID: 1 ', '`10\\^5`')],
  ['get_daily_challenge', { domain: 'cn', date: storedDate }, 'answered', problem('每日一题', 'leetcode')],
  ['get_daily_challenge', { date: lateDates.soon }, 'answered', problem('Fetched Just Now', 'leetcode')],
  ['get_daily_challenge', { date: lateDates.failing }, 'pending', /30 seconds/],
  ['get_daily_challenge', { date: lateDates.failing }, 'pending', /2\d seconds/],
  ['get_daily_challenge', { date: lateDates.never }, 'pending', /30 seconds/],
  ['get_daily_challenge', {}, 'pending', /being fetched/],
  ['get_daily_challenge', { domain: 'cn' }, 'pending', /being fetched/],
  ['get_daily_challenge', { date: '2020-03-31' }, 'upstream 400', /date must be >= 2020-04-01/],
  ['get_daily_challenge', { date: '2999-01-01' }, 'upstream 400', /date must be <= today/],
  ['get_daily_challenge', { date: '2024-02-30' }, 'refused', /"date"/],
  ['get_daily_challenge', { domain: 'uk' }, 'refused', /"domain"/],

  [
    'get_problem',
    { source: 'leetcode', id: '1' },
    'answered',
    problem('Problem 1 of leetcode', 'leetcode', 'Array, Hash Table', '40\\.0%', '10\\^5'),
  ],
  [
    'get_problem',
    { source: 'codeforces', id: '1900A' },
    'answered',
    problem('Problem 1 of codeforces', '\\$\\$\\$n\\$\\$\\$'),
  ],
  [
    'get_problem',
    { source: 'atcoder', id: 'abc300_a' },
    'answered',
    problem('Problem 1 of atcoder', 'Tags: N/A', '## '),
  ],
  [
    'get_problem',
    { source: 'luogu', id: 'P1001' },
    'answered',
    problem('A\\+B 问题', '入门', '模拟, 数学', '\\$a_i < b_i\\$', '\\*\\*注意：\\*\\*'),
  ],
  ['get_problem', { source: 'spoj', id: 'SP1' }, 'answered', problem('TEST', 'SP1', '```\\n1\\n2\\n42')],
  ['get_problem', { source: ' leetcode ', id: '9001' }, 'answered', problem('无题', '暂无\\*\\*标题\\*\\*')],
  ['get_problem', { source: 'leetcode', id: '9002' }, 'answered', /No description available\.$/],
  ['get_problem', { source: 'leetcode', id: '9003' }, 'answered', /\n\n\.\.\. \(truncated\)$/],
  ['get_problem', { source: 'leetcode', id: '9004' }, 'protocol error', /larger than 1048576 bytes/],
  ['get_problem', { source: 'leetcode', id: '9005' }, 'answered', problem('A \\| B C', 'a\\|b, c,d', '57\\.2%')],
  ['get_problem', { source: 'leetcode', id: 'numbered-1' }, 'upstream 404', /problem not found/],
  ['get_problem', { source: 'codeforces', id: '1900a' }, 'upstream 404', /problem not found/],
  ['get_problem', { source: 'leetcode', id: 'a/b?c#d%41' }, 'upstream 404', /problem not found/],
  ['get_problem', { source: 'LeetCode', id: '1' }, 'upstream 400', /invalid source: LeetCode/],
  ['get_problem', { source: 'uva', id: '100' }, 'upstream 400', /invalid source: uva/],
  ['get_problem', { source: '题'.repeat(2000), id: '题'.repeat(2000) }, 'upstream 400', /invalid source/],
  ['get_problem', { source: 'leetcode', id: '..' }, 'refused', /"id"/],
  ['get_problem', { source: '', id: '1' }, 'refused', /"source"/],

  [
    'find_similar_problems',
    { source: 'leetcode', id: '1' },
    'answered',
    /Query: What it is about: Problem 1 of leetcode\n[\s\S]*\| 1 \| \w+ \| /,
  ],
  ['find_similar_problems', { source: 'leetcode', id: '1', limit: 50, threshold: 0.01 }, 'answered', /\| 1 \|/],
  ['find_similar_problems', { source: 'leetcode', id: '1', threshold: 1 }, 'answered', /^# Similar Problems/],
  [
    'find_similar_problems',
    { source: 'atcoder', id: 'abc300_a', source_filter: ' atcoder , codeforces' },
    'answered',
    /Query: N\/A\n[\s\S]*\| 1 \| atcoder \|/,
  ],
  [
    'find_similar_problems',
    { source: 'atcoder', id: 'abc300_a', source_filter: 'nowhere' },
    'answered',
    /^# Similar Problems/,
  ],
  ['find_similar_problems', { source: 'leetcode', id: '9999' }, 'answered', /Gone/],
  ['find_similar_problems', { source: 'leetcode', id: '9006' }, 'upstream 404', /no embedding found for this problem/],
  ['find_similar_problems', { source: 'nowhere', id: '1' }, 'upstream 404', /no embedding found/],
  [
    'find_similar_problems',
    { query: 'problem of codeforces' },
    'answered',
    /Query: In other words: problem of codeforces\n/,
  ],
  ['find_similar_problems', { query: 'plain gone' }, 'answered', /Query: N\/A\n/],
  [
    'find_similar_problems',
    { query: '输出两个整数的和' },
    'answered',
    /\| 1 \| luogu \| P1001 \| A\+B 问题 \| 入门 \|/,
  ],
  [
    'find_similar_problems',
    { query: 'problem of atcoder', limit: 3, source_filter: 'atcoder' },
    'answered',
    /\| 3 \| atcoder \|(?![\s\S]*\| 4 \|)/,
  ],
  ['find_similar_problems', { query: '"ab"' }, 'upstream 400', /at least 3 characters/],
  ['find_similar_problems', { query: '和'.repeat(700) }, 'upstream 400', /at most 2000 characters/],
  ['find_similar_problems', { query: 'please fail' }, 'upstream 502', /embedding service failed/],
  ['find_similar_problems', { query: 'please garble' }, 'upstream 502', /invalid embedding response/],
  ['find_similar_problems', { query: 'please hang' }, 'upstream 504', /embedding service timed out/],
  ['find_similar_problems', { query: 'ab' }, 'refused', /"query"/],
  ['find_similar_problems', { query: 'abc', limit: 51 }, 'refused', /"limit"/],
  ['find_similar_problems', {}, 'refused', /"query"/],

  ...resolvable.map(([query, source, id]) => [
    'resolve_problem',
    { query },
    'answered',
    new RegExp(`^# [\\s\\S]*\\n- Source: ${source} \\| ID: ${id} \\|`),
  ]),
  ['resolve_problem', { query: 'uva:100' }, 'refused', notFound('uva/100')],
  ['resolve_problem', { query: 'codeforces:1900a' }, 'refused', notFound('codeforces/1900a')],
  ['resolve_problem', { query: 'leetcode/numbered-1' }, 'refused', /leetcode:numbered-1/],
  ['resolve_problem', { query: 'No Such Slug' }, 'refused', notFound('leetcode/no such slug')],
  ['resolve_problem', { query: 'https://www.spoj.com/problems/TEST/' }, 'refused', /spoj\.com/],
  ['resolve_problem', { query: 'https://judge.example/a?b=c&d#%41' }, 'refused', /judge\.example/],
  ['resolve_problem', { query: '100%' }, 'refused', notFound('leetcode/100%')],
  ['resolve_problem', { query: '/' }, 'refused', /problem not found/],

  [
    'list_tags',
    { source: 'leetcode' },
    'answered',
    /^# Tags of leetcode\n\n5 tags[^\n]*\n\narray, a\|b, c,d, graph, hash table$/,
  ],
  ['list_tags', { source: 'luogu' }, 'answered', /数学, 模拟|模拟, 数学/],
  ['list_tags', { source: 'atcoder' }, 'answered', /have no tags/],
  ['list_tags', { source: 'uva' }, 'upstream 400', /invalid source: uva/],
  ['list_tags', { source: ' ' }, 'refused', /"source"/],

  [
    'list_problems',
    { source: 'leetcode' },
    'answered',
    /36 problems in total, page 1 of 2[\s\S]*\| 1 \| Problem 1 of leetcode \| Easy \| N\/A \| 40\.0% \|/,
  ],
  [
    'list_problems',
    { source: 'leetcode', page: 2 },
    'answered',
    /page 2 of 2[\s\S]*\| 9001 \| 无题 \|[\s\S]*\| A \\\| B C \|/,
  ],
  ['list_problems', { source: 'leetcode', page: 3 }, 'answered', /page 3 does not exist/],
  [
    'list_problems',
    { source: 'leetcode', page: 1_000_000, per_page: 100 },
    'answered',
    /page 1,000,000 does not exist/,
  ],
  [
    'list_problems',
    { source: 'leetcode', difficulty: 'medium', tags: 'GRAPH', per_page: 5 },
    'answered',
    /5 problems match/,
  ],
  ['list_problems', { source: 'leetcode', tags: 'array, graph' }, 'answered', /30 problems match/],
  ['list_problems', { source: 'leetcode', tags: 'array,hash table', tag_mode: 'all' }, 'answered', /15 problems match/],
  [
    'list_problems',
    { source: 'leetcode', tags: 'array,graph', tag_mode: 'all' },
    'answered',
    /^[^|]*No problem matches/,
  ],
  ['list_problems', { source: 'leetcode', difficulty: '', search: ' ', tags: ' , ' }, 'answered', /36 problems /],
  ['list_problems', { source: 'leetcode', search: '第30' }, 'answered', /1 problem matches\.[\s\S]*\| 30 \|/],
  ['list_problems', { source: 'leetcode', search: '%_' }, 'answered', /No problem matches/],
  [
    'list_problems',
    { source: 'codeforces', rating_min: 800, rating_max: 1000 },
    'answered',
    /3 problems match[\s\S]*\| 1900A \|[\s\S]*\| 1902C \|/,
  ],
  [
    'list_problems',
    { source: 'codeforces', rating_min: 3000, sort_by: 'rating', sort_order: 'desc' },
    'answered',
    /\| 3700 \|[\s\S]*\| 3000 \|/,
  ],
  ['list_problems', { source: 'codeforces', sort_order: 'desc', per_page: 1 }, 'answered', /\| 1929C \|/],
  [
    'list_problems',
    { source: 'leetcode', sort_by: 'ac_rate', sort_order: 'desc', per_page: 1 },
    'answered',
    /\| 57\.2% \|/,
  ],
  ['list_problems', { source: 'leetcode', sort_by: 'difficulty', per_page: 1 }, 'answered', /\| Easy \|/],
  ['list_problems', { source: 'atcoder', rating_min: 1 }, 'answered', /No problem matches/],
  ['list_problems', { source: 'uva' }, 'upstream 400', /invalid source: uva/],
  ['list_problems', { source: 'leetcode', rating_min: 2, rating_max: 1 }, 'refused', /"rating_min"/],
  ['list_problems', { source: 'leetcode', per_page: 101 }, 'refused', /"per_page"/],
];

/** Calls of the tool that --oj-extras adds, and of a tool with an additional line. */
calls.push(
  [
    'get_samples',
    { source: 'leetcode', id: '1' },
    'answered',
    /^\d+ samples? from the statement\n\n## Sample 1\n\nInput:\n\n```\nnums = /,
  ],
  ['get_samples', { source: 'codeforces', id: '1900A' }, 'answered', /^\d+ samples? from the statement\n\n## Sample 1/],
  ['get_samples', { source: 'luogu', id: 'P1001' }, 'answered', /^0 samples from the statement/],
  ['get_samples', { source: 'luogu', id: 'P1' }, 'upstream 404', /problem not found/],
  ['get_samples', { source: 'luogu', id: '..' }, 'refused', /"id"/],
  [
    'get_problem',
    { source: 'leetcode', id: '2' },
    'answered',
    /\n- AC Rate: [\d.]+%\n- Rating: 1241 \| Paid only: no\n\n---/,
  ],
  ['get_problem', { source: 'leetcode', id: '9002' }, 'answered', /\n- Paid only: yes\n\n---/],
);

/** The calls with --oj-language cn: titles are Chinese, and English where there is no Chinese text. */
export const chineseCalls = [
  ['get_problem', { source: 'leetcode', id: '1' }, 'answered', problem('第1题', 'leetcode', '10\\^5')],
  ['get_problem', { source: 'codeforces', id: '1900A' }, 'answered', problem('Problem 1 of codeforces')],
  ['resolve_problem', { query: '5' }, 'answered', problem('第5题', 'leetcode')],
  ['list_problems', { source: 'leetcode', per_page: 2 }, 'answered', /\| 1 \| 第1题 \|[\s\S]*\| 2 \| 第2题 \|/],
  ['find_similar_problems', { source: 'leetcode', id: '1' }, 'answered', /^# Similar Problems/],
  ['get_daily_challenge', { date: storedDate }, 'answered', problem('Stored', 'leetcode')],
  ['get_samples', { source: 'leetcode', id: '1' }, 'answered', /^\d+ samples? from the statement/],
];

/** The calls for a platform with invalid tags in the database. */
export const brokenCalls = [
  ['list_problems', { source: 'spoj', tags: 'math' }, 'upstream 500', /database error/],
  ['list_tags', { source: 'spoj' }, 'answered', /have no tags/],
  ['get_problem', { source: 'spoj', id: 'SP1' }, 'answered', /Tags: N\/A/],
];

/** Calls while the backend cannot start the program that computes vectors. */
export const runnerlessCalls = [
  ['find_similar_problems', { query: 'anything' }, 'upstream 502', /embedding service unavailable/],
  ['get_daily_challenge', { date: '2024-02-04' }, 'pending', /30 seconds/],
];

const one = { source: 'leetcode', id: '1' };
const everyTool = [
  ['get_daily_challenge', { date: storedDate }],
  ['get_problem', one],
  ['find_similar_problems', one],
  ['resolve_problem', { query: '1' }],
  ['get_platform_status', {}],
  ['list_problems', { source: 'leetcode' }],
  ['list_tags', { source: 'leetcode' }],
  ['get_samples', one],
];

/** The calls with a token that is unknown or revoked. */
export const unauthorizedCalls = everyTool.map(([tool, args]) => [
  tool,
  args,
  'upstream 401',
  /missing or invalid token/,
]);
/** The calls without a token while the backend requires one. */
export const tokenlessCalls = unauthorizedCalls.map(call =>
  call[0] === 'get_platform_status' ? statusRefused(call) : call,
);
/** The calls without a token while the backend requires none. */
export const openCalls = everyTool.map(([tool, args]) =>
  tool === 'get_platform_status' ? statusRefused([tool, args]) : [tool, args, 'answered', /^(?:# |\d+ samples? from)/],
);

function statusRefused([tool, args]) {
  return [tool, args, 'refused', /Authentication is required/];
}
