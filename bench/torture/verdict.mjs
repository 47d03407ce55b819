// Checks by the content of the bucket or folder whether a library has kept its guarantees.
import { createHash } from 'node:crypto';
import { book, callTool, startBooks } from './author.mjs';
import { importedBook } from './importer.mjs';

const sha256 = bytes => createHash('sha256').update(bytes).digest('hex');
const maxRepeats = 5;
const textOf = ({ path, prev, new: next }) => `${path} from ${prev} to ${next}`;

/**
 * Reads the library first, because the next reader appends the commit and abort records of interrupted changes.
 * Afterwards the journal must be complete.
 */
export async function judgeLibrary(plan) {
  const { bucket, prefix, chronicle } = plan;
  const server = startBooks(plan);
  await server.initialize();
  const { last, repeats } = await recover(server);
  await server.close();
  const faults = last.isError ? [`the last delta_build was refused: ${JSON.stringify(last.said)}`] : [];

  const lines = await linesOf(bucket, `${prefix}/.oj-books/${book}/journal/`);
  const { files, commits, open, breaks, externals, halfMoves } = audit(lines);
  faults.push(...breaks);
  const counts = new Map();
  for (const change of chronicle.acknowledged) counts.set(textOf(change), (counts.get(textOf(change)) ?? 0) + 1);
  const lost = [...counts].filter(([text, count]) => (commits.get(text) ?? 0) < count);
  faults.push(...lost.map(([text]) => `acknowledged and lost: ${text}`));
  // Only writes are compared by their content, because each written content is unique, while a move or a former version
  // can be repeated by another author.
  const made = chronicle.refused.filter(change => change.tool === 'write_content' && commits.has(textOf(change)));
  faults.push(...made.map(change => `refused and made: ${textOf(change)}`));
  faults.push(...[...open.values()].map(intent => `left open: ${textOf(intent)}`));
  const differing = await differences(bucket, `${prefix}/books/${book}`, files);
  faults.push(...differing);
  faults.push(...(await importFaults(plan)));
  const swept = (await bucket.keys(`${prefix}/archives/`)).filter(key => key.includes('-1577836800000'));
  if (swept.length > chronicle.idle + plan.servers) faults.push(`${swept.length} old archives were not swept`);
  const happened = chronicle.unknown.filter(change => commits.has(textOf(change))).length;
  const segments = (await bucket.keys(`${prefix}/.oj-books/${book}/journal/`)).length;
  const facts = [
    `acknowledged ${chronicle.acknowledged.length}, lost ${lost.length}`,
    `delta_build repeated ${repeats} times, until it could update the journal`,
    `cut off ${chronicle.unknown.length}, of which ${happened} have happened`,
    `journal: ${lines.length} lines in ${segments} segments, ${commits.size} changes, ${breaks.length} breaks, ${externals} external changes, ${halfMoves} moves of which one half was undone; lessons that differ from it ${differing.length}`,
  ];
  return { faults, facts };
}

/**
 * Calls delta_build until it has recorded all unfinished changes. With a disturbed store it can fail, or state in a note
 * that it could not update the journal.
 */
async function recover(server) {
  for (let repeats = 0; ; repeats++) {
    const last = await callTool(server, 'delta_build', { book_id: book, since: '2020-01-01T00:00:00Z' });
    const isIncomplete = last.isError || last.said.notes?.some(note => note.includes('journal was not updated'));
    if (!isIncomplete || repeats >= maxRepeats) return { last, repeats };
  }
}

/**
 * Returns the files of a book that differ from its journal. The README of the book is skipped, because it was not
 * written by a tool.
 */
async function differences(bucket, folder, files) {
  const objects = await bucket.keys(`${folder}/`);
  const names = new Set([...files.keys(), ...objects.map(key => key.slice(folder.length + 1))]);
  const differing = [];
  for (const name of names) {
    const bytes = await bucket.read(`${folder}/${name}`);
    const found = bytes === undefined ? null : sha256(bytes);
    const isForeign = name === 'content/README.md' && !files.has(name);
    if (found !== (files.get(name) ?? null) && !isForeign) {
      differing.push(`${name} is ${found}, the journal says ${files.get(name)}`);
    }
  }
  return differing;
}

/**
 * Returns the errors of the imported book after a last import: its journal must be complete and agree with its files,
 * and these with the folder.
 */
async function importFaults({ importer, ...plan }) {
  const { bucket, prefix } = plan;
  const faults = await importer.finish(plan);
  const { files, open, breaks } = audit(await linesOf(bucket, `${prefix}/.oj-books/${importedBook}/journal/`));
  const differing = await differences(bucket, `${prefix}/books/${importedBook}`, files);
  const hashes = new Set(files.values());
  const missing = [...importer.pages].filter(([, text]) => !hashes.has(sha256(text)));
  return [
    ...faults,
    ...breaks,
    ...differing,
    ...[...open.values()].map(intent => `left open by an import: ${textOf(intent)}`),
    ...missing.map(([name]) => `${name} was imported and is not in the library`),
  ];
}

async function linesOf(bucket, folder) {
  const lines = [];
  for (const key of await bucket.keys(folder)) {
    const bytes = await bucket.read(key);
    lines.push(...bytes.toString('utf8').split('\n').slice(0, -1));
  }
  return lines;
}

/**
 * Checks the hash chain, the record numbers, the hashes before and after each change, and that each intent record has
 * one commit or abort record.
 */
function audit(lines) {
  const breaks = [];
  const files = new Map();
  const commits = new Map();
  const halves = new Map();
  let externals = 0;
  const open = new Map();
  const ends = new Map();
  let chain = '0'.repeat(64);
  let time = '';
  for (const [index, line] of lines.entries()) {
    const record = JSON.parse(line);
    const broken = what => breaks.push(`line ${index + 1} ${what}: ${line}`);
    if (record.chain !== chain) broken('does not follow the line before');
    if (record.seq !== index + 1) broken('has the wrong number');
    if (record.time <= time) broken('is not later than the line before');
    ({ time } = record);
    chain = sha256(line);
    const { kind, path, prev, new: next, intent } = record;
    if (['commit', 'external', 'intent'].includes(kind) && (files.get(path) ?? null) !== prev)
      broken('is not at "prev"');
    if (kind === 'intent') open.set(record.seq, record);
    if ((kind === 'commit' || kind === 'abort') && !open.delete(intent)) broken('ends no intent');
    if (kind === 'commit' || kind === 'external') files.set(path, next);
    if (kind === 'external') externals++;
    if (kind === 'commit') commits.set(textOf(record), (commits.get(textOf(record)) ?? 0) + 1);
    if (kind === 'intent' && record.moved?.hash === null) halves.set(record.seq + 1, record.seq);
    if (kind === 'commit' || kind === 'abort') ends.set(intent, kind);
  }
  const halfMoves = [...halves].filter(pair => ends.get(pair[0]) !== ends.get(pair[1])).length;
  return { files, commits, open, breaks, externals, halfMoves };
}
