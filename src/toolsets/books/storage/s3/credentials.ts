import { exec } from 'node:child_process';
import * as v from 'valibot';
import { describeSecretFault } from '../../../../toolset/flag-value.ts';
import {
  type CredentialEnvironment,
  CredentialServiceAnswer,
  type Credentials,
  parseCredentials,
  requestContainerCredentials,
  requestMachineCredentials,
  requestWebIdentityCredentials,
} from './credential-services.ts';
import {
  createCredentialFailure,
  createIncompleteSettingsFailure,
  describeMissingCredentials,
  readAwsProfile,
} from './profile.ts';

/** Temporary credentials are renewed this number of milliseconds before they expire. */
const earlyMs = 5 * 60_000;
const processMs = 60_000;

/** Returns credentials from the cache, or new ones if the cached ones expire soon or the store rejected them. */
export type CredentialSource = (refused?: Credentials) => Promise<Credentials>;

/**
 * Finds credentials in the same places as the AWS tools, caches and renews them. Concurrent calls share one request.
 */
export function createCredentials(around: CredentialEnvironment): CredentialSource {
  let known: Credentials | undefined;
  let fetching: Promise<Credentials> | undefined;
  return async refused => {
    if (known === refused) known = undefined;
    const left = known?.expiresMs === undefined ? Number.POSITIVE_INFINITY : known.expiresMs - around.now();
    if (known !== undefined && left > earlyMs) return known;
    fetching ??= findCredentials(around).finally(() => {
      fetching = undefined;
    });
    try {
      known = await fetching;
    } catch (error) {
      // An error during the renewal is ignored while the cached credentials are still valid.
      if (known === undefined || left <= 0) throw error;
    }
    return known;
  };
}

/**
 * Searches credentials in the order of the AWS tools: environment variables, the profile, a web identity, the container
 * service, the metadata service of the machine.
 */
async function findCredentials(around: CredentialEnvironment): Promise<Credentials> {
  const found =
    fromVariables(around) ??
    (await fromProfile(around)) ??
    (await requestWebIdentityCredentials(around, {
      source: 'AWS_WEB_IDENTITY_TOKEN_FILE',
      file: around.env['AWS_WEB_IDENTITY_TOKEN_FILE'],
      role: around.env['AWS_ROLE_ARN'],
    })) ??
    (await requestContainerCredentials(around)) ??
    (await requestMachineCredentials(around));
  if (found !== undefined) return requirePlain(found);
  throw await noCredentialsFailure(around);
}

async function noCredentialsFailure(around: CredentialEnvironment): Promise<Error> {
  const { env } = around;
  if (env['AWS_ROLE_ARN']) return createIncompleteSettingsFailure('AWS_ROLE_ARN', 'AWS_WEB_IDENTITY_TOKEN_FILE');
  if (env['AWS_SESSION_TOKEN']) return createIncompleteSettingsFailure('AWS_SESSION_TOKEN', 'AWS_ACCESS_KEY_ID');
  const fault = await describeMissingCredentials(around);
  const place = fault === undefined ? '' : `: ${fault}`;
  return createCredentialFailure(`There are no credentials for the object store${place}`, {
    suggestion:
      'The user can set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, where the server is started.',
  });
}

/**
 * Returns the access key and the secret key, or undefined if there is none. If only one is set, an error is thrown,
 * because other credentials would be used.
 */
function readKeyPair(
  read: (name: string) => string | undefined,
  [idName, secretName]: readonly [string, string],
  place = '',
): Pick<Credentials, 'accessKeyId' | 'secretAccessKey'> | undefined {
  const [accessKeyId, secretAccessKey] = [read(idName), read(secretName)];
  if (!accessKeyId && !secretAccessKey) return undefined;
  if (!accessKeyId) throw createIncompleteSettingsFailure(secretName + place, idName);
  if (!secretAccessKey) throw createIncompleteSettingsFailure(idName + place, secretName);
  return { accessKeyId, secretAccessKey };
}

/** Rejects values that are no secret alone, such as a key that was copied with its line break. */
function requirePlain(found: Credentials): Credentials {
  const { accessKeyId, secretAccessKey, sessionToken = '' } = found;
  const parts = { 'access key id': accessKeyId, 'secret access key': secretAccessKey, 'session token': sessionToken };
  if (secretAccessKey.startsWith('your-aws-')) {
    throw createCredentialFailure('AWS_SECRET_ACCESS_KEY is the placeholder of --print-config', {
      suggestion: 'The user can replace it by the real value in the configuration of the host.',
    });
  }
  for (const [name, part] of Object.entries(parts)) {
    // A password of an object store can contain any visible ASCII characters, also a quotation mark at one end.
    const fault = describeSecretFault(part, /^(["'`]).*\1$/);
    if (fault !== undefined) throw createCredentialFailure(`The ${name} for the object store ${fault}`);
  }
  return found;
}

function fromVariables({ env }: CredentialEnvironment): Credentials | undefined {
  const keys = readKeyPair(name => env[name], ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']);
  return keys && { ...keys, sessionToken: env['AWS_SESSION_TOKEN'] || undefined };
}

async function fromProfile(around: CredentialEnvironment): Promise<Credentials | undefined> {
  const profile = await readAwsProfile(around);
  if (profile === undefined) return undefined;
  const place = ` of the AWS profile ${JSON.stringify(around.env['AWS_PROFILE'] || 'default')}`;
  const keys = readKeyPair(name => profile.get(name), ['aws_access_key_id', 'aws_secret_access_key'], place);
  if (keys !== undefined) return { ...keys, sessionToken: profile.get('aws_session_token') };
  const command = profile.get('credential_process');
  if (command) return await fromProcess(command);
  const tokenFile = profile.get('web_identity_token_file');
  const role = profile.get('role_arn');
  if (tokenFile && !role) throw createIncompleteSettingsFailure(`web_identity_token_file${place}`, 'role_arn');
  if (tokenFile) {
    return await requestWebIdentityCredentials(around, {
      source: `web_identity_token_file${place}`,
      file: tokenFile,
      role,
    });
  }
  if (profile.has('sso_session') || profile.has('sso_start_url') || profile.has('role_arn')) {
    throw createCredentialFailure('The sign-in method of this AWS profile is not supported', {
      suggestion:
        'The user can run: aws configure export-credentials --format env, and start the server with the printed variables.',
    });
  }
  return undefined;
}

/** Runs the command `credential_process` in a shell, as the AWS tools do. */
async function fromProcess(command: string): Promise<Credentials> {
  const output = await new Promise<string>((resolve, reject) => {
    exec(command, { timeout: processMs, windowsHide: true }, (error, stdout) => {
      if (error === null) resolve(stdout);
      // The error does not contain the output of the command, because it may contain secrets.
      else reject(createCredentialFailure(`credential_process failed (exit code ${error.code ?? 'unknown'})`));
    });
  });
  return parseCredentials(output, ProcessOutput, 'The credentials of credential_process');
}

/** The output of a `credential_process`, which has another name for the session token. */
const ProcessOutput = v.pipe(
  v.object({ ...CredentialServiceAnswer.entries, Version: v.literal(1), SessionToken: v.optional(v.string()) }),
  v.transform(({ SessionToken, ...answer }) => ({ ...answer, Token: SessionToken })),
);
