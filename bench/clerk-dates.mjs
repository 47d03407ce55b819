// Judges all 10^8 strings of eight digits as validate_date does and compares with the calendar of JavaScript's Date.
// node bench/clerk-dates.mjs
import { build } from 'esbuild';

const { outputFiles } = await build({
  entryPoints: ['src/toolsets/clerk/model/date.ts'],
  bundle: true,
  format: 'esm',
  write: false,
  logLevel: 'warning',
});
const source = Buffer.from(outputFiles[0].contents).toString('base64');
const { dateFault, splitDate } = await import(`data:text/javascript;base64,${source}`);

const started = performance.now();
let valid = 0;
let wrong = 0;
for (let year = 0; year < 10_000; year++) {
  const days = daysOf(year);
  for (let monthAndDay = 0; monthAndDay < 10_000; monthAndDay++) {
    const digits = String(year * 10_000 + monthAndDay).padStart(8, '0');
    const isValid = dateFault(splitDate(digits)) === undefined;
    if (isValid) valid++;
    if (isValid !== days.has(monthAndDay)) {
      wrong++;
      if (wrong <= 10) console.error(`${digits} is judged ${isValid ? 'valid' : 'invalid'}`);
    }
  }
}
const seconds = (performance.now() - started) / 1000;
console.log(`100000000 strings, ${valid} valid dates, ${wrong} judged wrongly, ${seconds.toFixed(1)} s`);
process.exitCode = wrong === 0 ? 0 : 1;

/** The days of a year as MMDD, by walking through it. */
function daysOf(year) {
  const days = new Set();
  const date = new Date(0);
  date.setUTCFullYear(year, 0, 1);
  for (; date.getUTCFullYear() === year; date.setUTCDate(date.getUTCDate() + 1)) {
    days.add((date.getUTCMonth() + 1) * 100 + date.getUTCDate());
  }
  return days;
}
