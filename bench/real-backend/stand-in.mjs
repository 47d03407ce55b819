// Replaces the Python scripts that the backend starts for a text search and for a missing daily problem: node
// stand-in.mjs ARGUMENTS. A word of the text, or the date, selects the result.
import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { dailyRow, lateDates } from './records.mjs';
import { vectorOf } from './vector.mjs';

const args = process.argv.slice(2);
const valueOf = flag => args[args.indexOf(flag) + 1];

if (args.includes('--embed-text')) await embed(valueOf('--embed-text'));
else await fetchDaily(valueOf('--date'), valueOf('--domain'));

async function embed(text) {
  if (/\bhang\b/.test(text)) await pause(60_000);
  if (/\bfail\b/.test(text)) process.exit(1);
  if (/\bgarble\b/.test(text)) console.log('unexpected output');
  else console.log(JSON.stringify({ embedding: [...vectorOf(text)], rewritten: rewrite(text) }));
}

function rewrite(text) {
  return /\bplain\b/.test(text) ? null : ` In other words:\n${text} `;
}

async function fetchDaily(date, domain) {
  if (date === lateDates.never) await pause(60_000);
  if (date !== lateDates.soon) process.exit(1);
  const { OJ_BENCH_SQLITE: command } = process.env;
  const [file, ...rest] = JSON.parse(command);
  execFileSync(file, rest, { input: JSON.stringify([dailyRow(date, domain, 'Fetched Just Now')]) });
}
