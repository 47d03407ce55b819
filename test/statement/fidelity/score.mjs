// This module adds up the results of many statements and formats them as a table.
import { figure, table } from '../../../bench/table.mjs';
import { categories } from './compare.mjs';

export function emptyScore(name) {
  const counts = Object.fromEntries(
    categories.map(category => [category, { total: 0, wrong: 0, statements: 0, wrongStatements: 0 }]),
  );
  return { name, counts, statements: 0, right: 0, unanswered: 0, cut: 0, stars: 0, cpuMs: 0 };
}

/** `result` is undefined for a missing or truncated output. */
export function addResult(score, answer, result) {
  score.statements++;
  if (result === undefined) {
    if (answer instanceof Error) score.unanswered++;
    else score.cut++;
    return;
  }
  let isRight = true;
  for (const category of categories) {
    const { total, wrong } = result[category];
    const count = score.counts[category];
    count.total += total;
    count.wrong += wrong;
    if (total > 0 || wrong > 0) count.statements++;
    if (wrong > 0) count.wrongStatements++;
    isRight &&= wrong === 0;
  }
  if (isRight) score.right++;
  if (result.stars > 0) score.stars++;
}

/**
 * Returns one block for each collection and one for all: the share of each category that is correct, for each
 * converter.
 */
export function scoreTable(scores) {
  const blocks = scores.length > 1 ? [...scores, sum(scores)] : scores;
  const names = blocks[0].converters.map(({ name }) => name);
  const header = ['', 'in all', ...names.flatMap(name => [name, `${name}: statements`])];
  return blocks
    .map(({ collection, converters }) => `## ${collection}\n\n${table(header, rowsOf(converters))}\n`)
    .join('\n');
}

function rowsOf(converters) {
  const [first] = converters;
  const ofCategories = categories.map(category => [
    category,
    first.counts[category].total.toLocaleString('en'),
    ...converters.flatMap(({ counts }) => {
      const { total, wrong, statements, wrongStatements } = counts[category];
      return [share(total - wrong, total), share(statements - wrongStatements, statements)];
    }),
  ]);
  const statementsOf = pick => converters.flatMap(score => ['', pick(score)]);
  return [
    ...ofCategories,
    [
      'without any miss',
      first.statements.toLocaleString('en'),
      ...statementsOf(score => share(score.right, score.statements)),
    ],
    ['with visible stars', '', ...statementsOf(({ stars }) => stars)],
    ['not answered', '', ...statementsOf(({ unanswered }) => unanswered)],
    ['cut at the cap', '', ...statementsOf(({ cut }) => cut)],
    ['CPU per statement, ms', '', ...statementsOf(({ cpuMs, statements }) => figure(cpuMs / statements))],
  ];
}

/** Returns the percentage, which is 100 only if everything is correct. */
function share(right, total) {
  if (total === 0) return right === 0 ? '' : '0 %';
  const percent = (Math.max(0, right) / total) * 100;
  return `${right === total ? '100' : (Math.floor(percent * 1000) / 1000).toFixed(3)} %`;
}

function sum(scores) {
  const converters = scores[0].converters.map((first, index) => {
    const total = emptyScore(first.name);
    for (const { converters: others } of scores) {
      const other = others[index];
      for (const key of ['statements', 'right', 'unanswered', 'cut', 'stars', 'cpuMs']) total[key] += other[key];
      for (const category of categories) {
        for (const key of Object.keys(total.counts[category]))
          total.counts[category][key] += other.counts[category][key];
      }
    }
    return total;
  });
  return { collection: 'all', converters };
}
