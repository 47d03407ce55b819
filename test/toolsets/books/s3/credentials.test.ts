import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type {
  CredentialServiceRequest,
  Credentials,
} from '../../../../src/toolsets/books/storage/s3/credential-services.ts';
import { createCredentials } from '../../../../src/toolsets/books/storage/s3/credentials.ts';

const endless = { AWS_EC2_METADATA_DISABLED: 'true' };
const keys = { accessKeyId: 'AKID', secretAccessKey: 'secret' };

interface Home {
  files?: Record<string, string>;
  env?: Record<string, string>;
  answers?: (question: CredentialServiceRequest) => { status: number; text: string } | undefined;
  now?: () => number;
}

/** Creates a home folder with these files. The environment variables and the credential services are parameters. */
function homeWith({ files = {}, env = {}, answers, now = Date.now }: Home) {
  const home = mkdtempSync(path.join(tmpdir(), 'oj-mcp-test-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
    writeFileSync(path.join(home, name), text);
  }
  const asked: CredentialServiceRequest[] = [];
  const named = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replace('HOME', home)]));
  const credentials = createCredentials({
    env: { ...endless, ...named },
    home,
    now,
    ask: async question => {
      asked.push(question);
      const answer = answers?.(question);
      if (answer !== undefined) return answer;
      throw Object.assign(new Error('nobody there'), { code: 'ECONNREFUSED' });
    },
  });
  return { credentials, asked };
}

const sts = `<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials>
<AccessKeyId>AKID</AccessKeyId><SecretAccessKey>secret</SecretAccessKey><SessionToken>a&amp;b</SessionToken>
<Expiration>2030-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`;
const service = JSON.stringify({
  AccessKeyId: 'AKID',
  SecretAccessKey: 'secret',
  Token: 'token',
  Expiration: '2030-01-01T00:00:00Z',
});
const temporary = { ...keys, sessionToken: 'token', expiresMs: Date.UTC(2030, 0) };
const printer = `"${process.execPath}" -e "process.stdout.write(JSON.stringify({Version:1,AccessKeyId:'AKID',SecretAccessKey:'secret'}))"`;

describe('the credentials of the S3 client', () => {
  test.each<[string, Home, Partial<Credentials>]>([
    ['variables', { env: { AWS_ACCESS_KEY_ID: 'AKID', AWS_SECRET_ACCESS_KEY: 'secret' } }, keys],
    [
      'variables with a session token',
      { env: { AWS_ACCESS_KEY_ID: 'AKID', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'token' } },
      { ...keys, sessionToken: 'token' },
    ],
    [
      'variables take precedence over a profile',
      {
        env: { AWS_ACCESS_KEY_ID: 'AKID', AWS_SECRET_ACCESS_KEY: 'secret' },
        files: { '.aws/credentials': '[default]\naws_access_key_id = other\naws_secret_access_key = other\n' },
      },
      keys,
    ],
    [
      'the default profile',
      {
        files: {
          '.aws/credentials': '# mine\n[default]\r\naws_access_key_id=AKID\r\naws_secret_access_key = secret # old\n',
        },
      },
      keys,
    ],
    [
      'a named profile of the config file',
      {
        env: { AWS_PROFILE: 'work' },
        files: {
          '.aws/config':
            '[default]\nx=1\n[profile work]\naws_access_key_id=AKID\ns3 =\n  a = b\naws_secret_access_key=secret\n',
        },
      },
      keys,
    ],
    [
      'files at the paths of AWS variables',
      {
        env: { AWS_SHARED_CREDENTIALS_FILE: 'HOME/mine' },
        files: { mine: '[default]\naws_access_key_id=AKID\naws_secret_access_key=secret\n' },
      },
      keys,
    ],
    ['credential_process', { files: { '.aws/config': `[default]\ncredential_process = ${printer}\n` } }, keys],
    [
      'a web identity token',
      {
        env: { AWS_WEB_IDENTITY_TOKEN_FILE: 'HOME/token', AWS_ROLE_ARN: 'arn:role', AWS_REGION: 'eu-west-1' },
        files: { token: 'jwt\n' },
        answers: ({ url, body }) =>
          url === 'https://sts.eu-west-1.amazonaws.com/' &&
          body?.endsWith('&WebIdentityToken=jwt') === true &&
          body.includes('RoleArn=arn%3Arole')
            ? { status: 200, text: sts }
            : undefined,
      },
      { ...keys, sessionToken: 'a&b', expiresMs: Date.UTC(2030, 0) },
    ],
    [
      'the credentials endpoint of a container',
      {
        env: { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '/v2/role', AWS_CONTAINER_AUTHORIZATION_TOKEN: 'permit' },
        answers: ({ url, headers }) =>
          url === 'http://169.254.170.2/v2/role' && headers?.['authorization'] === 'permit'
            ? { status: 200, text: service }
            : undefined,
      },
      temporary,
    ],
    [
      'the metadata service of a virtual machine',
      {
        env: { AWS_EC2_METADATA_DISABLED: 'false' },
        answers: ({ method, url, headers }) => {
          const permit = headers?.['x-aws-ec2-metadata-token'];
          if (method === 'PUT') return { status: 200, text: 'permit' };
          if (url.endsWith('/security-credentials/')) return { status: 200, text: 'a role' };
          return permit === 'permit' && url.endsWith('/a%20role') ? { status: 200, text: service } : undefined;
        },
      },
      temporary,
    ],
  ])('are taken from the sources of the AWS tools: %s', async (_, home, expected) => {
    expect(await homeWith(home).credentials()).toMatchObject(expected);
  });

  test('cause an error that lists the known profiles if the selected one does not exist', async () => {
    const files = { '.aws/credentials': '[work]\naws_access_key_id=a\n', '.aws/config': '[profile home]\nregion=b\n' };
    const failure = await homeWith({ env: { AWS_PROFILE: 'wrok' }, files })
      .credentials()
      .catch((caught: unknown) => caught);
    expect(String(failure)).toContain('There is no AWS profile "wrok".');
    expect(failure).toMatchObject({ report: { suggestion: expect.stringContaining('Known profiles: work, home.') } });
  });

  test.each<[string, Home, string | RegExp]>([
    ['no source of credentials', {}, 'There are no credentials for the object store.'],
    [
      'a file of credentials that does not exist',
      { env: { AWS_SHARED_CREDENTIALS_FILE: 'HOME/gone' } },
      'There are no credentials for the object store: AWS_SHARED_CREDENTIALS_FILE names a missing file.',
    ],
    [
      'a file of credentials that is a folder',
      { env: { AWS_SHARED_CREDENTIALS_FILE: 'HOME' } },
      /^AWS_SHARED_CREDENTIALS_FILE: .* cannot be read: it is a folder \(EISDIR\)\.$/,
    ],
    [
      'a file of credentials without the selected profile',
      { files: { '.aws/credentials': '[work]\naws_access_key_id=AKID\n' } },
      /^There are no credentials for the object store: .*credentials has no keys below \[default\]\.$/,
    ],
    [
      'a missing file with a web identity',
      { env: { AWS_WEB_IDENTITY_TOKEN_FILE: '/gone', AWS_ROLE_ARN: 'arn:role' } },
      'AWS_WEB_IDENTITY_TOKEN_FILE: /gone cannot be read: it does not exist (ENOENT).',
    ],
    [
      'a missing file with the token of a container',
      {
        env: {
          AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://127.0.0.1/x',
          AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: '/gone',
        },
      },
      'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: /gone cannot be read: it does not exist (ENOENT).',
    ],
    [
      'the placeholder of --print-config',
      { env: { AWS_ACCESS_KEY_ID: 'AKID', AWS_SECRET_ACCESS_KEY: 'your-aws-secret-access-key' } },
      'AWS_SECRET_ACCESS_KEY is the placeholder of --print-config.',
    ],
    [
      'a machine without a metadata service',
      { env: { AWS_EC2_METADATA_DISABLED: 'false' } },
      'There are no credentials',
    ],
    [
      'half a profile',
      { files: { '.aws/credentials': '[default]\naws_access_key_id=AKID\n' } },
      'aws_access_key_id of the AWS profile "default" is set, but aws_secret_access_key is missing.',
    ],
    [
      'half of the variables',
      { env: { AWS_SECRET_ACCESS_KEY: 'secret' } },
      'AWS_SECRET_ACCESS_KEY is set, but AWS_ACCESS_KEY_ID is missing.',
    ],
    [
      'a web identity without a role',
      { env: { AWS_WEB_IDENTITY_TOKEN_FILE: 'HOME/token' }, files: { token: 'jwt' } },
      'AWS_WEB_IDENTITY_TOKEN_FILE is set, but AWS_ROLE_ARN is missing.',
    ],
    [
      'a role without a web identity',
      { env: { AWS_ROLE_ARN: 'arn:role' } },
      'AWS_ROLE_ARN is set, but AWS_WEB_IDENTITY_TOKEN_FILE is missing.',
    ],
    [
      'a session token without keys',
      { env: { AWS_SESSION_TOKEN: 'token' } },
      'AWS_SESSION_TOKEN is set, but AWS_ACCESS_KEY_ID is missing.',
    ],
    [
      'a profile with a web identity without a role',
      { files: { '.aws/config': '[default]\nweb_identity_token_file = /token\n' } },
      'web_identity_token_file of the AWS profile "default" is set, but role_arn is missing.',
    ],
    [
      'a profile without credentials',
      { env: { AWS_PROFILE: 'work' }, files: { '.aws/config': '[profile work]\nregion = eu-west-1\n' } },
      'There are no credentials for the object store: the AWS profile "work" has none.',
    ],
    [
      'the address of S3 in a section of services',
      { files: { '.aws/config': '[default]\nservices = local\n[services local]\ns3 =\n  endpoint_url = http://h\n' } },
      'The section [services local] of the AWS configuration is not supported.',
    ],
    ['an unknown profile', { env: { AWS_PROFILE: 'nobody' } }, 'There is no AWS profile "nobody".'],
    [
      'a profile that requires a login in the browser',
      { files: { '.aws/config': '[default]\nsso_session = company\n' } },
      'The sign-in method of this AWS profile is not supported.',
    ],
    [
      'a credential process that fails',
      { files: { '.aws/config': `[default]\ncredential_process = "${process.execPath}" -e "process.exit(3)"\n` } },
      'credential_process failed (exit code 3).',
    ],
    [
      'a credential process with invalid output',
      {
        files: {
          '.aws/config': `[default]\ncredential_process = "${process.execPath}" -e "console.log('secret stuff')"\n`,
        },
      },
      'The credentials of credential_process do not have the format of the AWS tools.',
    ],
    [
      'a rejected web identity',
      {
        env: { AWS_WEB_IDENTITY_TOKEN_FILE: 'HOME/token', AWS_ROLE_ARN: 'arn:role' },
        files: { token: 'jwt' },
        answers: () => ({ status: 403, text: '<Error><Code>AccessDenied</Code></Error>' }),
      },
      'The web identity was refused: 403 AccessDenied.',
    ],
    [
      'a service that does not respond',
      { env: { AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://127.0.0.1:1/role' } },
      'The credential service does not respond: Cannot reach http://127.0.0.1:1: nothing listens there (ECONNREFUSED).',
    ],
    [
      'a service whose address is not a URL',
      {
        env: { AWS_WEB_IDENTITY_TOKEN_FILE: 'HOME/token', AWS_ROLE_ARN: 'a', AWS_ENDPOINT_URL_STS: 'nonsense' },
        files: { token: 'jwt' },
      },
      'The address of the credential service is not a URL.',
    ],
    [
      'a key that was copied with its line break',
      { env: { AWS_ACCESS_KEY_ID: 'AKID', AWS_SECRET_ACCESS_KEY: 'secret\n' } },
      'The secret access key for the object store contains a line break.',
    ],
    [
      'a key that was copied with its name',
      { env: { AWS_ACCESS_KEY_ID: 'AWS_ACCESS_KEY_ID=AKID', AWS_SECRET_ACCESS_KEY: 'secret' } },
      'The access key id for the object store begins with a name and "=".',
    ],
    [
      'a placeholder',
      { env: { AWS_ACCESS_KEY_ID: 'AKID', AWS_SECRET_ACCESS_KEY: '<secret>' } },
      'The secret access key for the object store is a placeholder or markup.',
    ],
    [
      'a key in quotation marks',
      { env: { AWS_ACCESS_KEY_ID: 'AKID', AWS_SECRET_ACCESS_KEY: '"secret"' } },
      'The secret access key for the object store begins or ends with a quotation mark.',
    ],
    [
      'a session token in JSON',
      { env: { AWS_ACCESS_KEY_ID: 'AKID', AWS_SECRET_ACCESS_KEY: 's', AWS_SESSION_TOKEN: '{"SessionToken":"x"}' } },
      'The session token for the object store is JSON.',
    ],
    [
      'a container endpoint that would receive a token unencrypted',
      { env: { AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://example.com/role' } },
      'must start with https:// or be on this machine.',
    ],
  ])('cause an error that states the reason when they are missing or invalid: %s', async (_, home, sentence) => {
    await expect(homeWith(home).credentials()).rejects.toThrow(sentence);
  });

  test.each(["pass'", '"word', '{curly}', '[square]', 'monkeytoken==', 'a+b/c='])(
    'can be any visible ASCII characters, such as %s',
    async secret => {
      const { credentials } = homeWith({ env: { AWS_ACCESS_KEY_ID: 'AKID', AWS_SECRET_ACCESS_KEY: secret } });
      await expect(credentials()).resolves.toMatchObject({ secretAccessKey: secret });
    },
  );

  test.each(['AWS_SHARED_CREDENTIALS_FILE', 'AWS_CONFIG_FILE'])(
    'cause an error that names %s if it names a missing file and the profile is unknown',
    async variable => {
      const { credentials } = homeWith({ env: { AWS_PROFILE: 'work', [variable]: '/nowhere/file' } });
      await expect(credentials()).rejects.toMatchObject({
        remedy: `${variable} names a missing file. The user can correct ${variable} where the server is started.`,
      });
    },
  );

  test('are renewed before they expire, once for simultaneous calls, and stay in use if the renewal fails', async () => {
    let now = 0;
    let isDown = false;
    const { credentials, asked } = homeWith({
      now: () => now,
      env: { AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://127.0.0.1:1/role' },
      answers: () => {
        const expiration = new Date(now + 3_600_000).toISOString();
        return isDown ? undefined : { status: 200, text: service.replace('2030-01-01T00:00:00Z', expiration) };
      },
    });
    await Promise.all([credentials(), credentials(), credentials()]);
    expect(asked).toHaveLength(1);
    now = 50 * 60_000;
    await credentials();
    expect(asked).toHaveLength(1);
    now = 56 * 60_000;
    isDown = true;
    expect(await credentials()).toMatchObject(keys);
    expect(asked).toHaveLength(2);
    now = 61 * 60_000;
    await expect(credentials()).rejects.toThrow('nothing listens there');
  });
});
