import path from 'node:path';
import { appendItem, NotEditableError, readProperty, removeItems, removeProperty, setProperty } from './edit-json.ts';
import { hasBlock, removeBlock, setBlock } from './edit-toml.ts';
import { type McpHost, ownInputPrefix } from './hosts.ts';

const serverName = 'oj';
const tomlTable = `mcp_servers.${serverName}`;

/** Adds the server to the content of a host's file, or replaces it. `paste` is the configuration that is printed. */
export function addEntry(content: string, { language }: McpHost, paste: string): string {
  if (language === 'toml') return setBlock(content, tomlTable, paste);
  const added: unknown = JSON.parse(paste);
  let edited = content;
  for (const [key, value] of Object.entries(added ?? {})) {
    if (key === 'inputs') edited = addInputs(edited, value);
    else edited = addServer(edited, key, value);
  }
  return edited;
}

function addServer(content: string, key: string, value: unknown): string {
  const server: unknown = Object.entries(value ?? {})[0]?.[1];
  requireOwn(readProperty(content, [key, serverName]));
  return setProperty(content, [key, serverName], server);
}

function addInputs(content: string, inputs: unknown): string {
  let edited = content;
  for (const input of Array.isArray(inputs) ? inputs : []) {
    const present = readProperty(edited, ['inputs']);
    const isThere = Array.isArray(present) && present.some(item => idOf(item) === idOf(input));
    if (!isThere) edited = appendItem(edited, 'inputs', input);
  }
  return edited;
}

function idOf(item: unknown): string {
  return typeof item === 'object' && item !== null && 'id' in item ? String(item.id) : '';
}

const keys = ['mcpServers', 'servers', 'context_servers', 'mcp'];

/** Returns the environment variables of the server in the content of a host's file. */
export function variablesIn(content: string, { language }: McpHost): Readonly<Record<string, string>> {
  if (language === 'toml') return {};
  const found = keys.flatMap(key => variableKeys.map(name => readProperty(content, [key, serverName, name])));
  const pairs = found.flatMap(variables => Object.entries(variables ?? {}));
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
}

const variableKeys = ['env', 'environment'];

/** Removes the server from the content of a host's file. */
export function removeEntry(content: string, { language }: McpHost): string {
  if (language === 'toml') return hasBlock(content) ? removeBlock(content, tomlTable) : content;
  let edited = content;
  for (const key of keys) {
    const present = readProperty(edited, [key, serverName]);
    if (present === undefined) continue;
    requireOwn(present);
    edited = removeProperty(edited, [key, serverName]);
    if (key === 'servers') edited = removeItems(edited, 'inputs', item => idOf(item).startsWith(ownInputPrefix));
  }
  return edited;
}

/**
 * Rejects an entry with the name of this server that starts another program. The entry counts as this server if it
 * contains `oj-mcp` or the path of the running file, which a user can rename.
 */
function requireOwn(server: unknown): void {
  const text = JSON.stringify(server) ?? '';
  const ownFile = JSON.stringify(path.resolve(process.argv[1] ?? ''));
  if (server === undefined || text.includes('oj-mcp') || text.includes(ownFile)) return;
  throw new NotEditableError(`the file has a server "${serverName}" that starts another program`);
}

/**
 * Returns the content without the server. If nothing else was changed since the installation, this is the content of
 * the backup, because a removal cannot restore the white space of an empty object.
 */
export function restoreContent(content: string, host: McpHost, backup: string | undefined): string {
  const removed = removeEntry(content, host);
  if (backup === undefined || host.language === 'toml') return removed;
  try {
    return removeEntry(backup, host) === backup && repeatInstallation(backup, content) === content ? backup : removed;
  } catch (error) {
    if (!(error instanceof NotEditableError)) throw error;
    return removed;
  }
}

/** Adds the server of the content `installed` to the content `before`. */
function repeatInstallation(before: string, installed: string): string {
  let edited = before;
  const inputs = readProperty(installed, ['inputs']);
  if (Array.isArray(inputs)) {
    const own: unknown[] = inputs.filter(item => idOf(item).startsWith(ownInputPrefix));
    edited = addInputs(edited, own);
  }
  for (const key of keys) {
    const server = readProperty(installed, [key, serverName]);
    if (server !== undefined) edited = setProperty(edited, [key, serverName], server);
  }
  return edited;
}
