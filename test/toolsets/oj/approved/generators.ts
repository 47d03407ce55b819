import type { ProblemListOptions } from '../../../../src/toolsets/oj/io/api.ts';
import type { ProblemCollectionEntry } from '../../../../src/toolsets/oj/io/collection/collection.ts';
import type { ProblemRecord } from '../../../../src/toolsets/oj/model/problem.ts';
import { type Generator, pieces } from '../../../support/generator.ts';

const jsonPieces = pieces(
  '{¦{¦}¦}¦[¦]¦,¦:¦"source": "a"¦"id": "1"¦"id": 1¦"date": "2026-01-01"¦"content": "x"¦"content": ""¦"content_cn":"y"¦"title": "\\"}\\\\"¦"id": "\\u0031"¦"id": "\\x"¦"nested": {"id": "2"}¦"a": [1, "b"]¦"¦\\¦ ¦\n¦\t¦é¦"source" : ¦"sou\\u0072ce": "z"',
);

/** A JSON object, or a part of one. */
export function jsonRecord(random: Generator): string {
  const fields = (): string => random.repeat(0, 6, () => random.pick(jsonPieces), random.pick(pieces(', ¦,¦, ¦ ')));
  return random.below(3) === 0
    ? random.repeat(1, 12, () => random.pick(jsonPieces))
    : `{${fields()}}${random.pick(pieces('¦ ¦,¦]'))}`;
}

const recordLines = pieces(
  '{"source": "a", "id": "1"}¦{"source": "a", "id": "2", "content": "x"}¦{"source": "b", "id": "1", "date": "2026-01-01"}¦{"source": "a", "id": "3",\n"title": "T"}¦{"source": "é", "id": "4"}¦¦  ¦{"id": "5"}¦{"source": 1, "id": "6"}¦[1]¦{¦{"source": "a", "id": " "}¦{"source": "a", "id": ".."}¦{"source": "a", "id": "7"} x',
);

/** The content of a file of problems: a JSON array or JSON Lines. */
export function problemFile(random: Generator): string {
  const valid = random.below(2) === 0;
  let number = 0;
  const record = (): string => (valid ? `{"source": "a", "id": "${++number}"}` : random.pick(recordLines));
  const isArray = random.below(2) === 0;
  const separator = isArray ? random.pick(pieces(',¦,\n¦ , ')) : '\n';
  const records = random.repeat(0, 4, record, separator);
  const text = isArray
    ? `[${records}${random.pick(pieces('¦¦,'))}${random.pick(pieces(']¦]¦]\n¦] x¦'))}`
    : records + random.pick(pieces('\n¦¦\r\n'));
  return random.pick(pieces('¦¦\ufeff¦\n')) + text;
}

const titles = pieces('Two Sum¦two sums¦Cities and Roads¦The Roads¦A B¦最短路径¦Café C++¦Once Again¦<b>Roads</b>¦x');
const tags = pieces('graph¦dp¦Greedy¦two words');

function some<Value>(random: Generator, value: Value): Value | null | undefined {
  const kind = random.below(6);
  return kind === 0 ? null : kind === 1 ? undefined : value;
}

export function problemRecord(random: Generator, index: number): ProblemRecord {
  const source = random.pick(pieces('leetcode¦codeforces¦Own'));
  const id = `${random.pick(pieces('¦10¦2¦A'))}${index}${random.pick(pieces('¦a¦B'))}`;
  return {
    source,
    id,
    title: some(random, random.pick(titles)),
    title_cn: random.below(3) === 0 ? random.pick(titles) : undefined,
    slug: some(random, random.pick(pieces('two-sum¦Roads¦x'))),
    difficulty: some(random, random.pick(pieces('Easy¦medium¦HARD¦odd'))),
    ac_rate: some(random, random.pick([0, 12.25, 57.25, 100])),
    rating: some(random, random.pick([0, 800, 1200.5, 3500])),
    tags: some(
      random,
      Array.from({ length: random.below(3) }, () => random.pick(tags)),
    ),
    link: some(
      random,
      random.pick(
        pieces(
          'https://codeforces.com/problemset/problem/1/A¦https://codeforces.com/contest/1/problem/A/¦https://leetcode.com/problems/two-sum/description/¦ftp://x.y/z¦https://www.x.org/',
        ),
      ),
    ),
    content: some(
      random,
      random.repeat(1, 4, () => random.pick(titles), ' '),
    ),
    content_cn: random.below(4) === 0 ? random.pick(titles) : undefined,
  };
}

export function problemRecords(random: Generator): ProblemRecord[] {
  return Array.from({ length: 1 + random.below(8) }, (_, index) => problemRecord(random, index));
}

export function entriesOf(records: readonly ProblemRecord[]): ProblemCollectionEntry[] {
  return records.map(record => ({
    source: record.source,
    id: record.id,
    hasStatement: true,
    place: () => `file:${record.id}`,
    read: () => record,
  }));
}

export function listOptions(random: Generator): ProblemListOptions {
  const maybe = <Value>(value: Value): Value | undefined => (random.below(4) === 0 ? value : undefined);
  return {
    page: 1 + random.below(3),
    perPage: random.pick([1, 2, 20]),
    difficulty: maybe(random.pick(pieces('EASY¦medium¦none'))),
    search: maybe(random.pick(pieces('sum¦ROADS¦1¦路'))),
    tags: maybe(random.pick(pieces('graph¦DP,graph¦greedy,none'))),
    tagMode: random.pick(['all', 'any']),
    ratingMin: maybe(random.pick([0, 800, 801])),
    ratingMax: maybe(random.pick([800, 1200.5, 1200])),
    sortBy: random.pick([undefined, 'id', 'difficulty', 'rating', 'ac_rate']),
    sortOrder: maybe(random.pick(['asc', 'desc'])),
  };
}

const queries = pieces(
  'two-sum¦TWO-SUM¦leetcode:two-sum¦leetcode/two-sum¦Own:x¦own:10a¦codeforces:¦https://codeforces.com/problemset/problem/1/A¦codeforces.com/contest/1/problem/a¦http://WWW.codeforces.com/contest/1/problem/A?x#y¦https://leetcode.com/problems/two-sum¦roads¦10a¦A0¦A0B¦20¦ x ',
);

export function resolverQuery(random: Generator): string {
  return random.pick(queries);
}

const yamlLines = pieces(
  'name: Two words¦name: "a \\"b\\" \\n c" # d¦name: \'it\'\'s\' x¦title:¦  en: English # x¦  de: "Deutsch"¦tags: [a, "b c", , d]¦tags:¦- one¦  - two # x¦-¦limits: |¦limits: >-¦  first¦  second¦# comment¦key:no¦key:  # only¦a.b-c: 1¦ indented: x¦¦- three',
);

export function yamlText(random: Generator): string {
  return random.repeat(1, 7, () => random.pick(yamlLines), random.pick(pieces('\n¦\r\n')));
}

const statements = pieces(
  "The shortest path ¦of cities ¦stories ¦classes ¦bus ¦buses ¦Alice's ¦<p>dp</p> ¦&lt; ¦\\frac ¦12 ¦x ¦最短路径¦かな¦한국어¦路¦É́té ¦ＦＵＬＬ ¦example ¦two ",
);

export function statementText(random: Generator): string {
  return random.repeat(1, 8, () => random.pick(statements));
}

/** Values for the fields of an answer, such as links and numbers at the limits of a format. */
export function answerFields(random: Generator): {
  texts: (string | null | undefined)[];
  count: number;
  share: number;
} {
  const texts = pieces('plain¦a | b¦a\n b¦[x](javascript:y)¦![i](z)¦¦ ¦\u202eold¦https://x.y/z¦javascript:x¦`c`¦<b>');
  return {
    texts: Array.from({ length: 5 }, () => some(random, random.pick(texts))),
    count: random.pick([0, 1, 2, 3, 999, 1000, 1_234_567]),
    share: random.pick([0, 0.05, 0.1225, 0.25, 0.2525, 0.5725, 0.5775, 0.999, 1, 12.25, 57.25, 57.75]),
  };
}
