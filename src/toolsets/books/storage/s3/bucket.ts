import { homedir } from 'node:os';
import { memoize } from '../../../../async/memoize.ts';
import { readBody } from '../../../../http/body.ts';
import { createTransport, type Transport } from '../../../../http/transport.ts';
import { badValue } from '../../../../toolset/flag-value.ts';
import type { BucketSettings } from '../../bucket-settings.ts';
import { BookJournal } from '../../library/book-journal.ts';
import { createCheckpoints } from '../../library/checkpoints.ts';
import { createOpenJournalTable } from '../../library/open-journals.ts';
import { awsEndpointOf, isPathStyle, isRegion, parseEndpoint, standardRegion } from '../../model/bucket-address.ts';
import { storageKeyOf } from '../../model/key.ts';
import type { StorageBackend, UploadAddress, UploadRequest } from '../storage-backend.ts';
import { createBucketArchive } from './bucket-archive.ts';
import { createBucketBook } from './bucket-book.ts';
import { BucketFileStorage, objectVersionOfResponse } from './bucket-storage.ts';
import { ObjectStoreClient } from './client.ts';
import type { CredentialServiceRequest } from './credential-services.ts';
import { createCredentials } from './credentials.ts';
import { createInternalObjects } from './internal-objects.ts';
import { requireWritableStore, type StoreCapabilities, testStoreCapabilities } from './probe.ts';
import { type AwsEnvironment, createCredentialFailure, readAwsProfile } from './profile.ts';
import type { BucketTarget } from './target.ts';

const maxAnswerBytes = 1 << 20;

export interface BucketBackend extends StorageBackend {
  /** The address of the object store, which can come from the AWS profile. */
  endpoint: string;
  /** Returns the capabilities of the object store. They are tested before the first write. */
  capabilities(): Promise<StoreCapabilities>;
}

/** Opens a library in a bucket of an object store. */
export async function openBucket(
  settings: BucketSettings,
  env: NodeJS.ProcessEnv,
  now: () => number,
): Promise<BucketBackend> {
  const send = createTransport(env);
  const around = {
    env,
    home: homedir(),
    now,
    ask: async (question: CredentialServiceRequest) => await askText(send, question),
  };
  const client = new ObjectStoreClient(await targetOf(settings, around), send, createCredentials(around), now);
  const storage = new BucketFileStorage(client, settings.cacheBytes);
  // A test of the store that failed is repeated at the next change.
  const capabilities = memoize(async () => await testStoreCapabilities(client));
  const internal = createInternalObjects(client, capabilities);
  return {
    endpoint: client.target.endpoint,
    capabilities,
    storage,
    internal,
    storeTime: () => client.now(),
    createArchive: async partName => createBucketArchive(client, partName),
    ...createOpenJournalTable(book => {
      const checkpoints = createCheckpoints(storage, internal, book);
      return new BookJournal(book, createBucketBook(client, storage, { book, capabilities, checkpoints }));
    }),
    offer: async (upload, signal) => {
      const known = await capabilities();
      requireWritableStore(known);
      return await offerUpload(client, upload, known, signal);
    },
  };
}

/**
 * Creates a presigned address for one upload. The upload fails if the object has changed since the address was created.
 */
async function offerUpload(
  client: ObjectStoreClient,
  { place, size, mimeType, seconds }: UploadRequest,
  { needsBareEtags }: StoreCapabilities,
  signal: AbortSignal,
): Promise<UploadAddress> {
  const key = storageKeyOf(place);
  const there = await client.request({ method: 'HEAD', key, signal });
  const tag = needsBareEtags ? objectVersionOfResponse(there).replaceAll('"', '') : objectVersionOfResponse(there);
  const headers = {
    'content-length': String(size),
    'content-type': mimeType,
    ...(there.status === 200 ? { 'if-match': tag } : { 'if-none-match': '*' }),
  };
  return { ...(await client.presign('PUT', key, seconds, { headers })), method: 'PUT', headers };
}

async function targetOf(
  { bucket, prefix, endpoint: given, region, isInsecureAllowed }: BucketSettings,
  around: AwsEnvironment,
): Promise<BucketTarget> {
  const profile = given === undefined || region === undefined ? await readAwsProfile(around) : undefined;
  const chosen = region ?? profile?.get('region') ?? standardRegion;
  const endpoint = given ?? endpointOfProfile(profile?.get('endpoint_url'), isInsecureAllowed);
  if (!isRegion(chosen))
    throw createCredentialFailure(`${JSON.stringify(chosen)} is not a region of AWS`, {
      suggestion: 'The user can correct AWS_REGION, AWS_DEFAULT_REGION or the region of the AWS profile.',
    });
  const inPath = isPathStyle(bucket, endpoint);
  if (!inPath && !/^[a-z\d-]+$/.test(bucket))
    throw badValue(
      'The bucket in --books-root must have a name of lower-case letters, digits and hyphens at AWS',
      bucket,
    );
  return { bucket, prefix, region: chosen, endpoint: endpoint ?? awsEndpointOf(chosen), isPathStyle: inPath };
}

function endpointOfProfile(address: string | undefined, isInsecureAllowed: boolean): string | undefined {
  if (!address) return undefined;
  const store = parseEndpoint(address, isInsecureAllowed);
  if (typeof store !== 'string') return store.endpoint;
  throw createCredentialFailure(`endpoint_url of the AWS profile ${store}`, {
    suggestion: 'The user can correct it, or set --books-s3-endpoint, which takes precedence over it.',
  });
}

async function askText(send: Transport, question: CredentialServiceRequest): Promise<{ status: number; text: string }> {
  const { status, body } = await send(question);
  const { bytes, error } = await readBody(body, maxAnswerBytes);
  if (error !== undefined) throw error;
  return { status, text: bytes.toString('utf8') };
}
