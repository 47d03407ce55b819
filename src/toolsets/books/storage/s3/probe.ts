import { randomUUID } from 'node:crypto';
import { Failure } from '../../../../errors/failure.ts';
import { ignoreExpectedError } from '../../../../log/bug.ts';
import { metadataFolder, storeTestFolder } from '../../model/key.ts';
import { createStorageFailure } from '../../model/refusal.ts';
import type { ObjectStoreClient, StoreResponse } from './client.ts';
import { StoreErrorResponse } from './response.ts';

/** The capabilities of an object store, according to a test with temporary objects. */
export interface StoreCapabilities {
  /**
   * The reason why the library is read-only: the store has no conditional writes, so that two authors could overwrite
   * each other's changes.
   */
  whyReadOnly?: string;
  /** True if the credentials have no permission to write. This can be intended. */
  isDenied?: true;
  /** True if the store accepts only ETags without quotation marks. */
  needsBareEtags: boolean;
}

export function requireWritableStore({ whyReadOnly }: StoreCapabilities): void {
  if (whyReadOnly === undefined) return;
  throw createStorageFailure('UNAVAILABLE', `${readOnlyMessage}: ${whyReadOnly}.`, {
    suggestion: 'The user needs an object store with conditional writes, and credentials with write permission.',
  });
}

const readOnlyMessage = 'The library is read-only';

/** Returns whether the error means that the store permits no writes. Such an error is permanent. */
export function isReadOnlyStoreError(error: unknown): boolean {
  return error instanceof Failure && error.message.startsWith(readOnlyMessage);
}

/**
 * The number of conditional writes that are sent in parallel. A store that tests the condition and writes in separate
 * steps accepts more than one of them.
 */
const rivalCount = 8;
/**
 * The test has two rounds. The first round opens the connections, so that the writes of the second round are really
 * parallel.
 */
const races = ['-race', '-second-race'];

/**
 * The number of attempts for each test. If a response is lost, the test shows nothing, because the retry of a
 * conditional write fails after the first attempt has created the object.
 */
const maxTries = 4;

/** Tests with temporary objects whether an object store supports the conditional writes that a library needs. */
export async function testStoreCapabilities(client: ObjectStoreClient): Promise<StoreCapabilities> {
  try {
    for (let attempt = 1; ; attempt++) {
      const found = await tryOnce(client);
      if (found !== 'unclear') return found;
      if (attempt < maxTries) continue;
      const message =
        'The object store rejects changes of an object that it has just written, or its responses get lost.';
      throw createStorageFailure('BUSY', message, { suggestion: 'Try again in a moment; reading still works.' });
    }
  } catch (error) {
    if (!(error instanceof Failure) || !(error.cause instanceof StoreErrorResponse)) throw error;
    if (error.cause.status === 501) return broken(`it does not implement them (501 ${error.cause.code})`);
    if (!error.cause.isDenial) throw error;
    return { whyReadOnly: error.message.replace(/\.$/, ''), isDenied: true, needsBareEtags: false };
  }
}

async function tryOnce(client: ObjectStoreClient): Promise<StoreCapabilities | 'unclear'> {
  const key = `${metadataFolder}/${storeTestFolder}/${randomUUID()}`;
  try {
    return await tryConditions(client, key);
  } finally {
    for (const end of ['', ...races, '-none']) {
      // An error is ignored, because a small object that remains in the bucket does no harm.
      await client.request({ method: 'DELETE', key: key + end }).catch(ignoreExpectedError);
    }
  }
}

async function tryConditions(client: ObjectStoreClient, key: string): Promise<StoreCapabilities | 'unclear'> {
  const put = async (name: string, text: string, condition: Record<string, string>): Promise<StoreResponse> => {
    const headers = { 'content-type': 'text/plain', ...condition };
    return await client.request({ method: 'PUT', key: name, body: Buffer.from(text), headers });
  };
  const fresh = { 'if-none-match': '*' };

  const first = await put(key, 'one', fresh);
  if (first.status !== 200) return 'unclear';
  if ((await put(key, 'two', fresh)).status === 200) return broken('it overwrites an object that must not exist');
  for (const race of races) {
    const rivals = Array.from({ length: rivalCount }, async (_, index) => await put(key + race, `${index}`, fresh));
    const winners = (await Promise.all(rivals)).filter(({ status }) => status === 200).length;
    if (winners > 1) return broken('it lets several writers create one object');
    if (winners === 0) return 'unclear';
  }

  const wrong = { 'if-match': '"0123456789abcdef0123456789abcdef"' };
  if ((await put(key, 'three', wrong)).status === 200) return broken('it overwrites an object that has changed');
  const { bytes } = await client.request({ method: 'GET', key });
  if (bytes.toString() !== 'one') return broken('it overwrites an object although it reports an error');
  const tag = first.headers.etag ?? '';
  if ((await put(`${key}-none`, 'four', { 'if-match': tag })).status === 200)
    return broken('it creates an object that must already exist');

  if ((await put(key, 'five', { 'if-match': tag })).status === 200) return { needsBareEtags: false };
  if ((await put(key, 'five', { 'if-match': tag.replaceAll('"', '') })).status === 200) return { needsBareEtags: true };
  return 'unclear';
}

function broken(reason: string): StoreCapabilities {
  return { whyReadOnly: `the object store does not support conditional writes: ${reason}`, needsBareEtags: false };
}
