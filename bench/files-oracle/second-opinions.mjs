// Compares the files that a search finds with those of ripgrep and poppler, if they are installed. Each difference is
// reported with its reason.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fold, unreadExtensions } from './scanner.mjs';

const isThere = program => spawnSync(program, ['--version']).error === undefined;

/** Creates a comparison with ripgrep for phrases in ASCII. */
export function createRipgrep(root, { texts, others }, note) {
  if (!isThere('rg')) return () => {};
  return (phrase, found) => {
    if (!/^[\w .-]+$/.test(phrase)) return;
    const pattern = phrase.replace(/[.\\-]/g, String.raw`\$&`).replaceAll(' ', String.raw`\s+`);
    const { stdout } = spawnSync('rg', ['-liU', '--no-ignore', pattern, root], {
      maxBuffer: 1 << 28,
      encoding: 'utf8',
    });
    const ours = new Set(found);
    for (const file of stdout.split('\n').filter(Boolean)) {
      if (ours.delete(file)) continue;
      if (/\/\.|\/node_modules\/|\.noindex/.test(file.slice(root.length))) note('rg alone: a generated folder');
      else if (unreadExtensions.test(file)) note('rg alone: a file that is no text by its name');
      else note(`rg alone: ${others.get(file) ?? 'a text'}`);
    }
    for (const file of ours) {
      if (others.has(file)) note(`ours alone: ${others.get(file)}`);
      else if (!texts.get(file)?.includes(phrase)) note('ours alone: wrong');
      else note('ours alone: accents, typographic signs, wide encodings, markup in between');
    }
  };
}

/** Returns the texts of all PDFs below a folder, in poppler's reading order and in the order of the file. */
export function readPdfs(root) {
  const pdfs = new Map();
  if (!isThere('pdftotext')) return pdfs;
  for (const name of readdirSync(root, { recursive: true })) {
    if (!/\.pdf$/i.test(name) || /(?:^|\/)\.|node_modules|\.noindex/.test(name)) continue;
    const file = path.join(root, name);
    const [read, raw] = [[], ['-raw']].map(order => {
      const { stdout, status } = spawnSync('pdftotext', [...order, file, '-'], {
        maxBuffer: 1 << 28,
        encoding: 'utf8',
      });
      return status === 0 ? fold(stdout) : undefined;
    });
    if (read !== undefined && raw !== undefined) pdfs.set(file, { read, raw });
  }
  return pdfs;
}

const wordsOf = phrase => phrase.split(/[^\p{L}\p{N}]+/u).filter(Boolean);

/** Returns the reason why poppler and this program find different words in a PDF. */
export function nameDifference(phrase, { read, raw }, isOurs) {
  const has = word => read.includes(word) || raw.includes(word);
  if (isOurs) {
    if (wordsOf(phrase).every(has)) return 'ours alone: poppler has the words in another order, or cut by a hyphen';
    const letters = phrase.replace(/[^\p{L}\p{N}]/gu, '');
    return has(letters) || read.replace(/[^\p{L}\p{N}]/gu, '').includes(letters)
      ? 'ours alone: poppler parts or joins words in another way'
      : 'ours alone: poppler has not all of the words';
  }
  if (!raw.includes(phrase)) return "poppler alone: in its order of reading, not in the file's";
  return read.includes(phrase) ? 'poppler alone: in both orders' : "poppler alone: in the file's order only";
}
