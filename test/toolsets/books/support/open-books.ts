import { getEventListeners } from 'node:events';
import { Failure } from '../../../../src/errors/failure.ts';
import { type FlagValues, type OpenedToolset, openToolset } from '../../../../src/toolset/toolset.ts';
import { books } from '../../../../src/toolsets/books/index.ts';

/**
 * Opens the toolset without an MCP connection, because a hundred thousand calls over a connection would take minutes.
 */
export async function openBooks(root: string, values: FlagValues = {}): Promise<OpenedToolset> {
  return await openToolset(books, { 'books-root': root, ...values }, { isDemo: false });
}

/** Returns the result or the error of a tool as an object. */
export async function callBooks(
  opened: OpenedToolset,
  name: string,
  args: object,
  agent = 'fuzzer',
): Promise<Record<string, unknown>> {
  const tool = opened.tools.find(candidate => candidate.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  const { signal } = new AbortController();
  const context = { signal, agent, progress: () => {}, report: () => {} };
  const result = await opened.call(tool, args, context).then(
    answer => (typeof answer === 'string' || !('structured' in answer) ? {} : answer.structured),
    (error: unknown) => {
      if (!(error instanceof Failure) || error.report === undefined) throw error;
      return { ...error.report };
    },
  );
  const { length } = getEventListeners(signal, 'abort');
  if (length > 0) throw new Error(`${name} leaves ${length} listeners for its cancellation`);
  return result;
}
