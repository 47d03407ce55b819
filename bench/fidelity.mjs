// Measures how much of real statements the converter keeps, by category: node bench/fidelity.mjs FOLDER [options].
// The oracle is independent of the converter: it parses the page with parse5 and the result with a Markdown renderer
// (test/statement/fidelity/). FOLDER contains a folder for each collection, with one file for each statement: NAME.html
// is a page, NAME.md is Markdown, with or without HTML in it. The collections are not part of this project; the user
// fetches them from public repositories.
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { categories } from '../test/statement/fidelity/compare.mjs';
import {
  base,
  openJudge,
  openTurndown,
  startBackend,
  startRealBackend,
} from '../test/statement/fidelity/converters.mjs';
import { faultReport, testOracle } from '../test/statement/fidelity/faults.mjs';
import { startJudges } from '../test/statement/fidelity/judges.mjs';
import { addResult, emptyScore, scoreTable } from '../test/statement/fidelity/score.mjs';
import { ourName, ownCandidates, parsePeer, referenceName } from './candidates.mjs';
import { fetchPeers } from './peers.mjs';

const usage = `node bench/fidelity.mjs FOLDER [options]

  --peers              fetch the reference (oj-mcp-rs) from npm and measure it too, and turndown as it comes
  --peer NAME=COMMAND  measure another judge, started with --base-url; repeatable. "node" in COMMAND is this Node
  --through CHECKOUT   send the statements through a built oj-api-rs instead of a backend of our own
  --only NAMES         some of the collections, separated by commas
  --every N            one statement of N
  --misses FILE        write every miss: statement, converter, category, what differs
  --self-test          put faults into right answers instead, and tell how many of them are reported
  --faults N           how many (500)
`;

/**
 * The size of a batch of statements. All converters process each batch in turn, so that their times can be compared.
 */
const batchSize = 200;
/** The maximum size of a result without its note. Longer results are truncated and cannot be compared. */
const maxBytes = 100 * 1024;

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      peers: { type: 'boolean', default: false },
      peer: { type: 'string', multiple: true, default: [] },
      through: { type: 'string' },
      only: { type: 'string' },
      every: { type: 'string', default: '1' },
      misses: { type: 'string' },
      'self-test': { type: 'boolean', default: false },
      faults: { type: 'string', default: '500' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help || positionals.length !== 1) {
    console.log(usage);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  const collections = readCollections(positionals[0], values.only?.split(','), Number(values.every));
  const peers = [
    ...(values.peers ? (await fetchPeers()).filter(({ name }) => name === referenceName) : []),
    ...values.peer.map(parsePeer),
  ];
  const backend = values.through === undefined ? await startBackend() : await startRealBackend(values.through);
  const converters = [];
  try {
    for (const judge of [...ownCandidates().filter(({ name }) => name === ourName), ...peers])
      converters.push(await openJudge(judge, backend));
    if (values.peers) converters.push(openTurndown());
    if (values['self-test'])
      console.log(faultReport(await testOracle(collections, converters[0], Number(values.faults))));
    else console.log(await measure(collections, converters, values.misses));
  } finally {
    await Promise.all(converters.map(converter => converter.close()));
    await backend.stop();
  }
}

/** Returns `[{ name, files: [path] }]`. A file is read when it is processed. */
function readCollections(folder, only, every) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isDirectory() && (only === undefined || only.includes(entry.name)))
    .map(({ name }) => ({
      name,
      files: readdirSync(path.join(folder, name))
        .filter(file => /\.(html|md)$/.test(file))
        .sort()
        .filter((_, index) => index % every === 0)
        .map(file => path.join(folder, name, file)),
    }))
    .filter(({ files }) => files.length > 0);
}

async function measure(collections, converters, missesFile) {
  const judges = startJudges();
  const writeMisses = missesWriter(missesFile);
  const scores = [];
  try {
    for (const { name, files } of collections) {
      console.error(`${name}: ${files.length} statements`);
      const score = { collection: name, converters: converters.map(({ name: converter }) => emptyScore(converter)) };
      scores.push(score);
      for (let at = 0; at < files.length; at += batchSize) {
        await measureBatch(files.slice(at, at + batchSize), converters, judges, score, writeMisses);
      }
      // The score of each collection is printed immediately, because the run over all collections takes minutes.
      console.error(scoreTable([score]));
    }
  } finally {
    await judges.stop();
  }
  return scoreTable(scores);
}

/**
 * Creates a function that writes the errors of each batch, because all errors of a bad converter do not fit into one
 * string.
 */
function missesWriter(file) {
  if (file === undefined) return () => {};
  writeFileSync(file, '');
  return rows => appendFileSync(file, rows.map(row => `${row.join('\t')}\n`).join(''));
}

async function measureBatch(files, converters, judges, score, writeMisses) {
  const statements = files.map(file => ({
    file,
    kind: path.extname(file).slice(1),
    source: readFileSync(file, 'utf8'),
  }));
  for (const [index, converter] of converters.entries()) {
    const { answers, cpuMs } = await converter.convert(statements.map(({ source }) => source));
    const tasks = statements.map(({ kind, source }, place) => ({ kind, source, answer: answers[place], base }));
    const isWhole = ({ answer }) => typeof answer === 'string' && Buffer.byteLength(answer) < maxBytes;
    const results = await judges.judge(tasks.filter(isWhole));
    let next = 0;
    const own = score.converters[index];
    own.cpuMs += cpuMs ?? Number.NaN;
    for (const [place, task] of tasks.entries()) {
      const result = isWhole(task) ? results[next++] : undefined;
      addResult(own, task.answer, result);
      writeMisses(missesOf(task.answer, result).map(miss => [statements[place].file, converter.name, ...miss]));
    }
  }
}

function missesOf(answer, result) {
  if (result === undefined) return [['no answer', answer instanceof Error ? answer.message : 'cut at the cap']];
  return categories.flatMap(category => result[category].misses.map(miss => [category, miss.replace(/[\t\n]/g, ' ')]));
}

try {
  await main();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
