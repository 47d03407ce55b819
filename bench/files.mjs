// Compares the toolset `files` with ripgrep and pdftotext, interleaved in one run:
// node bench/files.mjs [--rounds 4] [--tree /usr/share] [--corpus DIR, kept and reused] [--scale 1] [--papers DIR, real
// PDFs] [--idle-s 60] [--only first,texts,burst,process,cache,documents,beside,memory]
// It needs rg, and pdftotext for documents. The exit code is 1 if a goal is missed.
import { cpSync, existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { buildCorpus, rareWords } from './files-corpus.mjs';
import {
  burstRound,
  cacheRound,
  concurrentRound,
  documentRound,
  firstUseRound,
  memoryRound,
  processRound,
  textRound,
} from './files-rounds.mjs';
import { atMost } from './goals.mjs';
import { quantile } from './sample.mjs';
import { figure, table } from './table.mjs';

const option = (name, otherwise) => {
  const index = process.argv.indexOf(`--${name}`);
  return index === -1 ? otherwise : process.argv[index + 1];
};
const rounds = Number(option('rounds', 4));
const parts = option('only', 'first,texts,burst,process,cache,documents,beside,memory').split(',');
const temporary = await mkdtemp(path.join(tmpdir(), 'oj-mcp-files-bench-'));

/**
 * Copies the texts of a tree, so that changes by a package manager have no effect. Documents, which rg does not read,
 * are left out.
 */
function copyTexts(tree, target) {
  const document = /\.(?:pdf|docx|docm|dotx|xlsx|xlsm|pptx|ppsx|o[dt][tspg]|fod[tsp]|epub)$/i;
  cpSync(tree, target, {
    recursive: true,
    preserveTimestamps: true,
    verbatimSymlinks: true,
    filter: source => !document.test(source),
  });
  return target;
}

async function corpus() {
  const root = option('corpus', path.join(temporary, 'corpus'));
  if (existsSync(path.join(root, 'plain'))) return root;
  const { files, bytes } = await buildCorpus(root, Number(option('scale', 1)));
  console.log(`built ${files} files, ${Math.round(bytes / 1e6)} MB`);
  return root;
}

/** Maps a name to `{ wall: [ms], cpu: [ms] }`. Each figure is stored with the cost of the other program just before. */
const figures = new Map();
const note = (name, { wallMs, cpuMs }, other) => {
  const columns = figures.get(name) ?? { wall: [], cpu: [], otherWall: [], otherCpu: [] };
  figures.set(name, columns);
  columns.wall.push(wallMs);
  columns.cpu.push(cpuMs);
  columns.otherWall.push(other?.wallMs);
  columns.otherCpu.push(other?.cpuMs);
};
const median = (name, column) => quantile(figures.get(name)?.[column] ?? [], 0.5);
const against = (name, column) => {
  const other = median(name, column === 'cpu' ? 'otherCpu' : 'otherWall');
  return other === undefined ? undefined : median(name, column) / other;
};

try {
  const root = parts.some(part => /texts|cache|documents|beside/.test(part)) ? await corpus() : temporary;
  const ascii = { label: 'ASCII corpus', scope: path.join(root, 'plain'), words: rareWords };
  const real = {
    label: 'real texts',
    scope: copyTexts(path.resolve(option('tree', '/usr/share')), path.join(temporary, 'real')),
    words: ['zeitgeist', 'tangerine', 'perpendicular', 'quarterly', 'pharmacist', 'birthday'],
  };
  const papers = option('papers', path.join(root, 'documents', 'papers'));
  for (let round = 0; round < rounds; round++) {
    for (const tree of [ascii, real]) {
      if (parts.includes('texts')) await textRound(tree, round, note);
      if (parts.includes('cache')) await cacheRound(tree, round, path.join(temporary, `cache-${round}`), note);
    }
    if (parts.includes('first')) await firstUseRound(real, note);
    if (parts.includes('process')) await processRound(real, path.join(temporary, `process-${round}`), note);
    if (parts.includes('burst')) await burstRound(real.scope, Number(option('seed', 7)), note);
    if (parts.includes('documents')) await documentRound(papers, note);
    if (parts.includes('beside')) await concurrentRound(root, note);
    console.log(`round ${round + 1} of ${rounds}, load ${loadavg()[0].toFixed(1)}`);
  }
  if (parts.includes('memory')) await memoryRound(real, Number(option('idle-s', 60)), note);
  report();
} finally {
  await rm(temporary, { recursive: true, force: true });
}

function report() {
  const rows = [...figures.keys()].map(name => [
    name,
    ...['wall', 'otherWall', 'cpu', 'otherCpu'].map(column => figure(median(name, column))),
    figure(against(name, 'wall')),
    figure(against(name, 'cpu')),
  ]);
  const header = ['median', 'wall ms', 'of rg', 'CPU ms', 'of rg', 'wall ×', 'CPU ×'];
  console.log(`\n${table(header, rows)}\n`);
  const goals = [
    atMost('real texts: first query, CPU against rg', against('real texts: query 1', 'cpu'), 3, '×'),
    atMost('real texts: second different query', against('real texts: query 2', 'cpu'), 2, '×'),
    atMost('real texts: second, right behind the first', against('real texts: query 2 at once', 'cpu'), 2, '×'),
    atMost('real texts: fifth', against('real texts: query 5', 'cpu'), 0.8, '×'),
    atMost(
      'real texts: first after a restart with a cache',
      against('real texts: first with a cache', 'cpu'),
      0.8,
      '×',
    ),
    atMost('ASCII corpus: first query, wall', against('ASCII corpus: query 1', 'wall'), 1.6, '×'),
    atMost('documents: first, wall against pdftotext', against('documents: first', 'wall'), 1, '×'),
    atMost('documents: second, ms', median('documents: second', 'wall'), 150),
    atMost(
      'small search beside a big one, p95, ms',
      quantile(figures.get('small search beside a big one')?.wall ?? [], 0.95),
      300,
    ),
    ...[...figures.keys()]
      .filter(name => /^burst: question (?:[5-9]|10) /.test(name))
      .map(name => atMost(`${name}, CPU ms`, median(name, 'cpu'), 15)),
    atMost('memory when idle, MiB', median('memory when idle, MiB', 'wall'), 120),
    atMost('CPU when idle, ms', median('idle', 'cpu'), 0),
  ];
  const told = goals.map(({ name, limit, measured, isMet }) => [
    name,
    limit,
    measured,
    isMet === undefined ? '' : isMet ? 'yes' : '**no**',
  ]);
  console.log(table(['goal', 'wanted', 'measured', 'met'], told));
  if (goals.some(({ isMet }) => isMet === false)) process.exitCode = 1;
}
