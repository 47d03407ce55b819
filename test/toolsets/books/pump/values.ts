import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { decodeUtf8Content } from '../../../../src/toolsets/books/library/book-files.ts';
import { decodeBase64 } from '../../../../src/toolsets/books/model/asset.ts';
import { checkLessonPath, parseAssetPath } from '../../../../src/toolsets/books/model/path.ts';
import { parseLockHolder } from '../../../../src/toolsets/books/storage/disk/lock-holder.ts';
import {
  CredentialServiceAnswer,
  parseCredentials,
} from '../../../../src/toolsets/books/storage/s3/credential-services.ts';
import { readAwsProfile } from '../../../../src/toolsets/books/storage/s3/profile.ts';
import { attempt, defineReader, repeat, repeatBytes } from '../../../fuzz/pump/reader.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'oj-mcp-fuzz-'));
process.once('exit', () => rmSync(folder, { recursive: true }));

const profile = defineReader({
  name: 'AWS profile',
  cases: repeat(['[a]\n', '[', 'a=b\n', '=', ' ', '#', ' #', '\n', '\r', 'a', '[profile '], '[default]\n'),
  async read(input) {
    const file = path.join(folder, 'credentials');
    writeFileSync(file, input);
    return await readAwsProfile({ env: { AWS_SHARED_CREDENTIALS_FILE: file }, home: folder });
  },
});

const credentials = defineReader({
  name: 'answer of a credential service',
  cases: repeat(['"a":1,', '{"a":', '[', '"', '0', 'a', ' '], '{"AccessKeyId":"a","SecretAccessKey":"b",'),
  read: input => attempt(() => parseCredentials(input.toString('utf8'), CredentialServiceAnswer, 'The credentials')),
});

const base64 = defineReader({
  name: 'base64',
  cases: repeat(['QUJD', 'Q', '=', '\n', '\r', 'QQ==', ' ', 'é']),
  read: input => attempt(() => decodeBase64(input.toString('utf8'))),
});

const lesson = defineReader({
  name: 'lesson',
  cases: [...repeat(['a', 'é', '\u{1f600}']), ...repeatBytes(['\xff'])],
  read: input => attempt(() => decodeUtf8Content(input, 'a lesson', {})),
});

const lockHolder = defineReader({
  name: 'lock holder',
  cases: repeat(['"a":1,', '"', '0', 'a'], '{"nonce":"'),
  read: input => parseLockHolder(input.toString('utf8')),
});

/** The input is longer than the longest path that the tools accept. */
const paths = defineReader({
  name: 'book path',
  cases: repeat(['a', '-', '0', '01-a/', '/', '..', '.md', '.summary', 'content/', '\\', '%2e'], 'content/01-a/'),
  read(input) {
    const written = input.toString('utf8');
    return [attempt(() => parseAssetPath(written)), attempt(() => checkLessonPath(written))];
  },
});

export const readers = [profile, credentials, base64, lesson, lockHolder, paths];
