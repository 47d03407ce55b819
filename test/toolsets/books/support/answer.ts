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

/** The object of a successful call; that the text says the same is checked on the way. */
export function objectOf(result: CallToolResult): Record<string, unknown> {
  if (result.isError === true) throw new Error(`the call has failed: ${textOf(result)}`);
  const { structuredContent } = result;
  const text: unknown = JSON.parse(textOf(result));
  const same = Array.isArray(text) ? { result: text } : text;
  if (structuredContent === undefined || JSON.stringify(same) !== JSON.stringify(structuredContent)) {
    throw new Error('text and object differ');
  }
  return structuredContent;
}

/** The list of a successful call. */
export function listOf(result: CallToolResult): Record<string, unknown>[] {
  const list = objectOf(result)['result'];
  if (!Array.isArray(list)) throw new Error('not a list');
  return list;
}
