import { Failure } from '../../errors/failure.ts';
import { badValue, describeBadPort } from '../../toolset/flag-value.ts';
import type { Flags, FlagValues } from '../../toolset/toolset.ts';
import { type BucketAddress, parseBucketRoot, parseEndpoint } from './model/bucket-address.ts';

export const bucketFlags = {
  'books-s3-endpoint': {
    type: 'string',
    valueHint: 'url',
    isForTask: true,
    description: 'Address of the object store, if it is not AWS; also AWS_ENDPOINT_URL_S3',
  },
  'books-s3-insecure': {
    type: 'boolean',
    isForTask: true,
    description: 'Allow an unencrypted connection to an object store on another machine',
  },
  'books-s3-cache-mb': {
    type: 'string',
    valueHint: 'number',
    isForTask: true,
    description: 'Memory for lessons that were read from the object store, 0 to 4096 (256)',
  },
} as const satisfies Flags;

export const bucketFlagNames = ['books-s3-endpoint', 'books-s3-insecure', 'books-s3-cache-mb'] as const;

export interface BucketSettings extends BucketAddress {
  /** True if an unencrypted connection to another machine is allowed. */
  isInsecureAllowed: boolean;
  cacheBytes: number;
}

/** Parses the address of a bucket and its flags. Environment variables of the AWS tools replace missing flags. */
export function readBucketSettings(
  root: string,
  values: FlagValues<typeof bucketFlags>,
  cacheBytes: number,
  env: NodeJS.ProcessEnv,
): BucketSettings {
  const bucketOrProblem = parseBucketRoot(root);
  if (typeof bucketOrProblem === 'string') throw badValue(`The bucket in --books-root ${bucketOrProblem}`, root);
  const isInsecureAllowed = values['books-s3-insecure'] === true;
  const given = values['books-s3-endpoint'];
  const variable = ['AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL'].find(name => env[name]) ?? '';
  const address = given ?? env[variable];
  const endpointOrProblem =
    address === undefined
      ? { endpoint: undefined }
      : (describeBadPort(address) ?? parseEndpoint(address, isInsecureAllowed));
  if (typeof endpointOrProblem === 'string') {
    throw given === undefined
      ? new Failure('setting', `The address of the object store in ${variable} ${endpointOrProblem}.`, {
          hint: '--books-s3-endpoint takes precedence over it.',
        })
      : badValue(`--books-s3-endpoint ${endpointOrProblem}`, given);
  }
  return {
    ...bucketOrProblem,
    ...endpointOrProblem,
    region: env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || undefined,
    isInsecureAllowed,
    cacheBytes,
  };
}
