// Simulates one author: a server gets changes until it is killed, and then the next server is started.
import { createHash } from 'node:crypto';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openServer } from '../client.mjs';

const bundle = path.join(import.meta.dirname, '../../dist/oj-mcp.cjs');
export const book = 'a-book';

/** The maximum of the random time that a server runs after its first successful change. */
const livesAtMostMs = 1500;
/** The time after which a server without a successful change is killed. */
const waitsAtMostMs = 20_000;
/** The number of changes that a server executes concurrently. */
const hands = 2;

const share = { delete: 0.2, move: 0.2, restore: 0.1, stale: 0.1, read: 0.1, survey: 0.04, archive: 0.02 };
/** Texts above this length are not merged further, because each conflict adds the texts of both authors. */
const maxMergedCharacters = 20_000;

const sha256 = bytes => createHash('sha256').update(bytes).digest('hex');
const isChance = likelihood => Math.random() < likelihood;

let servers = 0;
let contents = 0;

export function startBooks({ root, env }) {
  const args = ['--toolsets', 'books', '--books-root', root, '--books-extras'];
  return openServer([process.execPath, bundle, ...args], env);
}

export async function runAuthor(plan) {
  while (plan.chronicle.kills < plan.kills) {
    const number = ++servers;
    // Each server gets an expired archive, which it must delete.
    const archive = `${book}-2020-01-01-${number.toString(16).padStart(16, '0')}-1577836800000.zip`;
    await plan.bucket.put(`${plan.prefix}/archives/${archive}`, 'an old archive');
    await life(plan, number);
    if (isChance(plan.imports)) await importOnce(plan);
  }
}

async function importOnce({ chronicle, importer, ...plan }) {
  const isKilled = await importer.tryOnce(plan);
  if (isKilled === undefined) return;
  if (!isKilled) chronicle.imports++;
  else {
    chronicle.kills++;
    chronicle.killedImports++;
  }
}

/** Runs one server from its start to its end. */
async function life(plan, number) {
  const { chronicle } = plan;
  const server = startBooks(plan);
  const asked = new Set();
  let acknowledged = 0;
  const first = deferred();
  const work = async () => {
    let next;
    while (server.isAlive) {
      const change = next ?? changeOf(plan, number);
      next = undefined;
      asked.add(change);
      const answer = await callTool(server, change.tool, change.args);
      if (answer === undefined) return; // killed: nobody will ever be told
      asked.delete(change);
      if (note(chronicle, change, answer)) {
        acknowledged++;
        first.resolve();
      }
      next = mergedChange(change, answer);
      await other(server);
    }
  };
  await server.initialize().catch(() => {});
  const working = Array.from({ length: hands }, work);
  await Promise.race([first.promise, pause(waitsAtMostMs, undefined, { ref: false })]);
  await pause(acknowledged === 0 ? 0 : Math.random() * livesAtMostMs);
  const isInside = asked.size > 0;
  await server.kill();
  await Promise.all(working);
  chronicle.kills++;
  if (isInside) chronicle.killsInside++;
  if (acknowledged === 0) chronicle.idle++;
  chronicle.unknown.push(...asked);
}

function deferred() {
  let resolve;
  const promise = new Promise(done => {
    resolve = done;
  });
  return { promise, resolve };
}

const lessonOf = number => `content/01-Part/01-Chapter/${String(number).padStart(2, '0')}-lesson.md`;
const randomOf = items => items[Math.floor(Math.random() * items.length)];

/** Creates a change of a lesson, based on its last observed content: new unique bytes, a move or a former version. */
function changeOf({ lessons, chronicle }, number) {
  const lesson = lessonOf(Math.floor(Math.random() * lessons));
  const prev = chronicle.known.get(lesson) ?? null;
  if (prev !== null && isChance(share.move)) {
    const paths = Array.from({ length: lessons }, (_, index) => lessonOf(index));
    const to = randomOf(paths.filter(free => !chronicle.known.has(free)));
    const args = { book_id: book, from: lesson, to, expected_hash: prev, rewrite_links: isChance(0.5) };
    if (to !== undefined) return { tool: 'move_content', path: lesson, to, prev, new: null, args };
  }
  const former = randomOf(chronicle.acknowledged);
  if (typeof former?.new === 'string' && isChance(share.restore)) {
    const args = { book_id: book, path: lesson, hash: former.new, ...(prev !== null && { expected_hash: prev }) };
    return { tool: 'restore_content', path: lesson, prev, new: former.new, args };
  }
  if (former?.prev && isChance(share.stale)) {
    const content = `# ${number}.${++contents} from an outdated version\n`;
    const args = { book_id: book, path: former.path, expected_hash: former.prev, content };
    return { tool: 'write_content', path: former.path, prev: former.prev, new: sha256(content), args };
  }
  const args = { book_id: book, path: lesson, ...(prev !== null && { expected_hash: prev }) };
  if (prev !== null && isChance(share.delete)) return { tool: 'delete_content', path: lesson, prev, new: null, args };
  const content = `# ${number}.${++contents}\n${'A line of a lesson, as they are.\n'.repeat(Math.random() * 100)}`;
  return { tool: 'write_content', path: lesson, prev, new: sha256(content), args: { ...args, content } };
}

/** Returns the write of a merged text if a conflict contains one. */
function mergedChange({ path: lesson }, { isError, said }) {
  if (!isError || said.merge === undefined || said.merge.content.length > maxMergedCharacters) return undefined;
  const content = `${said.merge.content}\nMerged ${++contents}\n`;
  const args = { book_id: book, path: lesson, expected_hash: said.current_hash, content };
  return { tool: 'write_content', path: lesson, prev: said.current_hash, new: sha256(content), args, isMerge: true };
}

/** Records the result of a change. Returns whether it was acknowledged. */
function note(chronicle, change, { isError, said }) {
  const { acknowledged, refused, unknown, codes, known } = chronicle;
  const { path: lesson, new: next } = change;
  if (!isError && change.tool === 'move_content') {
    chronicle.moves++;
    acknowledged.push(change, { tool: change.tool, path: change.to, prev: null, new: change.prev });
    known.delete(lesson);
    known.set(change.to, change.prev);
    return true;
  }
  if (!isError && change.tool === 'restore_content') chronicle.restores++;
  if (!isError && change.isMerge) chronicle.merges++;
  if (!isError && said.existed === false) {
    known.delete(lesson);
    return false;
  }
  if (!isError) {
    acknowledged.push(change);
    if (next === null) known.delete(lesson);
    else known.set(lesson, next);
    return true;
  }
  codes.set(said.code, (codes.get(said.code) ?? 0) + 1);
  // The change may have been made, because the store failed during it.
  if (said.code === 'UNAVAILABLE') unknown.push(change);
  else refused.push(change);
  // The move was rejected because another file exists at its new path.
  if (change.tool === 'move_content' && said.expected_hash === undefined) {
    if (said.current_hash !== undefined) known.set(change.to, said.current_hash);
    else if (said.code === 'NOT_FOUND') known.delete(lesson);
    return false;
  }
  if (said.current_hash !== undefined) known.set(lesson, said.current_hash);
  else if (said.code === 'NOT_FOUND') known.delete(lesson);
  return false;
}

/** Calls other tools of the library. Only the resulting journal is checked. */
async function other(server) {
  const args = { book_id: book };
  if (isChance(share.read)) {
    await callTool(server, 'read_content', { ...args, path: 'content/01-Part/01-Chapter', scope: 'chapter' });
  }
  if (isChance(share.survey)) await callTool(server, 'delta_build', { ...args, since: '2020-01-01T00:00:00Z' });
  if (isChance(share.archive)) await callTool(server, 'get_book_archive', args);
}

/** Calls a tool. Returns undefined if the server was killed before its response. */
export async function callTool(server, name, args) {
  const answer = await server.request('tools/call', { name, arguments: args }).catch(() => undefined);
  if (answer === undefined) return undefined;
  if (answer.error !== undefined) throw new Error(`${name}: ${JSON.stringify(answer.error)}`);
  const { isError, content, structuredContent } = answer.result;
  return { isError: isError === true, said: structuredContent ?? JSON.parse(content[0].text) };
}
