import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { reasonOf } from '../../../../errors/reason.ts';
import { systemErrorCodeOf } from '../../../../errors/system-error.ts';
import { createStorageFailure } from '../../model/refusal.ts';

/** The environment variables of the AWS tools, and the home folder of the user. */
export interface AwsEnvironment {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
}

/** The settings in one section of an AWS configuration file, by name. */
type Profile = ReadonlyMap<string, string>;

/**
 * Parses `~/.aws/credentials` or `~/.aws/config`. Indented lines are details of the previous setting and are ignored.
 */
function readProfiles(text: string): Map<string, Map<string, string>> {
  const profiles = new Map<string, Map<string, string>>();
  let current: Map<string, string> | undefined;
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(?:[#;]|$)/.test(line)) continue;
    if (line.startsWith('[')) {
      const title = line.slice(1, line.includes(']') ? line.indexOf(']') : undefined).trim();
      const name = title.startsWith('profile ') ? title.slice('profile '.length).trim() : title;
      current = profiles.get(name) ?? new Map();
      profiles.set(name, current);
      continue;
    }
    const equals = line.indexOf('=');
    if (equals === -1 || /^\s/.test(line)) continue;
    const value = line.slice(equals + 1);
    const comment = value.search(/\s[#;]/);
    current?.set(line.slice(0, equals).trim().toLowerCase(), (comment === -1 ? value : value.slice(0, comment)).trim());
  }
  return profiles;
}

/**
 * Merges the settings of a profile from both files. The credentials file takes precedence. A missing profile is an
 * error if it is required.
 */
function profileOf(
  name: string,
  isRequired: boolean,
  credentialsText: string,
  configText: string,
  missingFile: string | undefined,
): Profile | undefined {
  const [secrets, config] = [readProfiles(credentialsText), readProfiles(configText)];
  const [own, shared] = [secrets.get(name), config.get(name)];
  if (own === undefined && shared === undefined) {
    if (!isRequired) return undefined;
    const names = new Set([...secrets.keys(), ...config.keys()]);
    const known = names.size === 0 ? 'The AWS files contain no profiles' : `Known profiles: ${[...names].join(', ')}`;
    const fault = missingFile === undefined ? known : `${missingFile} names a missing file`;
    throw createCredentialFailure(`There is no AWS profile ${JSON.stringify(name)}`, {
      suggestion: `${fault}. The user can correct ${missingFile ?? 'AWS_PROFILE'} where the server is started.`,
    });
  }
  const services = `services ${shared?.get('services') ?? ''}`;
  if (config.get(services)?.has('s3') === true && !shared?.has('endpoint_url')) {
    throw createCredentialFailure(`The section [${services}] of the AWS configuration is not supported`, {
      suggestion: 'The user can set --books-s3-endpoint, or endpoint_url in the profile itself.',
    });
  }
  return new Map([...(shared ?? []), ...(own ?? [])]);
}

/** Returns the selected AWS profile, or undefined if none is selected and there is no default profile. */
export async function readAwsProfile({ env, home }: AwsEnvironment): Promise<Profile | undefined> {
  const name = env['AWS_PROFILE'] || 'default';
  return profileOf(
    name,
    Boolean(env['AWS_PROFILE']),
    await textOfFile({ env, home }, 'AWS_SHARED_CREDENTIALS_FILE'),
    await textOfFile({ env, home }, 'AWS_CONFIG_FILE'),
    findMissingFile(env),
  );
}

const standardFileNames = { AWS_SHARED_CREDENTIALS_FILE: 'credentials', AWS_CONFIG_FILE: 'config' } as const;

/**
 * Returns the reason why the files of the AWS tools contain no credentials, or undefined if there are no such files.
 */
export async function describeMissingCredentials(around: AwsEnvironment): Promise<string | undefined> {
  const { env } = around;
  const name = env['AWS_PROFILE'];
  if (name) return `the AWS profile ${JSON.stringify(name)} has none`;
  // A missing file is not an error until this point, because users also name a missing file to exclude the files of the
  // AWS tools.
  const gone = findMissingFile(env);
  if (gone !== undefined) return `${gone} names a missing file`;
  const text = await textOfFile(around, 'AWS_SHARED_CREDENTIALS_FILE');
  return text === '' ? undefined : `${fileOf(around, 'AWS_SHARED_CREDENTIALS_FILE')} has no keys below [default]`;
}

/** Returns the variable that names a file that does not exist. */
function findMissingFile(env: AwsEnvironment['env']): string | undefined {
  return Object.keys(standardFileNames).find(variable => env[variable] && !existsSync(env[variable]));
}

function fileOf({ env, home }: AwsEnvironment, variable: keyof typeof standardFileNames): string {
  return env[variable] || path.join(home, '.aws', standardFileNames[variable]);
}

async function textOfFile(around: AwsEnvironment, variable: keyof typeof standardFileNames): Promise<string> {
  const file = fileOf(around, variable);
  // Without a home folder, the AWS files do not exist. A relative path would mean the working directory.
  if (!path.isAbsolute(file)) return '';
  return await readFile(file, 'utf8').catch((error: unknown) => {
    if (systemErrorCodeOf(error) === 'ENOENT') return '';
    return throwUnreadableAwsFile(file, around.env[variable] ? variable : undefined)(error);
  });
}

/** Throws the error for an unreadable file. `source` is the variable or setting that contains its path. */
export function throwUnreadableAwsFile(file: string, source?: string): (error: unknown) => never {
  return error => {
    const subject = source === undefined ? file : `${source}: ${file}`;
    throw createCredentialFailure(
      `${subject} cannot be read: ${reasonOf(systemErrorCodeOf(error) ?? '', 'for an unknown reason')}`,
      {},
      error,
    );
  };
}

/** Creates the error for missing or unusable credentials. */
export function createCredentialFailure(sentence: string, facts: { suggestion?: string } = {}, cause?: unknown): Error {
  const suggestion = 'The user can check the AWS variables and the AWS profile where the server is started.';
  return createStorageFailure('UNAVAILABLE', `${sentence}.`, { suggestion, ...facts }, cause);
}

/** Creates the error for a setting that has no effect, because another setting is missing. */
export function createIncompleteSettingsFailure(present: string, missing: string): Error {
  return createCredentialFailure(`${present} is set, but ${missing} is missing`, {
    suggestion: `The user can add ${missing}, or remove ${present}, where the server is started.`,
  });
}
