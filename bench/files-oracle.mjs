// Whether the room `files` finds what an independent scanner finds: node bench/files-oracle.mjs FOLDER [--phrases 200] [--seed 7].
// The scanner reads every file by the rules of docs/files.md and shares no code with the program; `rg`, where it is on the
// path, is a second opinion on phrases in ASCII. What differs is named by its class; anything unnamed ends in exit code 1.
import { spawnSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Parser } from 'htmlparser2';
import { startServer } from './files-server.mjs';

const option = (name, otherwise) => {
  const index = process.argv.indexOf(`--${name}`);
  return index === -1 ? otherwise : Number(process.argv[index + 1]);
};
const root = path.resolve(process.argv[2]);
let state = option('seed', 7);
const random = below => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};

/** What is never opened for its text: pictures, sounds, videos, archives, programs, fonts. */
const silent =
  /\.(?:png|jpe?g|gif|tiff?|bmp|heic|heif|avif|webp|ico|icns|psd|dng|cr2|nef|arw|exr|mp3|m4a|aac|wav|aiff?|caf|flac|midi?|og[gav]|opus|wm[av]|mp4|m4v|mov|avi|mpe?g|m2ts|3gp|mkv|webm|flv|zip|t?gz|bz2|xz|7z|rar|tar|jar|dmg|iso|o|a|so|dylib|exe|dll|class|pyc|wasm|deb|rpm|ttf|otf|woff2?)$/i;
const documents =
  /\.(?:pdf|doc[xm]?|dot[xm]?|xls[xmb]?|xlt[xm]?|ppt[xm]?|pps[xm]?|pot[xm]?|o[dt][tspgmf]|fod[tspg]|sx[wci]|epub|rtf|eml|emlx|mbox|mht(?:ml)?|pages|numbers|key|wpd|mobi|azw3?|msg|pub|one|vsdx?|wps|hwpx?|djvu)$/i;

function* walk(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules' || entry.name.endsWith('.noindex')) continue;
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(place);
    else if (entry.isFile()) yield place;
  }
}

const plain = new Map(
  Array.from('‘’‛ʼ′')
    .map(sign => [sign, "'"])
    .concat(
      Array.from('“”„‟″').map(sign => [sign, '"']),
      Array.from('‐‑‒–—―−').map(sign => [sign, '-']),
    ),
);
/** Folds one character after the other, by a table it makes on the way. */
const folded = new Map();
function foldOne(character) {
  let result = folded.get(character);
  if (result === undefined) {
    result = [...character.normalize('NFD')]
      .filter(part => !/\p{M}|\u00ad|\u200b|\u200c|\u200d|\u2060|\ufeff/u.test(part))
      .map(part => plain.get(part) ?? part.toLowerCase())
      .join('')
      .replaceAll('ς', 'σ');
    folded.set(character, result);
  }
  return result;
}
function fold(text) {
  const isAscii = !/[^\0-\x7f]/.test(text);
  return (isAscii ? text.toLowerCase() : text.replace(/[^\0-\x7f]/gu, foldOne).toLowerCase()).replace(/\s+/g, ' ');
}

function shown(markup) {
  const pieces = [];
  const inline =
    /^(?:a|abbr|acronym|b|bdi|bdo|big|cite|code|del|dfn|em|font|i|ins|kbd|mark|q|rb|rp|rt|ruby|s|samp|small|span|strong|strike|sub|sup|tt|u|var|wbr|script|style|template)$/;
  let hidden = 0;
  const parser = new Parser({
    onopentag(name) {
      if (/^(?:script|style|template)$/.test(name)) hidden++;
      if (!inline.test(name)) pieces.push('\n');
    },
    onclosetag(name) {
      if (/^(?:script|style|template)$/.test(name)) hidden--;
      if (!inline.test(name)) pieces.push('\n');
    },
    ontext(text) {
      if (hidden === 0) pieces.push(text);
    },
  });
  parser.end(markup);
  return pieces.join('');
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
/** Texts in UTF-8 and UTF-16 with its mark; `undefined` for what is in another class. */
function textOf(file) {
  const { size } = lstatSync(file);
  if (size > 50 * 1024 * 1024) return undefined;
  const bytes = readFileSync(file);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le', 2);
  if (bytes.subarray(0, 8192).includes(0)) return undefined;
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

const texts = new Map();
const others = new Map();
for (const file of walk(root)) {
  if (silent.test(file)) continue;
  if (documents.test(file)) {
    others.set(file, 'document');
    continue;
  }
  try {
    const text = textOf(file);
    if (text === undefined) others.set(file, 'binary, too large or in a legacy encoding');
    else texts.set(file, /\.(?:x?html?|xht)$/i.test(file) ? `${fold(text)}\0${fold(shown(text))}` : fold(text));
  } catch {
    others.set(file, 'gone or closed');
  }
}
console.log(`${texts.size} texts, ${others.size} other files`);

/** One of four kinds, drawn from the texts themselves: a word, a phrase, something beyond ASCII, a part of a word. */
function draw(kind) {
  const all = [...texts.values()];
  for (;;) {
    const text = all[random(all.length)];
    if (kind === 2) {
      const places = [...text.slice(0, 200_000).matchAll(/[^\0-\x7f'"-]|['"-]\w/g)];
      if (places.length === 0) continue;
      const at = places[random(places.length)].index;
      const phrase = text
        .slice(Math.max(0, at - random(8)), at + 2 + random(8))
        .replaceAll('\0', ' ')
        .trim();
      if (phrase.length > 1 && phrase.isWellFormed()) return phrase;
      continue;
    }
    const words = text.slice(random(text.length)).split(/[ \0]/, 8).slice(1);
    const phrase = (kind === 1 ? words.slice(0, 2 + random(3)).join(' ') : (words[0] ?? ''))
      .slice(kind === 3 ? 1 : 0, 40)
      .trim();
    if (phrase.length > 2 && phrase.isWellFormed()) return phrase;
  }
}

const server = await startServer(root, ['--files-timeout-ms', '120000', '--files-engine', 'scan']);
async function answers(phrase) {
  const found = new Set();
  for (let offset = 0; ; offset += 1000) {
    const answer = await server.search({ query: phrase, scope: root, limit: 1000, offset });
    if (answer === undefined) throw new Error(`no answer for ${JSON.stringify(phrase)}`);
    for (const row of answer.results) found.add(row._path);
    if (!answer.truncated) return { found, isComplete: answer.timedOut !== true };
  }
}

const classes = new Map();
const note = name => classes.set(name, (classes.get(name) ?? 0) + 1);
let [wrong, hits] = [0, 0];
const hasRg = spawnSync('rg', ['--version']).status === 0;
for (let number = 0; number < option('phrases', 200); number++) {
  const phrase = draw(number % 4);
  const { found, isComplete } = await answers(phrase);
  if (!isComplete) note('an answer that was not complete');
  for (const [file, text] of texts) {
    const expected = text.includes(phrase);
    if (expected) hits++;
    if (expected === found.has(file)) continue;
    wrong++;
    if (wrong < 20) console.log(expected ? 'missed' : 'invented', JSON.stringify(phrase), file);
  }
  for (const file of found) {
    if (texts.has(file)) continue;
    note(`found beyond the scanner's texts: ${others.get(file) ?? 'a file that is new'}`);
  }
  if (hasRg && /^[\w .-]+$/.test(phrase)) {
    const pattern = phrase.replace(/[.\\-]/g, String.raw`\$&`).replaceAll(' ', String.raw`\s+`);
    const { stdout } = spawnSync('rg', ['-liU', '--no-ignore', pattern, root], {
      maxBuffer: 1 << 28,
      encoding: 'utf8',
    });
    const ours = new Set(found);
    for (const file of stdout.split('\n').filter(Boolean)) {
      if (ours.delete(file)) continue;
      if (/\/\.|\/node_modules\/|\.noindex/.test(file.slice(root.length))) note('rg alone: a generated folder');
      else if (silent.test(file)) note('rg alone: a file that is no text by its name');
      else note(`rg alone: ${others.get(file) ?? 'a text'}`);
    }
    for (const file of ours) {
      if (others.has(file)) note(`ours alone: ${others.get(file)}`);
      else if (!texts.get(file)?.includes(phrase)) note('ours alone: wrong');
      else note('ours alone: accents, typographic signs, wide encodings, markup in between');
    }
  }
}
await server.end();
for (const [name, count] of classes) console.log(`${String(count).padStart(7)}  ${name}`);
console.log(`${hits} hits of the scanner, ${wrong} differences`);
process.exitCode = wrong === 0 && !classes.has('rg alone: a text') && !classes.has('ours alone: wrong') ? 0 : 1;
