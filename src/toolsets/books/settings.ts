import path from 'node:path';
import { Failure } from '../../failure.ts';
import { badValue, wholeNumber } from '../../flag-value.ts';
import type { Flags, FlagValues, Mode } from '../../toolset.ts';
import { usableAgent } from './model/arguments.ts';

export const flags = {
  'books-root': {
    type: 'string',
    valueHint: 'folder',
    description: 'Folder of the book library; the books are in its subfolder "books"',
  },
  'books-agent': {
    type: 'string',
    valueHint: 'name',
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
    description: 'How long an archive may take before it is handed out as far as it is, 0 to 3600 (60)',
  },
  'books-archive-ttl': {
    type: 'string',
    valueHint: 'seconds',
    description: 'How long an archive is kept, 1 to 31536000 (3600)',
  },
} as const satisfies Flags;

export interface BooksSettings {
  /** undefined: the sample library. */
  root: string | undefined;
  /** What was given beside --demo. */
  unusedRoot: string | undefined;
  agent: string | undefined;
  cdnUrl: string | undefined;
  maxUploadBytes: number;
  archiveLimitMs: number;
  archiveTtlMs: number;
}

/** A line of the protocol has 16 MiB, and base64 takes four bytes for three. */
const maxUploadMegabytes = 11;
export const maxUploadBytes = maxUploadMegabytes * 1024 * 1024;

type NumberFlag = 'books-max-upload-mb' | 'books-archive-timeout' | 'books-archive-ttl';

export function settings(values: FlagValues<typeof flags>, mode: Mode): BooksSettings {
  const root = values['books-root'];
  if (root === undefined && !mode.isDemo) {
    throw new Failure('setting', 'The toolset "books" needs --books-root: the folder of the library.', {
      hint: 'To look around first, start with --demo --toolsets books.',
    });
  }
  const number = (flag: NumberFlag, standard: number, min: number, max: number): number =>
    wholeNumber(flag, values[flag], { standard, min, max });
  return {
    root: root === undefined || mode.isDemo ? undefined : path.resolve(root),
    unusedRoot: mode.isDemo ? root : undefined,
    agent: readAgent(values['books-agent']),
    cdnUrl: readUrl(values['books-cdn-url']),
    maxUploadBytes: number('books-max-upload-mb', 10, 1, maxUploadMegabytes) * 1024 * 1024,
    archiveLimitMs: number('books-archive-timeout', 60, 0, 3600) * 1000,
    archiveTtlMs: number('books-archive-ttl', 3600, 1, 31_536_000) * 1000,
  };
}

export function notes({ root, unusedRoot, cdnUrl }: BooksSettings): string[] {
  const unused = unusedRoot === undefined ? '' : `; because of --demo ${unusedRoot} is not used`;
  return [
    `books: ${root ?? 'sample library'}${unused}`,
    ...(cdnUrl === undefined ? [] : [`books: published at ${cdnUrl}`]),
  ];
}

function readAgent(given: string | undefined): string | undefined {
  const agent = usableAgent(given);
  if (given === undefined || agent !== undefined) return agent;
  throw badValue('books-agent', 'must be the name of an author', given);
}

function readUrl(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw badValue('books-cdn-url', 'must be an address that starts with http:// or https://');
  }
  // Whoever gets an answer would get the password too; and paths are put behind the address.
  if (url.username + url.password + url.search + url.hash !== '' || /[?#]/.test(given)) {
    throw badValue('books-cdn-url', 'must be an address without a user, "?" and "#"');
  }
  return url.href.replace(/\/+$/, '');
}
