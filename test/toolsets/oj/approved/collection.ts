import type { Args } from './backend.ts';

const words = ['lamp', 'row', 'bridge', 'toll', 'graph', 'path', 'sum', 'range', 'tree', 'segment', 'prime', 'string'];
const pick = (number: number, step: number): string => words[(number * step + step) % words.length] ?? '';

/** Forty generated problems of three sources, and some with unusual fields. */
const generated = Array.from({ length: 40 }, (_, number) => ({
  source: ['school', 'club', 'Leet Code'][number % 3],
  id: `${number}${number % 4 === 0 ? 'A' : ''}`,
  slug: number % 5 === 0 ? undefined : `${pick(number, 5)}-${pick(number, 7)}-${number}`,
  title: `${pick(number, 1)} ${pick(number, 5)}`,
  title_cn: number % 6 === 0 ? `题目${number}` : undefined,
  difficulty: ['Easy', 'Medium', 'Hard', undefined][number % 4],
  rating: number % 7 === 0 ? 0 : 800 + number * 50,
  ac_rate: number % 8 === 0 ? null : number * 2.5,
  tags: [pick(number, 3), pick(number, 11)],
  link: `https://judge.example/contest/${number}/problem/A`,
  content: `<p>Find the ${pick(number, 2)} of a ${pick(number, 5)} with <code>n &lt;= ${number}</code> ${pick(number, 7)}s.</p>`,
  content_cn: number % 6 === 0 ? `<p>内容${number}</p>` : undefined,
  date: number < 3 ? `2024-02-0${number + 1}` : undefined,
  domain: number === 2 ? 'cn' : undefined,
}));
const unusual = [
  { source: 'school', id: 'empty' },
  { source: 'school', id: 'Case' },
  { source: 'school', id: 'case', title: 'lower case' },
  {
    source: 'odd|source',
    id: 'a|b',
    title: 'Pipe | in\ntitle "quoted" \\',
    tags: ['x', 'y|z'],
    link: 'javascript:x',
    rating: 5.5,
  },
];

/** The content of each file of the collection. */
export const collection: Readonly<Record<string, string>> = {
  'problems.jsonl': `${[...generated, ...unusual].map(record => JSON.stringify(record)).join('\n')}\n`,
  'array.json': JSON.stringify([
    { source: 'array', id: '1', title: 'In an array' },
    { source: 'array', id: '2' },
  ]),
  'packages/spring/lamps/problem.yaml':
    'name:\n  en: Lamp Row\n  zh: "灯"\nkeywords: greedy  sorting\n# comment\nlimits:\n  time: 1\n',
  'packages/spring/lamps/statement/problem.en.md': 'Switch every lamp.\n',
  'packages/spring/lamps/statement/problem.zh.md': '打开每盏灯。\n',
  'packages/spring/lamps/data/sample/1.in': '2\n1 2\n',
  'packages/spring/lamps/data/sample/1.ans': '3\n',
  'packages/spring/lamps/data/sample/2.in': '``` no newline',
  'packages/spring/lamps/data/sample/2.ans': '0\n',
  'packages/spring/lamps/data/secret/9.in': 'secret',
  'packages/spring/tex/problem.yaml': 'name: "Only TeX"\nsource: Spring Contest\n',
  'packages/spring/tex/problem_statement/problem.tex':
    '\\problemname{Only \\TeX}\nFind $n^2$.\n\\begin{itemize}\\item one\\end{itemize}\n',
  'packages/folder/more.ndjson':
    '{"source":"more","id":"1","content":"a \\\\\"quoted\\" text","title":"}{]["}\n\n{"id":"2","source":"more"}',
  'packages/folder/list.json': ' [ {"source":"more","id":"3","tags":[]} , {"source":"more","id":"4"} ] ',
  'packages/folder/object.json': '{"name":"no problems"}',
  'packages/folder/numbers.json': '[1, 2]',
  'packages/folder/notes.txt': 'no problems',
  'packages/.hidden/x.jsonl': '{"source":"hidden","id":"1"}',
  'packages/node_modules/x.jsonl': '{"source":"hidden","id":"2"}',
  'packages/spring/quotes/problem.yaml':
    "name: 'It''s \"quoted\" # no comment' # comment\nkeywords:\n  - \"a\\\"b\\n\"\n  - plain # comment\n  - 'c'\nlimits: {time: 1}\n",
  'packages/spring/quotes/problem_statement/problem.en.tex': '\\problemname{Q}\nText\n',
  'packages/spring/names/problem.yaml': 'name: {en: Flow Name, de: Name}\nkeywords: [one, "two"]\n',
  'packages/spring/names/statement/problem.de.md': 'Text auf Deutsch.\n',
  'packages/spring/none/problem.yaml': 'name: Without a statement\n',
};

export const calls: readonly (readonly [tool: string, args: Args])[] = [
  ['get_platform_status', {}],
  ...['0A', '1', '2', '6', '12A', 'empty', 'Case', 'case', 'CASE', '99'].map(
    id => ['get_problem', { source: 'school', id }] as const,
  ),
  ['get_problem', { source: 'Leet Code', id: '2' }],
  ['get_problem', { source: 'leet code', id: '2' }],
  ['get_problem', { source: 'array', id: '1' }],
  ['get_problem', { source: 'odd|source', id: 'a|b' }],
  ['get_problem', { source: 'spring', id: 'lamps' }],
  ['get_problem', { source: 'spring', id: 'tex' }],
  ['get_problem', { source: 'spring', id: 'none' }],
  ['get_problem', { source: 'spring', id: 'quotes' }],
  ['get_problem', { source: 'spring', id: 'names' }],
  ...['1', '2', '3', '4'].map(id => ['get_problem', { source: 'more', id }] as const),
  ['get_problem', { source: 'hidden', id: '1' }],
  ['get_samples', { source: 'spring', id: 'lamps' }],
  ['get_samples', { source: 'school', id: '1' }],
  ...[
    'school:0A',
    'School/0a',
    'club:1',
    'lamp-bridge-1',
    '7',
    '1',
    'https://judge.example/contest/4/problem/A',
    'judge.example/problemset/4/a/',
    'www.judge.example/contest/99/problem/A',
    'nothing',
    'lamps',
    'Leet Code:2',
    'array:2',
    'spring:tex',
    'school:',
    ':1',
  ].map(query => ['resolve_problem', { query }] as const),
  ...[
    'lamp',
    'the lamps of a row',
    'prime strings',
    'segment tree range sum',
    '题目',
    '内容12',
    'nothing like that',
    'aaa',
    'find',
    'In an array',
    'bridge-toll',
    'lamp lamp lamp tree',
  ].map(query => ['find_similar_problems', { query }] as const),
  ['find_similar_problems', { query: 'graph', limit: 3 }],
  ['find_similar_problems', { query: 'graph', threshold: 0.6 }],
  ['find_similar_problems', { query: 'graph', source_filter: 'club, school' }],
  ['find_similar_problems', { query: 'graph', source_filter: 'none' }],
  ['find_similar_problems', { source: 'club', id: '1' }],
  ['find_similar_problems', { source: 'club', id: 'missing' }],
  ['find_similar_problems', { source: 'school', id: 'empty' }],
  ...['2024-02-01', '2024-02-02', '2024-02-03', '2024-02-04'].map(date => ['get_daily_challenge', { date }] as const),
  ['get_daily_challenge', { date: '2024-02-03', domain: 'cn' }],
  ...['school', 'club', 'Leet Code', 'spring', 'missing'].flatMap(
    source =>
      [
        ['list_tags', { source }],
        ['list_problems', { source }],
      ] as const,
  ),
  ['list_problems', { source: 'school', per_page: 3 }],
  ['list_problems', { source: 'school', per_page: 3, page: 2 }],
  ['list_problems', { source: 'school', per_page: 3, page: 9 }],
  ['list_problems', { source: 'school', search: 'LAMP' }],
  ['list_problems', { source: 'school', search: '3' }],
  ['list_problems', { source: 'school', difficulty: 'easy' }],
  ['list_problems', { source: 'school', tags: 'lamp,row' }],
  ['list_problems', { source: 'school', tags: 'lamp,graph', tag_mode: 'all' }],
  ['list_problems', { source: 'school', rating_min: 950, rating_max: 1850 }],
  ...['id', 'difficulty', 'rating', 'ac_rate'].flatMap(sort_by =>
    ['asc', 'desc'].map(sort_order => ['list_problems', { source: 'school', sort_by, sort_order }] as const),
  ),
];

/** Invalid problem files, for the output lines of --check. */
export const faulty: Readonly<Record<string, string>> = {
  'empty.jsonl': '\n',
  'invalid.jsonl':
    '{"source":"a","id":"1","tags":"x"}\n{"source":"a","id":"2","ac_rate":"5"}\n{"source":"a","id":"3","title":7}\n',
  'no-id.jsonl': '{"source":"a"}\n',
  'twice.jsonl': '{"source":"a","id":"1"}\n{"source":"a","id":"1"}\n',
  'broken.jsonl': '{"source":"a","id":"1"}\n{"source":\n',
  'array.jsonl': '[1]\n',
  'text.txt': 'no problems\n',
  'object.json': '{"a":1}',
  'string.json': '"x"',
  'empty.json': '[]',
  'no-list.json': '[{"source":"a","id":1}]',
  'data.db': 'SQLite format 3',
};

/** Calls for the built-in problems. */
export const demoCalls: readonly (readonly [tool: string, args: Args])[] = [
  ['get_platform_status', {}],
  ...Array.from({ length: 15 }, (_, day) => ['get_daily_challenge', { date: `2024-02-${10 + day}` }] as const),
  ['get_daily_challenge', { date: '2024-02-10', domain: 'cn' }],
  ['get_problem', { source: 'leetcode', id: '1' }],
  ['get_problem', { source: 'none', id: '1' }],
  ['resolve_problem', { query: 'nothing' }],
  ['find_similar_problems', { query: 'sum of two numbers', limit: 3 }],
];
