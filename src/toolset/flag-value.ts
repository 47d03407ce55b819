import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure } from '../errors/failure.ts';
import { shortenText } from '../text/truncate.ts';

/** Creates the error for an invalid value of a flag. The sentence names the flag and has no full stop. */
export function badValue(sentence: string, given?: string, hint?: string): Failure {
  const shown = given === undefined ? undefined : maskAddress(given);
  const got = shown === undefined ? '' : `, got ${JSON.stringify(shortenText(shown))}`;
  return new Failure('setting', `${sentence}${got}.`, hint === undefined ? {} : { hint });
}

/** Hides the user and the query of a URL, because they can contain a secret. */
function maskAddress(given: string): string {
  return given.replace(/\/\/[^/@]*@/g, '//…@').replace(/(:\/\/[^?#]*[?#]).+/s, '$1…');
}

/** Returns the error text for a URL that is invalid because its port is too large. */
export function describeBadPort(address: string): string | undefined {
  const port = /^[a-z]+:\/\/[^/?#]*:(\d{5,})(?=$|[/?#])/i.exec(address)?.[1];
  return Number(port) > 65_535 ? `has the port ${port}, but the largest port is 65535` : undefined;
}

export function readWholeNumberFlag(
  flag: string,
  given: string | undefined,
  { standard, min, max }: { standard: number; min: number; max: number },
): number {
  if (given === undefined) return standard;
  const number = /^\d{1,9}$/.test(given.trim()) ? Number(given) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw badValue(`--${flag} must be a whole number from ${min} to ${max}`, given);
}

export function readChoiceFlag<const Choice extends string>(
  flag: string,
  given: string,
  choices: readonly Choice[],
): Choice {
  const wanted = given.trim().toLowerCase();
  const choice = choices.find(candidate => candidate === wanted);
  if (choice !== undefined) return choice;
  throw badValue(`--${flag} must be ${choices.join(' or ')}`, given);
}

/**
 * Parses a flag whose value is a path. Relative paths are rejected, because hosts start servers in different folders.
 */
export function requireAbsolutePath(flag: string, given: string): string {
  const expanded = expandHomeFolder(flag, given);
  if (path.isAbsolute(expanded)) return path.resolve(expanded);
  const hint = isWindowsPath.test(given)
    ? `This is a path of Windows, and the server runs on ${process.platform}. In WSL, C:\\ is /mnt/c/.`
    : `A host may start the server in any working directory. From this one it is ${path.resolve(expanded)}.`;
  throw badValue(`--${flag} must be an absolute path`, given, hint);
}

/**
 * Returns whether a text in place of a path can be a secret: the file does not exist, and the text has no file
 * extension.
 */
export function mayBeSecret(given: string): boolean {
  return /^[\w+=][\w+/=.-]*(?<!\.[a-z]{1,5})$/i.test(given) && !existsSync(given);
}

/**
 * Returns what is wrong with the text of a secret, for example that it is copied together with its name. By default a
 * single quotation mark at either end is wrong.
 */
export function describeSecretFault(text: string, wrongQuotes = /^["'`]|["'`]$/): string | undefined {
  const fault = secretFaults.find(([pattern]) => pattern.test(text))?.[1];
  return fault ?? (wrongQuotes.test(text) ? 'begins or ends with a quotation mark' : undefined);
}

const secretFaults: readonly (readonly [RegExp, string])[] = [
  [/^(?:\{\s*["'}]|\[\s*["'{\]]).*[}\]]$/s, 'is JSON'],
  [/^<.*>$|^\$\{.*\}$/s, 'is a placeholder or markup'],
  [/^https?:\/\//i, 'is an address'],
  [/^(?:authorization: *)?bearer /i, 'begins with "Bearer"'],
  [/[\r\n]/, 'contains a line break'],
  // The equals signs at the end of a text in base64 follow no name.
  [/^(?:export |\$env:)?\w*(?:token|key|secret)\w* *=+[^=]/i, 'begins with a name and "="'],
  [/\s/, 'contains white space'],
  [/[^\x21-\x7e]/, 'contains characters that are not visible ASCII'],
];

const isWindowsPath = /^(?:[A-Za-z]:[\\/]|\\\\)/;

/**
 * Returns the home folder of the user. If HOME is empty, it would otherwise be the working directory, which depends on
 * the host.
 */
export function requireHomeFolder(reason: string): string {
  const home = homedir();
  if (path.isAbsolute(home)) return home;
  const variable = process.platform === 'win32' ? 'USERPROFILE' : 'HOME';
  throw new Failure('setting', `${reason}, but the home folder is not known: ${variable} is ${JSON.stringify(home)}.`, {
    hint: `Set ${variable} to the full path of your home folder.`,
  });
}

/** Converts `~` and file:// URLs into a path. The path can be relative. */
export function expandHomeFolder(flag: string, given: string): string {
  const [home, user] = /^~([^\\/]*)/.exec(given) ?? [];
  if (home !== undefined) {
    if (user === '') return path.join(requireHomeFolder(`--${flag} begins with "~"`), given.slice(1));
    const sentence = `--${flag} begins with ${JSON.stringify(home)}, which only a shell replaces by a home folder`;
    throw badValue(sentence, undefined, 'Write the full path.');
  }
  if (/^file:/i.test(given)) return pathOfUrl(flag, given);
  // The message does not repeat a URL, because it can contain a password. One letter before a colon is a drive of
  // Windows.
  if (/^[\w.+-]{2,}:\//.test(given)) {
    const hint = 'Write a path. A network share must be mounted first.';
    throw badValue(`--${flag} must be a path on this machine, not an address`, undefined, hint);
  }
  return given;
}

function pathOfUrl(flag: string, given: string): string {
  try {
    return fileURLToPath(given);
  } catch (error) {
    // Node throws errors of three classes for invalid URLs.
    if (!(error instanceof Error)) throw error;
    throw badValue(`--${flag} is a file:// address without a valid path`, given, 'Write the path, without file://.');
  }
}

const environmentVariablePrefix = 'OJ_MCP_';

/** Returns the name of the environment variable for a flag. */
export function environmentVariableOfFlag(flag: string): string {
  return environmentVariablePrefix + flag.replaceAll('-', '_').toUpperCase();
}

/** Returns the flag of an environment variable with the prefix of this program. */
export function flagOfVariable(variable: string): string {
  return variable.slice(environmentVariablePrefix.length).toLowerCase().replaceAll('_', '-');
}
