import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** The first text of a result. */
export function textOf({ content }: CallToolResult): string {
  const [block] = content;
  if (block?.type !== 'text') throw new Error('the result does not begin with a text');
  return block.text;
}

/** The error object of a failed call; throws for a call that has not failed. */
export function errorOf(result: CallToolResult): Record<string, unknown> {
  if (result.isError !== true) throw new Error(`the call has not failed: ${textOf(result)}`);
  if (result.content.length !== 1) throw new Error('an error is one object');
  const report: unknown = JSON.parse(textOf(result));
  return { ...(typeof report === 'object' ? report : undefined) };
}

/** The object of a successful call; that the texts say the same is checked on the way. */
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

/** What goes with the answer: sentences on what is not in it. */
export function notesOf({ structuredContent }: CallToolResult): string[] {
  const notes = structuredContent?.['notes'];
  return Array.isArray(notes) ? notes : [];
}

/** The list of a successful call. */
export function listOf(result: CallToolResult): Record<string, unknown>[] {
  const list = objectOf(result)['result'];
  if (!Array.isArray(list)) throw new Error('not a list');
  return list;
}
