import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { environmentVariableOfFlag, expandHomeFolder, mayBeSecret } from '../../toolset/flag-value.ts';
import { findSimilarPath } from '../../toolset/similar-path.ts';
import type { ExternalVariable, Flag, Flags } from '../../toolset/toolset.ts';
import type { ParsedFlagValues } from '../argv.ts';
import { isPlaceholder } from '../placeholder.ts';
import { findConflictingFlags, isValueSet, splitVariableValue, stripQuotes } from '../settings.ts';
import type { ServerCommand } from './hosts.ts';

/** The command of a server, with the details that --print-config and --install print. */
export interface DescribedServerCommand {
  command: ServerCommand;
  /** True if no flag and no environment variable was given, so that the command starts the demo. */
  isDefaultDemo: boolean;
  /** The external variables, such as HTTPS_PROXY, that are part of the command with their values. */
  copied: readonly string[];
  /** The other ways to configure the server without a secret in the host's file, and the variables that they replace. */
  alternatives: Readonly<Record<string, readonly string[]>>;
  /** The problems with the given paths, such as `--files-root /gone does not exist`. */
  pathFaults: readonly string[];
}

/**
 * Returns the command of a server: its flags become arguments, its environment variables stay variables, and secrets
 * become placeholders.
 */
export function createServerCommand(
  given: ParsedFlagValues,
  flags: Flags,
  env: NodeJS.ProcessEnv,
): DescribedServerCommand {
  const words: string[] = [];
  const variables: Record<string, string> = {};
  const secrets: string[] = [];
  const alternatives: Record<string, readonly string[]> = {};
  const pathFaults: string[] = [];
  for (const [name, flag] of Object.entries(flags)) {
    const [values, variable] = [given.get(name), environmentVariableOfFlag(name)];
    const others = findConflictingFlags(name, flags);
    // The flag --token-file overrides the environment variable of --token, as at the start of the server.
    const isOverruled = others.some(other => given.has(other));
    const value = isOverruled || !isValueSet(env[variable]) ? undefined : env[variable];
    if (values === undefined && value === undefined) continue;
    if (flag.isSecret === true) {
      variables[variable] = createSecretPlaceholder(variable);
      secrets.push(variable);
      for (const other of others) alternatives[`--${other}`] = [variable];
    } else if (values === undefined) {
      const parts = splitList(flag, value);
      variables[variable] = parts.map(part => portable(name, flag, part)).join(path.delimiter);
      pathFaults.push(...findPathFaults(name, flag, parts, variable));
    } else {
      words.push(...argumentsOf(name, flag, values));
      pathFaults.push(...findPathFaults(name, flag, values, `--${name}`));
    }
  }
  const isDefaultDemo = words.length + Object.keys(variables).length === 0;
  const args = [path.resolve(process.argv[1] ?? 'oj-mcp.cjs'), ...(isDefaultDemo ? ['--demo'] : words)];
  const command = { command: process.execPath, args, env: variables, secrets };
  return { command, isDefaultDemo, copied: [], alternatives, pathFaults };
}

function splitList({ isList }: Flag, value = ''): string[] {
  return isList === true ? splitVariableValue(value).filter(isValueSet) : [value];
}

function argumentsOf(name: string, flag: Flag, values: readonly string[]): string[] {
  return values.length === 0 ? [`--${name}`] : values.flatMap(value => [`--${name}`, portable(name, flag, value)]);
}

/**
 * Adds the environment variables of other programs that are set now, such as proxies, because many hosts pass only the
 * variables in their own configuration to a server. A secret becomes a placeholder.
 */
export function addExternalVariables(
  entry: DescribedServerCommand,
  external: readonly ExternalVariable[],
  environment: NodeJS.ProcessEnv,
): DescribedServerCommand {
  const env = { ...entry.command.env };
  const secrets = [...entry.command.secrets];
  const copied: string[] = [];
  const alternatives = { ...entry.alternatives };
  for (const { name, isPath, isSecret, alternative } of external) {
    const value = environment[name];
    // Names are compared in lower case, because HTTPS_PROXY and https_proxy are the same variable on Windows.
    const isKnown = Object.keys(env).some(known => known.toLowerCase() === name.toLowerCase());
    if (value === undefined || value === '' || isKnown) continue;
    if (isSecret === true || hasPassword(value)) {
      secrets.push(name);
      env[name] = createSecretPlaceholder(name);
      if (alternative !== undefined) alternatives[alternative] = [...(alternatives[alternative] ?? []), name];
    } else {
      copied.push(name);
      env[name] = isPath === true ? path.resolve(value) : value;
    }
  }
  return { ...entry, command: { ...entry.command, env, secrets }, copied, alternatives };
}

function hasPassword(value: string): boolean {
  return /^[^/?#]*\/\/[^/?#]*@/.test(value) || /^[^/?#]+:[^/?#]+@/.test(value);
}

/** Returns a sentence without a period for each path that does not exist, and for each file in place of a folder. */
function findPathFaults(name: string, flag: Flag, values: readonly string[], source: string): string[] {
  if (flag.isCreated === true) return [];
  const paths = values.filter(value => isPathOf(flag, value)).map(value => portable(name, flag, value));
  return paths.flatMap(file => {
    if (!existsSync(file)) return [`${source} ${file} does not exist or is not accessible${describeSimilar(file)}`];
    return flag.valueHint === 'folder' && !statSync(file).isDirectory() ? [`${source} ${file} is not a folder`] : [];
  });
}

/** Returns the end of a sentence that suggests a similar path. */
function describeSimilar(file: string): string {
  const similar = findSimilarPath(file);
  return similar === undefined ? '' : `, but ${similar} exists`;
}

/**
 * Makes the paths in the value of a flag absolute, because a host starts the server in another folder and does not
 * expand ~.
 */
function portable(name: string, flag: Flag, value: string): string {
  // If the user gives a token in place of the path to a token file, the value stays unchanged, because the toolset
  // rejects it later.
  const isSecret = flag.valueHint === 'file' && mayBeSecret(stripQuotes(value));
  return isPathOf(flag, value) && !isSecret ? path.resolve(expandHomeFolder(name, stripQuotes(value))) : value;
}

function isPathOf({ valueHint = '' }: Flag, value: string): boolean {
  const isAddress = /^(?!file:)\w+:\/\//i.test(stripQuotes(value));
  return /folder|file/.test(valueHint) && !isAddress && !isPlaceholder(stripQuotes(value));
}

/** Returns the placeholder for a secret in a configuration. */
export function createSecretPlaceholder(variable: string): string {
  return `your-${variable
    .replace(/^OJ_MCP_/, '')
    .toLowerCase()
    .replaceAll('_', '-')}`;
}
