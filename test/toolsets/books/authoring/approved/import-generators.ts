import type { ImportChanges, ImportedFile } from '../../../../../src/toolsets/books/authoring/changes.ts';
import type { ExportedFileHashes } from '../../../../../src/toolsets/books/authoring/export-plan.ts';
import type { TitledPage } from '../../../../../src/toolsets/books/authoring/export-summary.ts';
import type { ImportManifest, SyncedState } from '../../../../../src/toolsets/books/authoring/manifest.ts';
import type { ImportPlan, PlannedFile } from '../../../../../src/toolsets/books/authoring/plan.ts';
import { type Generator, pieces } from '../../../../support/generator.ts';
import { docusaurusFolder, type GeneratedFolder, mdBookFolder, summary } from './generators.ts';

const libraryPaths = pieces('content/a.md¦content/b.md¦content/c.md¦static/img/d.png');
const sources = pieces('a.md¦b.md¦c.md¦d.png');
const hashes = pieces('1¦2¦3');

const is = (random: Generator, times: number): boolean => random.below(times) === 0;

function someOf<Item>(random: Generator, items: readonly Item[], times = 3): Item[] {
  return items.filter(() => !is(random, times));
}

function syncedState(random: Generator): SyncedState {
  return {
    sha256: random.pick(hashes),
    ...(!is(random, 4) && { source: random.pick(hashes) }),
    ...(is(random, 4) && { isDivergent: true }),
    ...(!is(random, 4) && { folder: random.pick(pieces('f¦f¦g')) }),
  };
}

function syncedStates(random: Generator): SyncedState[] {
  return Array.from({ length: random.below(4) }, () => syncedState(random));
}

function manifestOf(random: Generator): ImportManifest {
  const entries = someOf(random, libraryPaths).map((to): [string, ImportManifest['files'][string]] => [
    to,
    {
      from: random.pick(sources),
      synced: syncedStates(random),
      ...(is(random, 4) && { isNew: true }),
      ...(is(random, 4) && { isGone: true }),
    },
  ]);
  return { kind: 'folder', orders: [], files: Object.fromEntries(entries) };
}

export interface GeneratedComparison {
  manifest: ImportManifest | undefined;
  hashes: Record<string, string>;
  planned: ImportedFile[];
  /** The files that exist in the folder, also those that are not imported. */
  present: string[];
}

/** A library with the record of earlier imports, and the files that a folder contains now. */
export function comparison(random: Generator): GeneratedComparison {
  const targets = someOf(random, libraryPaths);
  return {
    manifest: is(random, 8) ? undefined : manifestOf(random),
    hashes: Object.fromEntries(someOf(random, libraryPaths).map(path => [path, random.pick(hashes)])),
    planned: someOf(random, targets).map((to, index) => ({
      from: sources[index] ?? 'a.md',
      to,
      sha256: random.pick(hashes),
      source: random.pick(hashes),
      breaksLinks: is(random, 2),
    })),
    present: someOf(random, sources),
  };
}

/** An import whose report names each type of change, with the facts of its plan. */
export function importReport(random: Generator): { plan: ImportPlan; changes: ImportChanges; skipped: string[] } {
  const kinds = ['create', 'update', 'unchanged', 'edited', 'conflict', 'overwrite', 'deleted'] as const;
  const planned = someOf(random, libraryPaths).map(
    (to, index): PlannedFile => ({
      from: sources[index] ?? 'a.md',
      to,
      ...(to.endsWith('.md') && { content: '' }),
      changedLinks: random.below(3),
      deadLinks: someOf(random, ['x.md', 'y.md'], 2),
      breaksLinks: false,
      includes: someOf(random, ['{{#include x}}'], 2),
    }),
  );
  const changes = planned.map(({ from, to }) => ({
    kind: random.pick(kinds),
    from,
    to,
    sha256: '1',
    source: '2',
    breaksLinks: false,
    synced: [],
    current: is(random, 2) ? undefined : '3',
  }));
  const stale = someOf(random, libraryPaths, 2).map(to => ({
    to,
    current: '1',
    kind: random.pick<ImportChanges['stale'][number]['kind']>(['deleted', 'conflict', 'overwrite']),
    isMoved: is(random, 2),
  }));
  const rejected = someOf(random, sources, 2).map(from => ({ from, reason: 'it is rejected' }));
  const kind = random.pick<ImportPlan['kind']>(['mdbook', 'docusaurus', 'folder']);
  const rest = { obstacle: undefined, isSameOrder: true, order: [], unlisted: [] };
  return {
    plan: { kind, files: planned, rejected, notes: someOf(random, ['A note.'], 2), ...rest },
    changes: { changes, stale, kept: new Map([['a.md', 'content/a.md']]), conflicts: 0 },
    skipped: someOf(random, ['a.md', 'big.md'], 2),
  };
}

export function exportDecision(random: Generator): ExportedFileHashes {
  const synced = syncedStates(random);
  return {
    exported: random.pick(hashes),
    present: is(random, 4) ? undefined : random.pick(hashes),
    isBlocked: is(random, 10),
    inLibrary: random.pick(hashes),
    reimported: is(random, 4) ? undefined : random.pick(hashes),
    synced,
    own: synced.filter(({ folder }) => folder === 'f'),
  };
}

const exportedPaths = pieces(
  'content/README.md¦content/01-Part/README.md¦content/01-Part/01-Start/README.md¦content/01-Part/01-Start/01-a.md¦content/01-Part/01-Start/02-a.summary.md¦content/01-Part/01-Start/03-index.md¦content/01-Part/02-aux/01-con.md¦content/01-Part/02-aux/02-A.md',
  'content/02-More/01-x/01-a.md¦content/02-More/01-x/02-SUMMARY.mdx¦content/02-More/01-x/deep/odd.txt¦content/02-More/02-y/01-b.md¦static/img/a.png¦static/img/A.PNG¦book.yaml¦users/ada/content/a.md',
);
const folderPaths = pieces(
  'docs/start/a.md¦docs/start/index.md¦docs/b.md¦docs/x/a.md¦a.md¦A-2.md¦img/a.png¦../a.md¦a:b.md¦/a.md¦docs/README.md¦docs/x/y/c.md',
);

/** The files of a book, and the record from which an export derives their paths. */
export function exportedBook(random: Generator): { paths: string[]; manifest: ImportManifest | undefined } {
  const paths = someOf(random, exportedPaths);
  const entries = someOf(random, exportedPaths, 2).map((to): [string, ImportManifest['files'][string]] => [
    to,
    { from: random.pick(folderPaths), synced: [], ...(is(random, 5) && { movedFrom: random.pick(exportedPaths) }) },
  ]);
  const manifest: ImportManifest = { kind: 'folder', orders: [], files: Object.fromEntries(entries) };
  return { paths, manifest: is(random, 10) ? undefined : manifest };
}

const bookPages = [
  ['content/01-p/README.md', 'x/index.md'],
  ['content/01-p/01-c/README.md', 'x/y/README.md'],
  ['content/01-p/01-c/01-a.md', 'a.md'],
  ['content/01-p/01-c/02-b.mdx', 'b.mdx'],
  ['content/01-p/01-c/02-b.summary.md', 'b.summary.md'],
  ['content/01-p/02-d/01-c.md', '01-c.md'],
  ['content/02-q/01-c/01-d.md', '2. d.md'],
  ['content/02-q/01-c/02-[e].md', '10_e.markdown'],
  ['content/02-q/02-f/01-f.md', 'x/a.md'],
] as const;

export interface GeneratedSummary {
  files: Record<string, string>;
  pages: TitledPage[];
  placement: [string, string][];
  added: string[];
}

/** A folder with or without a table of contents, and the pages that an export writes to it. */
export function exportedSummary(random: Generator): GeneratedSummary {
  const folder = random.pick(pieces('src/¦src/¦'));
  const text = summary(random);
  const pages = someOf(random, bookPages, 4);
  return {
    files: is(random, 5)
      ? {}
      : { [`${folder}SUMMARY.md`]: is(random, 4) ? text.replaceAll('\n', '\r\n') : `# Summary\n${text}` },
    pages: pages.map(([path]) => ({ path, title: `The [${path.slice(11)}]` })),
    placement: someOf(random, pages, 12).map(([path, file]) => [path, folder + file]),
    added: someOf(random, bookPages, 2).map(([path]) => path),
  };
}

/** A folder to import, with the record of an earlier import of it. */
export function plannedFolder(random: Generator): { folder: GeneratedFolder; manifest: ImportManifest | undefined } {
  const folder = is(random, 2) ? docusaurusFolder(random) : mdBookFolder(random);
  for (const name of someOf(random, pieces('img/a.png¦img/b/a.png¦c.PDF¦d.txt¦.png¦e.ogg'), 2)) folder.files[name] = '';
  const entries = someOf(random, Object.keys(folder.files), 2).map(
    (from, index): [string, ImportManifest['files'][string]] => [
      random.pick([`content/01-p/01-c/0${index}-x.md`, `content/odd-${index}`, `static/img/${index}.png`]),
      { from, synced: [] },
    ],
  );
  const manifest: ImportManifest = { kind: 'folder', orders: [], files: Object.fromEntries(entries) };
  return { folder, manifest: is(random, 2) ? undefined : manifest };
}

const manifestTexts = pieces(
  '{"kind":"folder","files":{}}¦{"kind":"mdbook","orders":[[["a.md"]]],"files":{}}¦{"kind":"other","orders":[],"files":{}}¦{"kind":"folder","orders":[],"files":{},"more":1}¦{"kind":"folder","orders":[["a"]],"files":{}}¦[]¦{¦null',
);

export function manifestText(random: Generator): string {
  if (is(random, 3)) return random.pick(manifestTexts);
  if (is(random, 2)) return JSON.stringify(manifestOf(random));
  const entries = someOf(random, libraryPaths).map(to => [
    to,
    {
      from: random.pick(sources),
      sha256: random.pick(hashes),
      ...(is(random, 2) && { planned: random.pick(libraryPaths) }),
      ...(is(random, 4) && { isNew: random.pick([true, true, false]) }),
    },
  ]);
  return JSON.stringify({ kind: 'folder', files: Object.fromEntries(entries) });
}

export function assetPaths(random: Generator): { paths: string[]; used: string[] } {
  const paths = pieces('a.png¦A.PNG¦x/a.png¦y/x/a.png¦b.pdf¦日本.mp4¦é è.mp3¦con.png¦a.JPG¦x-a.png¦.svg');
  return {
    paths: someOf(random, paths),
    used: someOf(random, ['static/img/a.png', 'static/img/x-a.png', 'static/slides/B.pdf'], 2),
  };
}
