import { describe, expect, onTestFinished, test } from 'vitest';
import type { Weakness } from '../../../support/bucket/objects.ts';
import { startBucket } from '../../../support/bucket/server.ts';
import { runProgram, unwrapLines } from '../../../support/program.ts';
import { errorOf, objectOf } from '../support/answer.ts';
import { connect } from '../support/client.ts';

const lesson = { book_id: 'a-book', path: 'content/01-Part/01-Chapter/01-lesson.md' };

/** Runs --check and a write with the built program on a store with this fault, and returns the results. */
async function meet(weakness: Weakness) {
  const bucket = await startBucket({ weakness });
  onTestFinished(async () => await bucket.close());
  bucket.put(`lib/books/${lesson.book_id}/${lesson.path}`, Buffer.from('# Old\n'));
  const args = ['--toolsets', 'books', '--books-root', 's3://library/lib'];
  const env = {
    AWS_ENDPOINT_URL_S3: bucket.endpoint,
    AWS_REGION: bucket.customer.region,
    AWS_ACCESS_KEY_ID: bucket.customer.accessKeyId,
    AWS_SECRET_ACCESS_KEY: bucket.customer.secretAccessKey,
  };
  const { code, stdout } = await runProgram(['--check', ...args], { env });
  const connection = await connect({ args, env });
  const read = objectOf(await connection.call('read_content', lesson));
  const written = await connection.call('write_content', {
    ...lesson,
    content: '# New\n',
    expected_hash: read['file_hash_sha256'],
  });
  const again = objectOf(await connection.call('read_content', lesson));
  await connection.close();
  const said = unwrapLines(stdout).replaceAll(bucket.endpoint, 'STORE');
  return { code, said, contents: [read['content'], again['content']], written };
}

describe('--check and the tools on an object store', () => {
  test.each<[string, Weakness, string]>([
    ['supports conditional writes', {}, 'it supports conditional writes'],
    [
      'requires ETags without quotation marks',
      { wantsBareTags: true },
      'it supports conditional writes (it accepts ETags without quotation marks)',
    ],
  ])('can read and write the library if the store %s', async (_, weakness, manner) => {
    const { code, said, contents } = await meet(weakness);
    expect(said).toContain('✓ books: s3://library/lib/ at STORE can be read: 1 book\n');
    expect(said).toContain(`✓ books: s3://library/lib/ at STORE can be written: ${manner}\n`);
    expect([code, contents]).toEqual([0, ['# Old\n', '# New\n']]);
  });

  test.each<[string, Weakness, string]>([
    ['ignores If-None-Match', { ignoresIfNoneMatch: true }, 'it overwrites an object that must not exist'],
    ['ignores If-Match', { ignoresIfMatch: true }, 'it overwrites an object that has changed'],
    ['creates on If-Match', { createsOnIfMatch: true }, 'it creates an object that must already exist'],
    ['rejects conditional requests', { hasNoConditions: true }, 'it does not implement them (501 NotImplemented)'],
    [
      'checks a condition and writes in two separate steps',
      { createsTwice: key => key.endsWith('-race') },
      'it lets several writers create one object',
    ],
  ])('can read the library and change nothing if the store %s', async (_, weakness, fault) => {
    const { code, said, contents, written } = await meet(weakness);
    const reason = `the object store does not support conditional writes: ${fault}`;
    expect(said).toContain('✓ books: s3://library/lib/ at STORE can be read: 1 book\n');
    expect(said).toContain(`✗ books: s3://library/lib/ at STORE cannot be written: ${reason}\n  → Reading works.`);
    expect([code, contents]).toEqual([1, ['# Old\n', '# Old\n']]);
    expect(errorOf(written)).toMatchObject({
      code: 'UNAVAILABLE',
      message: `The library is read-only: ${reason}.`,
      suggestion: expect.stringContaining('an object store with conditional writes'),
    });
  });
});
