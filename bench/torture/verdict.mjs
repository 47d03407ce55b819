// Judges by the content of the bucket whether a library has kept its guarantees.
import { createHash } from 'node:crypto';
import { book, call, startBooks } from './author.mjs';

const sha256 = bytes => createHash('sha256').update(bytes).digest('hex');
const textOf = ({ path, prev, new: next }) => `${path} from ${prev} to ${next}`;

/**
 * Reads the library first, because the next reader appends the end records of interrupted changes. Then the journal
 * must be complete.
 */
export async function judge(plan) {
  const { bucket, prefix, chronicle } = plan;
  const server = startBooks(plan);
  await server.initialize();
  const last = await call(server, 'delta_build', { book_id: book, since: '2020-01-01T00:00:00Z' });
  await server.close();
  const faults = last.isError ? [`the last survey was refused: ${JSON.stringify(last.said)}`] : [];

  const lines = await linesOf(bucket, `${prefix}/.oj-books/${book}/journal/`);
  const { files, commits, open, breaks } = audit(lines);
  faults.push(...breaks);
  const lost = chronicle.acknowledged.filter(change => !commits.has(textOf(change)));
  faults.push(...lost.map(change => `acknowledged and lost: ${textOf(change)}`));
  const made = chronicle.refused.filter(change => commits.has(textOf(change)) && change.new !== null);
  faults.push(...made.map(change => `refused and made: ${textOf(change)}`));
  faults.push(...[...open.values()].map(intent => `left open: ${textOf(intent)}`));
  const objects = await bucket.keys(`${prefix}/books/`);
  const names = new Set([...files.keys(), ...objects.map(key => key.slice(`${prefix}/books/${book}/`.length))]);
  let differing = 0;
  for (const name of names) {
    const bytes = await bucket.read(`${prefix}/books/${book}/${name}`);
    const found = bytes === undefined ? null : sha256(bytes);
    if (found === (files.get(name) ?? null)) continue;
    differing++;
    faults.push(`${name} is ${found}, the journal says ${files.get(name)}`);
  }
  const swept = (await bucket.keys(`${prefix}/archives/`)).filter(key => key.includes('-1577836800000'));
  if (swept.length > chronicle.idle + plan.servers) faults.push(`${swept.length} old archives were not swept`);
  const happened = chronicle.unknown.filter(change => commits.has(textOf(change))).length;
  const segments = (await bucket.keys(`${prefix}/.oj-books/${book}/journal/`)).length;
  const facts = [
    `acknowledged ${chronicle.acknowledged.length}, lost ${lost.length}`,
    `cut off ${chronicle.unknown.length}, of which ${happened} have happened`,
    `journal: ${lines.length} lines in ${segments} segments, ${commits.size} changes, ${breaks.length} breaks; lessons that differ from it ${differing}`,
  ];
  return { faults, facts };
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
 * Checks the chain of the lines, the record numbers, `prev` and `new` of each file, and that each intent has one end
 * record.
 */
function audit(lines) {
  const breaks = [];
  const files = new Map();
  const commits = new Set();
  const open = new Map();
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
    if (kind === 'commit') commits.add(textOf(record));
  }
  return { files, commits, open, breaks };
}
