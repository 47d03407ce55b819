import path from 'node:path';
import * as v from 'valibot';
import { Failure } from '../../failure.ts';
import { parse } from '../../parse.ts';
import type { Flags, FlagValues, Mode } from '../../toolset.ts';

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
    description: 'How long an archive may take before it is handed out as far as it is (60)',
  },
  'books-archive-ttl': {
    type: 'string',
    valueHint: 'seconds',
    description: 'How long an archive is kept (3600)',
  },
} as const satisfies Flags;

export interface BooksSettings {
  /** undefined: the sample library. */
  root: string | undefined;
  agent: string | undefined;
  cdnUrl: string | undefined;
  maxUploadBytes: number;
  archiveLimitMs: number;
  archiveTtlMs: number;
}

/** A line of the protocol has 16 MiB, and base64 takes four bytes for three. */
const maxUploadMegabytes = 11;
export const maxUploadBytes = maxUploadMegabytes * 1024 * 1024;

export function settings(values: FlagValues<keyof typeof flags>, mode: Mode): BooksSettings {
  const root = values['books-root'];
  if (root === undefined && !mode.isDemo) {
    throw new Failure('setting', 'The toolset "books" needs --books-root: the folder of the library.', {
      hint: 'To look around first, start with --demo --toolsets books.',
    });
  }
  return {
    root: root === undefined || mode.isDemo ? undefined : path.resolve(root),
    agent: values['books-agent'],
    cdnUrl: readUrl(values['books-cdn-url']),
    maxUploadBytes: readNumber('books-max-upload-mb', values, 10, 1, maxUploadMegabytes) * 1024 * 1024,
    archiveLimitMs: readNumber('books-archive-timeout', values, 60, 0, 3600) * 1000,
    archiveTtlMs: readNumber('books-archive-ttl', values, 3600, 1, 31_536_000) * 1000,
  };
}

export function notes({ root, cdnUrl }: BooksSettings): string[] {
  return [`books: ${root ?? 'sample library'}`, ...(cdnUrl === undefined ? [] : [`books: published at ${cdnUrl}`])];
}

function readNumber(
  flag: keyof typeof flags,
  values: FlagValues<keyof typeof flags>,
  standard: number,
  min: number,
  max: number,
): number {
  const given = values[flag];
  if (given === undefined) return standard;
  const number = /^\d{1,9}$/.test(given.trim()) ? Number(given) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new Failure('setting', `--${flag} must be a whole number from ${min} to ${max}, got ${JSON.stringify(given)}`);
}

function readUrl(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const schema = v.object({
    'books-cdn-url': v.pipe(v.string(), v.url('must be a URL'), v.regex(/^https?:/, 'must start with http')),
  });
  return parse(schema, { 'books-cdn-url': given.trim() }, 'setting', 'flag')['books-cdn-url'].replace(/\/+$/, '');
}
