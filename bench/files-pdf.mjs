// Measures which share of the words in real PDFs readPdf finds, compared with pdftotext: node bench/files-pdf.mjs
// FOLDER… (for example /usr/share after the installation of packages with documentation).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';

const built = path.join(mkdtempSync(path.join(tmpdir(), 'oj-mcp-pdf-')), 'document.mjs');
esbuild.buildSync({
  entryPoints: ['src/documents/pdf/document.ts'],
  bundle: true,
  platform: 'node',
  format: 'esm',
  outfile: built,
});
const { readPdf } = await import(pathToFileURL(built).href);
rmSync(path.dirname(built), { recursive: true });

function* find(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* find(place);
    else if (entry.isFile() && /\.pdf(\.gz)?$/i.test(entry.name)) yield realpathSync(place);
  }
}

const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu;

/** Returns the words of a text. For Chinese, Japanese and Korean it returns the pairs of characters. */
const words = text => {
  const normal = text.normalize('NFKC');
  const pairs = Array.from(normal.matchAll(cjk), ([run]) => Array.from(run)).flatMap(run =>
    run.slice(1).map((character, index) => run[index] + character),
  );
  const others = normal
    .replace(cjk, ' ')
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  return new Set([...pairs, ...(others.match(/[\p{L}\p{N}]{2,}/gu) ?? [])]);
};

const limit = Number(process.env.LIMIT ?? Number.POSITIVE_INFINITY);
/** The run measures one of this number of files, which makes it short for a large collection. */
const every = Number(process.env.EVERY ?? 1);
let seen = 0;
const shares = [];
let [milliseconds, bytes] = [0, 0];
for (const folder of process.argv.slice(2)) {
  for (const file of find(folder)) {
    if (shares.length >= limit) break;
    if (seen++ % every !== 0) continue;
    const raw = readFileSync(file);
    const pdf = file.endsWith('.gz') ? gunzipSync(raw) : raw;
    let expected;
    try {
      expected = words(
        execFileSync('pdftotext', ['-enc', 'UTF-8', '-', '-'], {
          input: pdf,
          maxBuffer: 1 << 28,
          timeout: 60_000,
          stdio: ['pipe', 'pipe', 'ignore'],
        }).toString(),
      );
    } catch {
      continue; // not even pdftotext reads it
    }
    if (expected.size < 5) continue;
    const started = performance.now();
    const text = readPdf(pdf)?.text;
    const took = performance.now() - started;
    milliseconds += took;
    bytes += pdf.length;
    const found = words(text ?? '');
    const share = [...expected].filter(word => found.has(word)).length / expected.size;
    shares.push({
      file,
      share,
      took,
      size: expected.size,
      missing: [...expected].filter(word => !found.has(word)).slice(0, 8),
    });
  }
}
shares.sort((left, right) => left.share - right.share);
for (const { file, share, took, size, missing } of shares.filter(entry => entry.share < 0.9)) {
  console.log(
    `${(share * 100).toFixed(0).padStart(3)} % of ${size} words, ${took.toFixed(0)} ms  ${file}  ${missing.join(' ')}`,
  );
}
const good = shares.filter(entry => entry.share >= 0.9).length;
console.log(
  `${shares.length} PDFs, ${(bytes / 1e6).toFixed(0)} MB: at least 90 % of the words in ${good} (${((100 * good) / shares.length).toFixed(1)} %)`,
);
console.log(
  `median share ${(shares[shares.length >> 1].share * 100).toFixed(1)} %, ${(milliseconds / shares.length).toFixed(1)} ms a file, slowest ${Math.max(...shares.map(({ took }) => took)).toFixed(0)} ms`,
);
