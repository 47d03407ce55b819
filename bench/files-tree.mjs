// Creates a wide tree of small files, the same each time: node bench/files-tree.mjs FOLDER [--files 1000000]
// [--documents 2000]. It contains notes of a few lines in twelve languages, and a tenth of it is source code and pages
// with typographic characters. Documents are in separate folders, `papers`, so that a search can exclude them. There
// are also hidden folders and symbolic links.
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { docx, pdf } from './files-corpus.mjs';

const option = (name, otherwise) => {
  const index = process.argv.indexOf(`--${name}`);
  return index === -1 ? otherwise : Number(process.argv[index + 1]);
};
const root = path.resolve(process.argv[2]);
const [files, documents] = [option('files', 1_000_000), option('documents', 2000)];

let state = 20261118;
const below = limit => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
};
const pick = list => list[below(list.length)];

const scripts = [
  'aeioubcdfglmnprstvw',
  'aeioubcdfglmnprstvw',
  'aeioubcdfglmnprstvw',
  'aeéèêoàuçsnrtlmpd',
  'aouäöüßnrstlmd',
  'aeoąęółśżźćnwzk',
  'аеоиуыястнрвлкмдпбгзй',
  'αεηιουσντρλκμπάέήίό',
  'אבגדהוזחטיכלמנסעפצקרשת',
  'ابتثجحخدذرزسشصضطظعغفقكلمنهوي',
  'のいにはをたがでてとしれさ日本人会議書記録東京都',
  '的一是不了在人有我他这个们中来上大为和国地到',
].map(letters => Array.from(letters));
const vocabulary = scripts.map(letters =>
  Array.from({ length: 4000 }, () => Array.from({ length: 3 + below(7) }, () => pick(letters)).join('')),
);
const signs = ['', '', '', '’s', ' –', '…', '-', ' “so”', ' & more', ' 2\u00a0000'];
const zipf = list => list[Math.floor(list.length ** (below(1e6) / 1e6)) - 1] ?? list[0];
const line = list => Array.from({ length: 4 + below(9) }, () => zipf(list) + pick(signs)).join(' ');

const makers = [
  ['txt', list => Array.from({ length: 1 + below(5) }, () => line(list)).join('\n')],
  ['md', list => `# ${line(list)}\n\n${line(list)}\n`],
  ['py', list => `def ${zipf(vocabulary[0])}(x):\n    # ${line(list)}\n    return x\n`],
  [
    'html',
    list => `<p>${line(list).replace(' ', ' <b>').replaceAll('&', '&amp;')}</b></p>\n<div>${line(list)}</div>\n`,
  ],
  ['json', list => JSON.stringify({ note: line(list) })],
];

/** Returns the folder of a file: a folder has a hundred files, and folders are nested up to five levels deep. */
function folderOf(number) {
  const names = [];
  for (let rest = Math.floor(number / 100); rest > 0; rest = Math.floor(rest / 12)) names.push(`d${rest % 12}`);
  return path.join(root, 'notes', ...names.reverse());
}

const start = Date.UTC(2020, 0, 1) / 1000;
for (let number = 0; number < files; number++) {
  const folder = folderOf(number);
  if (number % 100 === 0) mkdirSync(folder, { recursive: true });
  const [extension, make] = number % 10 === 0 ? pick(makers) : makers[0];
  const place = path.join(folder, `n${number}.${extension}`);
  writeFileSync(place, make(pick(vocabulary)));
  utimesSync(place, start + below(2e8), start + below(2e8));
  if (number % 5000 === 0) {
    mkdirSync(path.join(folder, '.hidden'), { recursive: true });
    writeFileSync(path.join(folder, '.hidden', 'note.txt'), line(vocabulary[0]));
    symlinkSync(place, path.join(folder, 'link.txt'));
  }
}
for (let number = 0; number < documents; number++) {
  const folder = path.join(root, 'papers', `p${number % 40}`);
  if (number < 40) mkdirSync(folder, { recursive: true });
  writeFileSync(
    path.join(folder, `paper-${number}.${number % 2 === 0 ? 'docx' : 'pdf'}`),
    number % 2 === 0 ? docx() : pdf(),
  );
}
console.log(`${files} files and ${documents} documents below ${root}`);
