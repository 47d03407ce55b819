import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { explainUnsafeName } from '../../../src/toolsets/books/model/archive-plan.ts';
import { book, openSample } from './sample.ts';
import { objectOf } from './support/answer.ts';
import { unzip } from './support/zip.ts';

const folder = 'content/01-Basics/01-Start';

const unsafe = [
  ['C:evil.md', 'drive'],
  ['notes: draft.md', 'drive'],
  ['con.md', 'device'],
  ['LPT1', 'device'],
  ['line\nbreak.md', 'line break'],
  ['escape\u001b[2J.md', 'control character'],
  ['separator\u2028.md', 'line break'],
  ['gnp.\u202edm.exe', 'direction'],
  ['isolate\u2066.md', 'direction'],
  ['ends with a dot.', 'drops the dot'],
  ['ends with a space ', 'drops the dot'],
] as const;

const safe = ['01-intro.md', 'ünïcödé 日本.md', 'con-text.md', 'console.md', '.hidden', 'a?b*.md', 'می\u200cخواهم.md'];

describe('get_book_archive', () => {
  test.each(unsafe)('rejects the unsafe file name %j', (name, reason) => {
    expect(explainUnsafeName(`content/${name}`)).toContain(reason);
    expect(explainUnsafeName(`content/${name}/01-a.md`)).toBeDefined();
  });

  test.each(safe)('accepts the file name %j', name => {
    expect(explainUnsafeName(`content/${name}`)).toBeUndefined();
  });

  test.skipIf(process.platform === 'win32')(
    'leaves files with unsafe names out of the archive and reports them',
    async () => {
      await using sample = await openSample();
      for (const [name] of unsafe) sample.library.put(`books/${book}/${folder}/${name}`, 'unsafe');
      for (const name of safe) sample.library.put(`books/${book}/${folder}/${name}`, 'safe');
      const answer = objectOf(await sample.call('get_book_archive', { book_id: book }));
      expect(answer).toMatchObject({ status: 'partial', files_failed: unsafe.length, total_errors: unsafe.length });
      const manifest = new Map(listed(answer['error_manifest']).map(({ path, error }) => [path, error]));
      for (const [name, reason] of unsafe) expect(manifest.get(`${folder}/${name}`)).toContain(reason);
      const names = unzip(readFileSync(fileURLToPath(String(answer['archive_url'])))).map(entry => entry.name);
      expect(names).toEqual(expect.arrayContaining(safe.map(name => `${folder}/${name}`)));
      for (const [name] of unsafe) expect(names).not.toContain(`${folder}/${name}`);
    },
  );
});

function listed(manifest: unknown): { path: string; error: string }[] {
  if (!Array.isArray(manifest)) throw new Error('the answer has no error_manifest');
  return manifest;
}
