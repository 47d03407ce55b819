// node bench/same-output.mjs CHECKOUT [FOLDER]: whether the statement converter says what the one in another checkout of
// this project says, over all statements in the folders of FOLDER (those of fidelity.mjs) and over pages made of pieces. A difference is
// counted by what it is about, and the first ones of each sort are shown. Ends with 1 when there is any.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { compileFunction } from 'node:vm';
import * as esbuild from 'esbuild';
import { createRandom } from './statements.mjs';
import { table } from './table.mjs';

const converter = 'src/statement/index.ts';
const link = 'https://judge.example/problems/1';
const maxBytes = 102_400;
const madePages = 100_000;
const shownOfEach = 2;

/** What statements are made of, and what tempts a converter to read more into them. */
const pieces = [
  ...'p div span b i em strong code pre sup sub var ul ol li table thead tbody tr td th a q del s u tt kbd blockquote h2'.split(
    ' ',
  ),
  ...'br hr img math mi mn msup center font section style script title textarea svg option details summary dl dt dd ruby'.split(
    ' ',
  ),
].flatMap(name => [`<${name}>`, `</${name}>`, `<${name.toUpperCase()} class="title">`]);
const attributed = [
  '<span class="tex-font-style-bf">',
  '<div class="section-title">',
  '<span class="katex">',
  '<span class="lang-ja">',
  '<span class="lang-en">',
  '<p style="display:none">',
  '<span style="color:#fff">',
  "<span style='font-weight: bold'>",
  '<a href="/x?a=1&amp;b=2">',
  '<a href=//y.example>',
  '<img src="a.png" alt="A &lt; B">',
  '<ol start=3 type="a">',
  '<td colspan=2 rowspan="2">',
  '<li value=7>',
  '<input type=checkbox checked>',
  '<pre class="language-cpp">',
  '<div class="test-example-line test-example-line-0">',
  '<script type="math/tex; mode=display">',
  '<p hidden>',
  '<br/>',
  '<style>b{display:none}.title{color:white}</style>',
  '<!-- note -->',
  '<!doctype html>',
  '<![CDATA[x]]>',
  '<?x?>',
  '</ p>',
  '<p',
  '<a "b"=c>',
];
const texts = [
  'word',
  'Words and more',
  ' ',
  '  ',
  '\n',
  '\n\n',
  '\t',
  '&nbsp;',
  '&nbsp;&nbsp;',
  '&lt;',
  '&gt',
  '&amp;',
  '&#8203;',
  '&#x41;',
  '&notit;',
  '&ampx',
  '&',
  '1',
  '10',
  'n',
  'a_i',
  '*',
  '**',
  '_',
  '`',
  '```',
  '~~',
  '$',
  '$$',
  '$$$',
  '$n \\le 5$',
  '$$$a_1$$$',
  '\\(x\\)',
  '\\',
  '|',
  '#',
  '# x',
  '- x',
  '1. x',
  '> x',
  '[a](b)',
  '![c](d)',
  '!',
  '.',
  ',',
  '(',
  ')',
  '<',
  '>',
  'a < b',
  'x<y',
  '\u200b',
  '\u00ad',
  '\u2264',
  '\u2014',
  '\u6587\u5b57',
  '\u3002',
  '\u{1f600}',
  '\u00a0',
  '\r\n',
  '\u0007',
  '\ud800',
];

const [checkout, folder] = process.argv.slice(2);
if (checkout === undefined) throw new Error('which checkout is it to be compared with?');
const [before, after] = await Promise.all([path.resolve(checkout), path.join(import.meta.dirname, '..')].map(load));
const rows = [];
const shown = new Map();
for (const [name, pages] of [...collections(), ['made of pieces', made()]]) rows.push(compare(name, pages));
console.log(
  table(
    ['statements', 'compared', 'different', 'of which'],
    rows.map(({ name, compared, sorts }) => {
      const count = [...sorts.values()].reduce((sum, value) => sum + value, 0);
      return [
        name,
        compared.toLocaleString('en'),
        count,
        [...sorts].map(([sort, value]) => `${sort}: ${value}`).join(', '),
      ];
    }),
  ),
);
for (const [sort, examples] of shown) for (const example of examples) console.log(`\n# ${sort}\n${example}`);
if (rows.some(({ sorts }) => sorts.size > 0)) process.exitCode = 1;

/** The converter of a checkout, as it stands there. */
async function load(root) {
  const { outputFiles } = await esbuild.build({
    entryPoints: [path.join(root, converter)],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
  });
  const module = { exports: {} };
  const run = compileFunction(outputFiles[0].text, ['module', 'exports', 'require']);
  run(module, module.exports, createRequire(import.meta.url));
  return content => {
    try {
      return module.exports.statementMarkdown(content, link, maxBytes);
    } catch (error) {
      return `threw ${String(error)}`;
    }
  };
}

function collections() {
  const folders = folder === undefined ? [] : readdirSync(folder, { withFileTypes: true });
  return folders.filter(entry => entry.isDirectory()).map(({ name }) => [name, statements(path.join(folder, name))]);
}

function* statements(collection) {
  for (const file of readdirSync(collection)) {
    if (/\.(?:html|md)$/.test(file)) yield readFileSync(path.join(collection, file), 'utf8');
  }
}

function* made() {
  const random = createRandom(11);
  const one = list => list[random(list.length)];
  for (let number = 0; number < madePages; number++) {
    const length = 1 + random(40);
    const begins = random(3) === 0 ? '' : '<p>';
    yield begins + Array.from({ length }, () => one(one([pieces, pieces, attributed, texts, texts, texts]))).join('');
  }
}

function compare(name, pages) {
  const sorts = new Map();
  let compared = 0;
  for (const page of pages) {
    compared++;
    const [old, now] = [before(page), after(page)];
    if (old === now) continue;
    const sort = sortOf(old, now);
    sorts.set(sort, (sorts.get(sort) ?? 0) + 1);
    const examples = shown.get(sort) ?? [];
    shown.set(sort, examples);
    if (examples.length < shownOfEach) examples.push(excerpts(name, page, old, now));
  }
  return { name, compared, sorts };
}

/** The first kind of sign that the two differ in, when everything else is taken away. */
function sortOf(old, now) {
  const isSame = pattern => old.replace(pattern, '') === now.replace(pattern, '');
  if (old.startsWith('(Plain text:') !== now.startsWith('(Plain text:')) return 'plain text';
  if (isSame(/\s+/g)) return 'blanks';
  if (isSame(/[\s\\]+/g)) return 'escapes';
  if (isSame(/[\s\\*_~`"{}^$]+/g)) return 'marks';
  if (isSame(/[\s\\*_~`"{}^$|#>.:;()[\]<!-]+|<br>/g)) return 'structure';
  return 'words';
}

function excerpts(name, page, old, now) {
  let at = 0;
  while (old[at] === now[at]) at++;
  const around = text => JSON.stringify(text.slice(Math.max(0, at - 40), at + 80));
  return `${name}: ${JSON.stringify(page.slice(0, 300))}\nbefore ${around(old)}\nnow    ${around(now)}`;
}
