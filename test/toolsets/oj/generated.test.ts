import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Failure } from '../../../src/errors/failure.ts';
import {
  createProblemCollection,
  type ProblemCollectionEntry,
} from '../../../src/toolsets/oj/io/collection/collection.ts';
import { openJsonFile } from '../../../src/toolsets/oj/io/collection/json-file.ts';
import { scanProblemRecord } from '../../../src/toolsets/oj/io/collection/json-scan.ts';
import { listProblemPage, problemSummaryOf } from '../../../src/toolsets/oj/io/collection/list.ts';
import { createIdSuggester, createProblemResolver } from '../../../src/toolsets/oj/io/collection/resolve.ts';
import {
  createIndexBuilder,
  findMostSimilar,
  termsOfProblem,
  termsOfQuery,
} from '../../../src/toolsets/oj/io/collection/search-index.ts';
import { indexTermOfTitle, indexWordsOf } from '../../../src/toolsets/oj/io/collection/words.ts';
import { readProblemYaml } from '../../../src/toolsets/oj/io/collection/yaml.ts';
import { readOptionalText, readPathSegment } from '../../../src/toolsets/oj/model/argument.ts';
import { isCalendarDay } from '../../../src/toolsets/oj/model/date.ts';
import { createProblemErrorHints, createTextSearchErrorHints } from '../../../src/toolsets/oj/model/hints.ts';
import { localizeProblem } from '../../../src/toolsets/oj/model/language.ts';
import { normalizeProblemId, suggestProblemQuery } from '../../../src/toolsets/oj/model/platform.ts';
import {
  formatPendingProblem,
  formatPlatformStatus,
  formatProblem,
  formatProblemList,
  formatSamples,
  formatSimilarProblems,
  formatTags,
} from '../../../src/toolsets/oj/text.ts';
import { Generator, listGenerated } from '../../support/generator.ts';
import {
  answerFields,
  entriesOf,
  jsonRecord,
  listOptions,
  problemFile,
  problemRecord,
  problemRecords,
  resolverQuery,
  statementText,
  yamlText,
} from './approved/generators.ts';

function outcomeOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    if (error instanceof Failure) return `error: ${error.message} ${error.hint ?? ''}`;
    throw error;
  }
}

const nameOf = ({ source, id }: { source: string; id: string }): string => `${source}/${id}`;

function listFiles(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'oj-mcp-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'problems.json');
  const read = (entry: ProblemCollectionEntry): unknown => [
    entry.place(),
    outcomeOf(() => entry.read().title),
    entry.hasStatement,
    entry.date,
  ];
  const list = (text: string): unknown => {
    writeFileSync(file, text);
    return outcomeOf(() => {
      const part = openJsonFile(file);
      try {
        const { entries, sources } = createProblemCollection([part], [file]);
        return [entries.map(read), sources];
      } finally {
        part.close?.();
      }
    });
  };
  return listGenerated(problemFile, text => JSON.stringify(list(text)).replaceAll(file, 'FILE'), { blocks: 1 });
}

function listCollection({ records, options, query, text }: ReturnType<typeof collectionInput>): unknown {
  const entries = entriesOf(records);
  const collection = createProblemCollection([{ entries }], ['file']);
  const summaries = records.map(problemSummaryOf);
  const { data, meta } = listProblemPage(summaries, options);
  const resolver = createProblemResolver(collection, summaries);
  const builder = createIndexBuilder(query.length % 2 === 0 ? 'en' : 'cn');
  for (const record of records) builder.add(record);
  const index = builder.finish();
  const terms = [termsOfQuery(index, text), termsOfProblem(index, records[0] ?? problemRecord(new Generator(1), 0))];
  const hits = terms.map(words =>
    findMostSimilar(index, words, { limit: 3, threshold: 0.1, accepts: position => position !== 4 }).map(
      ({ position, similarity }) => `${position} ${similarity.toFixed(6)}`,
    ),
  );
  return [
    data.map(({ id }) => id),
    meta,
    resolver.resolve(query).map(nameOf),
    createIdSuggester(collection)('own', '10A0')?.id,
    terms,
    hits,
  ];
}

function collectionInput(random: Generator) {
  return {
    records: problemRecords(random),
    options: listOptions(random),
    query: resolverQuery(random),
    text: statementText(random),
  };
}

function listAnswers({
  texts: [title, source = 'x', id, link, tag],
  count,
  share,
}: ReturnType<typeof answerFields>): unknown {
  const [name, number] = [source ?? 'y', id ?? '1'];
  const problem = {
    id: number,
    source,
    title,
    difficulty: tag,
    ac_rate: share,
    tags: tag === undefined ? null : [String(tag), 'b'],
    link,
  };
  const extras = { rating: count / 2, contest: title ?? undefined, paid_only: count % 2 };
  const row = { ...problem, title_cn: tag ?? undefined, rating: count / 2 };
  const page = Math.min(count, 4);
  return [
    formatProblem({ ...problem, ...extras, content: link }, title ?? '', count > 1),
    formatPendingProblem(name, '2026-01-01', count === 3 ? undefined : count),
    formatSimilarProblems(
      { rewritten_query: title, results: count > 2 ? [{ ...row, source: name, similarity: share }] : [] },
      'cn',
      'next',
    ),
    formatPlatformStatus({
      version: number,
      platforms: count > 1 ? [{ source: name, total: count, missing_content: 0, not_embedded: count * 10 }] : [],
    }),
    formatSamples(
      count === 0
        ? undefined
        : count === 1
          ? []
          : [{ input: '1', output: title ?? '', ...(count > 2 && { explanation: 'E' }) }],
      'judge',
    ),
    formatProblemList(
      name,
      { data: count > 0 ? [row] : [], meta: { total: count, page, per_page: 2, total_pages: 3 } },
      'en',
      count % 2 === 0,
    ),
    formatProblemList(
      name,
      { data: [], meta: { total: count, page: 1, per_page: 2, total_pages: 1 } },
      'en',
      count % 3 === 0,
    ),
    formatTags(name, count > 2 ? texts5(tag) : []),
    createProblemErrorHints(name, number),
    [normalizeProblemId(name, number), suggestProblemQuery(`${name}/${number}`, { source: 'leetcode', id: number })],
    outcomeOf(() => [readPathSegment('id', title ?? undefined), readOptionalText('tag', tag ?? undefined)]),
  ];
}

const texts5 = (tag: string | null | undefined): string[] => [tag ?? '', 'a', ' '];

test.each<[inputs: string, list: () => string]>([
  [
    'json-records',
    () =>
      listGenerated(jsonRecord, text => {
        const bytes = Buffer.from(text);
        return [scanProblemRecord(bytes, 0, bytes.length), scanProblemRecord(bytes, 0, bytes.length - 1)?.end];
      }),
  ],
  ['problem-files', listFiles],
  ['collections', () => listGenerated(collectionInput, listCollection, { shown: 12, blocks: 6 })],
  ['yaml', () => listGenerated(yamlText, text => [...readProblemYaml(text)])],
  ['words', () => listGenerated(statementText, text => [indexWordsOf(text), indexTermOfTitle(text)])],
  ['answers', () => listGenerated(answerFields, listAnswers, { shown: 12, blocks: 5 })],
  [
    'languages',
    () =>
      listGenerated(
        random => problemRecord(random, 1),
        problem =>
          (['en', 'cn'] as const).map(language => {
            const { title, content } = localizeProblem(problem, language);
            return [title, content];
          }),
        { shown: 20, blocks: 1 },
      ),
  ],
])('the approved file lists the %s of generated inputs', async (name, list) => {
  await expect(list()).toMatchFileSnapshot(`approved/generated-${name}.txt`);
});

test.each([
  ['2024-02-29', true],
  ['2023-02-29', false],
  ['2024-13-01', false],
  ['2024-1-1', false],
  ['x2024-01-01', false],
])('isCalendarDay(%j) is %s', (text, isDay) => {
  expect(isCalendarDay(text)).toBe(isDay);
});

test('the limits of arguments are 2,000 characters, and 2,000 bytes for the hint about a long query', () => {
  expect(readOptionalText('query', 'x'.repeat(2000))).toHaveLength(2000);
  expect(() => readOptionalText('query', 'x'.repeat(2001))).toThrow('2000 characters or fewer');
  expect(createTextSearchErrorHints('x'.repeat(2000))[400]).toBeUndefined();
  expect(createTextSearchErrorHints('é'.repeat(1001))[400]).toContain('2002');
});
