import type { CompletedMoveRecord } from '../../../../../src/toolsets/books/authoring/known-paths.ts';
import type { ImportManifest } from '../../../../../src/toolsets/books/authoring/manifest.ts';
import type { OutlineNode, SourceTree } from '../../../../../src/toolsets/books/authoring/outline.ts';
import { type Generator, pieces } from '../../../../support/generator.ts';

const linkPieces = pieces(
  '[¦]¦(¦)¦](¦![¦]: ¦<¦>¦](<¦>)¦`¦``¦```¦~~~¦\n¦\n\n¦\\¦ ¦    ¦"¦\'¦- ¦> ¦1. ¦a¦b.md¦../c.png¦/d¦./e.js¦@site/f.js',
  '<img src="¦<a href=\'¦<video src = "¦">¦\'>¦import x from "¦export {y} from \'¦require("¦useBaseUrl(\'¦{{#include a.rs}}¦!!raw!',
  '\n[a]: ¦\n[b]: <¦[c](d.md)¦![e](f(g).png "t")¦<img alt="a" src="h.png" href="i.md">¦\nimport "./j.js";\nimport k from \'@site/l.js\'',
  '\n```\n¦\n````js\n¦\n~~~\n¦   [m]: n¦\t¦;¦x.require("./o")¦',
);

export function pageWithLinks(random: Generator): string {
  return random.repeat(1, 24, () => random.pick(linkPieces));
}

const scalars = pieces(
  '"d"¦\'e\'¦`f`¦"\\n\\u0041\\x\\""¦\'\\\'\\\n"\'¦1¦-2.5e1¦.5¦1.¦true¦false¦null¦undefined¦""¦`a\nb`¦"\'`"¦0¦-0¦"\\t\\r\\b\\f\\0"',
);
const invalidPieces = pieces('`${g}`¦h¦"i¦k()¦,¦:¦}¦]¦{¦\'\n\'¦"\n"¦-¦constructor¦1 2¦...a¦a: 1');
const keys = pieces('a¦b¦"c"¦\'d\'¦1¦$e¦_f¦"g h"¦2.5¦constructor');
const blanks = pieces('¦¦¦ ¦\n¦// a\n¦/* b */¦ /* c\n */ ');

function literal(random: Generator, depth: number): string {
  const [before, after] = [random.pick(blanks), random.pick(blanks)];
  const kind = random.below(depth === 0 ? 2 : 6);
  if (random.below(20) === 0) return before + random.pick(invalidPieces);
  const entry = (): string =>
    (kind < 4 ? `${random.pick(keys)}${random.pick(blanks)}:` : '') + literal(random, depth - 1);
  const entries = (): string =>
    random.repeat(0, 3, entry, `${random.pick(blanks)},`) + (random.below(4) === 0 ? `,${random.pick(blanks)}` : '');
  return kind < 2
    ? before + random.pick(scalars) + after
    : kind < 4
      ? `${before}{${entries()}}`
      : `[${entries()}]${after}`;
}

export function javaScript(random: Generator): string {
  const value = literal(random, 3);
  const forms: [string, ...string[]] = [
    value,
    `${value};\n`,
    `module.exports = ${value};`,
    `// a\n export default ${value}`,
    `const k: Config = ${value};\nexport default k;\n`,
    `let $l=${value}\nmodule.exports=$l`,
    `var m = 1;\nmodule.exports = n;`,
    `${value} 3`,
    `export default ${value}\nexport const other = 1;`,
  ];
  return random.pick(forms);
}

const frontMatterLines = pieces(
  "---¦--- ¦\ufeff---¦title: A¦title:¦title: \"B \\\" c\" # d¦title: 'E ''f'''¦title: g: h¦title: true¦title: 12¦title: -1.5¦title: 1.¦title: i # j¦title:\tk",
  'title: |¦title: >-¦  folded¦   more¦¦sidebar_label: L¦sidebar_position: 2¦id: m¦- n¦# Heading¦## Second ##¦#no heading¦ # indented¦  - o¦  p: q',
  '# comment¦  # comment¦title: @r¦title: `s¦\ttitle: t¦  \ttitle: u¦title: "open¦title: v:¦text¦bad key: w¦title: [x: y]',
);

export function pageWithFrontMatter(random: Generator): string {
  const end = random.pick(['\n', '\n', '\n', '\r\n']);
  const lines = (): string => random.repeat(1, 6, () => random.pick(frontMatterLines), end);
  return random.below(4) === 0 ? lines() : `---${end}${lines()}${end}---${end}${lines()}`;
}

const titles = pieces('Ants¦bees & wasps¦  ¦éclair¦Größe¦日本¦C++¦1. First¦a-very-long-title-'.concat('x'.repeat(40)));
const names = pieces('a¦b¦01-c¦2. d¦10_e¦index¦README¦_index¦_f¦éé¦g h');
const folderNames = pieces('¦docs/¦docs/x/¦docs/x/y/¦src/¦src/z/¦02-w/');
const extensions = pieces('.md¦.md¦.md¦.mdx¦.markdown¦.txt¦.MD');

function filePath(random: Generator): string {
  return random.pick(folderNames) + random.pick(names) + random.pick(extensions);
}

/** The files of a folder, with the reason why some more are skipped. */
export interface GeneratedFolder {
  files: Record<string, string>;
  skipped: Record<string, string>;
  docs?: string;
}

export function treeOf({ files, skipped, docs }: GeneratedFolder): SourceTree {
  return {
    paths: Object.keys(files).sort(),
    has: path => Object.hasOwn(files, path),
    text: path => (Object.hasOwn(files, path) ? files[path] : undefined),
    skipped: new Map(Object.entries(skipped)),
    ...(docs !== undefined && { docs }),
  };
}

const pageNames = pieces(
  'a.md¦b.mdx¦01-c.md¦2. d.md¦10_e.markdown¦g h.md¦x/a.md¦x/b.md¦x/y/m.md¦_f.md¦x/index.md¦x/y/README.md',
);

function pages(random: Generator, folder: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const name of pageNames) {
    if (random.below(3) > 0) files[folder + name] = random.below(2) === 0 ? '' : pageWithFrontMatter(random);
  }
  if (random.below(2) === 0) files[filePath(random)] = '# Somewhere';
  return files;
}

const summaryLines = pieces(
  '# Summary¦# Part I¦#Not a part¦# ¦## Section¦[Preface](a.md)¦- [A](a.md)¦* [B](b.mdx)¦  - [C](01-c.md)¦    - [D](<2. d.md>)¦\t- [E](10_e.markdown)¦- [Draft]()¦',
  '+ [#[derive]](x/index.md)¦- [F\\_g](x/a.md )¦- [Up](../a.md)¦- [Out](../../a.md)¦- [Coded](g%20h.md)¦- [Bad](%E0.md)¦<!--¦-->¦<!-- [X](a.md) -->¦---¦text [Y](a.md)¦- [Skipped](skipped.md)',
);
const bookConfigs = pieces(
  '[book]¦[book]\nsrc = "docs"¦[book]\nsrc="./src/"¦  src = \'.\'¦# src = "x"\nsrc = "docs/x"',
);

export function mdBookFolder(random: Generator): GeneratedFolder {
  const folder = random.pick(pieces('src/¦src/¦¦docs/'));
  const files = pages(random, folder);
  if (random.below(8) > 0) files[`${folder}SUMMARY.md`] = summary(random);
  if (random.below(2) === 0) files['book.toml'] = random.pick(bookConfigs);
  return { files, skipped: { 'src/skipped.md': 'it is too large', 'docs/skipped.md': 'it is a link' } };
}

export function summary(random: Generator): string {
  return random.repeat(1, 12, () => random.pick(summaryLines), '\n');
}

const sidebarItems = pieces(
  '"a"¦"x/a"¦"c"¦"e"¦"m"¦"x/m"¦"missing"¦"skipped"¦{type: "doc", id: "b", label: "Bees"}¦{type: "ref", id: "x/b"}¦{type: "link", href: "/"}¦{type: "autogenerated", dirName: "."}',
  '{type: "autogenerated", dirName: "x"}¦{type: "autogenerated"}¦{type: "doc"}¦{Group: ["a", "d"]}¦3¦{type: "category", label: "Cats", link: {type: "doc", id: "a"}, items: ["b", "x/a"]}¦{type: "category", items: []}',
  '{type: "category", label: "Dogs", link: {type: "generated-index"}, items: [{type: "category", label: "Inner", items: ["c"]}]}¦{type: "html", value: "h"}',
);
const siteConfigs = pieces(
  'module.exports = {};¦export default {presets: [["classic", {docs: {path: "src", sidebarPath: "./side.js"}}]]}¦x = {path: \'./docs/x/\', sidebarPath: require.resolve("./side.js")}¦x = {sidebarPath: "./none.js"}',
);
const categories = pieces(
  '{"label": "Label", "position": 1}¦{"label": 3, "position": "2"}¦[]¦null¦{position: 1.5,}¦label: Yaml\nposition: 3¦label: "Quoted"',
);

export function docusaurusFolder(random: Generator): GeneratedFolder {
  const files = pages(random, random.pick(pieces('docs/¦docs/¦docs/¦src/¦')));
  const sidebar = (): string => `[${random.repeat(0, 6, () => random.pick(sidebarItems), ', ')}]`;
  const sidebars = [
    () => `module.exports = {main: ${sidebar()}};`,
    () => `export default {main: ${sidebar()}, "Second": ${sidebar()}}`,
    () => `{"main": {"Part": ${sidebar()}, "Other": ${sidebar()}}}`,
    () => 'module.exports = build();',
  ];
  const name = random.pick(pieces('sidebars.js¦sidebars.json¦sidebars.ts¦side.js'));
  if (random.below(4) > 0) files[name] = sidebars[random.below(sidebars.length)]?.() ?? '';
  if (random.below(2) === 0) files['docusaurus.config.js'] = random.pick(siteConfigs);
  const category = random.pick(pieces('_category_.json¦_category_.yml¦_category_.yaml'));
  if (random.below(2) === 0) files[random.pick(folderNames) + category] = random.pick(categories);
  return {
    files,
    skipped: { 'docs/skipped.md': 'it is too large' },
    ...(random.below(5) === 0 && { docs: random.pick(pieces('docs¦src¦')) }),
  };
}

export function outline(random: Generator, depth = 4): OutlineNode[] {
  return Array.from({ length: random.below(4) + (depth === 4 ? 1 : 0) }, () => ({
    title: random.pick(titles),
    ...(random.below(3) > 0 && { file: filePath(random) }),
    children: depth === 0 || random.below(2) === 0 ? [] : outline(random, depth - 1),
  }));
}

const libraryFolders = pieces('content/01-a/01-b¦content/01-a/02-c¦content/02-d/01-b');

function libraryPath(random: Generator): string {
  const name = random.below(6) === 0 ? 'README' : `0${1 + random.below(4)}-${random.pick(pieces('x¦y'))}`;
  return `${random.pick(libraryFolders)}/${name}.md`;
}

export interface GeneratedImport {
  pages: { from: string; to: string; title: string }[];
  manifest: ImportManifest;
  paths: string[];
  moves: CompletedMoveRecord[];
}

/** A folder that was imported before, with the present library and the moves in it. */
export function earlierImport(random: Generator): GeneratedImport {
  const sources = ['a.md', 'b.md', 'c.md', 'd.md', 'e.md'];
  const hash = (): string => random.pick(pieces('1¦2¦3'));
  const files = sources
    .filter(() => random.below(3) > 0)
    .map((from): [string, ImportManifest['files'][string]] => [
      libraryPath(random),
      { from, synced: [{ sha256: hash() }, { sha256: hash(), folder: 'f' }].slice(random.below(2)) },
    ]);
  const paths = [...files.map(([to]) => to), libraryPath(random), libraryPath(random)].filter(
    () => random.below(4) > 0,
  );
  const planned = sources
    .filter(() => random.below(4) > 0)
    .map(from => ({ from, to: libraryPath(random), title: from }));
  const orders = Array.from({ length: random.below(3) }, () => [sources.filter(() => random.below(2) === 0)]);
  const moves = Array.from({ length: random.below(4) }, () => ({
    path: files[random.below(files.length + 1)]?.[0] ?? libraryPath(random),
    prev: hash(),
    ...(random.below(6) > 0 && { moved: { path: libraryPath(random), hash: hash() } }),
  }));
  return {
    pages: planned.sort((one, other) => (one.to < other.to ? -1 : 1)),
    manifest: { kind: 'folder', orders, files: Object.fromEntries(files) },
    paths,
    moves,
  };
}
