import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseSettings } from '../../../src/toolsets/files/settings.ts';
import { createFolder, createRoot, openFiles, rowsOf, write } from './open-files.ts';

const searches = ['search', 'search_by_kind', 'recent_files'] as const;
const rest = { search: { query: 'note' }, search_by_kind: { kind: 'document' }, recent_files: {} };

describe('a path outside of the roots', () => {
  const wishes = [
    '/',
    '/etc',
    'ROOT/..',
    'ROOT/../outside',
    'ROOTevil',
    'OUTSIDE',
    'OUTSIDE/none',
    'ROOT/way-out',
    'ROOT/way-out/none',
    'ROOT/sub/../../outside',
    '/none',
  ];

  test.each(searches.flatMap(tool => wishes.map(scope => [tool, scope] as const)))(
    'is rejected by %s as the scope %s',
    async (tool, scope) => {
      const { root, outside } = createRoot();
      const opened = await openFiles({ 'files-root': [root] });
      const asked = scope.replace('ROOT', root).replace('OUTSIDE', outside);
      const { isError, texts } = await opened.call(tool, { ...rest[tool], scope: asked });
      expect({ isError, texts }).toEqual({
        isError: true,
        texts: [
          `${tool}: "scope" must be inside a folder that can be searched, got ${JSON.stringify(asked)}\n\nFolders that can be searched: ${root}.`,
        ],
      });
    },
  );

  test('is rejected by get_metadata with the same error whether the file exists or not', async () => {
    const { root, outside } = createRoot();
    const opened = await openFiles({ 'files-root': [root] });
    const paths = [
      `${outside}/secret.txt`,
      `${outside}/none`,
      `${root}/secret-link.txt`,
      `${root}/dangling.txt`,
      `${root}/way-out/secret.txt`,
      `${root}/way-out/none`,
      `${root}/loop`,
    ];
    for (const asked of paths) {
      const { isError, text } = await opened.call('get_metadata', { path: asked });
      expect({ isError, text }).toEqual({
        isError: true,
        text: `get_metadata: "path" must be inside a folder that can be searched, got ${JSON.stringify(asked)}\n\nFolders that can be searched: ${root}.`,
      });
    }
  });

  test('is rejected if it leads into a root through a symbolic link', async () => {
    const { root, outside } = createRoot();
    symlinkSync(path.join(root, 'sub'), path.join(outside, 'way-in'));
    const opened = await openFiles({ 'files-root': [root] });
    for (const tool of searches) {
      const { text } = await opened.call(tool, { ...rest[tool], scope: `${outside}/way-in` });
      expect(text).toContain('must be inside a folder that can be searched');
    }
  });

  test('is searched through a symbolic link inside a root, and its files are listed with the path of the link', async () => {
    const { root } = createRoot();
    writeFileSync(path.join(root, 'sub/inner.txt'), 'an inner note');
    const opened = await openFiles({ 'files-root': [root] });
    expect(await opened.paths('search', { query: 'inner', scope: `${root}/way-in` })).toEqual(['way-in/inner.txt']);
    const { isError, structured } = await opened.call('get_metadata', { path: `${root}/way-in/inner.txt` });
    expect(isError).toBe(false);
    expect(structured?.['kMDItemFSName']).toBe('inner.txt');
  });
});

describe('the roots of the files toolset', () => {
  test('are required: without them the server does not start, and the error names the flag --files-root', async () => {
    await expect(openFiles({})).rejects.toMatchObject({
      code: 'usage',
      message: 'The toolset "files" needs --files-root: the full path of a folder to search.',
    });
  });

  test('can be symbolic links, and a scope is accepted with the path of the link or of its target', async () => {
    const base = createFolder({ 'real/note.txt': 'a note' });
    symlinkSync(path.join(base, 'real'), path.join(base, 'link'));
    const opened = await openFiles({ 'files-root': [path.join(base, 'link')] });
    for (const scope of ['link', 'real']) {
      const { text } = await opened.call('search', { query: 'note', scope: path.join(base, scope) });
      expect(JSON.parse(text)[0]._path).toBe(path.join(base, scope, 'note.txt'));
    }
  });

  test('can be searched while another root is missing', async () => {
    const root = createFolder({ 'note.txt': 'a note' });
    const opened = await openFiles({ 'files-root': [`${root}/none`, root] });
    const { isError } = await opened.call('search', { query: 'note', scope: root });
    expect(isError).toBe(false);
    const closed = await openFiles({ 'files-root': [`${root}/none`] });
    expect((await closed.call('search', { query: 'note', scope: root })).text).toBe(
      `None of the folders given with --files-root exists: ${root}/none`,
    );
  });

  test('are reported as missing when they are removed, and searched again if they are restored but not if a link replaced them', async () => {
    const base = createFolder({ 'disk/note.txt': 'a note', 'spare/note.txt': 'a spare note', 'other/x.txt': 'x' });
    const [disk, other] = [path.join(base, 'disk'), path.join(base, 'other')];
    const opened = await openFiles({ 'files-root': [disk, other] });
    const find = async () => await opened.call('search', { query: 'note', scope: disk });
    expect(rowsOf(await find())).toHaveLength(1);
    renameSync(disk, `${disk}-away`);
    const sentence = `search: "scope" must be an existing folder, got ${JSON.stringify(disk)}`;
    expect((await find()).text.split('\n\n', 1)).toEqual([sentence]); // without the hint
    expect((await opened.call('get_metadata', { path: `${disk}/note.txt` })).text).toBe(
      `File not found: ${disk}/note.txt`,
    );
    expect((await opened.call('search', { query: 'note', scope: '/' })).text).toContain(
      `\n\nFolders that can be searched: ${other}.`,
    );
    symlinkSync('spare', disk);
    expect((await find()).isError).toBe(true);
    renameSync(other, `${other}-away`);
    expect((await find()).text).toContain(
      `These roots now lead to another folder, so that the server must be restarted: ${disk}`,
    );
    rmSync(disk);
    renameSync(`${disk}-away`, disk);
    expect(rowsOf(await find())).toMatchObject([{ _path: `${disk}/note.txt`, kMDItemFSSize: 6 }]);
  });

  test('are searched as soon as they exist, if they did not exist at the start of the server', async () => {
    const base = createFolder({ 'first/note.txt': 'a note' });
    const opened = await openFiles({ 'files-root': [path.join(base, 'first'), path.join(base, 'second')] });
    expect((await opened.call('search', { query: 'note', scope: `${base}/first` })).isError).toBe(false);
    expect((await opened.call('search', { query: 'note', scope: `${base}/second` })).isError).toBe(true);
    write(base, 'second/note.txt', 'a note');
    expect((await opened.call('search', { query: 'note', scope: `${base}/second` })).isError).toBe(false);
  });

  test('can be given as ~, which means the home folder', () => {
    const values = { 'files-root': ['~', '~/notes', '/~/x'] };
    expect(parseSettings(values, { isDemo: false }).roots).toEqual([homedir(), path.join(homedir(), 'notes'), '/~/x']);
  });

  test('must be folders: a file is rejected with its own error message and is not reported as missing', async () => {
    const base = createFolder({ file: 'x' });
    const opened = await openFiles({ 'files-root': [`${base}/file`, `${base}/none`] });
    expect((await opened.call('search', { query: 'note', scope: base })).text).toBe(
      `None of the folders given with --files-root exists: ${base}/none. Given with --files-root, but not a readable folder: ${base}/file`,
    );
    const alone = await openFiles({ 'files-root': [`${base}/file`] });
    expect((await alone.call('get_metadata', { path: `${base}/file` })).text).toBe(
      `Given with --files-root, but not a readable folder: ${base}/file`,
    );
  });

  test.each([
    [{ 'files-root': ['notes'] }, '--files-root must be an absolute path, got "notes"'],
    [{ 'files-timeout-ms': '0' }, '--files-timeout-ms must be a whole number from 1 to 600000, got "0"'],
    [{ 'files-timeout-ms': '1e3' }, '--files-timeout-ms must be a whole number'],
    [{ 'files-timeout-ms': '600001' }, '--files-timeout-ms must be a whole number from 1 to 600000, got "600001"'],
    [{ 'files-timeout-ms': 'soon' }, '--files-timeout-ms must be a whole number'],
    [{ 'files-engine': 'spotlight' }, '--files-engine must be auto or scan, got "spotlight"'],
  ])('are validated with the other settings: %j is rejected', async (values, message) => {
    await expect(openFiles(values)).rejects.toThrow(message);
  });
});

test('the roots are listed in the instructions and in the description of every argument "scope"', async () => {
  const root = createFolder({ 'a.txt': 'x' });
  const { client } = await openFiles({ 'files-root': [root] });
  expect(client.getInstructions()).toContain(
    'The tools return excerpts, not whole files: read those with your own file tool.',
  );
  expect(client.getInstructions()).toContain(`Folders that can be searched: ${root}.`);
  const { tools } = await client.listTools();
  const scopes = tools.map(tool => tool.inputSchema.properties?.['scope']).filter(scope => scope !== undefined);
  expect(scopes).toHaveLength(3);
  const description = `Absolute path of the folder to search, with all below it. Must be inside ${root}`;
  for (const scope of scopes) expect(scope).toMatchObject({ description });
});

test('--files-root rejects a relative path and shows the absolute path in the message', () => {
  const read = (): unknown => parseSettings({ 'files-root': ['notes'] }, { isDemo: false });
  expect(read).toThrow(expect.objectContaining({ hint: expect.stringContaining(path.resolve('notes')) }));
});
