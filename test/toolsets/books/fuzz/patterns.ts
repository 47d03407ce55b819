import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Outcome, openTools, type Tools } from '../../../fuzz/open-tools.ts';
import { ChoiceReader, defineTarget } from '../../../fuzz/target.ts';

const book = 'fuzz-book';
const folder = 'content/01-Part/01-Chapter';
const lines = ['abc', 'aab b1', 'x', '', 'ab ab', 'cab.c', 'bb22', 'ABC', 'c-a', 'a(b)'];
const paths = [
  ...['01-a.md', '02-ab.md', '03-b.summary.md', 'README.md'].map(name => `${folder}/${name}`),
  'content/README.md',
  'content/02-Other/README.md',
];

/** The next process uses the same folder, because a terminated thread cannot remove it. */
const root = path.resolve('node_modules/.cache/fuzz-library');
/** The first run opens the toolset, which all runs use. */
let opened: Promise<Tools> | undefined;

/**
 * Each input is a list of indexes into the tokens below. Another implementation computes the expected result of these
 * patterns.
 */
const tokenInputs = [
  '\0\0\x01\x02',
  '\0\x09\x01\x0a\x02\x0b',
  '\0\x06\0\x07\x01\x08\x02',
  '\0\x0c\0\x0d\x0e\x05',
  '\x01\0\x01',
  '\x01\x02\x03\x02',
  '\x01\x04\x02\x05',
  '\x01\x06\x07\x08\x09',
];
const grepInputs = ['(?=a)b', '(a)\\1', '[[:alpha:]]+\\pL', '(?P<n>a)(?P=n)', '\\Qa.b\\E', 'a{2,1001}'];
const globInputs = ['**/*.md', 'content/{01,02}*/**', '[!a-c]*', 'books/fuzz-book/**', '{a,{b,c}}/?'];

export const target = defineTarget({
  name: 'patterns',
  corpus: [
    ...tokenInputs,
    ...grepInputs.map(pattern => `\x02${pattern}`),
    ...globInputs.map(pattern => `\x03${pattern}`),
  ],
  dictionary: [
    ...'(|)|(?:|(?=|(?<!|(?i)|[|]|[^|{|}|{1,3}|*|+|?|.|^|$|\\b|\\d|\\w|\\p{L}|\\1|\\|**|/|,|!|..'.split('|'),
    ...'(?P<n>|(?<n>|\\k<n>|[[:digit:]]|\\Q|\\E|\\A|\\z|\\x{41}|\\u0041|a|b|-'.split('|'),
    '|',
    '\0',
  ],
  mutations: 100,
  async run(bytes) {
    const choice = new ChoiceReader(bytes);
    const kind = choice.below(4);
    opened ??= openLibrary();
    const tools = await opened;
    if (kind === 0) return await checkGrep(tools, grepPattern(choice));
    if (kind === 1) return await checkGlob(tools, globPattern(choice));
    const pattern = choice.rest().toString('utf8').slice(0, 200);
    return await tools.call(kind === 2 ? 'grep_search' : 'glob_search', { book_id: book, pattern });
  },
});

async function openLibrary(): Promise<Tools> {
  for (const name of paths) {
    const file = path.join(root, 'books', book, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, lines.join('\n'));
  }
  return await openTools('books', { 'books-root': root });
}

/** RE2 and JavaScript give these tokens the same meaning, so that both must find the same lines. */
const grepTokens = [
  'a',
  'b',
  'c',
  '.',
  '[ab]',
  '[^a]',
  '*',
  '+',
  '?',
  '(a|b)',
  '(?:b|c)',
  '^',
  '$',
  '\\d',
  '\\b',
  '|',
  '{2}',
];

function grepPattern(choice: ChoiceReader): string {
  let pattern = '';
  while (!choice.isEmpty && pattern.length < 60) pattern += grepTokens[choice.below(grepTokens.length)] ?? '';
  return pattern;
}

async function checkGrep(tools: Tools, pattern: string): Promise<Outcome | undefined> {
  const expression = compile(pattern);
  const found = await tools.call('grep_search', { book_id: book, pattern });
  if (found.isError || expression === undefined) return found;
  const expected = lines.flatMap((line, index) => (expression.test(line) ? [index + 1] : []));
  const hits = listOf(found.structured['result']).flatMap(hit =>
    typeof hit === 'object' && hit !== null && 'file_path' in hit && 'line_number' in hit
      ? String(hit.file_path).endsWith('01-a.md')
        ? [hit.line_number]
        : []
      : [],
  );
  assert.deepEqual(hits, expected, `the lines of ${pattern} differ from those of RegExp`);
  return found;
}

function compile(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u');
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

const globTokens = ['content', '/', '**', '*', '?', '.md', '[0-9]', '0', '1', '-', 'README', '{a,b}', 'Part', 'a', 'b'];

function globPattern(choice: ChoiceReader): string {
  let pattern = '';
  while (!choice.isEmpty && pattern.length < 60) pattern += globTokens[choice.below(globTokens.length)] ?? '';
  return pattern;
}

async function checkGlob(tools: Tools, pattern: string): Promise<Outcome | undefined> {
  // Patterns in which `**` is part of a name, or with empty segments, are excluded, because their meaning is not
  // defined.
  if (pattern.split('/').some(segment => segment === '' || (segment.includes('**') && segment !== '**')))
    return undefined;
  const found = await tools.call('glob_search', { book_id: book, pattern });
  if (found.isError) return found;
  const expression = new RegExp(`^${pattern.split('/').map(segmentSource).join('')}$`);
  const expected = paths.filter(name => expression.test(name)).map(name => `books/${book}/${name}`);
  assert.deepEqual(new Set(listOf(found.structured['result'])), new Set(expected), `the paths of ${pattern} differ`);
  return found;
}

/** Returns the source of a regular expression for one path segment of a pattern, and the slash after it. */
function segmentSource(segment: string, index: number, segments: readonly string[]): string {
  const isLast = index === segments.length - 1;
  if (segment === '**') return isLast ? '[^/]+(?:/[^/]+)*' : '(?:[^/]+/)*';
  const source = segment
    .replaceAll('.', '\\.')
    .replaceAll('?', '[^/]')
    .replaceAll('*', '[^/]*')
    .replaceAll('{a,b}', '(?:a|b)');
  return `(?!/)${source}${isLast ? '' : '/'}`;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
