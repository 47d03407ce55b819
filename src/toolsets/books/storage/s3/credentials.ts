import { exec } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { createNetworkFailure } from '../../../../http/network-error.ts';
import { readJson } from '../../../../text/json.ts';
import {
  type AwsEnvironment,
  createCredentialFailure,
  describeMissingCredentials,
  readAwsProfile,
  throwUnreadableAwsFile,
} from './profile.ts';
import { isStoreTransportError } from './response.ts';
import { findFirstElementText } from './xml.ts';

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
  /** The time at which temporary credentials expire. */
  expiresMs?: number | undefined;
}

/** The environment variables of the AWS tools, and a function that sends requests to credential services. */
export interface CredentialEnvironment extends AwsEnvironment {
  ask: (question: CredentialServiceRequest) => Promise<{ status: number; text: string }>;
  now: () => number;
}

export interface CredentialServiceRequest {
  method: 'GET' | 'POST' | 'PUT';
  url: string;
  headers?: Record<string, string>;
  body?: string;
  timeoutMs: number;
}

/** Temporary credentials are renewed this number of milliseconds before they expire. */
const earlyMs = 5 * 60_000;
const processMs = 60_000;
const serviceMs = 5000;
/**
 * The time limit for the metadata service of a cloud machine. It is short, because the service responds immediately or
 * does not exist.
 */
const instanceMs = 1000;

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
    (await fromWebIdentity(around, {
      source: 'AWS_WEB_IDENTITY_TOKEN_FILE',
      file: around.env['AWS_WEB_IDENTITY_TOKEN_FILE'],
      role: around.env['AWS_ROLE_ARN'],
    })) ??
    (await fromContainer(around)) ??
    (await fromMachine(around));
  if (found !== undefined) return requirePlain(found);
  throw await noCredentialsFailure(around);
}

async function noCredentialsFailure(around: CredentialEnvironment): Promise<Error> {
  const { env } = around;
  if (env['AWS_ROLE_ARN']) return incompleteFailure('AWS_ROLE_ARN', 'AWS_WEB_IDENTITY_TOKEN_FILE');
  if (env['AWS_SESSION_TOKEN']) return incompleteFailure('AWS_SESSION_TOKEN', 'AWS_ACCESS_KEY_ID');
  const fault = await describeMissingCredentials(around);
  const place = fault === undefined ? '' : `: ${fault}`;
  return createCredentialFailure(`There are no credentials for the object store${place}`, {
    suggestion:
      'The user can set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, where the server is started.',
  });
}

function incompleteFailure(present: string, missing: string): Error {
  return createCredentialFailure(`${present} is set, but ${missing} is missing`, {
    suggestion: `The user can add ${missing}, or remove ${present}, where the server is started.`,
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
  if (!accessKeyId) throw incompleteFailure(secretName + place, idName);
  if (!secretAccessKey) throw incompleteFailure(idName + place, secretName);
  return { accessKeyId, secretAccessKey };
}

/** Rejects values that a header cannot contain, such as a key that was copied with its line break. */
function requirePlain(found: Credentials): Credentials {
  const { accessKeyId, secretAccessKey, sessionToken = '' } = found;
  const parts = { 'access key id': accessKeyId, 'secret access key': secretAccessKey, 'session token': sessionToken };
  const wrong = Object.entries(parts).find(([, part]) => !/^[\x21-\x7e]*$/.test(part));
  if (secretAccessKey.startsWith('your-aws-')) {
    throw createCredentialFailure('AWS_SECRET_ACCESS_KEY is the placeholder of --print-config', {
      suggestion: 'The user can replace it by the real value in the configuration of the host.',
    });
  }
  if (wrong === undefined) return found;
  throw createCredentialFailure(
    `The ${wrong[0]} for the object store contains white space or other invalid characters`,
  );
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
  if (tokenFile && !role) throw incompleteFailure(`web_identity_token_file${place}`, 'role_arn');
  if (tokenFile) {
    return await fromWebIdentity(around, { source: `web_identity_token_file${place}`, file: tokenFile, role });
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
  return readCredentials(output, ProcessOutput, 'The credentials of credential_process');
}

/** A file with a token of another identity service, which AWS exchanges for the credentials of a role. */
interface WebIdentity {
  /** The environment variable or the setting that contains the path of the file. */
  source: string;
  file: string | undefined;
  role: string | undefined;
}

async function fromWebIdentity(
  around: CredentialEnvironment,
  { source, file, role }: WebIdentity,
): Promise<Credentials | undefined> {
  if (!file) return undefined;
  if (!role) throw incompleteFailure(source, 'AWS_ROLE_ARN');
  const { env } = around;
  const region = env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || 'us-east-1';
  const body = new URLSearchParams({
    Action: 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    RoleArn: role,
    RoleSessionName: env['AWS_ROLE_SESSION_NAME'] || 'oj-mcp',
    WebIdentityToken: (await readFile(file, 'utf8').catch(throwUnreadableAwsFile(file, source))).trim(),
  }).toString();
  const { status, text } = await askConfigured(around, {
    method: 'POST',
    url: env['AWS_ENDPOINT_URL_STS'] || `https://sts.${region}.amazonaws.com/`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
    timeoutMs: serviceMs,
  });
  const accessKeyId = findFirstElementText(text, 'AccessKeyId');
  const secretAccessKey = findFirstElementText(text, 'SecretAccessKey');
  if (status !== 200 || accessKeyId === undefined || secretAccessKey === undefined) {
    throw createCredentialFailure(
      `The web identity was refused: ${status} ${findFirstElementText(text, 'Code') ?? ''}`.trim(),
    );
  }
  const expiration = findFirstElementText(text, 'Expiration');
  return {
    accessKeyId,
    secretAccessKey,
    sessionToken: findFirstElementText(text, 'SessionToken'),
    expiresMs: expiration === undefined ? undefined : Date.parse(expiration),
  };
}

/** Sends a request to a credential service. A failure is an error, because the user has configured the service. */
async function askConfigured(
  { ask }: CredentialEnvironment,
  question: CredentialServiceRequest,
): Promise<{ status: number; text: string }> {
  if (!URL.canParse(question.url)) throw createCredentialFailure('The address of the credential service is not a URL');
  try {
    return await ask(question);
  } catch (error) {
    if (!isStoreTransportError(error)) throw error;
    const { message } = createNetworkFailure(question.url, error, '');
    throw createCredentialFailure(`The credential service does not respond: ${message.replace(/\.$/, '')}`, {}, error);
  }
}

async function fromContainer(around: CredentialEnvironment): Promise<Credentials | undefined> {
  const { env } = around;
  const relative = env['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI'];
  const url = relative ? `http://169.254.170.2${relative}` : env['AWS_CONTAINER_CREDENTIALS_FULL_URI'];
  if (!url) return undefined;
  if (!isPrivate(url))
    throw createCredentialFailure('AWS_CONTAINER_CREDENTIALS_FULL_URI must start with https:// or be on this machine');
  const variable = 'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE';
  const tokenFile = env[variable];
  const token = tokenFile
    ? (await readFile(tokenFile, 'utf8').catch(throwUnreadableAwsFile(tokenFile, variable))).trim()
    : env['AWS_CONTAINER_AUTHORIZATION_TOKEN'];
  const headers = token ? { authorization: token } : {};
  const { status, text } = await askConfigured(around, { method: 'GET', url, headers, timeoutMs: serviceMs });
  if (status !== 200) throw createCredentialFailure(`The container's credentials were refused: ${status}`);
  return readCredentials(text, ServiceAnswer, "The container's credentials");
}

/** Returns whether a token may be sent to this URL: over https, or to this machine. */
function isPrivate(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  const own = ['localhost', '[::1]', '169.254.170.2', '169.254.170.23', '[fd00:ec2::23]'];
  return protocol === 'https:' || own.includes(hostname) || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

async function fromMachine({ env, ask }: CredentialEnvironment): Promise<Credentials | undefined> {
  if (env['AWS_EC2_METADATA_DISABLED']?.toLowerCase() === 'true') return undefined;
  const service = (env['AWS_EC2_METADATA_SERVICE_ENDPOINT'] || 'http://169.254.169.254').replace(/\/$/, '');
  const base = `${service}/latest/meta-data/iam/security-credentials/`;
  try {
    const permit = await ask({
      method: 'PUT',
      url: `${service}/latest/api/token`,
      headers: { 'x-aws-ec2-metadata-token-ttl-seconds': '300' },
      timeoutMs: instanceMs,
    });
    if (permit.status !== 200) return undefined;
    const headers = { 'x-aws-ec2-metadata-token': permit.text.trim() };
    const roles = await ask({ method: 'GET', url: base, headers, timeoutMs: instanceMs });
    const role = roles.text.split('\n', 1)[0]?.trim();
    if (roles.status !== 200 || !role) return undefined;
    const answer = await ask({ method: 'GET', url: base + encodeURIComponent(role), headers, timeoutMs: instanceMs });
    return answer.status === 200 ? readCredentials(answer.text, ServiceAnswer, "The machine's credentials") : undefined;
  } catch (error) {
    // If no connection is possible, the machine is not a cloud machine with a metadata service.
    if (isStoreTransportError(error)) return undefined;
    throw error;
  }
}

/** The credentials in the response of a container or machine credential service. */
const ServiceAnswer = v.object({
  AccessKeyId: v.string(),
  SecretAccessKey: v.string(),
  Token: v.optional(v.string()),
  Expiration: v.optional(v.string()),
});

/** The output of a `credential_process`, which has another name for the session token. */
const ProcessOutput = v.pipe(
  v.object({ ...ServiceAnswer.entries, Version: v.literal(1), SessionToken: v.optional(v.string()) }),
  v.transform(({ SessionToken, ...answer }) => ({ ...answer, Token: SessionToken })),
);

function readCredentials(text: string, schema: typeof ServiceAnswer | typeof ProcessOutput, who: string): Credentials {
  const result = v.safeParse(schema, readJson(text));
  // The error does not contain the response, because it may contain secrets.
  if (!result.success) throw createCredentialFailure(`${who} do not have the format of the AWS tools`);
  const { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, Token, Expiration } = result.output;
  const expiresMs = Expiration === undefined ? undefined : Date.parse(Expiration);
  return { accessKeyId, secretAccessKey, sessionToken: Token, expiresMs };
}
