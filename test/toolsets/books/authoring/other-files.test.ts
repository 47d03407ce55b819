import { rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createStoredAssetName } from '../../../../src/toolsets/books/model/asset.ts';
import { assetTypes, primaryAssetFolderOf } from '../../../../src/toolsets/books/model/path.ts';
import { filesIn, openSession, type Session, temporaryFolder, writeFiles } from './session.ts';

const page = '# Page\n\n[link](01-c.md)\n';
const folders: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  mdBook: { 'src/SUMMARY.md': '- [Intro](intro.md)\n', 'src/intro.md': '# Intro\n', 'book.toml': '' },
  Docusaurus: { 'docs/intro.md': '# Intro\n', 'sidebars.json': '{"main":["intro"]}', 'docusaurus.config.js': '' },
  'a folder of Markdown files': { 'one/intro.md': '# Intro\n' },
  'no folder': {},
};

/** Names that an import treats in different ways: as a picture, a page, a table of contents, or not at all. */
const uploads = [
  'a.png',
  'a.svg',
  'a.pdf',
  'a.pptx',
  'a.mp4',
  'a.mp3',
  'notes.txt',
  'table.xlsx',
  'a.zip',
  'noextension',
  'A.PNG',
  'page.md',
  'page.mdx',
  'page.markdown',
  'README.md',
  'index.md',
  '01-c.md',
  '_part.md',
  'SUMMARY.md',
  'book.toml',
  'sidebars.js',
  'sidebars.json',
  '_category_.json',
  'docusaurus.config.js',
  'import.json',
].map(createStoredAssetName);
const assets = assetTypes.flatMap(type => uploads.map(name => `static/${primaryAssetFolderOf(type)}/${name}`));
/** Files that were written by other programs, also under names that an import skips. */
const others = [
  'static/images/a.png',
  'static/img/build/a.png',
  'static/img/target/b.txt',
  'static/img/.gitkeep',
  'static/img/node_modules/c.md',
  'static/d.png',
  'content/01-A/data.csv',
  'content/01-A/01-B/p.png',
  'content/notes.md',
  'content/01-A/stray.md',
  'content/01-A/01-B/no-number.mdx',
  'content/.hidden.md',
];

async function writeAll({ write }: Session): Promise<void> {
  await write(
    'content/01-A/01-B/01-c.md',
    '# C\n\n![p](../../../static/slides/a.png) [t](../../../static/img/notes.txt)\n',
  );
  for (const file of new Set([...assets, ...others])) await write(file, file.endsWith('.md') ? page : `of ${file}`);
}

async function contentAfterImport({ library, lines, runImport }: Session, folder: string): Promise<unknown> {
  const start = lines.length;
  expect(await runImport(true, folder)).toBe(true);
  expect(lines.slice(start).filter(line => /^[-+~<>!] /.test(line))).toEqual([]);
  const { 'import.json': _, ...content } = filesIn(library);
  return content;
}

describe('files of the library that are neither lessons nor usual assets', () => {
  test.each(Object.keys(folders))('are not changed by an import after an export of a book from %s', async name => {
    const session = openSession(folders[name] ?? {});
    const { library, source, runImport, runExport } = session;
    if (name !== 'no folder') await runImport();
    await writeAll(session);
    const { 'import.json': _, ...before } = filesIn(library);
    const targets = [source, path.join(temporaryFolder(), 'new')];
    for (const folder of targets) expect(await runExport(folder)).toBe(true);
    for (const folder of [...targets, ...targets]) expect(await contentAfterImport(session, folder)).toEqual(before);
  });

  test('are updated and deleted by an import as they are in the folder', async () => {
    const { library, source, write, runImport, runExport } = openSession({ 'one/intro.md': '# Intro\n' });
    await runImport();
    for (const name of ['a.txt', 'b.txt', 'c.md']) await write(`static/img/${name}`, 'old');
    await runExport(source);
    writeFiles(source, { 'static/img/a.txt': 'new', 'static/img/c.md': '# New\n\n[link](../../one/intro.md)\n' });
    rmSync(path.join(source, 'static/img/b.txt'));
    expect(await runImport()).toBe(true);
    const { 'static/img/a.txt': a, 'static/img/b.txt': b, 'static/img/c.md': c } = filesIn(library);
    expect([a, b, c]).toEqual(['new', undefined, '# New\n\n[link](../../one/intro.md)\n']);
  });
});

test.each([
  ['in a folder that imports skip', 'build/a.png', 'one/a.png'],
  ['under a name that no import accepts', 'one/.a.png', 'one/a.png'],
])('an import keeps an asset whose recorded file is now %s', async (_, recorded, imported) => {
  const { library, source, write, runImport } = openSession({ 'one/intro.md': '# Intro\n', [imported]: 'picture' });
  await runImport();
  const manifest = filesIn(library)['import.json'] ?? '';
  await write('import.json', manifest.replace(imported, recorded));
  rmSync(path.join(source, imported));
  writeFiles(source, { [recorded]: 'picture' });
  expect(await runImport()).toBe(true);
  expect(filesIn(library)['static/img/a.png']).toBe('picture');
  rmSync(path.join(source, recorded));
  await runImport();
  expect(filesIn(library)['static/img/a.png']).toBeUndefined();
});
