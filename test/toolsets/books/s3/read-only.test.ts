import { describe, expect, test } from 'vitest';
import type { Weakness } from '../../../support/bucket/objects.ts';
import { startBucket } from '../../../support/bucket/server.ts';
import { notesOf, objectOf } from '../support/answer.ts';
import { connect } from '../support/client.ts';

const lesson = { book_id: 'a-book', path: 'content/01-Part/01-Chapter/01-lesson.md' };

describe('an object store without reliable conditional writes', () => {
  test.each<[string, Weakness]>([
    ['If-None-Match', { ignoresIfNoneMatch: true }],
    ['If-Match', { ignoresIfMatch: true }],
    ['all conditions', { hasNoConditions: true }],
  ])('receives no object from read tools if it ignores %s', async (_, weakness) => {
    const bucket = await startBucket({ weakness });
    bucket.put(`lib/books/${lesson.book_id}/${lesson.path}`, Buffer.from('# Old\n'));
    const connection = await connect({
      args: ['--toolsets', 'books', '--books-root', 's3://library/lib'],
      env: {
        AWS_ENDPOINT_URL_S3: bucket.endpoint,
        AWS_REGION: bucket.customer.region,
        AWS_ACCESS_KEY_ID: bucket.customer.accessKeyId,
        AWS_SECRET_ACCESS_KEY: bucket.customer.secretAccessKey,
      },
      stderr: 'ignore',
    });
    expect(objectOf(await connection.call('read_content', lesson))['content']).toBe('# Old\n');
    const delta = await connection.call('delta_build', { book_id: lesson.book_id, since: '2020-01-01T00:00:00Z' });
    expect(objectOf(delta)['changed_count']).toBe(1);
    expect(notesOf(delta)).toEqual([expect.stringContaining('The journal was not updated')]);
    await connection.call('validate_book', { book_id: lesson.book_id });
    await connection.close();
    expect([...bucket.objects.keys()]).toEqual([`lib/books/${lesson.book_id}/${lesson.path}`]);
    await bucket.close();
  });
});
