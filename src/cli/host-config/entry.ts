import { isDeepStrictEqual } from 'node:util';
import type { TextWithHiddenParts } from './changed-lines.ts';
import { type ConfigEditor, type ConfigValuePath, isObject, NotEditableError } from './config-editor.ts';
import { appendJsonItem, copyBlankValue, jsonConfigEditor, removeJsonItems, removeJsonProperty } from './edit-json.ts';
import { tomlConfigEditor } from './edit-toml.ts';
import { serverName } from './hosts.ts';
import {
  environmentVariablesOf,
  isOwnServerEntry,
  isOwnVsCodeInput,
  mergeServerEntries,
  type ServerEntryFields,
  vsCodeInputIdOf,
} from './own-entry.ts';

/** Describes where the configuration file of a host lists its MCP servers. */
export interface ServerListLocation {
  language: 'json' | 'toml';
  /** The member of the file that contains the servers, such as `mcpServers`. */
  key: string;
}

/**
 * The entry of this server in a host's file: the fields of the server, and the inputs with which VS Code asks for
 * secrets.
 */
export interface HostServerEntry {
  server: ServerEntryFields;
  inputs: readonly unknown[];
}

/** Extracts the entry of this server from the configuration text that --print-config prints. */
export function extractServerEntry(paste: string, place: ServerListLocation): HostServerEntry {
  const value = editorOf(place).parse(paste);
  const servers = isObject(value) ? value[place.key] : undefined;
  const server = isObject(servers) ? servers[serverName] : undefined;
  const inputs = isObject(value) ? value['inputs'] : undefined;
  return { server: isObject(server) ? server : {}, inputs: Array.isArray(inputs) ? inputs : [] };
}

/** Returns whether the content has an entry with the name of this server. The entry may start another program. */
export function hasServerEntry(content: string, place: ServerListLocation): boolean {
  return editorOf(place).read(content, pathOf(place)) !== undefined;
}

/** Returns the entry of this server in a host's file. Throws an error for the entry of another program. */
export function readServerEntry(content: string, place: ServerListLocation): ServerEntryFields | undefined {
  const server = editorOf(place).read(content, pathOf(place));
  if (server === undefined) return undefined;
  if (isObject(server) && isOwnServerEntry(server)) return server;
  throw new NotEditableError(
    `${place.key} has a server "${serverName}" that is not oj-mcp`,
    'Rename or remove that server by hand',
  );
}

/** The variables that the last installation wrote, and the content before the first one. */
export interface FormerInstallations {
  written: ServerEntryFields;
  original: string | undefined;
}

/**
 * Adds the server to the content of a host's configuration file. Properties that the user has added to an existing
 * entry are kept. `former` describes the earlier installations.
 */
export function addServerEntry(
  content: string,
  place: ServerListLocation,
  { server, inputs }: HostServerEntry,
  former?: FormerInstallations,
): string {
  const merged = mergeServerEntries(readServerEntry(content, place) ?? {}, server, former?.written);
  let edited = content;
  const references = Object.values(environmentVariablesOf(merged));
  const isUnused = (input: unknown): boolean =>
    isOwnVsCodeInput(input) && !references.includes(`\${input:${vsCodeInputIdOf(input)}}`);
  if (former !== undefined && inputsIn(edited, place).some(isUnused)) {
    const rest = removeJsonItems(edited, 'inputs', isUnused);
    edited = inputs.length > 0 ? rest : removeEmptied(rest, 'inputs', content, former.original);
  }
  for (const input of inputs) {
    if (!inputsIn(edited, place).some(item => vsCodeInputIdOf(item) === vsCodeInputIdOf(input)))
      edited = appendJsonItem(edited, 'inputs', input);
  }
  edited = editorOf(place).set(edited, pathOf(place), merged);
  requireSame(editorOf(place).read(edited, pathOf(place)), merged);
  requireSame(othersIn(edited, place), othersIn(content, place));
  return edited;
}

/** Removes the server from the content of a host's file. */
export function removeServerEntry(content: string, place: ServerListLocation): string {
  if (readServerEntry(content, place) === undefined) return content;
  let edited = editorOf(place).remove(content, pathOf(place));
  if (inputsIn(edited, place).some(isOwnVsCodeInput)) edited = removeJsonItems(edited, 'inputs', isOwnVsCodeInput);
  requireSame(editorOf(place).read(edited, pathOf(place)), undefined);
  requireSame(othersIn(edited, place), othersIn(content, place));
  return edited;
}

/**
 * Returns the content without the server, or undefined if an installation has created the file and it contains nothing
 * else. If nothing else was changed since the first installation, the result is `original`, the content before it,
 * because a removal cannot restore all white space.
 */
export function restoreConfigContent(
  content: string,
  place: ServerListLocation,
  original: string | undefined,
): string | undefined {
  const rest = removeTraces(content, place, original);
  if (rest === content) return content;
  if (original !== undefined && isInstalledFrom(original, content, rest, place)) return original;
  const isBlank = place.language === 'toml' ? rest === '' : /^\s*\{\s*\}\s*$/.test(rest);
  return original === undefined && isBlank ? undefined : rest;
}

/** Removes the server entry, and the objects that an installation has created for it. */
function removeTraces(content: string, place: ServerListLocation, original: string | undefined): string {
  const removed = removeServerEntry(content, place);
  if (place.language === 'toml') return removed;
  return [place.key, 'inputs'].reduce((edited, name) => removeEmptied(edited, name, content, original), removed);
}

/**
 * Compares the rest of the contents without this server, because a repeated installation can change the indentation and
 * order of its entry.
 */
function isInstalledFrom(original: string, content: string, rest: string, place: ServerListLocation): boolean {
  try {
    const server = readServerEntry(content, place) ?? {};
    const inputs = inputsIn(content, place).filter(isOwnVsCodeInput);
    const isOther = removeServerEntry(original, place) === original;
    return isOther && removeTraces(addServerEntry(original, place, { server, inputs }), place, original) === rest;
  } catch (error) {
    if (!(error instanceof NotEditableError)) throw error;
    return false;
  }
}

/** Removes an object or array that is empty after the removal, unless the file contained it before the installation. */
function removeEmptied(edited: string, name: string, content: string, original: string | undefined): string {
  const isEmpty = (value: unknown): boolean =>
    typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  const [value, before] = [edited, content].map(text => jsonConfigEditor.read(text, [name]));
  if (!isEmpty(value) || isEmpty(before)) return edited;
  const first = original === undefined ? undefined : jsonConfigEditor.read(original, [name]);
  if (original !== undefined && first !== undefined)
    return isEmpty(first) ? copyBlankValue(edited, name, original) : edited;
  const restored = removeJsonProperty(edited, [name]);
  const hasComment = commentsIn(restored) !== commentsIn(edited);
  return hasComment ? edited : restored;
}

function commentsIn(content: string): number {
  return jsonConfigEditor.hiddenRanges(content, () => true).length;
}

/**
 * Returns the content and the ranges that must not be printed: values of other servers, and values that the user has
 * added.
 */
export function markPartsToHide(
  content: string,
  place: ServerListLocation,
  written: ReadonlySet<string>,
): TextWithHiddenParts {
  const inputs = inputsIn(content, place);
  const isShown = ([first, second, member, name]: ConfigValuePath): boolean => {
    if (first === 'inputs') return isOwnVsCodeInput(inputs[Number(second)]);
    if (first !== place.key || second !== serverName) return false;
    if (member === 'env' || member === 'environment') return written.has(String(name));
    return ['type', 'command', 'args', 'tools', 'env_vars'].includes(String(member));
  };
  const isOwn = readServerEntry(content, place) !== undefined;
  return { text: content, hidden: editorOf(place).hiddenRanges(content, path => isOwn && isShown(path)) };
}

function editorOf({ language }: ServerListLocation): ConfigEditor {
  return language === 'toml' ? tomlConfigEditor : jsonConfigEditor;
}

function pathOf({ key }: ServerListLocation): [string, string] {
  return [key, serverName];
}

/** Returns the inputs of VS Code, with which it asks for secrets. They are in the same file as its servers. */
function inputsIn(content: string, place: ServerListLocation): unknown[] {
  const inputs = place.key === 'servers' ? jsonConfigEditor.read(content, ['inputs']) : undefined;
  return Array.isArray(inputs) ? inputs : [];
}

/** Returns the whole content except this server and the objects that are empty without it. */
function othersIn(content: string, place: ServerListLocation): unknown {
  const value = editorOf(place).parse(content);
  if (!isObject(value)) return value;
  const { [place.key]: servers, inputs, ...rest } = value;
  const others = isObject(servers)
    ? Object.fromEntries(Object.entries(servers).filter(([name]) => name !== serverName))
    : {};
  const otherInputs =
    Array.isArray(inputs) && place.key === 'servers' ? inputs.filter(item => !isOwnVsCodeInput(item)) : inputs;
  return { rest, others, otherInputs: otherInputs ?? [] };
}

/** Throws an error if an edit would change another part of the file. */
function requireSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) {
    throw new NotEditableError('the change would alter another part of the file');
  }
}
