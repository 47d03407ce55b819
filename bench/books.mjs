// Measures the book library of the built file. Compared builds are measured in turns, in one run.
// node bench/books.mjs [archive] [huge] [search] [read] [write] [many] [startup=<another build>]
// The exit code is 1 if a guaranteed figure is missed: memory exactly, times by more than a busy machine explains.
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { quantile, startServer } from './books-server.mjs';

const wanted = process.argv.slice(2);
const isWanted = name => wanted.length === 0 || wanted.includes(name);
const root = mkdtempSync(path.join(tmpdir(), 'oj-mcp-bench-'));
process.on('exit', () => rmSync(root, { recursive: true, force: true }));

const ms = value => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
const mean = values => values.reduce((sum, value) => sum + value, 0) / values.length;
const row = (what, ...values) => console.log(`${what.padEnd(46)}${values.join('   ')}`);

/** The factor by which a time may exceed its limit, because the machine may be busy. */
const noise = 3;
function promise(what, value, limit) {
  if (value <= limit) return;
  console.log(`MISSED: ${what} is ${value.toFixed(1)}, promised ${limit}`);
  process.exitCode = 1;
}

function put(file, bytes) {
  const target = path.join(root, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, bytes);
}

const start = async (file = 'dist/oj-mcp.cjs', args = ['--toolsets', 'books', '--books-root', root]) =>
  await startServer(file, args);

async function timed(work) {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

const memoryOf = (pid, field) =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
const resetPeak = pid => writeFileSync(`/proc/${pid}/clear_refs`, '5');

const words = 'bread water flour salt time oven crust crumb yeast dough fold rest bake steam knife board'.split(' ');
function prose(bytes) {
  const lines = [];
  for (let size = 0; size < bytes; ) {
    const line = Array.from(
      { length: 12 },
      () =>
        words[Math.floor(Math.random() * words.length)] + (Math.random() < 0.2 ? Math.floor(Math.random() * 1e6) : ''),
    ).join(' ');
    lines.push(line);
    size += line.length + 1;
  }
  return `${lines.join('\n')}\n`;
}
const lessonOf = n =>
  `content/0${n % 5}-Part/0${(n >> 3) % 9}-Chapter/${String(n % 100).padStart(2, '0')}-lesson-${n}.md`;

async function archives(book, scope, what, limitMs) {
  const server = await start();
  await server.call('list_books', {});
  const before = memoryOf(server.pid, 'VmRSS');
  resetPeak(server.pid);
  let answer;
  const took = await timed(async () => {
    answer = await server.call('get_book_archive', { book_id: book, scope });
  });
  const extra = memoryOf(server.pid, 'VmHWM') - before;
  row(
    what,
    ms(took),
    `${extra.toFixed(1)} MB extra`,
    `${answer.file_count} files, ${(answer.total_size_bytes / 1e6).toFixed(0)} MB → ${(answer.archive_size_bytes / 1e6).toFixed(0)} MB`,
    answer.status,
  );
  promise(`${what}, MB of extra memory`, extra, 40);
  promise(`${what}, ms`, took, limitMs * noise);
  await server.stop();
  rmSync(path.join(root, 'archives'), { recursive: true });
}

if (isWanted('archive')) {
  for (let n = 0; n < 400; n++) put(`books/mixed-book/${lessonOf(n)}`, prose(50_000));
  for (let n = 0; n < 100; n++) put(`books/mixed-book/static/img/p${n}.png`, randomBytes(1_800_000));
  for (let n = 0; n < 500; n++) put(`books/text-book/${lessonOf(n)}`, prose(400_000));
  for (let round = 0; round < 3; round++) {
    await archives('mixed-book', 'all', 'archive 500 files / 200 MB, 90 % pictures', 8000);
    await archives('text-book', 'all', 'archive 500 files / 200 MB, text only', 8000);
  }
  rmSync(path.join(root, 'books'), { recursive: true });
}

if (isWanted('huge')) {
  const video = randomBytes(50_000_000);
  const text = prose(2_000_000);
  for (let n = 0; n < 36; n++) put(`books/huge-book/static/videos/v${n}.mp4`, video);
  for (let n = 0; n < 100; n++) put(`books/huge-book/${lessonOf(n)}`, text);
  await archives('huge-book', 'all', 'archive 2 GB', 60_000);
  rmSync(path.join(root, 'books'), { recursive: true });
}

if (isWanted('search')) {
  for (let n = 0; n < 500; n++) put(`books/grep-book/${lessonOf(n)}`, prose(40_000));
  put('books/slow-book/content/01-P/01-C/01-a.md', `${'a'.repeat(5000)}!\n`);
  const server = await start();
  const patterns = {
    'absent word': 'zzzzqq',
    'rare word': 'knife999',
    alternation: 'sourdough|baguette|ciabatta',
    class: '[0-9]{7}x',
    'grouped alternation': '(sourdough|baguette|ciabatta)s?',
    'ignoring case': '(?i)SOURDOUGH',
  };
  const took = Object.fromEntries(Object.keys(patterns).map(name => [name, []]));
  const more = { glob: [], evil: [], list: [] };
  for (let round = 0; round < 12; round++) {
    for (const [name, pattern] of Object.entries(patterns)) {
      took[name].push(await timed(() => server.call('grep_search', { book_id: 'grep-book', pattern })));
    }
    more.glob.push(
      await timed(() => server.call('glob_search', { book_id: 'grep-book', pattern: 'content/**/*7.md' })),
    );
    more.evil.push(await timed(() => server.call('grep_search', { book_id: 'slow-book', pattern: '(a+)+$' })));
  }
  for (const [name, values] of Object.entries(took))
    promise(`grep, ${name}, p50 ms`, quantile(values, 0.5), 300 * noise);
  promise('grep (a+)+$, p50 ms', quantile(more.evil, 0.5), 50 * noise);
  promise('glob, p50 ms', quantile(more.glob, 0.5), 50 * noise);
  for (const [name, values] of Object.entries(took))
    row(`grep 500 lessons / 20 MB, ${name}`, `p50 ${ms(quantile(values, 0.5))}`, `max ${ms(Math.max(...values))}`);
  row('grep (a+)+$ on 5000 a', `p50 ${ms(quantile(more.evil, 0.5))}`, `max ${ms(Math.max(...more.evil))}`);
  row('glob 500 files', `p50 ${ms(quantile(more.glob, 0.5))}`, `max ${ms(Math.max(...more.glob))}`);
  await server.stop();
  rmSync(path.join(root, 'books'), { recursive: true });
}

if (isWanted('read')) {
  for (let n = 0; n < 50; n++) {
    put(`books/read-book/${lessonOf(n)}`, prose(40_000));
    if (n % 2 === 0) put(`books/read-book/users/ada/${lessonOf(n)}`, prose(40_000));
  }
  const server = await start();
  const took = { base: [], overlay: [], 'fall-back': [] };
  for (let round = 0; round < 600; round++) {
    const even = lessonOf((round % 25) * 2);
    const odd = lessonOf((round % 25) * 2 + 1);
    took.base.push(await timed(() => server.call('read_content', { book_id: 'read-book', path: even })));
    took.overlay.push(
      await timed(() => server.call('read_content', { book_id: 'read-book', path: even, user_id: 'ada' })),
    );
    took['fall-back'].push(
      await timed(() => server.call('read_content', { book_id: 'read-book', path: odd, user_id: 'ada' })),
    );
  }
  for (const name of ['overlay', 'fall-back']) {
    promise(`${name} − base, p50 ms`, quantile(took[name], 0.5) - quantile(took.base, 0.5), 1 * noise);
  }
  promise('read, p95 ms', quantile(took.base, 0.95), 500);
  for (const [name, values] of Object.entries(took)) {
    row(
      `read 40 KB, ${name}`,
      `p50 ${ms(quantile(values, 0.5))}`,
      `mean ${ms(mean(values))}`,
      `p95 ${ms(quantile(values, 0.95))}`,
    );
  }
  row(
    'overlay − base, fall-back − base (means)',
    ms(mean(took.overlay) - mean(took.base)),
    ms(mean(took['fall-back']) - mean(took.base)),
  );
  await server.stop();
  rmSync(path.join(root, 'books'), { recursive: true });
}

if (isWanted('write')) {
  const server = await start();
  const folder = path.join(root, 'bare');
  mkdirSync(folder);
  const took = { 'durable write': [], 'bare write+fsync+rename': [], '… and fsync of the folder': [] };
  const bare = (n, bytes, isFolderSynced) => {
    const descriptor = openSync(path.join(folder, 'tmp'), 'w');
    writeSync(descriptor, bytes);
    fsyncSync(descriptor);
    closeSync(descriptor);
    renameSync(path.join(folder, 'tmp'), path.join(folder, `${n}.md`));
    if (!isFolderSynced) return;
    const parent = openSync(folder, 'r');
    fsyncSync(parent);
    closeSync(parent);
  };
  for (let n = 0; n < 300; n++) {
    const content = `# ${n}\n${prose(4000)}`;
    const args = { book_id: 'write-book', path: lessonOf(n), content };
    took['durable write'].push(await timed(() => server.call('write_content', args)));
    took['bare write+fsync+rename'].push(await timed(() => bare(n, content, false)));
    took['… and fsync of the folder'].push(await timed(() => bare(n, content, true)));
  }
  for (const [name, values] of Object.entries(took))
    row(name, `p50 ${ms(quantile(values, 0.5))}`, `p95 ${ms(quantile(values, 0.95))}`);
  await server.stop();
  rmSync(path.join(root, 'books'), { recursive: true });
}

if (isWanted('many')) {
  for (let n = 0; n < 50; n++) put(`books/book-${n}/content/01-P/01-C/01-a.md`, '# A\n');
  const server = await start();
  const list = [];
  for (let n = 0; n < 50; n++) list.push(await timed(() => server.call('list_books', {})));
  promise('list_books of 50 books, p50 ms', quantile(list, 0.5), 200);
  row('list_books, 50 books', `p50 ${ms(quantile(list, 0.5))}`, `max ${ms(Math.max(...list))}`);
  const took = await timed(() =>
    Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        server.call('write_content', { book_id: 'busy-book', path: lessonOf(n), content: 'x' }),
      ),
    ),
  );
  promise('100 writes at once, ms', took, 5000 * noise);
  row('100 writes at once, different lessons', ms(took));
  await server.stop();
}

const other = wanted.find(name => name.startsWith('startup='))?.slice('startup='.length);
if (other !== undefined) {
  const builds = { this: 'dist/oj-mcp.cjs', other };
  const took = { this: [], other: [] };
  const memory = { this: [], other: [] };
  for (let round = 0; round < 60; round++) {
    for (const name of round % 2 === 0 ? ['this', 'other'] : ['other', 'this']) {
      let server;
      took[name].push(
        await timed(async () => {
          server = await start(builds[name], []);
        }),
      );
      memory[name].push(memoryOf(server.pid, 'VmRSS'));
      await server.stop();
    }
  }
  for (const name of ['this', 'other'])
    row(
      `start without books, ${name} build`,
      `p10 ${ms(quantile(took[name], 0.1))}`,
      `p50 ${ms(quantile(took[name], 0.5))}`,
      `RSS p50 ${quantile(memory[name], 0.5).toFixed(1)} MB`,
    );
}
