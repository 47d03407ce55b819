import { existsSync, readdirSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { book, openSample, sampleLibrary } from './sample.ts';
import { objectOf } from './support/answer.ts';
import { connect } from './support/client.ts';

const fileOf = (answer: Record<string, unknown>): string => fileURLToPath(String(answer['archive_url']));

describe('an archive of get_book_archive', () => {
  const nameOf = (endMs: number): string => `archives/${book}-2020-01-01-0123456789abcdef-${endMs}.zip`;

  test('is deleted by any server after its expiry, while other files in its folder are kept', async () => {
    await using other = await openSample('--books-archive-ttl', '1');
    const { library } = other;
    const promised = nameOf(Date.now() + 3_600_000);
    const over = nameOf(Date.now() - 1);
    const part = `archives/${book}-2020-01-01-0123456789abcdef.zip.part`;
    const others = ['archives/mine.zip', `archives/${book}-2020-01-01.zip`];
    for (const file of [promised, over, part, ...others]) {
      library.put(file, 'x');
      utimesSync(path.join(library.root, file), 1_000_000, 1_000_000);
    }
    const fresh = `archives/${book}-2020-01-01-fedcba9876543210.zip.part`;
    library.put(fresh, 'being made');
    await other.call('list_books', {});
    expect(readdirSync(path.join(library.root, 'archives')).toSorted()).toEqual(
      [promised, fresh, ...others].map(file => path.basename(file)).toSorted(),
    );
  });

  test('expires at the time that the result states', async () => {
    await using sample = await openSample();
    const before = Date.now();
    const answer = objectOf(await sample.call('get_book_archive', { book_id: book }));
    const after = Date.now();
    const end = Number(/-(\d{13})\.zip$/.exec(fileOf(answer))?.[1]);
    expect(answer['expires_at']).toBe(new Date(end).toISOString());
    expect(end - 3_600_000).toBeGreaterThanOrEqual(before);
    expect(end - 3_600_000).toBeLessThanOrEqual(after);
  });

  test('is deleted after its expiry by the next call to another server', async () => {
    using library = sampleLibrary();
    const args = ['--toolsets', 'books', '--books-root', library.root];
    const stays = await connect({ args });
    await stays.call('list_books', {});
    const goes = await connect({ args: [...args, '--books-archive-ttl', '1'] });
    const file = fileOf(objectOf(await goes.call('get_book_archive', { book_id: book })));
    await goes.close();
    const isThere = async (): Promise<boolean> => {
      await stays.call('list_books', {});
      return existsSync(file);
    };
    await expect.poll(isThere).toBe(false);
    await stays.close();
  });

  test('is deleted at its expiry by the running server', async () => {
    await using brief = await openSample('--books-archive-ttl', '1');
    const file = fileOf(objectOf(await brief.call('get_book_archive', { book_id: book })));
    const wasThere = existsSync(file);
    expect(wasThere || Date.now() >= Number(/-(\d+)\.zip$/.exec(file)?.[1])).toBe(true);
    await expect.poll(() => existsSync(file)).toBe(false);
  });
});
