import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** Returns the first text of a result. */
export function textOf({ content }: CallToolResult): string {
  const [block] = content;
  if (block?.type !== 'text') throw new Error('the result does not begin with a text');
  return block.text;
}

/** Returns the error object of a failed call and throws for a successful one. */
export function errorOf(result: CallToolResult): Record<string, unknown> {
  if (result.isError !== true) throw new Error(`the call has not failed: ${textOf(result)}`);
  if (result.content.length !== 1) throw new Error('an error is one object');
  const report: unknown = JSON.parse(textOf(result));
  return { ...(typeof report === 'object' ? report : undefined) };
}

/** Returns the object of a successful call, and checks that its text and structured content agree. */
export function objectOf(result: CallToolResult): Record<string, unknown> {
  if (result.isError === true) throw new Error(`the call has failed: ${textOf(result)}`);
  const { structuredContent } = result;
  const text: unknown = JSON.parse(textOf(result));
  const { notes, ...own } = structuredContent ?? {};
  const same = Array.isArray(text) ? own['result'] : own;
  if (JSON.stringify(text) !== JSON.stringify(same)) throw new Error('text and object differ');
  const said = result.content.slice(1).flatMap(block => (block.type === 'text' ? [block.text] : []));
  if (JSON.stringify(said) !== JSON.stringify(notes ?? [])) throw new Error('the notes differ');
  return own;
}

/** Returns the notes of a result, which state its limits. */
export function notesOf({ structuredContent }: CallToolResult): string[] {
  const notes = structuredContent?.['notes'];
  return Array.isArray(notes) ? notes : [];
}

/** Returns the list of a successful call. */
export function listOf(result: CallToolResult): Record<string, unknown>[] {
  const list = objectOf(result)['result'];
  if (!Array.isArray(list)) throw new Error('not a list');
  return list;
}
