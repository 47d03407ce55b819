import { homedir } from 'node:os';
import path from 'node:path';
import { Failure } from '../errors/failure.ts';
import { shortenText } from '../text/truncate.ts';

/** Returns both names of a flag for an error message, because the flag or its environment variable can be the source. */
export function flagNames(flag: string): string {
  return `--${flag} (${variableName(flag)})`;
}

/** Creates the error for an invalid value of a flag. The sentence names the flag and has no full stop. */
export function badValue(sentence: string, given?: string, hint?: string): Failure {
  const got = given === undefined ? '' : `, got ${JSON.stringify(shortenText(given.replace(/\/\/[^/@]*@/g, '//…@')))}`;
  return new Failure('setting', `${sentence}${got}.`, hint === undefined ? {} : { hint });
}

export function readWholeNumber(
  flag: string,
  given: string | undefined,
  { standard, min, max }: { standard: number; min: number; max: number },
): number {
  if (given === undefined) return standard;
  const number = /^\d{1,9}$/.test(given.trim()) ? Number(given) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw badValue(`${flagNames(flag)} must be a whole number from ${min} to ${max}`, given);
}

export function readChoice<const Choice extends string>(
  flag: string,
  given: string,
  choices: readonly Choice[],
): Choice {
  const wanted = given.trim().toLowerCase();
  const choice = choices.find(candidate => candidate === wanted);
  if (choice !== undefined) return choice;
  throw badValue(`${flagNames(flag)} must be ${choices.join(' or ')}`, given);
}

/** Parses the path of a flag. Hosts start servers in folders of their own choice, so that a relative path is rejected. */
export function requireAbsolutePath(flag: string, given: string): string {
  const expanded = /^~(?=$|[\\/])/.test(given) ? path.join(homedir(), given.slice(1)) : given;
  if (path.isAbsolute(expanded)) return path.resolve(expanded);
  // An address can contain a password, so the message does not repeat it. One letter before the colon is a drive.
  if (/^[\w.+-]{2,}:\//.test(given))
    throw badValue(`${flagNames(flag)} must be a path on this machine, not an address`);
  const hint = `A host may start the server in any working directory. From this one it is ${path.resolve(expanded)}.`;
  throw badValue(`${flagNames(flag)} must be an absolute path`, given, hint);
}

/** Returns the name of the environment variable of a flag. */
export function variableName(flag: string): string {
  return `OJ_MCP_${flag.replaceAll('-', '_').toUpperCase()}`;
}
