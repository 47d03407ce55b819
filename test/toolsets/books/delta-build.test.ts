import { readdirSync, readlinkSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { book, chapter, introText, lesson, lessonKey, openSample, type Sample } from './sample.ts';
import { errorOf, objectOf } from './support/answer.ts';
import { sha256 } from './support/library.ts';
import { isFolder } from './support/place.ts';

const longAgo = '2020-01-01T00:00:00Z';

async function delta(sample: Sample, args: Record<string, unknown>): Promise<Record<string, unknown>> {
  return objectOf(await sample.call('delta_build', { book_id: book, limit: 10_000, ...args }));
}

function items(answer: Record<string, unknown>, name: string): Record<string, unknown>[] {
  const list = answer[name];
  if (!Array.isArray(list)) throw new Error(`no ${name}`);
  return list;
}

const paths = (answer: Record<string, unknown>, name = 'changed_files'): string[] =>
  items(answer, name).map(item => String(item['path']));

/** Computes the manifest hash by the rule of the documentation. The code is independent of the server. */
function manifestHash(files: Record<string, string>): string {
  const lines = Object.keys(files)
    .toSorted()
    .map(name => `${name}:${sha256(files[name] ?? '')}`);
  return sha256(lines.join('\n'));
}

describe('delta_build', () => {
  test('finds three edits by tools and other programs among five hundred files (SC-007)', async () => {
    await using sample = await openSample();
    const name = (n: number): string => `content/07-Many/01-C/${String(n % 100).padStart(2, '0')}-l${n}.md`;
    for (let n = 0; n < 500; n++) sample.library.put(`books/${book}/${name(n)}`, `# ${n}\n`);
    const first = await delta(sample, { since: longAgo });
    expect(first['changed_count']).toBe(500 + 8 + 3);
    const since = first['server_time'];
    expect(await delta(sample, { since })).toMatchObject({ changed_count: 0, changed_files: [], deleted_files: [] });

    const args = { book_id: book, path: name(1) };
    await sample.call('write_content', { ...args, content: 'new', expected_hash: sha256('# 1\n') });
    sample.library.put(`books/${book}/${name(2)}`, 'by editor');
    sample.library.put(`books/${book}/${name(3)}`, 'moved here with an old date', 1000);
    const second = await delta(sample, { since });
    expect(second['changed_count']).toBe(3);
    expect(new Set(paths(second))).toEqual(new Set([name(1), name(2), name(3)]));
    expect(items(second, 'changed_files').find(item => item['path'] === name(2))).toEqual({
      path: name(2),
      sha256: sha256('by editor'),
      last_modified: expect.stringMatching(/Z$/),
      namespace: 'base',
    });
    expect(await delta(sample, { since: second['server_time'] })).toMatchObject({ changed_count: 0 });
    expect(sample.library.audit(book)).toEqual([]);
  });

  test('reports only files that changed after "since" if the files were never compared with the journal before', async () => {
    await using sample = await openSample();
    const since = new Date(Date.now() + 1).toISOString();
    await expect.poll(() => Date.now() > Date.parse(since)).toBe(true);
    const args = { book_id: book, path: lesson };
    await sample.call('write_content', { ...args, content: 'new', expected_hash: sha256(introText) });
    expect(paths(await delta(sample, { since }))).toEqual([lesson]);
  });

  test('reports files that tools and other programs have deleted', async () => {
    await using sample = await openSample();
    const { server_time: since } = await delta(sample, { since: longAgo });
    await sample.call('delete_content', { book_id: book, path: lesson });
    sample.library.remove(`books/${book}/static/img/one.png`);
    await sample.call('delete_content', { book_id: book, path: lesson, user_id: 'ada' });
    const answer = await delta(sample, { since });
    expect(paths(answer)).toEqual([]);
    expect(new Set(paths(answer, 'deleted_files'))).toEqual(new Set([lesson, 'static/img/one.png']));
    const withUser = await delta(sample, { since, user_id: 'ada' });
    expect(items(withUser, 'deleted_files')).toContainEqual({
      path: lesson,
      deleted_at: expect.stringMatching(/Z$/),
      namespace: 'overlay',
      user_id: 'ada',
    });
  });

  test('reports all files of a deleted book as deleted', async () => {
    await using sample = await openSample();
    const before = await delta(sample, { since: longAgo });
    sample.library.remove(`books/${book}`);
    const target = { since: before['server_time'], target_manifest_hash: before['manifest_hash'] };
    const after = await delta(sample, target);
    expect(after).toMatchObject({ changed_count: 0, manifest_hash: sha256('') });
    expect(paths(after, 'deleted_files').toSorted()).toEqual(paths(before).toSorted());
    expect({ ...Object(after['manifest_delta']) }).toMatchObject({ deleted_files: paths(before).toSorted() });
    expect(sample.library.audit(book)).toEqual([]);
  });

  test.each(['__base__', 'a b', 'é'])('ignores the folder of the invalid user %j', async user => {
    await using sample = await openSample();
    const first = await delta(sample, { since: longAgo });
    sample.library.put(`books/${book}/users/${user}/${lesson}`, '# Not the book’s\n');
    for (let n = 0; n < 2; n++) {
      const again = await delta(sample, { since: first['server_time'] });
      expect(again).toMatchObject({ changed_count: 0, manifest_hash: first['manifest_hash'] });
    }
    expect(sample.library.journal(book).filter(({ agent, prev }) => agent === 'external' && prev !== null)).toEqual([]);
  });

  test('returns with a user_id the changes of this user besides those of the book', async () => {
    await using sample = await openSample();
    const { server_time: since } = await delta(sample, { since: longAgo });
    const args = { book_id: book, path: `${chapter}/03-new.md`, content: 'x' };
    await sample.call('write_content', args);
    await sample.call('write_content', { ...args, user_id: 'ada' });
    await sample.call('write_content', { ...args, user_id: 'bob' });
    expect(await delta(sample, { since })).not.toHaveProperty('base_changes');
    const answer = await delta(sample, { since, user_id: 'ada' });
    expect(answer).toMatchObject({ changed_count: 2, user_id: 'ada', base_changes: 1, overlay_changes: 1 });
    expect(items(answer, 'changed_files').map(item => [item['namespace'], item['user_id']])).toEqual([
      ['base', undefined],
      ['overlay', 'ada'],
    ]);
  });

  test('sorts changes from newest to oldest', async () => {
    await using sample = await openSample();
    const { server_time: since } = await delta(sample, { since: longAgo });
    const names = ['31-a.md', '32-b.md', '33-c.md'].map(name => `${chapter}/${name}`);
    for (const name of names) await sample.call('write_content', { book_id: book, path: name, content: 'x' });
    expect(paths(await delta(sample, { since }))).toEqual(names.toReversed());
  });

  test('returns the contents of changed files on request, and for an image an error in place of its content', async () => {
    await using sample = await openSample();
    sample.library.put(`books/${book}/static/img/binary.png`, Buffer.from([0xff, 0xfe, 0x00]));
    const changed = items(await delta(sample, { since: longAgo, include_content: true }), 'changed_files');
    expect(changed.find(item => item['path'] === lesson)).toMatchObject({ content: introText });
    const picture = changed.find(item => item['path'] === 'static/img/binary.png');
    expect(picture).toMatchObject({ error: expect.stringContaining('Could not read content') });
    expect(picture).not.toHaveProperty('content');
  });

  test('returns a manifest hash and the differences from an earlier manifest (FR-025 to FR-027)', async () => {
    await using sample = await openSample();
    sample.library.remove('books');
    const files: Record<string, string> = {
      'content/01-A/01-B/01-c.md': 'one',
      'content/01-A/01-B/01-c.summary.md': 'two',
      'static/img/a.png': 'three',
    };
    for (const [name, text] of Object.entries(files)) sample.library.put(`books/${book}/${name}`, text);
    sample.library.put(`books/${book}/users/ada/content/01-A/01-B/01-c.md`, 'not counted');
    const first = await delta(sample, { since: longAgo });
    expect(first['manifest_hash']).toBe(manifestHash(files));
    const target = { since: longAgo, target_manifest_hash: first['manifest_hash'] };
    expect(await delta(sample, target)).toMatchObject({
      manifest_delta: { status: 'unchanged', changed_files: [], deleted_files: [] },
    });
    sample.library.put(`books/${book}/content/01-A/01-B/02-d.md`, 'new');
    sample.library.remove(`books/${book}/static/img/a.png`);
    expect((await delta(sample, target))['manifest_delta']).toEqual({
      status: 'changed',
      target_manifest_hash: first['manifest_hash'],
      changed_files: [{ path: 'content/01-A/01-B/02-d.md', sha256: sha256('new') }],
      deleted_files: ['static/img/a.png'],
    });
    const unknown = await delta(sample, { since: longAgo, target_manifest_hash: '0'.repeat(64) });
    expect(unknown['manifest_delta']).toMatchObject({ status: 'unknown', deleted_files: [] });
    expect(items({ ...Object(unknown['manifest_delta']) }, 'changed_files')).toHaveLength(3);
  });

  test.each([
    ['+05:00', 5],
    ['-05:00', -5],
    ['+00:00', 0],
    ['Z', 0],
  ])('compares the argument "since" as an instant in the time zone %s', async (zone, hours) => {
    await using sample = await openSample();
    const local = (ms: number): string => new Date(ms + hours * 3_600_000).toISOString().replace('Z', zone);
    const hourAgo = await delta(sample, { since: local(Date.now() - 3_600_000) });
    const inAnHour = await delta(sample, { since: local(Date.now() + 3_600_000) });
    expect([hourAgo['changed_count'], inAnHour['changed_count']]).toEqual([11, 0]);
    expect(hourAgo['since']).toContain(zone);
  });

  test('rejects an argument "since" that is no date and time', async () => {
    await using sample = await openSample();
    for (const since of [
      '2020-13-01T00:00:00Z',
      '2020-02-30T00:00:00Z',
      '2020-01-01T24:00:00Z',
      '2020-01-01T00:00:60Z',
      '2020-01-01T00:00:00',
      '2020-01-01',
      '2020-01-01 00:00:00Z',
      '2020-01-01T00:00:00+24:00',
      '2020-01-01T00:00:00.Z',
      'yesterday',
      '',
      `2020-01-01T00:00:00.${'0'.repeat(1_000_000)}`,
    ]) {
      const error = errorOf(await sample.call('delta_build', { book_id: book, since }));
      expect({ since, ...error }).toMatchObject({ since, error: 'ValidationError' });
      expect(String(error['message']).length).toBeLessThan(300);
    }
    expect((await delta(sample, { since: '2020-01-01T00:00:00.123456789Z' }))['changed_count']).toBe(11);
  });

  test('returns no changes for a missing book and does not create it', async () => {
    await using sample = await openSample();
    const answer = await sample.call('delta_build', { book_id: 'no-such-book', since: longAgo });
    expect(errorOf(answer)['code']).toBe('NOT_FOUND');
    expect(sample.library.journal('no-such-book')).toEqual([]);
  });

  test.runIf(isFolder)('stops hashing files when its call is cancelled, also inside a large file', async () => {
    await using sample = await openSample();
    const video = path.join(sample.library.root, `books/${book}/static/videos/a.mp4`);
    sample.library.put(`books/${book}/static/videos/a.mp4`, '');
    truncateSync(video, 100_000_000_000);
    const { client, pid } = sample.connection;
    const isOpen = (): boolean =>
      readdirSync(`/proc/${pid}/fd`).some(name => {
        try {
          return readlinkSync(`/proc/${pid}/fd/${name}`) === video;
        } catch {
          return false; // the connection is being closed
        }
      });
    const cancel = new AbortController();
    const args = { name: 'delta_build', arguments: { book_id: book, since: longAgo } };
    const pending = client.callTool(args, undefined, { signal: cancel.signal }).catch(String);
    await expect.poll(isOpen).toBe(true);
    cancel.abort();
    await pending;
    await expect.poll(isOpen).toBe(false);
  });

  test('reports a file that was edited without a change of its size and modification time', async () => {
    await using sample = await openSample();
    sample.library.put(lessonKey, introText, 1_000_000);
    const { server_time: since } = await delta(sample, { since: longAgo });
    sample.library.put(lessonKey, introText.replace('Hello', 'HELLO'), 1_000_000);
    expect(paths(await delta(sample, { since }))).toEqual([lesson]);
  });
});
