import { parentPort, workerData } from 'node:worker_threads';
import { plainStatement, statementMarkdown } from '../model/statement/index.ts';

/** Packed once, for the thread and for who starts it. */
export { plainStatement, statementMarkdown };

export interface ConverterJob {
  readonly kind: 'statement';
  readonly content: string;
  readonly link: string | undefined;
  readonly maxBytes: number;
}

export interface Converted {
  readonly markdown: string;
  readonly bugs: readonly unknown[];
}

if (isJob(workerData)) {
  const { content, link, maxBytes } = workerData;
  const bugs: unknown[] = [];
  const markdown = statementMarkdown(content, link, maxBytes, bug => bugs.push(bug));
  parentPort?.postMessage({ markdown, bugs } satisfies Converted);
}

function isJob(data: unknown): data is ConverterJob {
  return typeof data === 'object' && data !== null && 'kind' in data && data.kind === 'statement';
}
