import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesIn, openSession, type Session, writeFiles } from './session.ts';

const book = { 'README.md': '# Book\n', 'one/a.md': '# A\n', 'one/b.md': '# B\n' };
const page = 'one/a.md';

async function openImported(): Promise<Session & { lesson: string }> {
  const session = openSession(book);
  await session.runImport();
  const lesson = Object.keys(filesIn(session.library)).find(file => file.endsWith('-A.md')) ?? '';
  return { ...session, lesson };
}

describe('a page that was deleted in the library', () => {
  test.each(['import', 'export'] as const)(
    'is imported as a new page if it was also deleted in the folder, and is created there again after an %s',
    async way => {
      const { source, library, lesson, remove, runImport, runExport } = await openImported();
      await remove(lesson);
      rmSync(path.join(source, page));
      await (way === 'import' ? runImport() : runExport(source));
      writeFiles(source, { [page]: '# A\n\nNew.\n' });
      expect(await runImport()).toBe(true);
      expect(Object.values(filesIn(library))).toContain('# A\n\nNew.\n');
    },
  );

  test('causes no conflict if it was also deleted in the folder, then created again, exported and edited in the folder', async () => {
    const { source, library, lesson, remove, write, runImport, runExport } = await openImported();
    await remove(lesson);
    rmSync(path.join(source, page));
    await runImport();
    await write(lesson, '# A\n\nAgain.\n');
    await runExport(source);
    writeFiles(source, { [page]: '# A\n\nAgain and edited.\n' });
    expect(await runImport()).toBe(true);
    expect(filesIn(library)[lesson]).toBe('# A\n\nAgain and edited.\n');
  });

  test('causes a conflict if it was edited in the folder, also after an export to a new folder', async () => {
    const { source, lesson, remove, runImport, runExport } = await openImported();
    await remove(lesson);
    await runExport(path.join(source, '../new-folder'));
    rmSync(path.join(source, '../new-folder'), { recursive: true });
    writeFiles(source, { [page]: '# A\n\nEdited.\n' });
    expect(await runImport()).toBe(false);
  });

  test('causes a conflict if it was edited in the folder, also if it was not valid UTF-8 during an earlier import', async () => {
    const { source, lesson, remove, runImport } = await openImported();
    await remove(lesson);
    writeFileSync(path.join(source, page), Buffer.from('# \xe9\n', 'latin1'));
    await runImport();
    writeFiles(source, { [page]: '# A\n\nEdited.\n' });
    expect(await runImport()).toBe(false);
  });
});

describe('an import of the docs folder after an import of its site', () => {
  const site = {
    'docusaurus.config.js': "module.exports = { title: 'Site' };\n",
    'blog/logo.png': 'logo of the blog',
    'docs/intro.md': '# Intro\n\n![logo](../blog/logo.png)\n',
    'docs/more.md': '# More\n',
    'docs/logo.png': 'logo of the pages',
    'static/img/shared.png': 'shared',
  };
  const assetsOf = (library: string): string[] =>
    Object.keys(filesIn(library)).filter(file => file.startsWith('static/'));

  test('changes nothing if the site is unchanged', async () => {
    const { source, library, runImport } = openSession(site);
    await runImport();
    const before = filesIn(library);
    expect(assetsOf(library)).toEqual(['static/img/docs-logo.png', 'static/img/logo.png', 'static/img/shared.png']);
    expect(await runImport(true, path.join(source, 'docs'))).toBe(true);
    expect(filesIn(library)).toEqual(before);
  });

  test('removes only assets that were deleted in this folder or in the folder of static files', async () => {
    const { source, library, runImport } = openSession(site);
    await runImport();
    for (const deleted of ['docs/logo.png', 'static', 'blog']) rmSync(path.join(source, deleted), { recursive: true });
    await runImport(true, path.join(source, 'docs'));
    expect(assetsOf(library)).toEqual(['static/img/logo.png']);
    await runImport();
    expect(assetsOf(library)).toEqual([]);
  });

  test('does not resolve a conflict of an asset outside of this folder: the next import of the site reports it', async () => {
    const { source, library, remove, runImport } = openSession(site);
    await runImport();
    await remove('static/img/logo.png');
    await runImport(true, path.join(source, 'docs'));
    writeFiles(source, { 'blog/logo.png': 'another logo' });
    expect(await runImport()).toBe(false);
    expect(assetsOf(library)).not.toContain('static/img/logo.png');
  });
});

test('an import keeps the library path of an asset if a new asset has the same name', async () => {
  const { source, library, runImport } = openSession({ ...book, 'one/b.png': 'picture' });
  await runImport();
  writeFiles(source, { 'a/b.png': 'new picture' });
  await runImport();
  const { 'static/img/b.png': former, 'static/img/a-b.png': added } = filesIn(library);
  expect([former, added]).toEqual(['picture', 'new picture']);
});
