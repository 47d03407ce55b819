// The book library of this build beside another one, call by call in turns.
//   node bench/books-beside.mjs <another build> [folder with a books/ of its own] [--only <words of a call>]
// Also: how long other calls wait while a journal of 500 MB is read, and how long the answers are.
import { createHash } from 'node:crypto';
import { closeSync, cpSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { quantile, startServer } from './books-server.mjs';
import { cpuMs } from './process-stats.mjs';

const { positionals, values } = parseArgs({ allowPositionals: true, options: { only: { type: 'string' } } });
const [other, material] = positionals;
if (other === undefined) throw new Error('give the other build');
const root = mkdtempSync(path.join(tmpdir(), 'oj-mcp-beside-'));
process.on('exit', () => rmSync(root, { recursive: true, force: true }));

const lessonOf = n => `content/0${n % 5}-Part/0${(n >> 3) % 9}-Chapter/${String(n % 100).padStart(2, '0')}-l-${n}.md`;

/** A server on a library of its own. */
const start = async (file, library) => await startServer(file, ['--toolsets', 'books', '--books-root', library]);

const builds = { this: 'dist/oj-mcp.cjs', other };

async function beside() {
  const servers = {};
  for (const name of Object.keys(builds)) {
    const library = path.join(root, name);
    for (let n = 0; n < 500; n++) {
      const file = path.join(library, 'books/a-book', lessonOf(n));
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, `# Lesson ${n}\n${'A line of a lesson, as they are.\n'.repeat(300)}`);
    }
    servers[name] = await start(builds[name], library);
  }
  const book = { book_id: 'a-book' };
  const calls = {
    'read a lesson': n => ['read_content', { ...book, path: lessonOf(n) }],
    'read a chapter': () => ['read_content', { ...book, path: 'content/00-Part/00-Chapter', scope: 'chapter' }],
    'read the book': () => ['read_content', { ...book, path: 'content', scope: 'book' }],
    'write a lesson': n => ['write_content', { ...book, path: `content/09-New/01-C/01-a-${n}.md`, content: `${n}` }],
    'delete it': n => ['delete_content', { ...book, path: `content/09-New/01-C/01-a-${n}.md` }],
    'list books': () => ['list_books', {}],
    glob: () => ['glob_search', { ...book, pattern: 'content/**/*7.md' }],
    'grep, nothing there': () => ['grep_search', { ...book, pattern: 'zzzzqq' }],
    'validate book': () => ['validate_book', book],
    'delta build': () => ['delta_build', { ...book, since: new Date().toISOString() }],
    archive: () => ['get_book_archive', book],
  };
  for (const [what, make] of Object.entries(calls)) {
    const took = { this: [], other: [] };
    if (values.only !== undefined && !what.includes(values.only)) continue;
    const cpu = { this: 0, other: 0 };
    const rounds = ['archive', 'read the book'].includes(what) ? 12 : 200;
    for (let n = 0; n < rounds; n++) {
      for (const name of n % 2 === 0 ? ['this', 'other'] : ['other', 'this']) {
        const [tool, args] = make(n);
        const before = cpuMs(servers[name].pid);
        took[name].push((await servers[name].ask(tool, args)).tookMs);
        cpu[name] += cpuMs(servers[name].pid) - before;
      }
    }
    const of = name =>
      `${name} p10 ${quantile(took[name], 0.1).toFixed(2)} p50 ${quantile(took[name], 0.5).toFixed(2)} ms, CPU ${(cpu[name] / rounds).toFixed(2)}`;
    console.log(`${what.padEnd(22)}${of('this')}   ${of('other')}`);
  }
  await Promise.all(Object.values(servers).map(server => server.stop()));
}

/** A journal of notes, as readers leave it. */
function putJournal(file, bytes) {
  mkdirSync(path.dirname(file), { recursive: true });
  const descriptor = openSync(file, 'w');
  let chain = '0'.repeat(64);
  const note = { kind: 'note', agent: 'a-client', operation: 'read_content', path: lessonOf(1), user: '__base__' };
  for (let seq = 1, written = 0; written < bytes; ) {
    const lines = [];
    for (let n = 0; n < 1000; n++, seq++) {
      const time = new Date(Date.UTC(2025, 0) + seq).toISOString();
      const facts = { prev: null, new: null, status: 'success', ms: 1.234, seq, time, book: 'a-book', backend: 'fs' };
      const line = JSON.stringify({ ...note, ...facts, chain });
      chain = createHash('sha256').update(line).digest('hex');
      lines.push(line);
    }
    written += writeSync(descriptor, `${lines.join('\n')}\n`);
  }
  closeSync(descriptor);
}

/** The longest any call had to wait for its answer while the first ones read the journal. */
async function longJournal() {
  for (const name of Object.keys(builds)) {
    const library = path.join(root, `long-${name}`);
    mkdirSync(path.join(library, 'books/a-book/content'), { recursive: true });
    putJournal(path.join(library, '.oj-books/a-book/journal.jsonl'), 500e6);
    for (const turn of ['first', 'second']) {
      const server = await start(builds[name], library);
      await server.call('list_books', {});
      const progress = { isDone: false };
      const work = server.ask('delta_build', { book_id: 'a-book', since: '2025-01-01T00:00:00Z' });
      const done = work.then(({ tookMs }) => {
        progress.isDone = true;
        return tookMs;
      });
      const waits = [];
      while (!progress.isDone) waits.push(await server.ping());
      console.log(
        `journal of 500 MB, ${turn} start   ${name}: ping at most ${Math.max(...waits).toFixed(0)} ms, delta_build ${(await done).toFixed(0)} ms`,
      );
      await server.stop();
    }
    rmSync(library, { recursive: true });
  }
}

/** The first text of the largest answers about real books. */
async function answerLengths() {
  for (const name of Object.keys(builds)) {
    const library = path.join(root, `real-${name}`);
    cpSync(material, library, { recursive: true });
    const server = await start(builds[name], library);
    const { result } = await server.call('list_books', {});
    for (const { book_id } of result) {
      const since = '2000-01-01T00:00:00Z';
      const calls = [
        { tool: 'glob_search', pattern: '**' },
        { tool: 'grep_search', pattern: '.', max_results: 1000 },
        { tool: 'grep_search', pattern: '.' },
        { tool: 'list_books', include_structure: 'all' },
        { tool: 'list_assets' },
        { tool: 'validate_book' },
        { tool: 'delta_build', since },
        { tool: 'read_content', path: 'content', scope: 'book' },
        { tool: 'read_content', path: 'content', scope: 'book', metadata_only: true },
      ];
      for (const { tool, ...args } of calls) {
        const { isError, content, tookMs } = await server.ask(tool, { book_id, ...args });
        const characters = content[0]?.text?.length ?? 0;
        const what = `${tool} ${JSON.stringify(args)}`;
        console.log(
          `${name.padEnd(6)}${what.padEnd(70)}${isError ? 'refused' : `${characters} characters`}, ${tookMs.toFixed(0)} ms`,
        );
      }
    }
    await server.stop();
  }
}

await beside();
if (values.only === undefined) await longJournal();
if (material !== undefined) await answerLengths();
