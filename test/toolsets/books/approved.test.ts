import { expect, onTestFinished, test, vi } from 'vitest';
import { startBucket } from '../../support/bucket/server.ts';
import { countOpenDescriptors } from '../../support/descriptors.ts';
import { files, steps } from './approved/script.ts';
import { listCalls, listJournal, putFile } from './approved/session.ts';
import { libraryIn, type TemporaryLibrary, temporaryLibrary } from './support/library.ts';
import { openBooks } from './support/open-books.ts';
import { bucketPlace, variablesOf } from './support/place.ts';

/** Lists the results of all calls, and then the journals that they have written. */
async function listSession(library: TemporaryLibrary): Promise<string> {
  for (const [minute, [key, content]] of files.entries()) putFile(library, key, content, minute);
  const opened = await openBooks(library.root, { 'books-extras': true, 'books-max-upload-mb': '1' });
  const calls = await listCalls(opened, library, steps);
  await opened.close();
  return [calls, ...['graphs', 'odd-names', 'new-book'].map(book => listJournal(library, book))].join('\n');
}

test('the tools return the approved results for a library in a folder, and close all files', async () => {
  using library = temporaryLibrary('memory');
  const before = countOpenDescriptors();
  await expect(await listSession(library)).toMatchFileSnapshot('approved/folder.txt');
  await expect.poll(countOpenDescriptors, { timeout: 10_000 }).toBeLessThanOrEqual(before);
});

test('the tools return the approved results for a library in a bucket', async () => {
  const bucket = await startBucket();
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await bucket.close();
  });
  for (const [name, value] of Object.entries(variablesOf(bucket))) vi.stubEnv(name, value);
  await expect(await listSession(libraryIn(bucketPlace(bucket)))).toMatchFileSnapshot('approved/bucket.txt');
});
