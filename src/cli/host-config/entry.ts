import { isDeepStrictEqual } from 'node:util';
import type { MaskableText } from './changed-lines.ts';
import { type ConfigEditor, isObject, NotEditableError, type ValuePath } from './config-editor.ts';
import { appendItem, jsonEditor, removeItems, removeProperty } from './edit-json.ts';
import { tomlEditor } from './edit-toml.ts';
import { serverName } from './hosts.ts';
import { inputIdOf, isOwnInput, isOwnServer, mergeServer, type ServerMembers } from './own-entry.ts';

/** The part of a host's file that contains the servers. */
export interface ServersPlace {
  language: 'json' | 'toml';
  /** The member of the file that contains the servers, such as `mcpServers`. */
  key: string;
}

/** The entry of this server: the members of the server, and the inputs with which VS Code asks for secrets. */
export interface HostEntry {
  server: ServerMembers;
  inputs: readonly unknown[];
}

/** Returns the entry in the configuration that --print-config prints. */
export function entryIn(paste: string, place: ServersPlace): HostEntry {
  const value = editorOf(place).parse(paste);
  const servers = isObject(value) ? value[place.key] : undefined;
  const server = isObject(servers) ? servers[serverName] : undefined;
  const inputs = isObject(value) ? value['inputs'] : undefined;
  return { server: isObject(server) ? server : {}, inputs: Array.isArray(inputs) ? inputs : [] };
}

/** Tells whether the content has an entry with the name of this server. The entry may start another program. */
export function hasServer(content: string, place: ServersPlace): boolean {
  return editorOf(place).read(content, pathOf(place)) !== undefined;
}

/** Returns the entry of this server in the content of a host's file. Rejects the entry of another program. */
export function readServer(content: string, place: ServersPlace): ServerMembers | undefined {
  const server = editorOf(place).read(content, pathOf(place));
  if (server === undefined) return undefined;
  if (isObject(server) && isOwnServer(server)) return server;
  throw new NotEditableError(
    `${place.key} has a server "${serverName}" that starts another program: give that server another name`,
  );
}

/** Adds the server to the content of a host's file. A present entry keeps the members that a user has added. */
export function addEntry(content: string, place: ServersPlace, { server, inputs }: HostEntry): string {
  const merged = mergeServer(readServer(content, place) ?? {}, server);
  let edited = content;
  for (const input of inputs) {
    if (!inputsIn(edited, place).some(item => inputIdOf(item) === inputIdOf(input)))
      edited = appendItem(edited, 'inputs', input);
  }
  edited = editorOf(place).set(edited, pathOf(place), merged);
  requireSame(editorOf(place).read(edited, pathOf(place)), merged);
  requireSame(othersIn(edited, place), othersIn(content, place));
  return edited;
}

/** Removes the server from the content of a host's file. */
export function removeEntry(content: string, place: ServersPlace): string {
  if (readServer(content, place) === undefined) return content;
  let edited = editorOf(place).remove(content, pathOf(place));
  if (inputsIn(edited, place).some(isOwnInput)) edited = removeItems(edited, 'inputs', isOwnInput);
  requireSame(editorOf(place).read(edited, pathOf(place)), undefined);
  requireSame(othersIn(edited, place), othersIn(content, place));
  return edited;
}

/**
 * Returns the content without the server, or undefined if an installation has created the file and nothing else is in
 * it. `original` is the content before the first installation. It is the result if nothing else was changed since then,
 * because a removal cannot restore the white space of an empty object.
 */
export function restoreContent(content: string, place: ServersPlace, original: string | undefined): string | undefined {
  const rest = removeTraces(content, place, original);
  if (rest === content) return content;
  if (original !== undefined && isInstalledFrom(original, content, rest, place)) return original;
  const isBlank = place.language === 'toml' ? rest === '' : /^\s*\{\s*\}\s*$/.test(rest);
  return original === undefined && isBlank ? undefined : rest;
}

/** Removes the server, and the objects that an installation has created for it. */
function removeTraces(content: string, place: ServersPlace, original: string | undefined): string {
  const removed = removeEntry(content, place);
  if (place.language === 'toml') return removed;
  return [place.key, 'inputs'].reduce((edited, name) => removeEmptied(edited, name, content, original), removed);
}

/** Compares the contents without the server, because a repeated installation can indent and order it differently. */
function isInstalledFrom(original: string, content: string, rest: string, place: ServersPlace): boolean {
  try {
    const server = readServer(content, place) ?? {};
    const inputs = inputsIn(content, place).filter(isOwnInput);
    const isOther = removeEntry(original, place) === original;
    return isOther && removeTraces(addEntry(original, place, { server, inputs }), place, original) === rest;
  } catch (error) {
    if (!(error instanceof NotEditableError)) throw error;
    return false;
  }
}

/** Removes an object or array that this server has left empty, unless the file had it before the installation. */
function removeEmptied(edited: string, name: string, content: string, original: string | undefined): string {
  const isEmpty = (value: unknown): boolean =>
    typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  const [value, before] = [edited, content].map(text => jsonEditor.read(text, [name]));
  if (!isEmpty(value) || isEmpty(before)) return edited;
  if (original !== undefined && jsonEditor.read(original, [name]) !== undefined) return edited;
  const restored = removeProperty(edited, [name]);
  const hasComment = commentsIn(restored) !== commentsIn(edited);
  return hasComment ? edited : restored;
}

function commentsIn(content: string): number {
  return jsonEditor.hiddenRanges(content, () => true).length;
}

/** Returns the content with the parts that must not be printed: values of others, and those that a user has added. */
export function withHiddenRanges(content: string, place: ServersPlace, written: ReadonlySet<string>): MaskableText {
  const inputs = inputsIn(content, place);
  const isShown = ([first, second, member, name]: ValuePath): boolean => {
    if (first === 'inputs') return isOwnInput(inputs[Number(second)]);
    if (first !== place.key || second !== serverName) return false;
    if (member === 'env' || member === 'environment') return written.has(String(name));
    return ['type', 'command', 'args', 'tools', 'env_vars'].includes(String(member));
  };
  const isOwn = readOrUndefined(content, place) !== undefined;
  return { text: content, hidden: editorOf(place).hiddenRanges(content, path => isOwn && isShown(path)) };
}

function readOrUndefined(content: string, place: ServersPlace): ServerMembers | undefined {
  return content.trim() === '' ? undefined : readServer(content, place);
}

function editorOf({ language }: ServersPlace): ConfigEditor {
  return language === 'toml' ? tomlEditor : jsonEditor;
}

function pathOf({ key }: ServersPlace): [string, string] {
  return [key, serverName];
}

/** Returns the inputs of VS Code. Its servers are the member `servers`. */
function inputsIn(content: string, place: ServersPlace): unknown[] {
  const inputs = place.key === 'servers' ? jsonEditor.read(content, ['inputs']) : undefined;
  return Array.isArray(inputs) ? inputs : [];
}

/** Returns everything in the content except this server, and except objects that are empty without it. */
function othersIn(content: string, place: ServersPlace): unknown {
  const value = editorOf(place).parse(content);
  if (!isObject(value)) return value;
  const { [place.key]: servers, inputs, ...rest } = value;
  const others = isObject(servers)
    ? Object.fromEntries(Object.entries(servers).filter(([name]) => name !== serverName))
    : {};
  const otherInputs =
    Array.isArray(inputs) && place.key === 'servers' ? inputs.filter(item => !isOwnInput(item)) : inputs;
  return { rest, others, otherInputs: otherInputs ?? [] };
}

/** Stops an edit that would change the meaning of another part of the file. */
function requireSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) {
    throw new NotEditableError('the change would alter another part of the file');
  }
}
