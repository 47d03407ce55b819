import path from 'node:path';
import { isObject } from './config-editor.ts';
import { vsCodeInputPrefix } from './hosts.ts';

/** The fields of one server in the file of a host. */
export type ServerEntryFields = Readonly<Record<string, unknown>>;

/**
 * Returns whether an entry starts this server: its command or an argument is the built file, the running file, which a
 * user can rename, or the package name `oj-mcp`, as in `npx oj-mcp@1.0.0`.
 */
export function isOwnServerEntry(server: unknown): boolean {
  if (!isObject(server)) return false;
  const [command, ...args] = commandLineOf(server);
  return isProgram(command) || [command, ...args].some(isBuiltFile);
}

/** Returns the program and the arguments. OpenCode stores both in the array `command`. */
export function commandLineOf({ command, args }: ServerEntryFields): unknown[] {
  return [command, args].flatMap(part => (part === undefined ? [] : part));
}

function isProgram(command: unknown): boolean {
  return typeof command === 'string' && /^oj-mcp(?:\.cmd|\.exe)?$/.test(baseName(command));
}

function isBuiltFile(word: unknown): boolean {
  if (typeof word !== 'string') return false;
  const isRunningFile = path.resolve(word) === path.resolve(process.argv[1] ?? '') && path.isAbsolute(word);
  return isRunningFile || baseName(word) === 'oj-mcp.cjs' || /^oj-mcp(?:@[^/\\]*)?$/.test(word);
}

/** Returns the last segment of a path in the syntax of any operating system. */
function baseName(file: string): string {
  return file.split(/[\\/]/).at(-1) ?? '';
}

/**
 * Returns the entry that an installation writes in place of an existing one. Fields and environment variables that the
 * user has added are kept. Those that the last installation wrote, as `written` states, are removed if the user has not
 * changed them and the new entry does not need them.
 */
export function mergeServerEntries(
  present: ServerEntryFields,
  fresh: ServerEntryFields,
  written: ServerEntryFields = {},
): ServerEntryFields {
  const names = new Set([...Object.keys(present), ...Object.keys(fresh)]);
  const members = Array.from(names, (name): [string, unknown] => {
    const kept = withoutUnneeded(present[name], written[name], fresh[name]);
    return [name, name in fresh ? mergeMember(name, kept, fresh[name]) : kept];
  });
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}

/**
 * Removes the members that are equal in `written` and missing in `fresh`. Returns undefined if no member is left.
 */
function withoutUnneeded(present: unknown, written: unknown, fresh: unknown): unknown {
  if (Array.isArray(present) && Array.isArray(written)) {
    const needed: readonly unknown[] = Array.isArray(fresh) ? fresh : [];
    const items: unknown[] = present.filter(item => needed.includes(item) || !written.includes(item));
    return items.length === 0 ? undefined : items;
  }
  if (!isObject(present) || !isObject(written)) return present;
  const members = Object.entries(present).filter(
    ([name, value]) => (isObject(fresh) && name in fresh) || value !== written[name],
  );
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

function mergeMember(name: string, present: unknown, fresh: unknown): unknown {
  if (isObject(present) && isObject(fresh)) return { ...present, ...fresh };
  if (!Array.isArray(present) || !Array.isArray(fresh)) return fresh;
  // In Copilot CLI the initial tool list is "*". A shorter list was written by the user and is kept.
  if (name === 'tools') return present;
  return name === 'env_vars' ? [...present, ...fresh.filter(item => !present.includes(item))] : fresh;
}

/** Returns the environment variables of an entry that are strings. OpenCode stores them in the field `environment`. */
export function environmentVariablesOf(server: ServerEntryFields | undefined): Record<string, string> {
  const variables = server?.['env'] ?? server?.['environment'];
  const pairs = isObject(variables) ? Object.entries(variables) : [];
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
}

/** Returns the folder of --files-cache, whose content an uninstallation does not delete. */
export function cacheFolderOf(server: ServerEntryFields | undefined): string | undefined {
  const words = commandLineOf(server ?? {}).map(String);
  const flag = words.findIndex(word => /^--files-cache(?:=|$)/.test(word));
  if (flag === -1) return environmentVariablesOf(server)['OJ_MCP_FILES_CACHE'];
  return words[flag]?.split('=').slice(1).join('=') || words[flag + 1];
}

/**
 * Returns the fields of an entry with environment variables. Of their values only those with the given names are
 * returned, because the others are secrets of the user.
 */
export function variableFieldsOf(server: ServerEntryFields, names: ReadonlySet<string>): ServerEntryFields {
  const fields = ['env', 'environment'].flatMap(field => {
    const value = server[field];
    return isObject(value) ? [[field, Object.entries(value).filter(([name]) => names.has(name))] as const] : [];
  });
  const { env_vars } = server;
  return {
    ...Object.fromEntries(fields.map(([field, pairs]) => [field, Object.fromEntries(pairs)])),
    ...(env_vars !== undefined && { env_vars }),
  };
}

/** Returns whether an item of the array `inputs` of VS Code belongs to this server. */
export function isOwnVsCodeInput(item: unknown): boolean {
  return vsCodeInputIdOf(item).startsWith(vsCodeInputPrefix);
}

export function vsCodeInputIdOf(item: unknown): string {
  const id = isObject(item) ? item['id'] : undefined;
  return typeof id === 'string' ? id : '';
}
