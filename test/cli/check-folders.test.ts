import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { runProgram } from '../support/program.ts';
import { has } from '../support/toolsets.ts';
import { parseCheckOutput, runCheck, runCheckUnprivileged, temporaryFolder } from './support/check.ts';

describe.runIf(has('oj'))('--check', () => {
  test.runIf(has('files'))('reports for each root of the files toolset whether it can be searched', async () => {
    const root = temporaryFolder();
    writeFileSync(path.join(root, 'file'), '');
    symlinkSync('loop', path.join(root, 'loop'));
    const { code, text } = await runCheck(
      '--toolsets=files',
      `--files-root=${root}`,
      `--files-root=${path.join(root, 'gone')}`,
      `--files-root=${path.join(root, 'file')}`,
      `--files-root=${path.join(root, 'loop')}`,
      `--files-root=${path.join(root, 'first,second')}`,
    );
    expect(text).toContain(
      `✓ files: ${root} can be searched: 1 file\n✗ files: ${path.join(root, 'gone')} cannot be read: it does not exist (ENOENT)\n  → Correct`,
    );
    expect(text).toContain(
      `✗ files: ${path.join(root, 'file')} cannot be read: it is a file, or a folder of its path is one (ENOTDIR)\n  → Name the folder`,
    );
    expect(text).toContain(
      `✗ files: ${path.join(root, 'loop')} cannot be read: a symbolic link in its path leads back to itself`,
    );
    expect(text).toContain(
      `Several folders are several flags, or a list with "${path.delimiter}" in OJ_MCP_FILES_ROOT.`,
    );
    expect(code).toBe(1);
    expect((await runCheck('--toolsets', 'files')).text).toContain('✗ files: The toolset "files" needs --files-root');
  });

  test.runIf(has('files'))('warns of a root without files that can be searched', async () => {
    const [empty, hidden] = [temporaryFolder(), temporaryFolder()];
    writeFileSync(path.join(hidden, '.hidden'), '');
    mkdirSync(path.join(hidden, 'folder'));
    const { code, text } = await runCheck('--toolsets=files', `--files-root=${empty}`, `--files-root=${hidden}`);
    expect(text).toContain(
      `! files: ${empty} is empty\n  → A search finds nothing there: check that --files-root names the right folder.`,
    );
    expect(text).toContain(`! files: ${hidden} contains no files that are searched; hidden and generated ones are not`);
    expect(code).toBe(0);
  });

  test.runIf(has('files') && process.platform !== 'win32')(
    'names files and folders of a root that this user has no permission to read, up to three',
    () => {
      const root = temporaryFolder();
      chmodSync(root, 0o755);
      for (const name of ['a.txt', 'b\n.txt', 'c.txt', 'open.txt']) writeFileSync(path.join(root, name), '');
      mkdirSync(path.join(root, 'closed'));
      const check = () => runCheckUnprivileged('--toolsets', 'files', '--files-root', root);
      const unreadable = ['a.txt', 'b\n.txt', 'c.txt', 'closed'].map(name => path.join(root, name));
      for (const place of unreadable.slice(0, 2)) chmodSync(place, 0o000);
      const two = `! files: 2 files and folders in ${root} cannot be read: "a.txt", "b\\n.txt": this user has no permission (EACCES)\n  → Give the user who`;
      expect(check()).toEqual({ code: 0, text: expect.stringContaining(`${root} can be searched: 2 files\n${two}`) });
      for (const place of unreadable) chmodSync(place, 0o000);
      expect(check().text).toMatch(
        /1 file\n! files: 4 files and folders in .+ cannot be read: ("[abc]\S+", ){3}…: this user/,
      );
      for (const name of ['a.txt', 'b\n.txt', 'c.txt', 'open.txt']) rmSync(path.join(root, name));
      const { code, text } = check();
      const one = `! files: 1 file or folder in ${root} cannot be read: "closed/": this user has no permission (EACCES)`;
      expect([code, text]).toEqual([0, expect.stringContaining(one)]);
      expect(text).not.toContain('can be searched');
      expect(text).not.toContain('no files that are searched');
    },
  );

  test.runIf(has('files'))(
    'warns of a root that is the home folder, whose hidden folders can be searched',
    async () => {
      const home = temporaryFolder();
      writeFileSync(path.join(home, 'file'), '');
      const options = { env: { HOME: home, USERPROFILE: home } };
      const args = ['--check', '--toolsets=files', `--files-root=${home}`];
      const { code, text } = parseCheckOutput(await runProgram(args, options));
      expect([code, text]).toEqual([
        0,
        expect.stringContaining(
          `! files: ${home} is a whole disk or home folder: a search for one of its hidden folders`,
        ),
      ]);
      expect((await runCheck('--toolsets=files', `--files-root=${home}`)).text).not.toContain('home folder');
    },
  );

  test.runIf(has('files') && process.platform === 'linux')(
    'counts the files and folders of a root whose names are not valid UTF-8',
    async () => {
      const root = temporaryFolder();
      const odd = Buffer.concat([Buffer.from(`${root}/x`), Buffer.from([0xff])]);
      writeFileSync(odd, '');
      mkdirSync(Buffer.concat([odd, Buffer.from('y')]));
      const { code, text } = await runCheck('--toolsets=files', `--files-root=${root}`);
      const line = `! files: 2 names in ${root} cannot be read: not valid UTF-8\n  → Rename`;
      expect([code, text]).toEqual([0, expect.stringContaining(line)]);
    },
  );

  test.runIf(has('files') && process.platform === 'linux')(
    'fails for a root and a cache folder in a pseudo file system',
    async () => {
      const root = temporaryFolder();
      const { code, text } = await runCheck('--toolsets=files', '--files-root=/proc');
      expect(text).toContain('✗ files: /proc is in a pseudo file system, which is not searched\n  → Name a folder');
      const nested = await runCheck('--toolsets=files', `--files-root=${root}`, '--files-cache=/proc/none');
      expect(nested.text).toContain(
        '✗ files: --files-cache /proc/none cannot be written: its file system accepts no new folders (ENOENT)',
      );
      expect([code, nested.code]).toEqual([1, 1]);
    },
  );

  test.runIf(has('books'))('tests reading and writing of a library and leaves no file in it', async () => {
    const root = temporaryFolder();
    expect((await runCheck('--toolsets', 'books', '--books-root', root)).text).toContain(
      `✓ books: ${root} is a new library without books`,
    );
    mkdirSync(path.join(root, 'books/my-book'), { recursive: true });
    const { code, text } = await runCheck('--toolsets', 'books', '--books-root', root);
    expect(text).toContain(`✓ books: ${root} can be read: 1 book\n✓ books: ${root} can be written\n`);
    expect([code, readdirSync(root)]).toEqual([0, ['books']]);
    expect((await runCheck('--toolsets', 'books', '--books-root', path.join(root, 'no'))).text).toContain('✗ books:');
  });

  test.runIf(has('files') && process.platform !== 'win32').each([0o000, 0o444])(
    'reports a root of the files toolset that has the permissions %i, so that no file can be opened',
    mode => {
      const root = temporaryFolder();
      chmodSync(root, mode);
      expect(runCheckUnprivileged('--toolsets', 'files', '--files-root', root)).toEqual({
        code: 1,
        text: expect.stringContaining(
          `✗ files: ${root} cannot be read: this user has no permission (EACCES)\n  → Give the user who runs the host read permission`,
        ),
      });
    },
  );

  test.runIf(has('files') && process.platform !== 'win32')(
    'reports whether the index cache of the files toolset can be written',
    () => {
      const [root, cache, shared, closed] = [
        temporaryFolder(),
        temporaryFolder(),
        temporaryFolder(),
        temporaryFolder(),
      ];
      chmodSync(root, 0o755);
      chmodSync(shared, 0o777);
      chmodSync(closed, 0o555);
      const checkCache = (place: string) =>
        runCheckUnprivileged('--toolsets', 'files', '--files-root', root, '--files-cache', place);
      const refused = {
        code: 1,
        text: expect.stringMatching(/✗ files: --files-cache .+\n {2}→ Nothing is stored\. Use/),
      };
      expect(checkCache(shared)).toEqual(refused);
      expect(checkCache(path.join(closed, 'new'))).toEqual(refused);
      writeFileSync(path.join(cache, 'file'), '');
      expect(checkCache(path.join(cache, 'file', 'new'))).toEqual(refused);
      rmSync(path.join(cache, 'file'));
      symlinkSync(root, path.join(shared, 'link'));
      expect(checkCache(path.join(shared, 'link')).text).toContain('link is inside a folder that is searched');
      if (process.getuid?.() === 0) chownSync(cache, 65_534, 65_534);
      for (const place of [cache, path.join(cache, 'new')]) {
        expect(checkCache(place).text).toContain(`✓ files: ${place} can store the index`);
      }
      expect(readdirSync(cache)).toEqual([]);
    },
  );

  test.runIf(has('books') && process.platform !== 'win32')(
    'reports a library without write permission and one without read permission',
    () => {
      const root = temporaryFolder();
      mkdirSync(path.join(root, 'books/my-book'), { recursive: true });
      chmodSync(root, 0o555);
      const readOnly = runCheckUnprivileged('--toolsets', 'books', '--books-root', root);
      expect(readOnly.text).toContain(
        `✓ books: ${root} can be read: 1 book\n! books: ${root}/books cannot be written: this user has no permission`,
      );
      expect(readOnly.text).toContain('  → Reading works. For changes, use a disk and a folder that the');
      chmodSync(path.join(root, 'books/my-book'), 0o000);
      expect(runCheckUnprivileged('--toolsets', 'books', '--books-root', root).text).toContain(
        `can be read: 0 books\n✗ books: books/my-book cannot be read by this user\n`,
      );
      chmodSync(path.join(root, 'books/my-book'), 0o755);
      chmodSync(path.join(root, 'books'), 0o000);
      const closed =
        'cannot be read: this user has no permission (EACCES)\n  → Give the user who runs the host read permission.';
      expect(runCheckUnprivileged('--toolsets', 'books', '--books-root', root).text).toContain(
        `${root}/books ${closed}`,
      );
      chmodSync(root, 0o000);
      expect(runCheckUnprivileged('--toolsets', 'books', '--books-root', root).text).toContain(
        `✗ books: ${root} ${closed}`,
      );
      for (const file of [root, path.join(root, 'books')]) chmodSync(file, 0o755); // restores the permissions, so that the folder can be removed
      expect(readOnly.code).toBe(0);
    },
  );

  test.runIf(has('books'))('fails for a library whose book folder cannot be used, and names the reason', async () => {
    const root = temporaryFolder();
    mkdirSync(path.join(root, 'books/My Course'), { recursive: true });
    const { code, text } = await runCheck('--toolsets', 'books', '--books-root', root);
    expect([code, text]).toEqual([
      1,
      expect.stringContaining('✗ books: books/My Course is not a book: its name is not'),
    ]);
    expect(text).not.toContain('can be written');
  });

  // The test uses /proc/self as the folder, because no user can write to it.
  test.runIf(has('books') && process.platform === 'linux')(
    'reports a library on a file system that rejects every write',
    async () => {
      const { code, text } = await runCheck('--toolsets', 'books', '--books-root', '/proc/self');
      expect(text).toMatch(/✗ books: \/proc\/self cannot be written: .+\n {2}→ Correct --books-root,/);
      expect(code).toBe(1);
    },
  );

  test.runIf(has('files', 'books'))(
    'fails if --books-root is the subfolder "books" or a single book, and states the path of the library',
    async () => {
      const root = temporaryFolder();
      mkdirSync(path.join(root, 'books/my-book/content'), { recursive: true });
      for (const wrong of ['books', 'books/my-book']) {
        const { code, text } = await runCheck('--toolsets', 'books', '--books-root', path.join(root, wrong));
        expect([code, text]).toEqual([
          1,
          expect.stringContaining(`  → Use the library's folder: --books-root ${root}\n`),
        ]);
      }
    },
  );
});
