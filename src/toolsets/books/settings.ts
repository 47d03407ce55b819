import { Failure } from '../../errors/failure.ts';
import { networkEnvironmentVariables } from '../../http/network-variables.ts';
import { createProxyWarning } from '../../http/proxy-warning.ts';
import { parseUrl } from '../../text/url.ts';
import { badValue, describeBadPort, readWholeNumberFlag, requireAbsolutePath } from '../../toolset/flag-value.ts';
import type { ExternalVariable, Flags, FlagValues, ProgramMode } from '../../toolset/toolset.ts';
import { type ImportOrExportTask, readTask, taskFlags } from './authoring-task.ts';
import { type BucketSettings, bucketFlagNames, bucketFlags, readBucketSettings } from './bucket-settings.ts';
import { chooseAuthorName } from './model/author.ts';
import { formatBucketAddress, isBucketRoot, requestOriginOf } from './model/bucket-address.ts';
import { bucketVariables } from './model/bucket-variables.ts';
import type { RetentionPolicy } from './model/retention.ts';

export const flags = {
  'books-root': {
    type: 'string',
    valueHint: 'folder',
    isForTask: true,
    description: 'Folder of the book library, or s3://bucket/prefix; the books are in its subfolder "books"',
  },
  ...bucketFlags,
  'books-agent': {
    type: 'string',
    valueHint: 'name',
    isForTask: true,
    description: 'Author of changes when the client does not say its name',
  },
  'books-cdn-url': {
    type: 'string',
    valueHint: 'url',
    description: 'Where the library is published: asset addresses start with it instead of file://',
  },
  'books-max-upload-mb': {
    type: 'string',
    valueHint: 'number',
    description: 'Uploads must be smaller than this, 1 to 11 (10)',
  },
  'books-archive-timeout': {
    type: 'string',
    valueHint: 'seconds',
    description: 'How long an archive may take before it is returned incomplete, 0 to 3600 (60)',
  },
  'books-archive-ttl': {
    type: 'string',
    valueHint: 'seconds',
    description: 'How long an archive is kept, 1 to 31536000 (3600)',
  },
  'books-extras': {
    type: 'boolean',
    isForTask: true,
    description: 'Three more tools: get_history, restore_content and move_content; conflicts come with a merged text',
  },
  'books-keep-days': {
    type: 'string',
    valueHint: 'days',
    isForTask: true,
    description: 'With --books-extras: how long former contents are kept, 0 to 3650 (30)',
  },
  'books-keep-mb': {
    type: 'string',
    valueHint: 'number',
    isForTask: true,
    description: 'With --books-extras: how much of them for each book, 0 to 1048576 (1024)',
  },
  'books-verify': {
    type: 'boolean',
    isForCheck: true,
    description: 'With --check: read every journal and every file of the library and report the differences',
  },
  ...taskFlags,
} as const satisfies Flags;

export interface BooksSettings {
  /** The folder of the library. The field is undefined for the sample library. */
  root: string | undefined;
  /** The bucket of a library in an object store. */
  bucket: BucketSettings | undefined;
  /** Sentences about flags that have no effect in combination with other flags. */
  ignored: readonly string[];
  agent: string | undefined;
  cdnUrl: string | undefined;
  maxUploadBytes: number;
  archiveLimitMs: number;
  archiveTtlMs: number;
  /** True if --check also verifies all files and journals of the library. */
  isVerified: boolean;
  task: ImportOrExportTask | undefined;
  /** The retention time for former contents. It is undefined without --books-extras, because none are stored then. */
  retention: RetentionPolicy | undefined;
}

/** Limits the size of an upload. A message has at most 16 MiB, and base64 needs four bytes for three. */
const maxUploadMegabytes = 11;
export const maxUploadBytes = maxUploadMegabytes * 1024 * 1024;

type NumberFlag =
  | 'books-keep-days'
  | 'books-keep-mb'
  | 'books-s3-cache-mb'
  | 'books-max-upload-mb'
  | 'books-archive-timeout'
  | 'books-archive-ttl';

export function parseSettings(values: FlagValues<typeof flags>, mode: ProgramMode): BooksSettings {
  const root = values['books-root'];
  if (root === undefined && !mode.isDemo) {
    const hasTask = values['books-import'] !== undefined || values['books-export'] !== undefined;
    const sentence = 'The toolset "books" needs --books-root: the folder of the library, or s3://bucket/prefix.';
    const rest = hasTask
      ? 'A new library starts as an empty folder.'
      : 'To look around first, start with --demo --toolsets books.';
    throw new Failure('usage', sentence, { hint: `Add it, for example --books-root ~/library. ${rest}` });
  }
  const number = (flag: NumberFlag, standard: number, min: number, max: number): number =>
    readWholeNumberFlag(flag, values[flag], { standard, min, max });
  const cacheBytes = number('books-s3-cache-mb', 256, 0, 4096) * 1024 * 1024;
  const retention = {
    maxAgeMs: number('books-keep-days', 30, 0, 3650) * 86_400_000,
    maxBytes: number('books-keep-mb', 1024, 0, 1_048_576) * 1024 * 1024,
  };
  const library = readRoot(mode.isDemo ? undefined : root, values, cacheBytes);
  return {
    ...library,
    ignored: findIgnoredFlags(values, mode),
    agent: readAgent(values['books-agent']),
    cdnUrl: readUrl(values['books-cdn-url']),
    maxUploadBytes: number('books-max-upload-mb', 10, 1, maxUploadMegabytes) * 1024 * 1024,
    archiveLimitMs: number('books-archive-timeout', 60, 0, 3600) * 1000,
    isVerified: values['books-verify'] === true,
    task: readTask(values, library.root),
    retention: values['books-extras'] === true ? retention : undefined,
    archiveTtlMs: number('books-archive-ttl', 3600, 1, 31_536_000) * 1000,
  };
}

/** Parses the value of --books-root: a folder or a bucket. */
function readRoot(
  root: string | undefined,
  values: FlagValues<typeof flags>,
  cacheBytes: number,
): Pick<BooksSettings, 'root' | 'bucket'> {
  if (root === undefined) return { root, bucket: undefined };
  if (isBucketRoot(root)) return { root: undefined, bucket: readBucketSettings(root, values, cacheBytes, process.env) };
  if (/^(?!file:)[\w.+-]{2,}:/i.test(root)) {
    // The error message does not contain the address, because the address may contain a password.
    throw badValue('--books-root must be a folder on this machine, or look like s3://bucket/prefix');
  }
  return { root: requireAbsolutePath('books-root', root), bucket: undefined };
}

function findIgnoredFlags(values: FlagValues<typeof flags>, { isDemo }: ProgramMode): string[] {
  const root = values['books-root'];
  const given = (names: readonly (keyof typeof flags)[], reason: string): string[] =>
    names.filter(name => values[name] !== undefined).map(name => `--${name} has no effect ${reason}`);
  return [
    ...(isDemo ? given(['books-root'], 'because of --demo') : []),
    ...(isDemo || root === undefined || !isBucketRoot(root) ? given(bucketFlagNames, 'without an s3:// root') : []),
    ...(values['books-extras'] === true ? [] : given(['books-keep-days', 'books-keep-mb'], 'without --books-extras')),
  ];
}

export function listExternalVariables({ bucket }: BooksSettings): readonly ExternalVariable[] {
  return bucket === undefined ? [] : [...bucketVariables, ...networkEnvironmentVariables];
}

/** Returns warnings about flags without effect, and about a proxy setting that the client for buckets ignores. */
export function createSettingsWarnings({ ignored, bucket }: BooksSettings): string[] {
  if (bucket === undefined) return [...ignored];
  const proxy = createProxyWarning(requestOriginOf(bucket), process.env, process.versions.node);
  return proxy === undefined ? [...ignored] : [...ignored, proxy];
}

export function createStartupNotes({ root, bucket, cdnUrl }: BooksSettings): string[] {
  return [
    `books: ${root ?? (bucket && formatBucketAddress(bucket)) ?? 'sample library'}`,
    ...(cdnUrl === undefined ? [] : [`books: published at ${cdnUrl}`]),
  ];
}

function readAgent(given: string | undefined): string | undefined {
  const agent = chooseAuthorName(given);
  if (given === undefined || agent !== undefined) return agent;
  throw badValue('--books-agent must be a name that is neither empty nor reserved', given);
}

function readUrl(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const url = parseUrl(given);
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw badValue(
      `--books-cdn-url ${describeBadPort(given) ?? 'must be an address that starts with http:// or https://'}`,
    );
  }
  // The address must contain no password, because tool results contain the address, and no query, because paths are
  // appended to it.
  if (url.username + url.password + url.search + url.hash !== '' || /[?#]/.test(given)) {
    throw badValue(`--books-cdn-url must be an address without user, query and fragment`);
  }
  return url.href.replace(/\/+$/, '');
}
