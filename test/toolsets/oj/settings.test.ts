import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Failure } from '../../../src/errors/failure.ts';
import { createSettingsWarnings, parseSettings } from '../../../src/toolsets/oj/settings.ts';
import * as fc from '../../support/property.ts';

const serve = { isDemo: false };
const backend = (values: Record<string, string>) => {
  const { provider } = parseSettings({ 'base-url': 'http://h', ...values }, serve);
  if (provider.kind !== 'backend') throw new Error('the provider is not a backend');
  return provider;
};
const origin = (value: string) => backend({ 'base-url': value }).origin;

describe('the flag --base-url (S1.1)', () => {
  test.each([
    ['https://example.com', 'https://example.com'],
    ['https://example.com/', 'https://example.com'],
    ['https://host:8080/', 'https://host:8080'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['https://h:443', 'https://h'],
    ['HTTPS://Example.COM', 'https://example.com'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ])('accepts %s as the origin %s (INVARIANT)', (value, kept) => {
    expect(origin(value)).toBe(kept);
  });

  test.each([
    ['not a url', 'is not a URL'],
    ['example.com', 'must start with http:// or https://'],
    ['127.0.0.1:7856', 'must start with http:// or https://'],
    ['https://', 'is not a URL'],
    ['ftp://example.com', 'must start with http:// or https://'],
    ['file:///etc', 'must start with http:// or https://'],
    ['localhost:3000', 'must start with http:// or https://'],
    ['https://example.com/api/v1', 'must be an origin'],
    ['https://example.com//', 'must be an origin'],
    ['https://example.com?foo=1', 'must be an origin'],
    ['https://example.com?', 'must be an origin'],
    ['https://example.com#x', 'must be an origin'],
    ['https://example.com/#', 'must be an origin'],
    ['https:///judge', 'must start with http:// or https:// and a host name'],
    ['https:/example.com', 'must start with http:// or https:// and a host name'],
    ['http://*:80', 'has a host name with characters that no host name has'],
  ])('rejects %s (INVARIANT)', (value, problem) => {
    expect(() => origin(value)).toThrow(
      expect.objectContaining({ code: 'setting', exitCode: 1, message: expect.stringContaining(problem) }),
    );
  });

  test.each([
    ['https://user:hunter2@example.com', '--base-url must not contain a user name or a password.'],
    ['https://:hunter2@example.com', '--base-url must not contain a user name or a password.'],
    ['ftp://user:hunter2@example.com', '--base-url must start with http:// or https:// and a host name.'],
    ['user:hunter2@example.com', '--base-url must start with http:// or https:// and a host name.'],
    ['http://user:hunter2@x y', '--base-url is not a URL.'],
  ])('is rejected without its password in the error message: %s', (value, message) => {
    expect(() => origin(value)).toThrow(expect.objectContaining({ message }));
  });

  test('is required, and the error suggests the demo', () => {
    expect(() => parseSettings({}, serve)).toThrow(
      expect.objectContaining({ code: 'usage', exitCode: 2, hint: expect.stringContaining('--demo') }),
    );
  });

  test('accepts a random URL as an origin without a trailing slash, or rejects it with a Failure (INVARIANT)', () => {
    const urls = fc.webUrl({ withQueryParameters: true, withFragments: true });
    const anything = fc.oneof(
      urls,
      fc.string(),
      fc.domain().map(host => `http://${host}`),
    );
    fc.assert(
      fc.property(anything, value => {
        expect(originOrProblem(value)).toMatch(/^(https?:\/\/[^/?#@\s]+|--base-url .*)$/s);
      }),
    );
  });
});

function originOrProblem(value: string): string {
  try {
    return origin(value);
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

describe('the token', () => {
  function file(content: string | Buffer): string {
    const folder = mkdtempSync(path.join(tmpdir(), 'oj-mcp-test-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const name = path.join(folder, 'token');
    writeFileSync(name, content);
    return name;
  }

  test('is optional', () => {
    expect(backend({}).token).toBeUndefined();
  });

  test.each([
    ['abc!~', 'abc!~'],
    [' padded\n', 'padded'],
  ])('is trimmed: %j becomes %j', (token, kept) => {
    expect(backend({ token }).token).toBe(kept);
  });

  const aloneHint = 'Give the token alone, without a name, "Bearer", quotation marks or other text.';

  test.each([
    ['"hunter2"', 'begins or ends with a quotation mark'],
    ['"hunter2', 'begins or ends with a quotation mark'],
    ['hunter2`', 'begins or ends with a quotation mark'],
    ['two hunter2', 'contains white space'],
    ['tab\thunter2', 'contains white space'],
    ['hunter2\nhunter3', 'contains a line break'],
    ['hünter2', 'contains characters that are not visible ASCII'],
    ['hunter2\0', 'contains characters that are not visible ASCII'],
    ['\u007fhunter2', 'contains characters that are not visible ASCII'],
    ['{"token":"hunter2"}', 'is JSON'],
    ['{\n  "token": "hunter2"\n}', 'is JSON'],
    ['["hunter2"]', 'is JSON'],
    ['<token>hunter2</token>', 'is a placeholder or markup'],
    ['https://judge.example/?t=hunter2', 'is an address'],
    ['Bearer hunter2', 'begins with "Bearer"'],
    ['Authorization: bearer hunter2', 'begins with "Bearer"'],
    ['OJ_MCP_TOKEN=hunter2', 'begins with a name and "="'],
    ['export TOKEN="hunter2"', 'begins with a name and "="'],
    ['$env:OJ_MCP_TOKEN = "hunter2"', 'begins with a name and "="'],
    ['API_KEY=hunter2', 'begins with a name and "="'],
  ])('is rejected without being repeated in the error if it is not a token alone: %j', (token, fault) => {
    const name = file(`${token}\n`);
    expect(() => backend({ token })).toThrow(
      expect.objectContaining({ code: 'setting', message: `--token ${fault}.`, hint: aloneHint }),
    );
    expect(() => backend({ 'token-file': name })).toThrow(
      expect.objectContaining({ message: `The token in --token-file ${name} ${fault}.`, hint: aloneHint }),
    );
  });

  test.each(['hunter2hunter2', 'hunter2/+==', 'hunter2.abc_DEF'])(
    'is rejected without being repeated in the error if it is given in place of its file: %s',
    token => {
      expect(() => backend({ 'token-file': token })).toThrow(
        expect.objectContaining({
          code: 'setting',
          message: '--token-file must be the absolute path of a file.',
          hint: 'Use a file that contains only the token and that the user who runs the host can read.',
        }),
      );
    },
  );

  test('is rejected if it is the path of a file, which belongs to --token-file', () => {
    const name = file('hunter2');
    expect(() => backend({ token: name })).toThrow('--token is the path of a file: use --token-file.');
    expect(backend({ token: `${name}-other` }).token).toBe(`${name}-other`);
    expect(() => backend({ token: `~/${path.relative(homedir(), name)}` })).toThrow('--token is the path of a file');
    expect(backend({ token: '~/no/such/file' }).token).toBe('~/no/such/file');
  });

  test.each([
    'c2VjcmV0LWtleQ==',
    'monkey+token==',
    'monkeytoken==',
    'ab/c+d=',
    'eyJhbGciOiJub25lIn0.eyJrZXkiOjF9.a-b_c',
    'user:pass',
    'pass=word',
    '{curly',
    '{curly}',
    '[square]',
    'bearer-token',
    'token=',
  ])('is accepted: %s', token => {
    expect(backend({ token }).token).toBe(token);
  });

  test('is read from a file without its trailing line break', () => {
    expect(backend({ 'token-file': file('from-a-file\n') }).token).toBe('from-a-file');
  });

  test.each([
    ['an empty file', '\n', 'is empty'],
    ['a large file', 'x'.repeat(9000), 'is too large to be a token'],
    ['a binary file', Buffer.from([1, 2, 3]), 'contains characters that are not visible ASCII'],
  ])('is rejected with the path of the file for %s', (_, content, problem) => {
    const name = file(content);
    expect(() => backend({ 'token-file': name })).toThrow(
      expect.objectContaining({ code: 'setting', message: expect.stringContaining(name) }),
    );
    expect(() => backend({ 'token-file': name })).toThrow(problem);
  });

  test.each([
    ['/nowhere/at/all', 'it does not exist (ENOENT)'],
    ['/', 'it is a folder (EISDIR)'],
  ])('is rejected if the file %s is unreadable, because %s', (name, reason) => {
    expect(() => backend({ 'token-file': name })).toThrow(`--token-file ${name} cannot be read: ${reason}.`);
  });

  test('is rejected if the path of its file is relative, and the hint states the absolute path', () => {
    expect(() => backend({ 'token-file': 'token.txt' })).toThrow(
      expect.objectContaining({
        message: '--token-file must be an absolute path, got "token.txt".',
        hint: expect.stringContaining(path.resolve('token.txt')),
      }),
    );
  });

  test('is rejected if --token and --token-file are both given', () => {
    expect(() => backend({ token: 'a', 'token-file': 'b' })).toThrow('--token and --token-file are both set.');
  });
});

describe('the warning about an unencrypted token', () => {
  const token = 'a-token-of-tests';
  test.each<[string, string, string | undefined, boolean]>([
    ['over http', 'http://judge.example', token, true],
    ['to another machine of the network', 'http://10.0.0.1:3000', token, true],
    ['to a host name that starts like a loopback address', 'http://127.0.0.1.example', token, true],
    ['to a host name that starts with localhost', 'http://localhost.example', token, true],
    ['without a token', 'http://judge.example', undefined, false],
    ['over https', 'https://judge.example', token, false],
    ['to localhost', 'http://localhost:3000', token, false],
    ['to a subdomain of localhost', 'http://judge.localhost', token, false],
    ['to a loopback address', 'http://127.0.0.2:3000', token, false],
    ['to the IPv6 loopback address', 'http://[::1]:3000', token, false],
  ])('is logged only if the token can be read in the network: %s (%s, token %s): %s', (_, url, given, isWarned) => {
    const said = createSettingsWarnings({
      provider: { kind: 'backend', origin: url, token: given },
      language: 'en',
      hasExtras: false,
      ignored: [],
    });
    expect(said.filter(warning => warning.includes('unencrypted'))).toEqual(
      isWarned ? [`the token goes to ${url} unencrypted: others on the network can read it`] : [],
    );
  });
});

test('the flag --demo requires no other setting', () => {
  expect(parseSettings({}, { isDemo: true })).toMatchObject({ provider: { kind: 'demo' } });
});

describe('--problems', () => {
  test('accepts absolute paths and the home folder', () => {
    const { provider } = parseSettings({ problems: ['/data/a.jsonl', '~/b'] }, serve);
    expect(provider).toEqual({ kind: 'collection', paths: [path.resolve('/data/a.jsonl'), path.join(homedir(), 'b')] });
  });

  test('rejects a relative path and states the absolute path', () => {
    expect(() => parseSettings({ problems: ['a.jsonl'] }, serve)).toThrow(
      expect.objectContaining({
        exitCode: 1,
        message: '--problems must be an absolute path, got "a.jsonl".',
        hint: expect.stringContaining(path.resolve('a.jsonl')),
      }),
    );
  });

  test('is rejected next to --demo', () => {
    expect(() => parseSettings({ problems: ['/a'] }, { isDemo: true })).toThrow(
      expect.objectContaining({ exitCode: 2, message: '--problems and --demo are both set.' }),
    );
  });

  test.each([
    ['--problems', { problems: ['/a'] }, serve],
    ['--demo', {}, { isDemo: true }],
  ])('warns that the flags of a backend are ignored because of %s, without their values', (flag, values, mode) => {
    const given = { 'base-url': 'http://user:pass@h', token: 'hunter2', 'token-file': '/token', ...values };
    expect(createSettingsWarnings(parseSettings(given, mode))).toEqual([
      `--base-url is ignored because of ${flag}`,
      `--token is ignored because of ${flag}`,
      `--token-file is ignored because of ${flag}`,
    ]);
  });
});

describe('the flag --oj-language', () => {
  test.each([
    [undefined, 'en'],
    ['en', 'en'],
    [' CN', 'cn'],
  ])('reads %j as %j', (value, language) => {
    expect(parseSettings({ 'base-url': 'http://h', 'oj-language': value }, serve)).toMatchObject({ language });
  });

  test.each(['zh', 'en,cn'])('rejects %j', value => {
    expect(() => parseSettings({ 'base-url': 'http://h', 'oj-language': value }, serve)).toThrow(
      expect.objectContaining({
        exitCode: 1,
        message: `--oj-language must be en or cn, got "${value}".`,
      }),
    );
  });
});
