import { expect, test } from 'vitest';
import { assetTypeOfFile, assignAssetPaths } from '../../../../src/toolsets/books/authoring/assets.ts';
import {
  compareImportWithLibrary,
  computeSyncedStatesAfterExport,
  computeSyncedStatesAfterImport,
  markMissingFiles,
} from '../../../../src/toolsets/books/authoring/changes.ts';
import { assignExportPaths, decideFileExport } from '../../../../src/toolsets/books/authoring/export-plan.ts';
import {
  reportExportedFile,
  reportMovedLessons,
  reportSummaryFile,
  reportUnlistedPages,
} from '../../../../src/toolsets/books/authoring/export-report.ts';
import { planSummaryFile } from '../../../../src/toolsets/books/authoring/export-summary.ts';
import { reportImport } from '../../../../src/toolsets/books/authoring/import-report.ts';
import { formatImportManifest, parseImportManifest } from '../../../../src/toolsets/books/authoring/manifest.ts';
import { bookTitleOf, planImport } from '../../../../src/toolsets/books/authoring/plan.ts';
import { Generator, listGenerated } from '../../../support/generator.ts';
import { treeOf } from './approved/generators.ts';
import {
  assetPaths,
  comparison,
  exportDecision,
  exportedBook,
  exportedSummary,
  type GeneratedComparison,
  type GeneratedSummary,
  importReport,
  manifestText,
  plannedFolder,
} from './approved/import-generators.ts';

function compare({ manifest, hashes, planned, present }: GeneratedComparison): unknown {
  const library = { manifest, hashes: new Map(Object.entries(hashes)) };
  const folder = { id: 'f', mayContain: (from: string) => present.includes(from) };
  const [careful, overwriting] = [false, true].map(isOverwriting =>
    compareImportWithLibrary(planned, library, folder, isOverwriting),
  );
  return [
    careful?.changes.map(change => [change.kind, change.synced.length, computeSyncedStatesAfterImport(change, 'f')]),
    careful?.stale,
    careful?.conflicts,
    [...(careful?.kept ?? [])],
    [...(overwriting?.changes ?? []), ...(overwriting?.stale ?? [])].map(({ kind }) => kind),
    careful?.changes.map(({ synced }) =>
      [undefined, '1'].map(reimported =>
        computeSyncedStatesAfterExport(synced, { content: '1', source: '2', reimported }, 'g').slice(0, 1),
      ),
    ),
    markMissingFiles(
      manifest?.files ?? {},
      to => library.hashes.has(to),
      from => present.includes(from),
    ),
  ];
}

function planSummary({ files, pages, placement, added }: GeneratedSummary): unknown {
  const isNew = (page: string): boolean => added.includes(page);
  const planned = planSummaryFile(treeOf({ files, skipped: {} }), pages, new Map(placement), isNew);
  return [planned.file, planned.added, planned.text.split('\n')];
}

test.each([
  ['import-changes', () => listGenerated(comparison, compare, { shown: 20 })],
  [
    'import-reports',
    () =>
      listGenerated(
        importReport,
        ({ plan, changes, skipped }) => {
          const lines: string[] = [];
          reportImport(line => lines.push(line), plan, changes, new Map(skipped.map(file => [file, 'it is skipped'])));
          return lines;
        },
        { shown: 8, blocks: 3 },
      ),
  ],
  [
    'export-decisions',
    () => listGenerated(exportDecision, hashes => [false, true].map(isForced => decideFileExport(hashes, isForced))),
  ],
  [
    'export-paths',
    () =>
      listGenerated(exportedBook, ({ paths, manifest }) => [...assignExportPaths(paths, manifest)], {
        shown: 20,
        blocks: 5,
      }),
  ],
  ['exported-summaries', () => listGenerated(exportedSummary, planSummary, { shown: 30 })],
  [
    'import-plans',
    () =>
      listGenerated(
        plannedFolder,
        ({ folder, manifest }) => {
          const tree = treeOf(folder);
          const mayContain = (from: string): boolean => from.length % 2 === 0;
          const imported = manifest && { manifest, paths: Object.keys(manifest.files) };
          return [bookTitleOf(tree, 'none'), planImport({ ...tree, mayContain }, 'A title', imported)];
        },
        { shown: 8, blocks: 2 },
      ),
  ],
  [
    'import-manifests',
    () =>
      listGenerated(
        manifestText,
        text => {
          const manifest = parseImportManifest(text);
          return manifest && [manifest, formatImportManifest(manifest)];
        },
        { shown: 20, blocks: 2 },
      ),
  ],
  [
    'asset-paths',
    () =>
      listGenerated(
        assetPaths,
        ({ paths, used }) => {
          const { placed, rejected } = assignAssetPaths(paths, used);
          return [[...placed], rejected, paths.map(assetTypeOfFile)];
        },
        { shown: 40, blocks: 0 },
      ),
  ],
])('the approved file lists the %s of generated inputs', async (name, list) => {
  await expect(list()).toMatchFileSnapshot(`approved/generated-${name}.txt`);
});

test('an export reports each type of change with its sign, moved lessons, unlisted pages and new lines of SUMMARY.md', async () => {
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  for (const kind of ['create', 'update', 'unchanged', 'newer', 'conflict', 'overwrite', 'blocked'] as const)
    for (const isForeign of [false, true]) reportExportedFile(write, 'content/a.md', 'a.md', kind, isForeign);
  const files = {
    'content/a.md': { from: 'a.md', synced: [] },
    'content/b.md': { from: 'b.md', synced: [], movedFrom: 'content/c.md' },
  };
  reportMovedLessons(write, undefined);
  reportMovedLessons(write, { kind: 'folder', orders: [], files });
  const placement = new Map([
    ['content/1/a.md', 'a.md'],
    ['content/1/b.md', 'b.md'],
    ['content/2/c.md', 'c.md'],
    ['content/2/d.md', 'd.md'],
  ]);
  const unlisted = ['a', 'b', 'c', 'd', 'e'].map(id => ({ file: `${id}.md`, sidebarFile: 'sidebars.js', id }));
  const { plan } = importReport(new Generator(1));
  reportUnlistedPages(write, { ...plan, unlisted }, placement, page => page !== 'content/2/d.md');
  reportSummaryFile(write, { file: 'SUMMARY.md', text: '', added: undefined });
  reportSummaryFile(write, { file: 'SUMMARY.md', text: '', added: ['- [A](a.md)', '- "B"'] });
  await expect(lines.join('\n')).toMatchFileSnapshot('approved/export-report.txt');
});
