// An independent scanner. It reads every file by the rules of docs/files.md and shares no code with the program.
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Parser } from 'htmlparser2';

/** The text of these files is never read: images, sounds, videos, archives, programs and fonts. */
export const unreadExtensions =
  /\.(?:png|jpe?g|gif|tiff?|bmp|heic|heif|avif|webp|ico|icns|psd|dng|cr2|nef|arw|exr|mp3|m4a|aac|wav|aiff?|caf|flac|midi?|og[gav]|opus|wm[av]|mp4|m4v|mov|avi|mpe?g|m2ts|3gp|mkv|webm|flv|zip|t?gz|bz2|xz|7z|rar|tar|jar|dmg|iso|o|a|so|dylib|exe|dll|class|pyc|wasm|deb|rpm|ttf|otf|woff2?)$/i;
const documents =
  /\.(?:pdf|doc[xm]?|dot[xm]?|xls[xmb]?|xlt[xm]?|ppt[xm]?|pps[xm]?|pot[xm]?|o[dt][tspgmf]|fod[tspg]|sx[wci]|epub|rtf|eml|emlx|mbox|mht(?:ml)?|pages|numbers|key|wpd|mobi|azw3?|msg|pub|one|vsdx?|wps|hwpx?|djvu|ps|o?xps|chm|lit|prc|wri|pst|dvi|gnumeric|zabw|gpg|pgp|age|p7m|kdbx|st[wci])$/i;

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
/** Caches the case-folded form of each character. */
const folded = new Map();
function foldOne(character) {
  let result = folded.get(character);
  if (result === undefined) {
    result = [...(/[\uff01-\uff9f]/.test(character) ? character.normalize('NFKD') : character.normalize('NFD'))]
      .filter(part => !/\p{M}|\u00ad|\u200b|\u200c|\u200d|\u2060|\ufeff/u.test(part))
      .map(part => plain.get(part) ?? part.toLowerCase())
      .join('')
      .replaceAll('ς', 'σ');
    folded.set(character, result);
  }
  return result;
}
export function fold(text) {
  const isAscii = !/[^\0-\x7f]/.test(text);
  return (isAscii ? text.toLowerCase() : text.replace(/[^\0-\x7f]/gu, foldOne).toLowerCase()).replace(/\s+/g, ' ');
}

const hiding =
  /(?:^|[;{\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?:opacity|font-size)\s*:\s*0(?![.\d]*[1-9]))/i;

/**
 * Returns the ids and classes that the style sheets of a page hide, because a search finds hidden text only in the
 * source of the page (docs/files.md).
 */
function hiddenNames(markup) {
  const sheets = [...markup.matchAll(/<style[^>]*>([^]*?)<\/style/gi)].map(([, sheet]) => sheet).join('\n');
  const topLevel = sheets.replace(/\/\*[^]*?\*\//g, '').replace(/@[^{};]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, '');
  const rules = [...topLevel.matchAll(/([^{}]+)\{([^{}]*)\}/g)];
  const selectors = rules.flatMap(([, selector, body]) => (hiding.test(body) ? selector.split(',') : []));
  return new Set(selectors.flatMap(selector => /^\s*[a-z\d]*([.#][\w-]+)\s*$/i.exec(selector)?.[1] ?? []));
}

function isHidden({ id, class: classes = '', style = '', hidden }, names) {
  if (hidden !== undefined || hiding.test(style) || names.has(`#${id}`)) return true;
  return classes.split(/\s+/).some(name => names.has(`.${name}`));
}

function shown(markup) {
  const pieces = [];
  const names = hiddenNames(markup);
  /** The number of open elements with the name of the hidden element that are inside it. */
  let hiddenElement;
  const inline =
    /^(?:a|abbr|acronym|b|bdi|bdo|big|cite|code|del|dfn|em|font|i|ins|kbd|mark|q|rb|rp|rt|ruby|s|samp|small|span|strong|strike|sub|sup|tt|u|var|wbr|script|style|template)$/;
  let hidden = 0;
  // Ruby annotations (readings) of a line are moved to its end, behind its words.
  let [above, ruby] = ['', ''];
  const endLine = name => {
    if (name !== undefined && inline.test(name)) return;
    pieces.push(above === '' ? '\n' : `\n${above}\n`);
    [above, ruby] = ['', ''];
  };
  const turn = (name, next) => {
    if (/^(?:rb|rp|rt|ruby)$/.test(name)) ruby = next;
  };
  const neverHidden = /^(?:html|body|area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (hiddenElement === undefined && !neverHidden.test(name) && isHidden(attributes, names))
        hiddenElement = { name, depth: 0 };
      if (hiddenElement?.name === name) hiddenElement.depth++;
      if (/^(?:script|style|template)$/.test(name)) hidden++;
      turn(name, name);
      endLine(name);
    },
    onclosetag(name) {
      if (hiddenElement?.name === name && --hiddenElement.depth === 0) hiddenElement = undefined;
      if (/^(?:script|style|template)$/.test(name)) hidden--;
      turn(name, '');
      if (name === 'ruby' && above !== '') above += ' ';
      endLine(name);
    },
    ontext(text) {
      if (hidden > 0 || hiddenElement !== undefined || ruby === 'rp') return;
      if (ruby === 'rt') above += text;
      else pieces.push(text);
    },
  });
  parser.end(markup);
  endLine();
  return pieces.join('');
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
/** Returns the text of a file in UTF-8, or in UTF-16 with a byte order mark. Returns undefined for all other files. */
function textOf(file, size) {
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

/**
 * Returns the case-folded text and the time of every file below a folder. For a file without text, returns the reason.
 */
export function scan(root) {
  const [texts, times, others] = [new Map(), new Map(), new Map()];
  for (const file of walk(root)) {
    if (unreadExtensions.test(file)) continue;
    if (documents.test(file)) {
      others.set(file, 'document');
      continue;
    }
    try {
      const { size, mtimeMs } = lstatSync(file);
      const text = textOf(file, size);
      if (text === undefined) others.set(file, 'binary, too large or in a legacy encoding');
      else texts.set(file, /\.(?:x?html?|xht)$/i.test(file) ? `${fold(text)}\0${fold(shown(text))}` : fold(text));
      times.set(file, mtimeMs);
    } catch {
      others.set(file, 'gone or closed');
    }
  }
  return { texts, times, others };
}
