import { Failure } from '../../../../failure.ts';
import type { Finding } from '../../../../toolset.ts';
import { bucketText } from '../../model/bucket-address.ts';
import type { BucketSettings } from '../../settings.ts';
import { openBucket } from './bucket.ts';

/** Asks the store as the tools would, and tries what it keeps of its promises with an object that goes at once. */
export async function* checkBucket(settings: BucketSettings, env: NodeJS.ProcessEnv): AsyncGenerator<Finding> {
  const place = bucketText(settings);
  const backend = await openBucket(settings, env, Date.now);
  try {
    const names = await backend.storage.books();
    const count = `${names.length} ${names.length === 1 ? 'book' : 'books'}`;
    yield { isGood: true, line: `${place} can be read: ${count}` };
    const { whyReadOnly, wantsBareTags } = await backend.promises();
    if (whyReadOnly === undefined) {
      const manner = wantsBareTags ? ' (it takes tags without quotation marks)' : '';
      yield { isGood: true, line: `${place} can be written: it keeps conditional writes${manner}` };
      return;
    }
    const hint =
      'Reading works. For changes, take a store that keeps conditional writes, and credentials that may write.';
    yield { isGood: false, line: `${place} cannot be written: ${whyReadOnly}`, hint };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const suggestion = error.report?.['suggestion'];
    yield { isGood: false, line: `${place}: ${error.message}`, hint: typeof suggestion === 'string' ? suggestion : '' };
  } finally {
    await backend.close();
  }
}
