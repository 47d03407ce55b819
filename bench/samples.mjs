// Counts the samples that get_samples reads exactly: node bench/samples.mjs [--misses N] FILE.jsonl..., with lines of
// "source" and "content". If a line has "samples", a list of [input, output], they are compared without final line
// ends.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';
import { bundleOptions } from '../build/bundle.mjs';
import { expectedSamples } from './samples/oracle.mjs';
import { table } from './table.mjs';

const { values, positionals } = parseArgs({
  options: { misses: { type: 'string', default: '0' } },
  allowPositionals: true,
});
const { readSamples } = await loadReader();
const rows = new Map();
let shown = 0;
for (const line of positionals.flatMap(file => readFileSync(file, 'utf8').trim().split('\n'))) {
  const { source, id, content, samples } = JSON.parse(line);
  if (typeof content === 'string' && content !== '') count(source, id, content, samples?.map(withoutLineEnds));
}
const percent = (part, whole) => (whole === 0 ? '–' : `${((part / whole) * 100).toFixed(2)} %`);
console.log(
  table(
    ['source', 'statements', 'with samples', 'pairs', 'exact pairs', 'exact statements', 'found only by src'],
    Array.from(rows, ([source, row]) => [
      source,
      row.statements,
      row.withSamples,
      row.pairs,
      percent(row.exactPairs, row.pairs),
      percent(row.exactStatements, row.withSamples),
      row.extra,
    ]),
  ),
);

function withoutLineEnds(pair) {
  return pair.map(text => text.replace(/\n+$/, ''));
}

function count(source, id, content, known) {
  const row = rows.get(source) ?? {
    statements: 0,
    withSamples: 0,
    pairs: 0,
    exactPairs: 0,
    exactStatements: 0,
    extra: 0,
  };
  rows.set(source, row);
  row.statements++;
  const expected = known ?? expectedSamples(content);
  const pairs = (readSamples(content) ?? []).map(({ input, output }) => [input, output]);
  const actual = known === undefined ? pairs : pairs.map(withoutLineEnds);
  if (expected.length === 0) {
    if (actual.length > 0) row.extra++;
    return;
  }
  const keys = new Set(actual.map(pair => JSON.stringify(pair)));
  const exact = expected.filter(pair => keys.has(JSON.stringify(pair))).length;
  row.withSamples++;
  row.pairs += expected.length;
  row.exactPairs += exact;
  if (exact === expected.length && actual.length === expected.length) row.exactStatements++;
  else if (shown++ < Number(values.misses))
    console.log(`${source} ${id}\n  expected ${JSON.stringify(expected)}\n  actual   ${JSON.stringify(actual)}`);
}

async function loadReader() {
  const { outputFiles } = await esbuild.build({
    ...bundleOptions,
    stdin: { contents: "export { readSamples } from './src/statement/samples.ts';", resolveDir: process.cwd() },
    format: 'esm',
    write: false,
  });
  return await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}
