import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesIn, openSession, temporaryFolder } from './session.ts';

const book = {
  'book.toml': '[book]\ntitle = "Book"\n',
  'src/SUMMARY.md':
    '# Summary\n\n- [Start](start.md)\n  - [#[derive]](derive.md)\n  - [A list of \\[items\\]](list.md)\n  - [Using Box<T>](box.md)\n',
  'src/start.md': '# Start\n',
  'src/derive.md': '# Deriving\n',
  'src/list.md': '# List\n',
  'src/box.md': '## Using `Box<T>`\n\n### Details\n',
};

describe('an mdBook', () => {
  test('is imported with the chapters whose titles contain brackets', async () => {
    const { library, runImport, lines } = openSession(book);
    await runImport();
    const names = Object.keys(filesIn(library)).map(name => path.posix.basename(name));
    expect(names).toEqual(['01-derive.md', '02-A-list-of-items.md', '03-Using-Box-T.md', 'README.md', 'import.json']);
    expect(lines.filter(line => line.includes('does not list it'))).toEqual([]);
  });

  test('is imported with a chapter whose link is followed by text', async () => {
    const summary = '# Summary\n\n- [Start](start.md)\n  - [Lists](list.md) (also of items)\n';
    const { library, runImport } = openSession({ ...book, 'src/SUMMARY.md': summary });
    await runImport();
    const names = Object.keys(filesIn(library)).map(name => path.posix.basename(name));
    expect(names).toContain('01-Lists.md');
  });

  test('lists a page without a title by its first heading in the SUMMARY.md of a new folder', async () => {
    const { runImport, runExport } = openSession(book);
    await runImport();
    const target = path.join(temporaryFolder(), 'new');
    await runExport(target);
    expect(filesIn(target)['src/SUMMARY.md']).toContain('  - [Using `Box<T>`](box.md)\n');
  });
});
