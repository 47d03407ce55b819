import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startWithFileLimit } from '../../support/file-limit-program.ts';

test.skipIf(process.platform === 'win32')(
  'grep_search reports the limit of open files, and no invalid pattern, when no file can be opened',
  async () => {
    const root = mkdtempSync(path.join(tmpdir(), 'oj-mcp-test-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    const { ask, toggle, stderr } = startWithFileLimit(['--toolsets', 'books', '--books-root', root]);
    const grep = async (): Promise<string> =>
      await ask('grep_search', { book_id: 'a-book', pattern: 'a', all_books: true });
    expect(await grep()).toContain('"result":[]');
    toggle();
    await expect.poll(stderr).toContain('opened files until EMFILE');
    const answer = await grep();
    expect(answer).toContain('UNAVAILABLE');
    expect(answer).toContain('too many files and connections open');
    toggle();
    await expect.poll(stderr).toContain('closed the files');
    expect(await grep()).toContain('"result":[]');
    expect(stderr()).not.toContain('bug');
  },
);
