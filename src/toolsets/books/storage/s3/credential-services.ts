import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { createNetworkFailure } from '../../../../http/network-error.ts';
import { readJson } from '../../../../text/json.ts';
import { parseUrl } from '../../../../text/url.ts';
import {
  type AwsEnvironment,
  createCredentialFailure,
  createIncompleteSettingsFailure,
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

const serviceMs = 5000;
/**
 * The time limit for the metadata service of a cloud machine. It is short, because the service responds immediately or
 * does not exist.
 */
const instanceMs = 1000;

/** A file with a token of another identity service, which AWS exchanges for the credentials of a role. */
interface WebIdentity {
  /** The environment variable or the setting that contains the path of the file. */
  source: string;
  file: string | undefined;
  role: string | undefined;
}

/** Exchanges the token of a web identity for credentials. Returns undefined if no token file is configured. */
export async function requestWebIdentityCredentials(
  around: CredentialEnvironment,
  { source, file, role }: WebIdentity,
): Promise<Credentials | undefined> {
  if (!file) return undefined;
  if (!role) throw createIncompleteSettingsFailure(source, 'AWS_ROLE_ARN');
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
  if (parseUrl(question.url) === undefined)
    throw createCredentialFailure('The address of the credential service is not a URL');
  try {
    return await ask(question);
  } catch (error) {
    if (!isStoreTransportError(error)) throw error;
    const { message } = createNetworkFailure(question.url, error, '');
    throw createCredentialFailure(`The credential service does not respond: ${message.replace(/\.$/, '')}`, {}, error);
  }
}

/** Requests credentials from the service of the container. Returns undefined if none is configured. */
export async function requestContainerCredentials(around: CredentialEnvironment): Promise<Credentials | undefined> {
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
  return parseCredentials(text, CredentialServiceAnswer, "The container's credentials");
}

/** Returns whether a token may be sent to this URL: over https, or to this machine. */
function isPrivate(url: string): boolean {
  const parsed = parseUrl(url);
  if (parsed === undefined) return false;
  const { protocol, hostname } = parsed;
  const own = ['localhost', '[::1]', '169.254.170.2', '169.254.170.23', '[fd00:ec2::23]'];
  return protocol === 'https:' || own.includes(hostname) || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Requests credentials from the metadata service of a cloud machine. Returns undefined on other machines. */
export async function requestMachineCredentials({ env, ask }: CredentialEnvironment): Promise<Credentials | undefined> {
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
    return answer.status === 200
      ? parseCredentials(answer.text, CredentialServiceAnswer, "The machine's credentials")
      : undefined;
  } catch (error) {
    // If no connection is possible, the machine is not a cloud machine with a metadata service.
    if (isStoreTransportError(error)) return undefined;
    throw error;
  }
}

/** The credentials in the response of a container or machine credential service. */
export const CredentialServiceAnswer = v.object({
  AccessKeyId: v.string(),
  SecretAccessKey: v.string(),
  Token: v.optional(v.string()),
  Expiration: v.optional(v.string()),
});

/** A schema whose output has the fields of a credential service. */
type CredentialSchema = v.GenericSchema<unknown, v.InferOutput<typeof CredentialServiceAnswer>>;

/** Parses credentials. `who` is the subject of the error message. */
export function parseCredentials(text: string, schema: CredentialSchema, who: string): Credentials {
  const result = v.safeParse(schema, readJson(text));
  // The error does not contain the response, because it may contain secrets.
  if (!result.success) throw createCredentialFailure(`${who} do not have the format of the AWS tools`);
  const { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, Token, Expiration } = result.output;
  const expiresMs = Expiration === undefined ? undefined : Date.parse(Expiration);
  return { accessKeyId, secretAccessKey, sessionToken: Token, expiresMs };
}
