import { Failure } from '../../../../src/errors/failure.ts';
import { type OpenedToolset } from '../../../../src/toolset/toolset.ts';
import { sha256, type TemporaryLibrary } from '../support/library.ts';

/** A call of a tool, or a change of a file by another program. */
export type Step =
  | readonly [tool: string, args: Readonly<Record<string, unknown>>, agent?: string]
  | readonly [change: 'put', key: string, content: string | Uint8Array]
  | readonly [change: 'remove', key: string];

/** Runs the steps in sequence and lists each call with its result. */
export async function listCalls(
  opened: OpenedToolset,
  library: TemporaryLibrary,
  steps: readonly Step[],
): Promise<string> {
  const lines: string[] = [];
  for (const [number, [name, subject, detail]] of steps.entries()) {
    if (typeof subject === 'string') {
      lines.push(`# ${name} ${subject}`);
      if (name === 'remove') library.remove(subject);
      else putFile(library, subject, detail ?? '', 60 + number);
      continue;
    }
    lines.push(`> ${name} ${shortJson(subject)}`, await resultOf(opened, name, subject, String(detail ?? 'ada')));
  }
  return withoutVariableParts(lines.join('\n'), library.root);
}

/** Writes a file as another program does. All files have different times, so that lists by time have one order. */
export function putFile(library: TemporaryLibrary, key: string, content: string | Uint8Array, minute: number): void {
  library.put(key, content, Date.UTC(2020, 2, 4, 5, minute));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 12); // longer than a tick of the file system's clock
}

async function resultOf(opened: OpenedToolset, name: string, args: object, agent: string): Promise<string> {
  const tool = opened.tools.find(candidate => candidate.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  const { signal } = new AbortController();
  try {
    const result = await opened.call(tool, args, { signal, agent, progress: () => {}, report: () => {} });
    if (typeof result === 'string' || !('structured' in result)) throw new Error('the result is not structured');
    const { structured, notes = [], links = [] } = result;
    return [
      listed(structured),
      ...notes.map(note => `note: ${note}`),
      ...links.map(link => `link: ${JSON.stringify(link)}`),
    ].join('\n');
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return `error:${listed(error.report ?? { message: error.message })}`;
  }
}

/** Returns an object as text, with one line for each property and each item of a list. */
function listed(value: object): string {
  const lines = Object.entries(value).flatMap(([name, property]: [string, unknown]) =>
    Array.isArray(property)
      ? [`  ${name}:`, ...property.map(item => `    ${shortJson(item)}`)]
      : [`  ${name}: ${shortJson(property)}`],
  );
  return `\n${lines.join('\n')}`;
}

/** Returns JSON in which long strings are shortened and invisible characters are escaped. */
function shortJson(value: unknown): string {
  const text = JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'string' && item.length > 600
      ? `${item.slice(0, 40)}… ${item.length} characters, hash ${sha256(item).slice(0, 8)}`
      : item,
  );
  return text.replaceAll(/[\u200b-\u202e]/g, character => `\\u${character.charCodeAt(0).toString(16)}`);
}

/**
 * Lists the journal records of a book in alphabetical order, because some are written after the response. The
 * verification of the journal compares their order. The hash in an audit note is left out, because it depends on the
 * records before it.
 */
export function listJournal(library: TemporaryLibrary, book: string): string {
  const shown = ['kind', 'backend', 'agent', 'operation', 'path', 'user', 'status', 'error'];
  const ofChange = ['prev', 'new', 'changed', 'manifest', 'tag', 'moved', 'hash'];
  const records = library
    .journal(book)
    .map(record => JSON.stringify(record, record.kind === 'note' ? shown : [...shown, ...ofChange]));
  return withoutVariableParts(
    [`journal of ${book}`, ...records.sort(), ...library.audit(book)].join('\n'),
    library.root,
  );
}

/** Replaces the parts that differ in each run: times, random names, ports and signatures. */
export function withoutVariableParts(text: string, root: string): string {
  return text
    .replaceAll(root, 'ROOT')
    .replaceAll(/http:\/\/(?:127\.0\.0\.1|localhost):\d+\/library\/[^/]+\//g, 'http://STORE/')
    .replaceAll(/\?[^"\s]*X-Amz-[^"\s]*/g, '?SIGNED')
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID')
    .replaceAll(/\b([0-9a-f]{8})[0-9a-f]{56}\b/g, '$1…')
    .replaceAll(/(\\"folder\\": \\")[0-9a-f]{16}/g, '$1ID')
    .replaceAll(/20(?:2[6-9]|[3-9]\d)-\d\d-\d\dT[\d:]+\.\d+Z/g, 'NOW')
    .replaceAll(/20(?:2[6-9]|[3-9]\d)-\d\d-\d\d-[0-9a-f]{16}-\d+\.zip/g, 'ID.zip')
    .replaceAll(/(elapsed_seconds|peak_memory_bytes): [\d.]+/g, '$1: 0');
}
