// Compares the results of the toolset `files` with those of an independent scanner: node bench/files-oracle.mjs FOLDER
// [--phrases 200] [--seed 7] [--opinions 200] [--calls-of-ms 0].
// `rg` and `pdftotext`, if they are installed, are second opinions on the first phrases. Each difference is reported
// with its class. The exit code is 1 if a text is missing, extra or in the wrong order. With `--calls-of-ms`, calls of
// a new server get so little time that their results are incomplete: the results may only grow, and the last one must
// be complete. `bench/files-tree.mjs` creates a tree of a million files.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createDraw } from './files-oracle/phrases.mjs';
import { scan } from './files-oracle/scanner.mjs';
import { createRipgrep, nameDifference, readPdfs } from './files-oracle/second-opinions.mjs';
import { startServer } from './files-server.mjs';

const option = (name, otherwise) => {
  const index = process.argv.indexOf(`--${name}`);
  return index === -1 ? otherwise : Number(process.argv[index + 1]);
};
const root = path.resolve(process.argv[2]);
/** At most this number of pages of 1,000 results is requested, because a phrase of one letter may be in every file. */
const maxPages = 5;
const maxCalls = 100;

const started = performance.now();
const { texts, times, others } = scan(root);
const seconds = () => ((performance.now() - started) / 1000).toFixed(0);
console.log(`${texts.size} texts, ${others.size} other files, scanned in ${seconds()} s`);
const draw = createDraw(texts, option('seed', 7));
let wrong = 0;
const complain = (what, phrase, file) => {
  if (wrong++ < 20) console.log(what, JSON.stringify(phrase), file);
};

/**
 * Returns the files that contain the phrase. Rows with the key "matched" are excluded, because they were found by
 * words, and the scanner compares substrings.
 */
const phraseHits = answer => answer.results.filter(row => row.matched === undefined).map(row => row._path);

/** Returns the files whose texts contain a phrase, in the order of search results. */
function expectedOf(phrase, scope = root) {
  const files = [];
  for (const [file, text] of texts) if (text.includes(phrase) && file.startsWith(`${scope}/`)) files.push(file);
  return files.sort((left, right) => times.get(right) - times.get(left) || (left < right ? -1 : 1));
}

/** Compares the found files with the expected ones, one by one, up to the end of the result. */
function compare(phrase, found, expected, isWhole) {
  const seen = new Set(found);
  if (seen.size !== found.length)
    complain(
      'twice',
      phrase,
      found.find((file, index) => found.indexOf(file) !== index),
    );
  const ours = found.filter(file => texts.has(file));
  for (const file of ours) if (!texts.get(file).includes(phrase)) complain('invented', phrase, file);
  for (const file of isWhole ? expected : expected.slice(0, ours.length))
    if (!seen.has(file)) complain('missed', phrase, file);
  const misplaced = ours.findIndex((file, index) => file !== expected[index]);
  if (misplaced !== -1) complain('out of order', phrase, ours[misplaced]);
}

/** Repeats a query until the result is complete. Returns the number of calls. */
async function grow(scope, callMs) {
  const server = await startServer(scope, ['--files-timeout-ms', String(callMs), '--files-engine', 'scan']);
  const sizes = [];
  const counts = [];
  for (let number = 0; number < 3; number++) {
    const phrase = draw(number % 2);
    let before = [];
    for (let call = 1; ; call++) {
      const answer = await server.search({ query: phrase, scope, limit: 1000 });
      const found = phraseHits(answer);
      sizes.push(found.length);
      // A page contains the newest files, so that older files may no longer be on it.
      const set = new Set(found);
      if (!answer.truncated)
        for (const file of before) if (!set.has(file)) complain('lost by the next call', phrase, file);
      before = found;
      if (answer.timedOut !== true || call === maxCalls) {
        compare(phrase, found, expectedOf(phrase, scope), !answer.truncated);
        counts.push(call === maxCalls ? 'never' : call);
        break;
      }
    }
  }
  await server.end();
  console.log(
    `${scope}: complete after ${counts.join(', ')} calls of ${callMs} ms for three phrases; hits ${sizes.join(' ')}`,
  );
}

const callMs = option('calls-of-ms', 0);
if (callMs > 0) {
  const notes = path.join(root, 'notes');
  if (existsSync(notes)) await grow(notes, callMs);
  await grow(root, callMs);
}

const classes = new Map();
const note = name => classes.set(name, (classes.get(name) ?? 0) + 1);
const opinions = option('opinions', 200);
const askRipgrep = createRipgrep(root, { texts, others }, note);
const pdfs = opinions > 0 ? readPdfs(root) : new Map();
const server = await startServer(root, ['--files-timeout-ms', '600000', '--files-engine', 'scan']);
let hits = 0;
for (let number = 0; number < option('phrases', 200); number++) {
  const phrase = draw(number % 4);
  const found = [];
  let answer = { truncated: true };
  for (let page = 0; answer.truncated && page < maxPages; page++) {
    answer = await server.search({ query: phrase, scope: root, limit: 1000, offset: page * 1000 });
    if (answer === undefined) throw new Error(`no answer for ${JSON.stringify(phrase)}`);
    if (answer.timedOut === true) note('an answer that was not complete');
    found.push(...phraseHits(answer));
  }
  const expected = expectedOf(phrase);
  hits += expected.length;
  if (number % 20 === 19) console.log(`${number + 1} phrases, ${hits} hits, ${wrong} differences, ${seconds()} s`);
  if (answer.truncated) note(`looked at only to the ${maxPages * 1000}th hit`);
  compare(phrase, found, expected, !answer.truncated);
  for (const file of found) {
    if (!texts.has(file)) note(`found beyond the scanner's texts: ${others.get(file) ?? 'a file that is new'}`);
  }
  if (number >= opinions || answer.truncated) continue;
  askRipgrep(phrase, found);
  const set = new Set(found);
  for (const [file, pdf] of pdfs) {
    const isTheirs = pdf.read.includes(phrase) || pdf.raw.includes(phrase);
    if (isTheirs && set.has(file)) note('poppler and ours');
    else if (isTheirs !== set.has(file)) note(nameDifference(phrase, pdf, set.has(file)));
  }
}
await server.end();
for (const [name, count] of classes) console.log(`${String(count).padStart(7)}  ${name}`);
console.log(`${hits} hits of the scanner, ${wrong} differences, ${seconds()} s`);
process.exitCode = wrong === 0 && !classes.has('rg alone: a text') && !classes.has('ours alone: wrong') ? 0 : 1;
