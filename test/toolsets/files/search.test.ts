import { expect, test } from 'vitest';
import { createFolder, openFiles, write } from './open-files.ts';

test('search returns the newest files first with five keys each, and states whether the result is complete', async () => {
  const root = createFolder();
  write(root, 'old.txt', 'Segment trees are lazy.', '2026-01-01T00:00:00Z');
  write(root, 'sub/new.md', '# SEGMENT\n  Trees', '2026-02-01T12:34:56.789Z');
  write(root, 'segment trees.txt', 'only the name says it');
  const opened = await openFiles({ 'files-root': [root] });
  const outcome = await opened.call('search', { query: 'segment trees', scope: root });
  const results = [
    {
      _path: `${root}/sub/new.md`,
      kMDItemContentModificationDate: '2026-02-01T12:34:56Z',
      kMDItemContentType: 'net.daringfireball.markdown',
      kMDItemDisplayName: 'new.md',
      kMDItemFSSize: 17,
    },
    {
      _path: `${root}/old.txt`,
      kMDItemContentModificationDate: '2026-01-01T00:00:00Z',
      kMDItemContentType: 'public.plain-text',
      kMDItemDisplayName: 'old.txt',
      kMDItemFSSize: 23,
    },
  ];
  const note = `Not in this list, but named so: ${root}/segment trees.txt.`;
  expect(outcome).toEqual({
    isError: false,
    text: JSON.stringify(results),
    texts: [JSON.stringify(results), note],
    structured: { results, truncated: false, offset: 0, limit: 100, engine: 'scan', notes: [note] },
  });
});
