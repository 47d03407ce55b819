import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { systemErrorCode } from '../../../../errors/system-error.ts';
import { createStorageFailure } from '../../model/refusal.ts';

/** The environment variables of the AWS tools, and the home folder of the user. */
export interface AwsEnvironment {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
}

/** The settings in one section of an AWS configuration file, by name. */
type Profile = ReadonlyMap<string, string>;

/** Parses `~/.aws/credentials` or `~/.aws/config`. Indented lines belong to the setting above them and are ignored. */
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

/** Merges the settings of a profile from both files. Those in the credentials file take precedence. */
function profileOf(name: string, credentialsText: string, configText: string): Profile | undefined {
  const own = readProfiles(credentialsText).get(name);
  const shared = readProfiles(configText).get(name);
  if (own === undefined && shared === undefined) return undefined;
  return new Map([...(shared ?? []), ...(own ?? [])]);
}

/** Returns the selected AWS profile, or undefined if none is selected and there is no default profile. */
export async function readAwsProfile({ env, home }: AwsEnvironment): Promise<Profile | undefined> {
  const name = env['AWS_PROFILE'] || 'default';
  const profile = profileOf(
    name,
    await textOfFile(env['AWS_SHARED_CREDENTIALS_FILE'] || path.join(home, '.aws', 'credentials')),
    await textOfFile(env['AWS_CONFIG_FILE'] || path.join(home, '.aws', 'config')),
  );
  if (profile === undefined && env['AWS_PROFILE'])
    throw createCredentialFailure(`There is no AWS profile ${JSON.stringify(name)}`);
  return profile;
}

async function textOfFile(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch((error: unknown) => {
    if (systemErrorCode(error) === 'ENOENT') return '';
    return throwUnreadableAwsFile(file)(error);
  });
}

export function throwUnreadableAwsFile(file: string): (error: unknown) => never {
  return error => {
    throw createCredentialFailure(`${file} cannot be read (${systemErrorCode(error) ?? 'unknown'})`, {}, error);
  };
}

/** Creates the error for missing or unusable credentials. */
export function createCredentialFailure(sentence: string, facts: { suggestion?: string } = {}, cause?: unknown): Error {
  const suggestion = 'The user can check the AWS variables and the AWS profile where the server is started.';
  return createStorageFailure('UNAVAILABLE', `${sentence}.`, { suggestion, ...facts }, cause);
}
